//! `fragments/*.toml`: TOML to [`Fragments`], each field by field what the tables of the specification list.
//!
//! Owns the fields of a `[[fragment]]`. That its labels are names of the specification is checked here, since the
//! assembler knows nothing of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use hurray_spec::tables::field_names;
use serde::Deserialize;
use toml::Spanned;

use super::parse;
use super::sources::Sources;
use crate::error::{LoadError, LoadFault};
use crate::recipe::{Fragment, Fragments, Place, RecipeError};

/// The folder, relative to `vectors/`.
const FOLDER: &str = "fragments/";

/// `fragments/<name>.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileForm {
    fragment: Vec<Spanned<FragmentForm>>,
}

/// One `[[fragment]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FragmentForm {
    name: String,
    why: String,
    /// Ids of the structures of `spec/tables` whose fields its lines are.
    fields_of: Vec<String>,
    #[serde(default)]
    defaults: BTreeMap<String, String>,
    lines: Spanned<String>,
}

/// Whether the file at `path` holds fragments.
pub(super) fn is_one(path: &str) -> bool {
    path.starts_with(FOLDER)
}

/// Loads every fragment; what is wrong with the others goes to `errors`.
pub(super) fn all(sources: &Sources, errors: &mut Vec<LoadError>) -> Arc<Fragments> {
    let mut fragments = Fragments::default();
    for (path, text) in sources.iter().filter(|(path, _)| is_one(path)) {
        let file: FileForm = match parse::from_toml(path, text) {
            Ok(file) => file,
            Err(error) => {
                errors.push(error);
                continue;
            }
        };
        for form in file.fragment {
            let place = Place { file: path.as_str().into(), line: parse::line_of(text, form.span().start) };
            if let Err(fault) = add(form.into_inner(), path, text, &mut fragments) {
                errors.push(LoadError { place, id: None, fault });
            }
        }
    }
    Arc::new(fragments)
}

fn add(form: FragmentForm, path: &str, text: &str, fragments: &mut Fragments) -> Result<(), LoadFault> {
    if form.why.trim().is_empty() {
        return Err(LoadFault::Missing { field: "why", because: "one sentence for a person" });
    }
    let place = parse::literal(path, text, form.lines.span().start);
    let fragment = Fragment { name: form.name, place, lines: form.lines.into_inner(), defaults: form.defaults };
    names(&fragment, &form.fields_of)?;
    fragments.add(fragment).map_err(|error: RecipeError| LoadFault::Recipe(Box::new(error)))
}

/// The labels of a fragment are the fields of its structures, all of them and in order.
fn names(fragment: &Fragment, structures: &[String]) -> Result<(), LoadFault> {
    let bad = |what| LoadFault::BadField { field: "fields_of", what };
    let mut wanted = Vec::new();
    for id in structures {
        let names =
            field_names(id).ok_or_else(|| bad(format!("`{id}` is no structure of spec/tables; give its id")))?;
        wanted.extend(names);
    }
    let labels: Vec<&str> = fragment.labels().collect();
    if labels == wanted {
        return Ok(());
    }
    let differs = labels.iter().zip(&wanted).position(|(label, name)| label != name);
    let at = differs.unwrap_or(labels.len().min(wanted.len()));
    let (label, name) = (labels.get(at).unwrap_or(&"nothing"), wanted.get(at).unwrap_or(&"nothing"));
    let what = format!(
        "`{}` has `{label}` where {} has `{name}`; write every field, in order, by its name in spec/tables",
        fragment.name,
        structures.join(", ")
    );
    Err(bad(what))
}

#[cfg(test)]
mod tests {
    use super::super::tests::sources;
    use super::super::{Loaded, load};
    use super::*;
    use crate::recipe::{Fault, FragmentFault};

    const HANDLE: &str = r#"
[[fragment]]
name = "handle"
why = "A buffer."
fields_of = ["buffer_handle"]
defaults = { alignment = "64" }
lines = '''
byte_size     u64  $size
alignment     u32  $alignment
device_tag    u8   0
sync_mode     u8   0
memory_class  u8   0
_reserved     u8   0
'''
"#;

    /// Three bytes and a handle behind them; of `change`, the first part in the fragment is replaced by the second.
    fn loaded(usage: &str, change: (&str, &str)) -> Loaded {
        let mut sources = sources(&format!("b u16 2=>b u16 2\n{usage}"));
        assert!(HANDLE.contains(change.0), "{}", change.0);
        sources.insert("fragments/buffer.toml".to_owned(), HANDLE.replacen(change.0, change.1, 1));
        load(&sources)
    }

    #[test]
    fn a_base_uses_a_fragment() {
        let loaded = loaded("h use handle  size = len(b)", ("64", "128"));
        assert_eq!(loaded.errors, []);
        let base = loaded.vectors.iter().find(|vector| vector.id == "bases/b").expect("the base");
        assert_eq!(base.bytes.to_vec(), [1, 2, 0, 2, 0, 0, 0, 0, 0, 0, 0, 128, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(base.labels.last(), Some(&("h._reserved".to_owned(), 18..19)));
    }

    #[test]
    fn a_fragment_has_the_fields_of_its_structure_and_no_other() {
        for change in [
            ("_reserved ", "reserved "),
            ("_reserved     u8   0\n", ""),
            ("device_tag    u8   0\nsync_mode     u8   0\n", "sync_mode     u8   0\ndevice_tag    u8   0\n"),
            ("_reserved     u8   0\n", "_reserved     u8   0\nmore  u8  0\n"),
            ("[\"buffer_handle\"]", "[\"buffer_handle\", \"trailer\"]"),
            ("[\"buffer_handle\"]", "[\"handle\"]"),
        ] {
            let errors = loaded("", change).errors;
            let place = errors.first().map(|error| (&*error.place.file, error.place.line));
            assert_eq!(place, Some(("fragments/buffer.toml", 2)), "{change:?}");
            assert!(matches!(errors[0].fault, LoadFault::BadField { field: "fields_of", .. }), "{change:?}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_fragment_is_told() {
        let fault = |change| loaded("", change).errors.into_iter().next().map(|error| error.fault);
        let why = fault(("A buffer.", ""));
        assert!(matches!(why, Some(LoadFault::Missing { field: "why", .. })), "{why:?}");
        let toml = fault(("why", "because"));
        assert!(matches!(toml, Some(LoadFault::Toml(_))), "{toml:?}");
        let Some(LoadFault::Recipe(error)) = fault(("u32  $alignment", "u32  $")) else { panic!("no mistake") };
        assert_eq!(error.place.to_string(), "fragments/buffer.toml:9");
        let Some(LoadFault::Recipe(error)) = fault(("u32  $alignment", "use handle")) else { panic!("no mistake") };
        assert_eq!(error.fault, Fault::from(FragmentFault::Nested("handle".to_owned())));
    }

    #[test]
    fn a_mistake_in_the_lines_of_a_fragment_names_the_base() {
        let errors = loaded("h use handle  size = c", ("64", "64")).errors;
        let LoadFault::Recipe(error) = &errors[0].fault else { panic!("{}", errors[0]) };
        assert_eq!(error.place.to_string(), "bases/b.toml:9: fragment handle, fragments/buffer.toml:8");
    }
}
