//! A command on a terminal of its own.
#![allow(dead_code, clippy::unwrap_used)]

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::{Read, Write};
use std::process::Command;

/// What a terminal of so many columns received while the command ran on it with these lines typed, and the exit code.
/// Lines end with `\n`; colours are left out.
pub(crate) fn on_terminal(mut command: Command, columns: u16, typed: &str) -> (String, i32) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let name = ptsname(&ours, Vec::new()).unwrap().into_string().unwrap();
    let theirs = File::options().read(true).write(true).open(name).unwrap();
    let size = Winsize { ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&theirs, size).unwrap();
    command.env("TERM", "xterm").env_remove("COLUMNS").env("NO_COLOR", "1");
    command.stdin(theirs.try_clone().unwrap()).stdout(theirs.try_clone().unwrap()).stderr(theirs);
    let mut child = command.spawn().unwrap();
    // Its ends of the terminal must be closed here, or the reading would never end.
    drop(command);
    let mut ours = File::from(ours);
    ours.write_all(typed.as_bytes()).unwrap();
    let mut received = Vec::new();
    let mut piece = [0; 4096];
    while let Ok(count @ 1..) = ours.read(&mut piece) {
        received.extend_from_slice(&piece[..count]);
    }
    let text = String::from_utf8(received).unwrap().replace("\r\n", "\n");
    (text, child.wait().unwrap().code().unwrap())
}

/// The text without escape sequences, a line for each that was drawn: one that fills the terminal ends without a break.
pub(crate) fn drawn(text: &str, columns: u16) -> Vec<String> {
    let escape = regex::Regex::new("\x1b\\[[0-9;?]*[a-zA-Z]").unwrap();
    let plain = escape.replace_all(text, "");
    let letters: Vec<Vec<char>> = plain.split(['\n', '\r']).map(|l| l.chars().collect()).collect();
    let rows = letters.iter().flat_map(|line| line.chunks(columns.into()));
    let rows = rows.map(|row| row.iter().collect::<String>().trim_end().to_string());
    rows.filter(|row| !row.is_empty()).collect()
}
