//! What a person sees: whole ticks, few digits, failures and the baseline apart, texts that read as they are.

use crate::queue::queue;
use crate::reading::{corners, texts, within};
use rpol::{Spec, Study};
use rpol_plot::page;
use rpol_plot::picture::{self, Kind, data};
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

static QUEUE: LazyLock<(Study, Vec<u64>)> = LazyLock::new(|| queue(40));

/// Every number among the words.
fn numbers(text: &str) -> Vec<&str> {
    let parts = text.split(|c: char| !c.is_ascii_digit() && c != '.');
    parts.filter(|part| part.starts_with(|c: char| c.is_ascii_digit())).collect()
}

/// A study of one integer parameter, each of its values tried.
fn integers(low: i64, high: i64) -> Study {
    let text = format!(
        "name = 'whole'\nobjective = 'y'\n[params]\nworkers = {{ type = 'int', low = {low}, high = {high} }}"
    );
    let mut study = Study::create(Spec::from_toml(&text).unwrap()).unwrap();
    for workers in [low, (low + high) / 2, high] {
        study.add([("workers".to_string(), workers.into())].into(), [("y", 1.0)]).unwrap();
    }
    study
}

#[test]
fn ticks_of_integers_are_integers() {
    for high in [4, 5, 9, 10, 11, 12, 14, 17, 24, 50, 101] {
        let study = integers(1, high);
        // The values of an axis come before its name.
        let svg = picture::parallel(&study);
        let labels = texts(&svg);
        let own = labels.iter().take_while(|text| *text != "workers");
        let own: Vec<&String> = own.filter(|text| text.parse::<f64>().is_ok()).collect();
        assert!(own.len() > 1, "{labels:?}");
        assert!(own.iter().all(|label| label.parse::<i64>().is_ok()), "1 to {high}: {own:?}");
    }
}

#[test]
fn trials_and_rounds_are_counted_in_whole_numbers() {
    for trials in [2, 5, 8, 11, 13, 20] {
        let (study, times) = queue(trials);
        for kind in [Kind::History, Kind::Violation, Kind::Delay] {
            let svg = kind.svg(&study, &times);
            assert!(
                !texts(&svg).iter().any(|text| text == "2.5" || text == "7.5"),
                "{trials} trials"
            );
        }
    }
}

#[test]
fn no_picture_has_more_digits_than_a_person_reads() {
    for kind in Kind::ALL {
        for text in texts(&kind.svg(&QUEUE.0, &QUEUE.1)) {
            for number in numbers(&text).into_iter().filter(|number| number.contains('.')) {
                let digits = number.replace('.', "");
                let significant = digits.trim_start_matches('0').len();
                assert!(significant <= 4, "{}: {number} in {text:?}", kind.name());
            }
        }
    }
}

#[test]
fn the_baseline_is_marked() {
    let (study, times) = &*QUEUE;
    for (kind, marks) in
        [(Kind::History, 1), (Kind::Slice, 3), (Kind::Contour, 1), (Kind::Parallel, 1)]
    {
        let svg = kind.svg(study, times);
        assert_eq!(within(&svg, "baseline", "path"), marks, "{}", kind.name());
        assert!(texts(&svg).iter().any(|text| text == "baseline"), "{} says so", kind.name());
    }
    let value = data::baseline(study).unwrap();
    let level = corners(&picture::history(study), "baseline");
    assert!(value > 0.0 && level[0][1] == level[1][1]);
    let plain = integers(1, 5);
    assert!(Kind::ALL.iter().all(|kind| within(&kind.svg(&plain, &[]), "baseline", "path") == 0));
}

#[test]
fn failures_stand_apart_from_what_was_measured() {
    let (study, times) = &*QUEUE;
    let failed = data::history(study).failed;
    assert!(failed.len() > 2, "the fixture has some");
    let limits = study.spec().constraints.len();
    for (kind, ticks) in [(Kind::History, failed.len()), (Kind::Violation, limits * failed.len())] {
        let svg = kind.svg(study, times);
        assert_eq!(within(&svg, "failed", "path"), ticks, "{}", kind.name());
        assert!(
            texts(&svg).iter().any(|text| text.starts_with("failed")),
            "{} says so",
            kind.name()
        );
    }
    assert!(texts(&Kind::Timeline.svg(study, times)).iter().any(|text| text == "failed"));
}

#[test]
fn no_name_turns_the_text_around_it() {
    let turning: Vec<char> = "\u{202e}\u{202a}\u{2066}\u{2069}\u{200f}\u{61c}".chars().collect();
    let name: String = turning.iter().flat_map(|c| [*c, 'a']).collect();
    let text = format!(
        "name = 't'\nobjective = {{ metric = \"{name}\", direction = 'minimize' }}\nconstraints = [\"'b{name}' <= 1\"]\n\
         [params]\n\"{name}\" = {{ type = 'float', low = 0, high = 1 }}"
    );
    let mut study = Study::create(Spec::from_toml(&text).unwrap()).unwrap();
    for i in 0..4 {
        let trial = study.ask().unwrap();
        study.claim(trial.number, rpol::study::Lease::new(name.clone(), 9)).unwrap();
        study
            .tell(trial.number, [(name.clone(), f64::from(i)), (format!("b{name}"), 0.5)])
            .unwrap();
    }
    let times: Vec<u64> = (0..study.log().len() as u64).collect();
    let pictures = Kind::ALL.map(|kind| kind.svg(&study, &times));
    for shown in pictures.iter().chain([&page::escaped(&name), &page::page(&name, "")]) {
        assert!(!shown.contains(&turning[..]), "{shown}");
    }
    assert!(pictures[0].contains('\u{fffd}') && page::escaped(&name).contains('\u{fffd}'));
}

#[test]
fn a_page_runs_nothing_and_loads_nothing() {
    let page = page::page("Study", "<p>Body</p>\n");
    let policy = page.split("http-equiv=\"Content-Security-Policy\" content=\"").nth(1).unwrap();
    let policy = policy.split('"').next().unwrap();
    let style = page.split("<style>").nth(1).unwrap().split("</style>").next().unwrap();
    let hash = format!("style-src 'sha256-{}'", base64(&Sha256::digest(style)));
    let rules: Vec<&str> = policy.split("; ").collect();
    assert_eq!(rules, ["default-src 'none'", &hash, "base-uri 'none'", "form-action 'none'"]);
}

/// Of RFC 4648.
fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, i| bits << 8 | u32::from(*three.get(i).unwrap_or(&0)));
        let sign = |i: usize| SIGNS[(bits >> (18 - 6 * i) & 63) as usize] as char;
        text.extend((0..4).map(|i| if i <= three.len() { sign(i) } else { '=' }));
    }
    text
}
