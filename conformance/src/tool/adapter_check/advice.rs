//! What to do next, by what came. Sentences for the author of an adapter; they decide nothing.

use hurray_adapter::StepResult;

use crate::transport::Cause;

pub(super) const PREPARE: &str = "run that command by hand until it succeeds";
pub(super) const START: &str =
    "check program, arguments and working directory; the command is started as it is, without a shell";
pub(super) const ENDED: &str =
    "run the command by hand: it has to write its hello and then wait for lines on standard input";
pub(super) const SECOND_START: &str =
    "an adapter is started again after every death: leave no lock, port or file behind that keeps it from starting";
pub(super) const FIRST_LINE: &str = "write {\"hello\": …} as the first line and flush it, before reading anything";
pub(super) const CLEAN: &str = "standard output is for the protocol alone: send every print, banner and log line of \
     program and library to standard error, and end every message with one line end";
pub(super) const PROTOCOL: &str = "this suite speaks version 1: declare \"protocol\": [1, 1]";
pub(super) const NAMES: &str = "use the names of the specification; a misspelt name counts as not declared";
pub(super) const ANSWER_ID: &str = "copy \"id\" from the request into its answer, a number as it came";
pub(super) const ANSWER_COUNT: &str =
    "put exactly one result for each step into \"results\", in order, also after one that failed";
pub(super) const ANSWER_SHAPE: &str = "answer {\"id\": …, \"results\": […]}, each result one of ok, reject, not_found, \
     refused, limit, io, unsupported, error with an object";
pub(super) const NONSENSE: &str = "answer {\"unsupported\": {}} for every step whose name the adapter does not know";
pub(super) const FUTURE: &str = "ignore fields it does not know: the protocol may grow";
pub(super) const NOT_OPEN: &str =
    "answer {\"refused\": {\"message\": …}} for a step that needs an open file while none is";
pub(super) const NO_FILE: &str = "catch only the library's own verdict on the bytes as reject; what the system says of \
     a file that cannot be read is {\"io\": {\"kind\": \"other\"}}, anything else is error";
pub(super) const NOT_FOUND: &str =
    "answer {\"not_found\": {}} where the file is fine and has no tensor of that name, not reject or error";
pub(super) const UNUSUAL_NAMES: &str = "{\"utf8\": …} takes every character of Unicode, U+FFFF and U+10FFFF too, and \
                                        {\"hex\": …} what is not UTF-8: see that no conversion in the adapter is \
                                        stricter or laxer";
pub(super) const ODD_NAME: &str = "a name is {\"utf8\": …} or {\"hex\": …}: answer not_found, or refused where the \
     library takes only text";
pub(super) const ACCEPTED_BAD: &str = "hand on the library's verdict: an error that is swallowed, or a file that is \
     looked at too late, becomes an acceptance";
pub(super) const UNSEEN: &str = "answer with what the library read from this very file, not with what was seen before";
pub(super) const END: &str = "leave the loop when reading standard input gives the end of the file";
pub(super) const NOT_FILLED: &str = "fill it, or take it out of \"observes\"";
pub(super) const LEFT_OUT: &str =
    "fill these fields if the library shows them; what is left out is counted as not compared";
pub(super) const SERVED_UNUSED: &str =
    "read the file through {\"need\": …} when the source is {\"served\": …}, or take `served` out of \"source\"";
pub(super) const RANGES: &str = "ask for ranges of at least one byte that lie within the size the request gives";
pub(super) const SHORT: &str =
    "an answer may have fewer bytes than were asked for: ask again for the rest until all are there";
pub(super) const INTERRUPTED: &str = "{\"error\": …} in place of bytes is a failure of the transport: ask again after \
     `interrupted`, or answer {\"io\": {\"kind\": …}}; it is never a bad file";
pub(super) const WRITTEN: &str = "write all bytes of the file to the sink before the answer, and flush and close it";
pub(super) const CLOSED: &str =
    "`taken` 0 means that the sink is closed: stop offering and answer {\"io\": {\"kind\": \"closed\"}}";

/// After the end of a process in place of an answer.
pub(super) fn after_death(cause: &Cause) -> &'static str {
    match cause {
        Cause::Signal(_) | Cause::Exit(_) | Cause::Panicked(_) => {
            "an adapter stays alive: catch what the library throws and answer error; look at its standard error for \
             why it ended"
        }
        Cause::TimedOut(_) => "answer every request, flush after every line, and do not wait for the end of the input",
        Cause::OutOfMemory(_) => "do not ask for memory that a file only claims to need",
        Cause::Junk(_) => {
            "write one line per answer and nothing else to standard output: the request's id, one result for each \
             step, no print of program or library"
        }
        Cause::NotRun(_) | Cause::Suite(_) => "mend what ended it before",
    }
}

/// After a good file, or a good part of one, was answered otherwise than by `ok`.
pub(super) fn after_good(result: &StepResult) -> &'static str {
    match result {
        StepResult::Ok(_) => "compare what was answered with what is there, field by field",
        StepResult::Reject { .. } => {
            "this file is good: see that the library gets all of its bytes, before suspecting the library"
        }
        StepResult::NotFound {} => "this name is in the file: see that it reaches the library as it was sent",
        StepResult::Refused { .. } => "the step is right: see that `open` keeps the file open for the steps after it",
        StepResult::Limit { .. } => "this file is small: no limit of an implementation may be met here",
        StepResult::Io { .. } => "this file can be read: see that its path, or its ranges, reach the library unchanged",
        StepResult::Unsupported {} => "connect the operation, or take it out of \"operations\"",
        StepResult::Error { .. } => "this is the adapter's own failure: mend what the message says",
    }
}
