//! The adapter as a writer: files from descriptions, read by the reference as they were described and without a finding.
//!
//! Speaks to the program as the suite does. Knows no vector and no verdict.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hurray_adapter::{BufferObservation, Candidate, NewFile, NewItem, Reader, Source, Text};
use hurray_conformance::candidates::reference::Reference;
use hurray_corpus::description;
use serde_json::{Value, json};

/// A tensor of every layout, scheme and section that the library has a constructor for.
const EVERYTHING: &str = include_str!("everything.toml");

struct OnDisk(PathBuf);

impl OnDisk {
    fn new(name: &str) -> Self {
        OnDisk(std::env::temp_dir().join(format!("hurray-io-described-{}-{name}.hrry", std::process::id())))
    }
}

impl Drop for OnDisk {
    fn drop(&mut self) {
        // A file that stays behind in the temporary folder harms nobody.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// One request to a program of its own; `replies` answer its offers, in order.
fn ask(request: &Value, replies: &[Value]) -> Vec<Value> {
    let mut program = Command::new(env!("CARGO_BIN_EXE_hurray-candidate-hurray-io"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the adapter");
    let mut to = program.stdin.take().expect("its input");
    let mut lines = BufReader::new(program.stdout.take().expect("its output")).lines();
    let mut next = || -> Value { serde_json::from_str(&lines.next().expect("a line").expect("text")).expect("JSON") };
    assert_eq!(next()["hello"]["name"], "hurray-io");
    writeln!(to, "{request}").expect("it listens");
    let mut replies = replies.iter();
    let results = loop {
        let said = next();
        match said["results"].as_array() {
            Some(results) => break results.clone(),
            None => writeln!(to, "{}", replies.next().expect("an answer to each offer")).expect("it listens"),
        }
    };
    drop(to);
    assert!(program.wait().expect("it ends").success());
    results
}

fn written(file: &NewFile, to: &Path) {
    let request = json!({"id": 1, "sink": {"path": to}, "steps": [{"write": file}]});
    assert_eq!(ask(&request, &[]), [json!({"ok": {}})]);
}

fn is_as_described(item: &NewItem, reader: &mut dyn Reader) {
    let (name, descriptor) = match item {
        NewItem::Tensor(tensor) => (&tensor.name, &tensor.descriptor),
        NewItem::Composite(composite) => (&composite.name, &composite.descriptor),
    };
    let read = reader.read(&name.0).unwrap_or_else(|failure| panic!("{name}: {failure:?}"));
    assert_eq!(read.tensor.as_ref(), Some(descriptor), "{name}");
    match item {
        NewItem::Tensor(tensor) => {
            let seen = read.buffers.unwrap_or_default().into_iter().map(|buffer| buffer.sha256);
            let meant =
                tensor.buffers.iter().map(|payload| BufferObservation::of(&payload.bytes().expect("bytes")).sha256);
            assert_eq!(seen.collect::<Vec<_>>(), meant.collect::<Vec<_>>(), "{name}");
        }
        NewItem::Composite(composite) => {
            let seen = reader.composite(&name.0).unwrap_or_else(|failure| panic!("{name}: {failure:?}"));
            let names = composite.members.iter().map(|member| match member {
                NewItem::Tensor(tensor) => tensor.name.clone(),
                NewItem::Composite(nested) => nested.name.clone(),
            });
            assert_eq!(seen.composite.and_then(|seen| seen.members), Some(names.collect::<Vec<Text>>()), "{name}");
            composite.members.iter().for_each(|member| is_as_described(member, reader));
        }
    }
}

#[test]
fn files_are_written_as_described() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../vectors/models");
    let models = ["csr", "partition", "quantized"]
        .map(|name| (name, std::fs::read_to_string(models.join(format!("{name}.toml"))).expect("a description")));
    for (name, text) in models.iter().map(|(name, text)| (*name, text.as_str())).chain([("everything", EVERYTHING)]) {
        let file = description::parse(name, text).unwrap_or_else(|error| panic!("{error}"));
        let disk = OnDisk::new(name);
        written(&file, &disk.0);
        let source = || Source::Path(disk.0.clone());
        let found = Reference::strict().validate(source()).unwrap_or_else(|failure| panic!("{name}: {failure:?}"));
        let findings: Vec<_> =
            found.findings.into_iter().flatten().filter(|finding| !is_padded_head(finding.rule.as_deref())).collect();
        assert_eq!(findings, [], "{name}");
        let (_, mut reader) = Reference::strict().open(source()).expect("a good file");
        file.items.iter().for_each(|item| is_as_described(item, reader.as_mut()));
        assert_eq!(reader.kv().expect("entries").kv.as_ref(), Some(&file.kv), "{name}");
    }
}

/// The library pads its heads, which is known of it and told by the suite.
fn is_padded_head(rule: Option<&str>) -> bool {
    rule == Some("container.composite.no-pad-after-head")
}

#[test]
fn what_no_file_can_have_is_refused_before_its_first_byte() {
    let mut file =
        description::parse("csr", "[[tensor]]\nname = \"a\"\ntype = \"uint8\"\nshape = [2]\ndata = [\"ramp 2\"]\n")
            .expect("a description");
    let one = file.items[0].clone();
    file.items.push(one.clone());
    let disk = OnDisk::new("twice");
    let request = |steps: Value| json!({"id": 1, "sink": {"path": disk.0}, "steps": steps});
    let said = ask(&request(json!([{"write": file}])), &[]);
    assert!(said[0]["refused"].is_object(), "{said:?}");
    let said = ask(
        &request(
            json!([{"put": one}, {"create": {}}, {"header": {}}, {"put": one}, {"put": one}, {"finish": {}}, {"finish": {}}]),
        ),
        &[],
    );
    let kinds: Vec<_> = said.iter().filter_map(|said| said.as_object()?.keys().next().cloned()).collect();
    assert_eq!(kinds, ["refused", "ok", "ok", "ok", "refused", "ok", "refused"]);
}

#[test]
fn a_sink_that_is_closed_is_told_as_such() {
    let request = json!({"id": 1, "sink": {"served": {}}, "steps": [{"create": {}}]});
    assert_eq!(ask(&request, &[json!({"id": 1, "taken": 0})]), [json!({"io": {"kind": "closed"}})]);
}
