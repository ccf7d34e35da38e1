//! What commands write, and what they never write over.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod bench;
mod verbs;

use bench::{Bench, PLAIN, STUDY};
use std::os::unix::fs::symlink;
use std::path::Path;
use verbs::Folder;

fn measured() -> Folder {
    let folder = Folder::with_cache();
    folder.ok(&["ask", "cache", "--count", "2"]);
    folder.ok(&["tell", "cache", "0", "cost=1", "p99_ms=200"]);
    folder
}

/// Every command that writes a file, and the endings of what it writes.
const WRITERS: [(&[&str], &[&str]); 3] = [
    (&["export", "cache"], &["jsonl", "json", "csv"]),
    (&["report", "cache"], &["html"]),
    (&["plot", "cache", "history"], &["svg", "png"]),
];

fn write(folder: &Folder, command: &[&str], more: &[&str]) -> verbs::Said {
    folder.run(&[command, more].concat())
}

#[test]
fn no_output_replaces_a_file_that_rpol_did_not_write() {
    let folder = measured();
    let page = "<!doctype html>\n<p>see <svg xmlns=\"http://www.w3.org/2000/svg\" data-generator=\"rpol\"/>";
    for (command, ends) in WRITERS {
        for end in ends {
            let file = format!("own.{end}");
            for foreign in
                ["my notes", page, "{\"spec\": 1}", "number,state\n1,a\n", "\u{89}PNG\r\n"]
            {
                folder.write(&file, foreign);
                let said = write(&folder, command, &["-o", &file]);
                said.is_refusal(command, &[&file, "rpol did not write it", "--force"]);
                assert_eq!(folder.read(&file), foreign);
            }
            assert_eq!(write(&folder, command, &["-o", &file, "--force"]).code, 0);
            assert_ne!(std::fs::read(folder.path().join(&file)).unwrap(), b"\x89PNG\r\n");
        }
    }
    let drafts = std::fs::read_dir(folder.path()).unwrap();
    let drafts = drafts
        .filter(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|e| e == "tmp"));
    assert_eq!(drafts.count(), 0);
}

#[test]
fn no_output_replaces_a_store_or_a_study_file() {
    let folder = measured();
    let [log, definition] = [folder.ok(&["export", "cache"]), folder.read("cache.toml")];
    folder.ok(&["create", "cache.toml", "--storage", "a.svg"]);
    folder.write("rpol.db-wal", "");
    let refused = |args: &[&str], words: &[&str]| folder.run(args).is_refusal(args, words);
    for args in [["export", "cache"], ["report", "cache"]] {
        for force in [&[][..], &["--force"]] {
            refused(&[&args, &["-o", "rpol.db"], force].concat(), &["rpol.db", "is a store"]);
            refused(&[&args, &["-o", "rpol.db-wal"], force].concat(), &["is a store"]);
        }
        refused(&[&args[..], &["-o", "cache.toml"]].concat(), &["cache.toml", "--force"]);
    }
    refused(&["plot", "cache", "-o", "a.svg", "--force"], &["a.svg", "is a store"]);
    assert_eq!([folder.ok(&["export", "cache"]), folder.read("cache.toml")], [log, definition]);
}

#[test]
fn what_rpol_wrote_gives_way_to_the_next() {
    let folder = measured();
    let read = |file: &str| std::fs::read(folder.path().join(file)).unwrap();
    for (command, ends) in WRITERS {
        for end in ends {
            let file = format!("own.{end}");
            folder.write(&file, "");
            assert_eq!(
                write(&folder, command, &["-o", &file]).code,
                0,
                "an empty file is nobody's"
            );
        }
    }
    let before = WRITERS.map(|(_, ends)| read(&format!("own.{}", ends[0])));
    folder.ok(&["tell", "cache", "1", "cost=0.5", "p99_ms=300"]);
    for (command, ends) in WRITERS {
        for end in ends {
            let said = write(&folder, command, &["-o", &format!("own.{end}")]);
            assert_eq!(said.code, 0, "{end}: {}", said.err);
        }
    }
    let after = WRITERS.map(|(_, ends)| read(&format!("own.{}", ends[0])));
    assert!(before.iter().zip(&after).all(|(before, after)| before != after));
    let png = read("own.png");
    assert!(
        png.starts_with(b"\x89PNG") && png.windows(17).any(|part| part == b"tEXtSoftware\0rpol")
    );
}

