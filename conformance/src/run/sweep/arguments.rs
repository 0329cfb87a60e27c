//! Calls that a writer has to refuse, made from those that it accepts. Each breaks one thing.

use hurray_adapter::{Entries, KvEntry, KvValue, NewFile, NewItem, NewTensor, Payload, Step, Text};
use hurray_spec::Rule;

/// Bytes of a name or key that are one too many.
const TOO_LONG: usize = 65_536;

/// One call to be refused.
pub(super) struct Argument {
    /// The clause that refuses it.
    pub(super) rule: Rule,
    /// What is wrong, for people.
    pub(super) what: &'static str,
    /// Where it stands among the steps.
    pub(super) at: usize,
    /// The call.
    pub(super) step: Step,
}

/// Every wrong call that can be made from the right ones.
pub(super) fn refused_arguments(steps: &[Step], file: &NewFile) -> Vec<Argument> {
    let puts = steps.iter().enumerate().filter_map(|(at, step)| match step {
        Step::Put(item) => Some((at, item)),
        _ => None,
    });
    let mut arguments = Vec::new();
    for (at, item) in puts {
        let put = |rule, what, at, item| Argument { rule, what, at, step: Step::Put(item) };
        let twice = "a name that is taken";
        arguments.push(put(Rule::IoWriteDuplicateNameRefused, twice, at + 1, item.clone()));
        arguments.push(put(Rule::IoWriteEmptyNameRefused, "an empty name", at, renamed(item, Vec::new())));
        let long = vec![b'n'; TOO_LONG];
        arguments.push(put(Rule::IoWriteEmptyNameRefused, "a name of 65536 bytes", at, renamed(item, long)));
        for (what, item) in wrong_buffers(item) {
            arguments.push(put(Rule::IoWriteBufferMismatchRefused, what, at, item));
        }
        if let Some(item) = without_last_member(item) {
            arguments.push(put(Rule::IoWriteCompositeValidatedFirst, "a member too few", at, item));
        }
        if let Some(item) = members_of_one_name(item) {
            arguments.push(put(Rule::IoWriteCompositeNamesFirst, "two members of one name", at, item));
        }
    }
    let finish = steps.len().saturating_sub(1);
    for (rule, what, kv) in wrong_entries() {
        let kv = file.kv.iter().cloned().chain(kv).collect();
        arguments.push(Argument { rule, what, at: finish, step: Step::Finish(Entries { kv }) });
    }
    arguments
}

fn renamed(item: &NewItem, name: Vec<u8>) -> NewItem {
    let mut item = item.clone();
    match &mut item {
        NewItem::Tensor(tensor) => tensor.name = Text(name),
        NewItem::Composite(composite) => composite.name = Text(name),
    }
    item
}

/// One byte too many in the last buffer, and one buffer too many.
fn wrong_buffers(item: &NewItem) -> Vec<(&'static str, NewItem)> {
    let NewItem::Tensor(tensor) = item else { return Vec::new() };
    let with = |buffers: Vec<Payload>| NewItem::Tensor(NewTensor { buffers, ..tensor.clone() });
    let mut wrong = vec![("a buffer too many", with([&tensor.buffers[..], &[Payload::Hex(String::new())]].concat()))];
    if let Some((last, rest)) = tensor.buffers.split_last()
        && let Some(mut bytes) = last.bytes()
    {
        bytes.push(0);
        let longer = Payload::Hex(hex::encode(bytes));
        wrong.push(("a payload longer than its buffer", with([rest, &[longer]].concat())));
    }
    wrong
}

fn without_last_member(item: &NewItem) -> Option<NewItem> {
    let NewItem::Composite(composite) = item else { return None };
    let mut composite = composite.clone();
    composite.members.pop()?;
    Some(NewItem::Composite(composite))
}

fn members_of_one_name(item: &NewItem) -> Option<NewItem> {
    let NewItem::Composite(composite) = item else { return None };
    let mut composite = composite.clone();
    let first = match composite.members.first()? {
        NewItem::Tensor(tensor) => tensor.name.clone(),
        NewItem::Composite(nested) => nested.name.clone(),
    };
    let last = composite.members.pop().filter(|_| !composite.members.is_empty())?;
    composite.members.push(renamed(&last, first.0));
    Some(NewItem::Composite(composite))
}

fn wrong_entries() -> Vec<(Rule, &'static str, Vec<KvEntry>)> {
    let entry = |key: &[u8], value: KvValue| KvEntry { key: Text(key.to_vec()), value };
    let array = |items: Vec<KvValue>| KvValue::Array { element: Some("bool".to_owned()), items };
    let (yes, one) = (KvValue::Bool(true), KvValue::Int64(hurray_adapter::I64(1)));
    let keys = Rule::IoWriteKvKeysRefused;
    let arrays = Rule::IoWriteKvArrayRefused;
    vec![
        (keys, "a key twice", vec![entry(b"x", yes.clone()), entry(b"x", yes.clone())]),
        (keys, "an empty key", vec![entry(b"", yes.clone())]),
        (keys, "a key of 65536 bytes", vec![entry(&vec![b'k'; TOO_LONG], yes.clone())]),
        (arrays, "an array of two types", vec![entry(b"x", array(vec![yes.clone(), one]))]),
        (arrays, "an array in an array", vec![entry(b"x", array(vec![array(vec![yes])]))]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_clause_on_arguments_has_a_wrong_call() {
        let text = "[[tensor]]\nname = \"w\"\ntype = \"uint8\"\nshape = [2]\n\
                    layout_fields = { composition_rule = \"partition\" }\n\
                    [[tensor.members]]\nname = \"w.a\"\ntype = \"uint8\"\nshape = [1]\ndata = [\"hex 01\"]\n\
                    [[tensor.members]]\nname = \"w.b\"\ntype = \"uint8\"\nshape = [1]\ndata = [\"hex 01\"]\n\
                    [[tensor]]\nname = \"a\"\ntype = \"uint8\"\nshape = [1]\ndata = [\"hex 01\"]\n";
        let file = hurray_corpus::description::parse("x", text).expect("a description");
        let mut steps: Vec<Step> = file.items.iter().cloned().map(Step::Put).collect();
        steps.push(Step::Finish(Entries::default()));
        let arguments = refused_arguments(&steps, &file);
        let count = |rule| arguments.iter().filter(|argument| argument.rule == rule).count();
        for (rule, wanted) in [
            (Rule::IoWriteDuplicateNameRefused, 2),
            (Rule::IoWriteEmptyNameRefused, 4),
            (Rule::IoWriteBufferMismatchRefused, 2),
            (Rule::IoWriteCompositeValidatedFirst, 1),
            (Rule::IoWriteCompositeNamesFirst, 1),
            (Rule::IoWriteKvKeysRefused, 3),
            (Rule::IoWriteKvArrayRefused, 2),
        ] {
            assert_eq!(count(rule), wanted, "{rule}");
        }
        assert!(arguments.iter().all(|argument| argument.at <= steps.len()));
    }
}
