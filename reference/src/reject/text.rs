//! The same answers for people: what, where, and what to do next. Decides nothing.

use std::fmt;

use super::{Error, Found, Limit, Misuse, Reject, Unsupported};

impl fmt::Display for Reject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bytes {}..{} break {}: {}", self.span.start, self.span.end, self.rule, self.rule.info().text)?;
        match self.found {
            Found::Unseen => Ok(()),
            Found::Unsigned(value) => write!(f, " Found {value} ({value:#x})."),
            Found::Short { wanted, left } => write!(f, " Needed {wanted} bytes, {left} are left."),
        }
    }
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misuse::NotOpen => f.write_str("the file is not open yet; step until it is ready"),
            Misuse::NothingOffered => f.write_str("no bytes are under way; step first"),
            Misuse::Overfill { reported, offered } => {
                write!(f, "{reported} bytes were reported but only {offered} were offered")
            }
            Misuse::NoComposite => f.write_str("the tensor is not the head of a composite; take it as a tensor"),
            Misuse::HeaderTwice => f.write_str("the header is written already; go on with tensors"),
            Misuse::HeaderMissing => f.write_str("the header comes first; write it"),
            Misuse::Finished => f.write_str("the file is finished; start another"),
            Misuse::Unusable => f.write_str("an item stopped in its middle; write the file again from the start"),
            Misuse::Alignment(alignment) => {
                write!(f, "an alignment of {alignment} is no power of two from 4096 to 2097152")
            }
            Misuse::NameEmpty => f.write_str("a tensor name has at least one byte"),
            Misuse::NameTooLong(len) => write!(f, "a tensor name has at most 65535 bytes, not {len}"),
            Misuse::NameTaken => f.write_str("a tensor of that name is written already; choose another name"),
            Misuse::BufferCount { declared, given } => {
                write!(f, "the descriptor declares {declared} buffers and {given} are given")
            }
            Misuse::BufferLen { buffer, declared, given } => {
                write!(f, "buffer {buffer} is declared with {declared} bytes and given with {given}")
            }
            Misuse::Descriptor(rule) => write!(f, "the descriptor breaks {rule}: {}", rule.info().text),
            Misuse::Composite(rule) => write!(f, "the tensor breaks its composite by {rule}: {}", rule.info().text),
            Misuse::MemberCount { declared, given } => {
                write!(f, "the head declares {declared} members and {given} are given")
            }
            Misuse::CompositeOpen { missing } => {
                write!(f, "a composite under way lacks {missing} direct members; write them first, one by one")
            }
            Misuse::Encoding => f.write_str("the descriptor has no encoding: too many dimensions, strides or buffers"),
            Misuse::KeyEmpty => f.write_str("a key has at least one byte"),
            Misuse::KeyTooLong(len) => write!(f, "a key has at most 65535 bytes, not {len}"),
            Misuse::KeyTwice => f.write_str("two entries have the same key; drop one"),
            Misuse::Array => f.write_str("an array holds values of one type and no arrays"),
            Misuse::KvTooLong => f.write_str("a value or the key-values as a whole exceed 4294967295 bytes"),
            Misuse::FileTooLong => f.write_str("an offset of the file would exceed 64 bits"),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Memory { len } => write!(f, "{len} bytes of memory could not be had"),
            Limit::Alignment { declared } => write!(f, "memory aligned to {declared} bytes is not provided"),
            Limit::Descriptor { len } => write!(f, "a descriptor of {len} bytes is not followed to its end"),
            Limit::Cover { members } => write!(f, "the boxes of {members} members cut each other up too often"),
            Limit::Tail { len } => {
                write!(f, "more than {len} bytes behind the tensors of a stream; save it to a file and read that")
            }
            Limit::Address { len } => write!(f, "{len} bytes at once exceed the address space"),
        }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsupported::UnknownData => f.write_str("data of an unknown type, layout or scheme"),
            Unsupported::Order { offset } => {
                write!(
                    f,
                    "a stream whose parts do not follow one another at byte {offset}; save it to a file and read that"
                )
            }
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Reject(reject) => reject.fmt(f),
            Error::Unsupported(part) => write!(f, "this reader does not decode {part}"),
            Error::NotFound => f.write_str("the file holds no tensor of that name; list the index for those it holds"),
            Error::Misuse(misuse) => write!(f, "refused, nothing was done: {misuse}"),
            Error::Limit(limit) => write!(f, "legal, but beyond a limit of this reader: {limit}"),
            Error::SinkClosed { torn: false } => f.write_str("the sink is closed; nothing of this item was written"),
            Error::SinkClosed { torn: true } => {
                f.write_str("the sink closed in the middle of an item; write the file again from the start")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use hurray_spec::Rule;

    use super::*;
    use crate::reject::Span;

    #[test]
    fn a_rejection_names_place_rule_and_value() {
        let reject = Reject::new(Rule::ContainerHeaderMagicReject, Span::value(8, 1, 255));
        let text = Error::from(reject).to_string();
        assert!(text.starts_with("bytes 8..9 break container.header.magic-reject: "), "{text}");
        assert!(text.ends_with(" Found 255 (0xff)."), "{text}");
        let found = Found::Short { wanted: 4, left: 3 };
        let short = Reject::new(Rule::ContainerHeaderSize, Span { found, ..Span::at(0, 3) });
        assert!(short.to_string().ends_with(" Needed 4 bytes, 3 are left."));
    }
}
