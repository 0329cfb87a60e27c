//! From rows to rules: what one row of `rules.rs` turns into. Owns the order of a row, which is the order of the fields
//! of `RuleInfo` after the name of the variant; knows no rule.

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
            pub const fn info(self) -> &'static RuleInfo {
                &INFO[self as usize]
            }
        }

        /// All there is to know about a rule.
        #[derive(Clone, Copy, Debug)]
        pub struct RuleInfo {
            /// The stable id, `area.noun.requirement`.
            pub id: &'static str,
            /// How binding it is.
            pub level: $crate::words::Level,
            /// Whom it binds.
            pub party: $crate::words::Party,
            /// What kind of statement it is.
            pub kind: $crate::words::Kind,
            /// The requirement, in our own words.
            pub text: &'static str,
            /// Document and section it rests on.
            pub source: &'static str,
            /// The document it comes from.
            pub origin: $crate::words::Origin,
            /// Rulings that settle contested points of it.
            pub rulings: &'static [&'static str],
            /// How it is seen to.
            pub enforced: $crate::words::Enforced,
            /// Why it is enforced nowhere, or deferred; empty otherwise.
            pub reason: &'static str,
            /// A contested rule that a strict reader lets pass (accepting is preferred); only `validate` flags it.
            pub tolerated: bool,
            /// The rule whose enforcing site this one shares.
            pub same_as: Option<Rule>,
        }

        static INFO: [RuleInfo; Rule::ALL.len()] = [$(RuleInfo {
            id: $id,
            level: $crate::words::Level::$level,
            party: $crate::words::Party::$party,
            kind: $crate::words::Kind::$kind,
            text: $text,
            source: $source,
            origin: $crate::words::Origin::$origin,
            rulings: &[$($ruling),*],
            enforced: $crate::words::Enforced::$enforced,
            reason: $reason,
            tolerated: $tolerated,
            same_as: $same_as,
        }),*];
    };
}

pub(crate) use rules;
