//! What is compiled for tests alone. Owns reading `cfg`; knows nothing of modules.

use syn::punctuated::Punctuated;

/// The attributes of an item that may carry `cfg`.
pub(in super::super) fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether something is compiled for tests alone: a `cfg` asks for `test`, or for all of several things, one of which does.
pub(in super::super) fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Meta>().is_ok_and(|meta| requires_test(&meta))
    })
}

fn requires_test(meta: &syn::Meta) -> bool {
    match meta {
        syn::Meta::Path(path) => path.is_ident("test"),
        syn::Meta::List(list) if list.path.is_ident("all") => list
            .parse_args_with(Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated)
            .is_ok_and(|parts| parts.iter().any(requires_test)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_requires_a_test_is_for_tests() {
        let is_for_tests = |cfg: &str| {
            let item: syn::Item = syn::parse_str(&format!("#[{cfg}] mod a {{}}")).expect("an item");
            is_for_tests(attributes(&item))
        };
        for cfg in ["cfg(test)", "cfg(all(test, unix))", "cfg(all(unix, all(test)))", "cfg(all(not(unix), test,))"] {
            assert!(is_for_tests(cfg), "{cfg}");
        }
        for cfg in [
            "cfg(not(test))",
            "cfg(all(not(test), unix))",
            "cfg(all(unix, not(all(test))))",
            "cfg(all(feature = \"latest\"))",
            "cfg(all(feature = \"test\", unix))",
            "cfg(any(test, unix))",
            "cfg(all(any(test, unix), unix))",
            "cfg(all(testing, unix))",
            "cfg(all())",
            "cfg_attr(test, allow(unused))",
            "allow(test)",
        ] {
            assert!(!is_for_tests(cfg), "{cfg}");
        }
    }
}