#[test]
fn links_are_followed_and_pipes_and_devices_refused() {
    let folder = measured();
    let place = |name: &str| folder.path().join(name);
    folder.ok(&["report", "cache", "-o", "real.html"]);
    symlink("real.html", place("latest.html")).unwrap();
    folder.ok(&["report", "cache", "-o", "latest.html"]);
    assert!(place("latest.html").is_symlink());
    folder.write("notes.txt", "mine");
    symlink("notes.txt", place("notes.html")).unwrap();
    symlink("nowhere", place("lost.html")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(place("pipe.html")).status().unwrap();
    assert!(made.success());
    for (file, words) in [
        ("notes.html", "rpol did not write it"),
        ("lost.html", "a link to nothing"),
        ("pipe.html", "a pipe"),
        ("/dev/null", "a device"),
    ] {
        let args = ["report", "cache", "-o", file];
        folder.run(&args).is_refusal(&args, &[file, words]);
    }
    assert_eq!(folder.read("notes.txt"), "mine");
    assert!(Path::new("/dev/null").metadata().is_ok_and(|found| !found.is_file()));
    for file in ["-", "/dev/stdout"] {
        assert!(folder.ok(&["report", "cache", "-o", file]).starts_with("<!doctype html>"));
        assert_eq!(folder.ok(&["export", "cache", "-o", file]), folder.ok(&["export", "cache"]));
    }
}

#[test]
fn a_study_file_writes_its_report_below_its_own_folder_only() {
    let bench = Bench::with(PLAIN, &format!("{STUDY}rounds = 1\n"));
    bench.run("", 0);
    std::fs::create_dir_all(bench.path("pages")).unwrap();
    symlink("/tmp", bench.path("away")).unwrap();
    bench.write("notes.txt", "mine");
    let before = std::fs::read(bench.path("rpol.db")).unwrap();
    for (report, words) in [
        ("../x.html", "outside"),
        ("pages/../../x.html", "outside"),
        ("/tmp/x.html", "outside"),
        ("away/x.html", "outside"),
        ("none/x.html", "is not there"),
        ("..", "is no file"),
        ("notes.txt", "rpol did not write it"),
        ("study.toml", "rpol did not write it"),
        ("rpol.db", "is a store"),
    ] {
        let study = format!("{STUDY}rounds = 3\nreport = '{report}'\n");
        bench.write("study.toml", &study);
        let complaint = bench.refused("");
        assert!(complaint.contains(words) && complaint.contains(report), "{report}: {complaint}");
        assert_eq!((bench.read("study.toml"), bench.trials().len()), (study, 1), "nothing was run");
    }
    assert_eq!(before, std::fs::read(bench.path("rpol.db")).unwrap());
    bench.write("study.toml", &format!("{STUDY}rounds = 2\nreport = 'pages/r.html'\n"));
    // Seen from the study's file, wherever the command is given.
    let file = bench.path("study.toml").display().to_string();
    let elsewhere = Folder::new();
    elsewhere.ok(&["run", &file]);
    assert!(bench.has("pages/r.html"));
    bench.run("", 0);
    elsewhere.ok(&["run", &file, "--report", "typed.html"]);
    assert!(elsewhere.path().join("typed.html").exists());
}

#[test]
fn a_report_does_not_say_what_commands_are_given() {
    let study = STUDY.replace("'{x}']", "'{x}', '--token=hunter2', 'n={x}']");
    let study = format!(
        "{study}rounds = 1\nsetup = ['true', 'hunter3']\nteardown = ['true', 'hunter4']\nreport = 'r.html'\n"
    );
    let bench = Bench::with(PLAIN, &study);
    bench.run("", 0);
    let page = bench.read("r.html");
    assert!(!page.contains("hunter"), "no argument is shown");
    assert!(page.contains("&quot;sh&quot;,\n") && page.contains("&quot;{x}&quot;"), "{page}");
}

#[test]
fn init_and_man_replace_nothing() {
    let folder = Folder::new();
    let init = ["init", "study.toml", "--objective", "minimize cost", "--param", "x=float:0:1"];
    symlink("nowhere", folder.path().join("study.toml")).unwrap();
    folder.run(&init).is_refusal(&init, &["study.toml", "is there already"]);
    std::fs::remove_file(folder.path().join("study.toml")).unwrap();
    folder.ok(&init);
    folder.run(&init).is_refusal(&init, &["study.toml", "is there already"]);
    folder.ok(&["man", "pages"]);
    folder.ok(&["man", "pages"]);
    folder.write("pages/rpol-run.1", "mine");
    folder.run(&["man", "pages"]).is_refusal(&["man"], &["rpol-run.1", "--force"]);
    assert_eq!(folder.read("pages/rpol-run.1"), "mine");
}
