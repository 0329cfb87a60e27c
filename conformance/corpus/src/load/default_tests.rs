//! What a vector does not say of its near miss and of `validate`.

use super::load;
use super::tests::sources;
use crate::vector::ExpectValidate;
use hurray_spec::Rule;

#[test]
fn what_may_be_rejected_is_near_its_base_unless_it_says_otherwise() {
    let either = "expect = \"reject\"=>prefer = \"reject\"\nspec_silent = \"Silent.\"\nexpect = \"either\"";
    for outcome in ["", either] {
        let mut files = sources(outcome);
        files.entry("area/noun.toml".to_owned()).and_modify(|text| {
            *text = text.replacen("near = \"good\"\n", "", 1);
            if !outcome.is_empty() {
                *text = text.replacen("explicit", "contested", 1);
            }
        });
        let loaded = load(&files);
        assert_eq!(loaded.errors, [], "{outcome}");
        let nears: Vec<_> = loaded.vectors.iter().map(|vector| vector.near.as_deref()).collect();
        assert_eq!(nears, [Some("bases/b"), None, None], "{outcome}");
    }
}

#[test]
fn validate_names_the_first_rule_of_what_may_be_rejected_unless_it_says_otherwise() {
    let names = |id| ExpectValidate::Names(vec![Rule::from_id(id).expect(id)]);
    for (written, validate) in [
        ("", names("container.header.magic-reject")),
        ("validate = [\"container.header.magic\"]", names("container.header.magic")),
        ("validate_any = true", ExpectValidate::Any),
    ] {
        let loaded = load(&sources(&format!("validate = [\"container.header.magic\"]=>{written}")));
        assert_eq!(loaded.errors, [], "{written}");
        assert_eq!(loaded.vectors[0].validate, validate, "{written}");
        assert_eq!(loaded.vectors[1].validate, ExpectValidate::Clean, "an accepted file has no fault");
    }
}
