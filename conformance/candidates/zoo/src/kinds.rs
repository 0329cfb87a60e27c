//! The kinds of the zoo and the ending each deserves. Owns the table and nothing else.

use crate::faults;
use crate::lies;
use crate::tamper::When::{After, Always, InTheMiddle};
use crate::tamper::{Deed, Kind};

/// No vector is scored; exit code 2.
const BROKEN_AT_HELLO: &str = "adapter-broken hello";
const BROKEN_AT_PROBE: &str = "adapter-broken probe";
/// The probe finds nothing, the vectors do; exit code 1.
const DIED: &str = "failed died";
const TIMED_OUT: &str = "failed timed-out";
const JUNK: &str = "failed junk";
const ACCEPTED: &str = "failed accepted";
const REJECTED: &str = "failed rejected";
const WRONG: &str = "failed wrong";
const UNSUPPORTED: &str = "failed unsupported";
const NOTHING: &str = "failed floor";
/// As the reference itself; exit code 0.
const NORMAL: &str = "normal";

const fn kind(name: &'static str, ending: &'static str, does: &'static str, deed: Deed) -> Kind {
    Kind { name, ending, does, deed }
}

/// Every kind, by the layer that has to catch it.
pub(crate) static KINDS: &[Kind] = &[
    kind("exits-at-once", BROKEN_AT_HELLO, "ends before its first line", Deed::AtHello(faults::exit)),
    kind("aborts-at-once", BROKEN_AT_HELLO, "dies before its first line", Deed::AtHello(faults::abort)),
    kind("hangs-at-hello", BROKEN_AT_HELLO, "never says its first line", Deed::AtHello(faults::hang)),
    kind("junk-at-hello", BROKEN_AT_HELLO, "greets before its first line", Deed::AtHello(faults::junk)),
    kind("half-a-hello", BROKEN_AT_HELLO, "ends in its first line", Deed::AtHello(faults::half_a_line)),
    kind("future-protocol", BROKEN_AT_HELLO, "speaks only protocol 1000", Deed::Boast(lies::future_protocol)),
    kind(
        "never-reads-input",
        BROKEN_AT_PROBE,
        "introduces itself and reads nothing",
        Deed::AtHello(faults::stop_reading),
    ),
    kind("junk-stdout", BROKEN_AT_PROBE, "prints a line before each answer", Deed::AtAnswer(Always, faults::junk)),
    kind("wrong-id", BROKEN_AT_PROBE, "answers another request", Deed::Misaddress(|id| id.wrapping_add(1))),
    kind("too-few-results", BROKEN_AT_PROBE, "leaves out the last result", Deed::Lie(Always, lies::too_few)),
    kind("accepts-everything", BROKEN_AT_PROBE, "accepts whatever it is given", Deed::Lie(Always, lies::accept)),
    kind("rejects-everything", BROKEN_AT_PROBE, "rejects whatever it is given", Deed::Lie(Always, lies::reject)),
    kind("does-nonsense", BROKEN_AT_PROBE, "does what does not exist", Deed::Lie(Always, lies::do_nonsense)),
    kind("accepts-bad-files", BROKEN_AT_PROBE, "rejects no file", Deed::Lie(Always, lies::accept_bad_files)),
    kind("rejects-good-files", BROKEN_AT_PROBE, "accepts no file", Deed::Lie(Always, lies::reject_good_files)),
    // A probe asks for nonsense and a missing file, then shows one good file and three bad ones that are always the
    // same. These know them, and not what comes after.
    kind("knows-fixed-bad-files", BROKEN_AT_PROBE, "rejects six times", Deed::Lie(After(6), lies::accept_bad_files)),
    kind("knows-fixed-good-file", BROKEN_AT_PROBE, "sees six times", Deed::Lie(After(6), lies::wrong_payload)),
    kind(
        "exceptions-as-reject",
        BROKEN_AT_PROBE,
        "calls every failure a bad file",
        Deed::Lie(Always, lies::failures_are_rejections),
    ),
    kind("exits-in-the-middle", DIED, "ends in place of an answer", Deed::AtAnswer(InTheMiddle, faults::exit)),
    kind("dies-by-signal", DIED, "aborts in place of an answer", Deed::AtAnswer(InTheMiddle, faults::abort)),
    kind("panics", DIED, "panics in place of an answer", Deed::AtAnswer(InTheMiddle, faults::panic)),
    kind("leaves-a-child", DIED, "ends, its child holds the pipes", Deed::AtAnswer(InTheMiddle, faults::leave_a_child)),
    kind("eats-memory", DIED, "takes memory without end", Deed::AtAnswer(InTheMiddle, faults::eat_memory)),
    kind("half-a-line", DIED, "ends in the middle of a line", Deed::AtAnswer(InTheMiddle, faults::half_a_line)),
    kind("hangs-in-the-middle", TIMED_OUT, "says nothing any more", Deed::AtAnswer(InTheMiddle, faults::hang)),
    kind(
        "half-a-line-and-hangs",
        TIMED_OUT,
        "stops in the middle of a line",
        Deed::AtAnswer(InTheMiddle, faults::half_a_line_and_hang),
    ),
    kind("junk-in-the-middle", JUNK, "prints a line before an answer", Deed::AtAnswer(InTheMiddle, faults::junk)),
    kind("endless-line", JUNK, "writes a line without end", Deed::AtAnswer(InTheMiddle, faults::endless_line)),
    kind(
        "knows-bad-canary",
        ACCEPTED,
        "accepts all but the probe's bad files",
        Deed::Lie(InTheMiddle, lies::accept_bad_files),
    ),
    kind(
        "knows-good-canary",
        REJECTED,
        "rejects all but the probe's good file",
        Deed::Lie(InTheMiddle, lies::reject_good_files),
    ),
    kind(
        "wrong-observations",
        WRONG,
        "right verdicts, nothing seen rightly",
        Deed::Lie(InTheMiddle, lies::wrong_observations),
    ),
    kind("wrong-shape", WRONG, "right verdicts, wrong shapes", Deed::Lie(InTheMiddle, lies::wrong_shape)),
    kind("wrong-payload", WRONG, "right verdicts, wrong bytes", Deed::Lie(InTheMiddle, lies::wrong_payload)),
    kind("wrong-kv", WRONG, "right verdicts, wrong key-values", Deed::Lie(InTheMiddle, lies::wrong_kv)),
    kind("loses-a-tensor", WRONG, "does not list the last tensor", Deed::Lie(InTheMiddle, lies::lose_a_tensor)),
    kind("sees-nothing", WRONG, "right verdicts, nothing observed", Deed::Lie(InTheMiddle, lies::see_nothing)),
    kind("skips-what-it-declared", UNSUPPORTED, "answers unsupported throughout", Deed::Lie(InTheMiddle, lies::skip)),
    kind("declares-nothing", NOTHING, "declares no feature, but answers", Deed::Boast(lies::declare_nothing)),
    kind("observes-nothing", NOTHING, "declares to observe nothing", Deed::Boast(lies::observe_nothing)),
    kind("floods-stderr", NORMAL, "1 MiB on standard error per answer", Deed::AtAnswer(Always, faults::flood_stderr)),
    // Nothing fails in a run over files as they are; these are for the sweeps over short and failing transfers.
    kind("hides-failures", NORMAL, "calls a failed transport a success", Deed::Lie(InTheMiddle, lies::hide_failures)),
    kind("drops-bytes", NORMAL, "drops a byte after a short read", Deed::Habit("drops a byte after a short read")),
    kind("indexes-torn-files", NORMAL, "ends a torn file", Deed::Habit("writes an index over a torn region")),
    kind("honest", NORMAL, "nothing wrong", Deed::Boast(|_| {})),
];
