//! From rows to rules: what one row of `rules.rs` turns into. Owns the order of a row, which is the order of the fields
//! of [`RuleInfo`](crate::RuleInfo) after the name of the variant; knows no rule.

/// Makes the enum `Rule`, the list of all rules and their details from one row a rule. `Rule::from_id` searches the list
/// by halves, so the rows are sorted by id.
macro_rules! rules {
    ($($rule:ident, $id:literal, $level:ident, $party:ident, $kind:ident, $text:literal, $source:literal, $origin:ident,
       [$($ruling:literal),*], $enforced:ident, $reason:literal, $tolerated:literal, $same_as:expr;)*) => {
        /// A rule of the format or of the I/O contract.
        // An index such as `[k]` in a rule's text is no link.
        #[allow(rustdoc::broken_intra_doc_links)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        pub enum Rule {
            $(#[doc = $text] $rule,)*
        }

        impl Rule {
            /// Every rule, by id.
            pub const ALL: &'static [Rule] = &[$(Rule::$rule),*];

            /// All there is to know about the rule.
            pub const fn info(self) -> &'static $crate::RuleInfo {
                &INFO[self as usize]
            }
        }

        static INFO: [$crate::RuleInfo; Rule::ALL.len()] = [$($crate::RuleInfo {
            id: $id,
            level: $crate::Level::$level,
            party: $crate::Party::$party,
            kind: $crate::Kind::$kind,
            text: $text,
            source: $source,
            origin: $crate::Origin::$origin,
            rulings: &[$($ruling),*],
            enforced: $crate::Enforced::$enforced,
            reason: $reason,
            tolerated: $tolerated,
            same_as: $same_as,
        }),*];
    };
}

pub(crate) use rules;
