//! Exported logs: what comes back is what was written, or an error.
#![allow(missing_docs, clippy::unwrap_used)]

use rpol::random::Stream;
use rpol::store::{Export, Exported, Memory, Shared};
use rpol::{Spec, Study};
use std::sync::Arc;

/// A study with several kinds of events.
fn lived() -> Shared {
    let text = "name = 'cache'\nseed = 7\nobjective = 'minimize cost'\nconstraints = ['p99 <= 2']\nalgorithm = 'random'\n\
                [params]\nx = { type = 'float', low = 0, high = 1 }\nmode = { type = 'categorical', choices = ['a \"b\"', 'ä'] }";
    let mut study =
        Shared::open(Arc::new(Memory::default()), Spec::from_toml(text).unwrap()).unwrap();
    for number in 0..3 {
        study.change(|s| s.ask()).unwrap();
        study.change(|s| s.tell(number, [("cost", 0.125), ("p99", 1.5)])).unwrap();
    }
    study.change(|s| s.correct(1, [("cost", 3.0)])).unwrap();
    study.change(|s| s.ask()).unwrap();
    study.change(|s| s.fail(3, "\"quoted\", and a \\")).unwrap();
    study
}

fn written(study: &Shared) -> [String; 2] {
    let entries = study.entries();
    let export = Export::of("cache", &entries).unwrap();
    [export.lines().unwrap(), serde_json::to_string_pretty(&export).unwrap()]
}

#[test]
fn what_was_written_is_read() {
    let study = lived();
    for text in written(&study) {
        let read = Exported::read(&text).unwrap();
        assert!(read.verified && read.dated);
        assert_eq!(read.entries, study.entries());
    }
}

/// Refused, or of the same content.
fn check(study: &Shared, altered: &str, what: &str) -> bool {
    match Exported::read(altered) {
        Err(_) => true,
        Ok(read) => {
            assert!(read.verified && read.entries == study.entries(), "{what} went unnoticed");
            false
        }
    }
}

#[test]
fn no_edit_of_a_byte_goes_unnoticed() {
    let study = lived();
    let mut random = Stream::new(1, 0);
    for text in written(&study) {
        let (mut refused, mut tried) = (0, 0);
        while tried < 500 {
            let mut bytes = text.clone().into_bytes();
            let at = random.below(bytes.len());
            let byte = b"0123456789abcxyz\"{}[],: \n\\-."[random.below(28)];
            if std::mem::replace(&mut bytes[at], byte) == byte {
                continue;
            }
            let Ok(altered) = String::from_utf8(bytes) else { continue };
            tried += 1;
            refused += usize::from(check(&study, &altered, &format!("{byte:?} at {at}")));
        }
        assert!(refused > 300, "{refused}");
    }
}

#[test]
fn no_edit_of_a_line_goes_unnoticed() {
    let study = lived();
    let [text, _] = written(&study);
    let lines: Vec<&str> = text.lines().collect();
    let refused = |lines: Vec<&str>, what: String| {
        let error = Exported::read(&lines.join("\n")).err();
        error.unwrap_or_else(|| panic!("{what} went unnoticed")).to_string()
    };
    for i in 0..lines.len() {
        refused([&lines[..i], &lines[i + 1..]].concat(), format!("line {i} left out"));
        refused([&lines[..=i], &lines[i..]].concat(), format!("line {i} doubled"));
        // Cut at the end of a line; nothing at all is no log either, which its replay says.
        if i > 0 {
            let said = refused(lines[..i].to_vec(), format!("cut after line {i}"));
            assert!(said.contains("its last line is missing"), "{said}");
        }
    }
    for i in 1..lines.len() {
        let mut swapped = lines.clone();
        swapped.swap(i - 1, i);
        refused(swapped, format!("lines {i} and {} swapped", i + 1));
    }
}

#[test]
fn an_altered_line_is_named() {
    let [text, document] = written(&lived());
    let said = |text: &str| Exported::read(text).unwrap_err().to_string();
    let altered = text.replacen(
        "\"told\",\"number\":1,\"metrics\":{\"cost\":0.125",
        "\"told\",\"number\":1,\"metrics\":{\"cost\":0.126",
        1,
    );
    assert!(
        said(&altered).starts_with("line 6 is damaged: it is not as it was written"),
        "{}",
        said(&altered)
    );
    assert!(said(&text.replace("\"seed\":7", "\"seed\":8")).starts_with("line 2 is damaged"));
    assert!(
        said(&document.replace("\"seed\": 7", "\"seed\": 8")).starts_with("entry 0 is damaged")
    );
    assert!(
        said(&text.replace("rpol_log\":1", "rpol_log\":2"))
            .contains("is of version 2, and this rpol knows 1")
    );
    let long = text.replace("\"told\"", &format!("\"{}\"", "told".repeat(1000)));
    assert!(said(&long).len() < 1000);
    for deep in ["[".repeat(100_000), format!("{{\"at\":1,\"event\":{}", "[".repeat(100_000))] {
        assert!(said(&deep).len() < 1000);
    }
}

/// Logs of before there were checksums, and those of `rpol pipe`, which have no times.
#[test]
fn a_log_without_a_checksum_is_read_and_said_to_be_one() {
    let study = lived();
    let entries = study.entries();
    let lines: Vec<String> = entries.iter().map(|e| serde_json::to_string(e).unwrap()).collect();
    let list = format!("[{}]", lines.join(","));
    for text in
        [lines.join("\n"), list.clone(), format!("{{\"spec\":{{}},\"log\":{list},\"trials\":[]}}")]
    {
        let read = Exported::read(&text).unwrap();
        assert!(!read.verified && read.dated);
        assert_eq!(read.entries, entries);
    }
    let piped = format!("{{\"log\":{}}}", serde_json::to_string(study.study().log()).unwrap());
    let read = Exported::read(&piped).unwrap();
    assert!(!read.verified && !read.dated);
    assert_eq!(read.entries.into_iter().map(|e| e.event).collect::<Vec<_>>(), study.study().log());
}

/// Where nothing is checked, what is left is that a log is one that a program writes.
#[test]
fn an_audit_finds_what_is_never_written() {
    let log = lived().study().log().to_vec();
    assert_eq!(Study::audit(&log, |_| ()), Ok(vec![]));
    let told =
        log.iter().position(|e| matches!(e, rpol::study::Event::Told { number: 1, .. })).unwrap();
    let without = [&log[..told], &log[told + 1..]].concat();
    assert!(Study::replay(without.clone()).is_ok(), "each entry may follow those before it");
    let error = Study::audit(&without, |_| ()).unwrap_err().to_string();
    assert!(error.contains("cost of trial 1 is corrected and was never told"), "{error}");
}
