//! `rpol plot` and `rpol report` from outside.

#![allow(clippy::unwrap_used)]

#[path = "../../rpol-plot/tests/picture/queue.rs"]
mod queue;

use rpol::store::{self, Entry};
use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder with a store that holds the queue's study, gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, trials: u64) -> Self {
        let path = std::env::temp_dir().join(format!("rpol-plot-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        let folder = Self(path);
        let (study, times) = queue::queue(trials);
        let log = study.log().iter().cloned().zip(times);
        let entries: Vec<Entry> = log.map(|(event, at)| Entry { at, event }).collect();
        store::open(&folder.url()).unwrap().append("queue", 0, &entries).unwrap();
        folder
    }

    fn url(&self) -> String {
        format!("sqlite:///{}/rpol.db", self.0.display())
    }

    fn rpol(&self, arguments: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rpol"));
        command.args(arguments.split_whitespace()).args(["--storage", &self.url()]);
        command.current_dir(&self.0).output().unwrap()
    }

    fn stdout(&self, arguments: &str) -> String {
        let output = self.rpol(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Refused with that exit code, and a message that has these parts.
    fn refuses(&self, arguments: &str, code: i32, parts: &[&str]) {
        let output = self.rpol(arguments);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments}: {message}");
        assert!(output.stdout.is_empty());
        for part in parts {
            assert!(message.contains(part), "no {part} in {message}");
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_terminal_shows_history_and_violation() {
    let folder = Folder::new("terminal", 20);
    let text = folder.stdout("plot queue");
    for part in
        ["Optimization history: minimize cost_eur", "violation of p99_ms <= 250: spent", "of 3000"]
    {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
    assert!(!text.contains('\x1b'), "no colour codes in a pipe");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    for kind in ["penalty", "delay", "timeline", "contour"] {
        assert!(folder.stdout(&format!("plot queue {kind}")).lines().count() > 3, "{kind}");
    }
}

#[test]
fn a_small_delay_plot_to_the_letter() {
    let folder = Folder::new("golden", 12);
    let bars = |n: usize| "█".repeat(n);
    let text = format!(
        "Delay of results, in rounds (0 pending)\n       0 {} 9\n       1 {} 2\n\n",
        bars(60),
        bars(14)
    );
    assert_eq!(folder.stdout("plot queue delay"), text);
}

#[test]
fn files_are_written_in_the_format_of_their_names() {
    let folder = Folder::new("files", 12);
    let kinds =
        ["history", "violation", "penalty", "slice", "contour", "parallel", "delay", "timeline"];
    for kind in kinds {
        assert_eq!(folder.stdout(&format!("plot queue {kind} -o {kind}.svg")), "");
        let svg = std::fs::read_to_string(folder.0.join(format!("{kind}.svg"))).unwrap();
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{kind}");
    }
    folder.stdout("plot queue slice --param batch -o a.PNG");
    assert!(std::fs::read(folder.0.join("a.PNG")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn what_cannot_be_drawn_is_refused_with_a_remedy() {
    let folder = Folder::new("refused", 2);
    folder.refuses("plot queue histogram", 2, &["histogram", "history, violation"]);
    folder.refuses("plot queue history -o a.gif", 2, &["a.gif", ".svg or .png"]);
    folder.refuses("plot queue slice", 2, &["-o slice.svg"]);
    folder.refuses("plot queue contour --param order --param batch", 2, &["order", "workers"]);
    folder.refuses("plot queue contour --param batch", 2, &["twice"]);
    folder.refuses("plot queue history --param batch", 2, &["--param"]);
    folder.refuses("plot nobody", 2, &["nobody", "queue"]);
    folder.refuses("report nobody", 2, &["nobody", "queue"]);
    folder.refuses("plot queue -o missing/a.svg", 1, &["missing/a.svg"]);
    folder.refuses("report queue -o missing/a.html", 1, &["missing/a.html"]);
}

#[test]
fn the_report_is_one_page_with_everything() {
    let folder = Folder::new("report", 20);
    assert_eq!(folder.stdout("report queue -o r.html"), "");
    let page = std::fs::read_to_string(folder.0.join("r.html")).unwrap();
    for part in [
        "Study queue",
        "What to run now",
        "p99_ms &lt;= 250",
        "The log has",
        "20 asked",
        "&quot;seed&quot;: 5",
    ] {
        assert!(page.contains(part), "no {part}");
    }
    assert_eq!(page.matches("<svg").count(), 8);
    let outside = page.replace("http://www.w3.org/2000/svg", "");
    for part in ["http:", "https:", "<script", "src=", "@import", "url(h"] {
        assert!(!outside.contains(part), "{part}");
    }
    let ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|r| r.split('"').next()).collect();
    let mut unique = ids.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), ids.len(), "ids do not meet");
}

#[test]
fn the_report_has_few_digits_and_marks_the_baseline_and_failures() {
    let folder = Folder::new("people", 20);
    folder.stdout("report queue -o r.html");
    let page = std::fs::read_to_string(folder.0.join("r.html")).unwrap();
    let policy = "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'";
    assert!(page.contains(policy) && !page.contains(" style=\""));
    let body = page.split("<body>").nth(1).unwrap().split("<details>").next().unwrap();
    let words: String = body.split("<svg").filter_map(|part| part.split("</svg>").last()).collect();
    assert!(words.contains("feasible, baseline") && words.contains("2 trials failed"), "{words}");
    let numbers = words.split(|c: char| !c.is_ascii_digit() && c != '.');
    for number in numbers.filter(|number| number.trim_end_matches('.').contains('.')) {
        let digits = number.replace('.', "");
        assert!(digits.trim_start_matches('0').len() <= 4, "{number} in {words}");
    }
}
