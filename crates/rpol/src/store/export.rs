//! A log as a file.
//!
//! ```text
//! {"rpol_log":1,"study":"cache"}
//! {"at":1700000000123,"event":"created",...,"check":"5f0c2a91"}
//! {"at":1700000000456,"event":"asked",...,"check":"d03b77e2"}
//! {"entries":2,"checksum":"d03b77e2..."}
//! ```
//!
//! The checksum is that of a store: of an entry, its place, and all before it. Every line has the first digits of its own, so
//! that a line that was altered is named. The last line is written last: without it the file was cut, be it at the end of
//! a line. White space between the parts of a line does not count.

use super::chain::Chain;
use super::{Entry, now};
use crate::error::{Error, Result};
use crate::study::Event;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Of the file.
const VERSION: u32 = 1;
/// Digits of a line's own checksum.
const DIGITS: usize = 8;

/// A log, to be written to a file. Serialised it is one document; [`lines`](Self::lines) writes one entry a line.
///
/// ```
/// use rpol::{Spec, store::{Export, Exported, Memory, Shared}};
/// use std::sync::Arc;
/// let spec = Spec::from_toml("name = 'a'\nobjective = 'y'\n[params]\nx = { type = 'float', low = 0, high = 1 }").unwrap();
/// let study = Shared::open(Arc::new(Memory::default()), spec).unwrap();
/// let text = Export::of("a", &study.entries()).unwrap().lines().unwrap();
/// let read = Exported::read(&text).unwrap();
/// assert!(read.verified && read.entries == study.entries());
/// assert!(Exported::read(&text.replace("\"seed\":0", "\"seed\":1")).is_err());
/// ```
#[derive(Debug, Serialize)]
pub struct Export<'a> {
    #[serde(flatten)]
    head: Head,
    log: Vec<Sealed<'a>>,
    #[serde(flatten)]
    seal: Seal,
}

/// What the first line says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    rpol_log: u32,
    study: String,
}

#[derive(Debug, Serialize)]
struct Sealed<'a> {
    #[serde(flatten)]
    entry: &'a Entry,
    check: String,
}

/// What the last line says.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Seal {
    entries: usize,
    checksum: String,
}

impl<'a> Export<'a> {
    /// The log of a study.
    pub fn of(study: &str, entries: &'a [Entry]) -> Result<Self> {
        let mut chain = Chain::of_study(study);
        let mut log = Vec::new();
        for (position, entry) in entries.iter().enumerate() {
            let event = json(&entry.event, position)?;
            chain = chain.then(position, entry.at, &event);
            log.push(Sealed { entry, check: digits(&chain) });
        }
        let head = Head { rpol_log: VERSION, study: study.into() };
        let seal = Seal { entries: log.len(), checksum: chain.hex() };
        Ok(Self { head, log, seal })
    }

    /// One line for the study, one for each entry, and one for all of them.
    pub fn lines(&self) -> Result<String> {
        let mut text = json(&self.head, 0)? + "\n";
        for (position, entry) in self.log.iter().enumerate() {
            text += &(json(entry, position)? + "\n");
        }
        Ok(text + &json(&self.seal, self.log.len())? + "\n")
    }
}

fn json(value: &impl Serialize, position: usize) -> Result<String> {
    let failed =
        |error: serde_json::Error| Error::InvalidLog { position, problem: error.to_string() };
    serde_json::to_string(value).map_err(failed)
}

fn digits(chain: &Chain) -> String {
    chain.hex()[..DIGITS].into()
}

/// A log that was read from a file.
#[derive(Debug)]
#[non_exhaustive]
pub struct Exported {
    /// What it holds.
    pub entries: Vec<Entry>,
    /// Whether it had a checksum, which was right. Logs of older versions and of `rpol pipe` have none.
    pub verified: bool,
    /// Whether its entries say when they were written. Those of `rpol pipe` do not, and have the time of their reading.
    pub dated: bool,
}

impl Exported {
    /// Reads a log: a document, a list of entries, or one entry a line.
    ///
    /// # Errors
    /// [`Damaged`](Error::Damaged) naming the first line, or entry of a document, that is not as it was written.
    pub fn read(text: &str) -> Result<Self> {
        if let Ok(document) = serde_json::from_str::<Document<'_>>(text) {
            return document.read();
        }
        if let Ok(list) = serde_json::from_str::<Vec<&RawValue>>(text) {
            return plain(
                list.into_iter().map(RawValue::get).enumerate().map(|(i, raw)| (entry_at(i), raw)),
            );
        }
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let mut lines = lines.map(|(i, line)| (format!("line {}", i + 1), line)).peekable();
        let Some((place, head)) = lines.next_if(|(_, line)| begins(line, "{\"rpol_log\":")) else {
            return plain(lines);
        };
        let head: Head = parsed(&place, head)?;
        let mut reading = Reading::new(&place, &head)?;
        let mut seal: Option<Seal> = None;
        for (place, line) in lines {
            if seal.is_some() {
                let problem = "it comes after the last line of the log: leave it out";
                return Err(damaged(&place, problem));
            }
            match begins(line, "{\"entries\":") {
                true => seal = Some(parsed(&place, line)?),
                false => reading.entry(&place, line)?,
            }
        }
        reading.end(seal)
    }
}

/// What an export is as one document; those of older versions have only the log.
#[derive(Deserialize)]
struct Document<'a> {
    #[serde(borrow)]
    log: Vec<&'a RawValue>,
    rpol_log: Option<u32>,
    study: Option<String>,
    entries: Option<usize>,
    checksum: Option<String>,
}

impl Document<'_> {
    fn read(self) -> Result<Exported> {
        let entries = self.log.into_iter().map(RawValue::get).enumerate();
        let mut entries = entries.map(|(i, raw)| (entry_at(i), raw));
        let place = "the document";
        let (rpol_log, study) = match (self.rpol_log, self.study) {
            (Some(rpol_log), Some(study)) => (rpol_log, study),
            (None, None) if self.entries.is_none() && self.checksum.is_none() => {
                return plain(entries);
            }
            _ => return Err(damaged(place, "rpol_log or study is missing")),
        };
        let mut reading = Reading::new(place, &Head { rpol_log, study })?;
        entries.try_for_each(|(place, raw)| reading.entry(&place, raw))?;
        reading.end(
            self.entries.zip(self.checksum).map(|(entries, checksum)| Seal { entries, checksum }),
        )
    }
}

fn entry_at(position: usize) -> String {
    format!("entry {position}")
}

/// A log that is checked as it is read.
struct Reading {
    study: String,
    chain: Chain,
    entries: Vec<Entry>,
}

impl Reading {
    fn new(place: &str, head: &Head) -> Result<Self> {
        match head.rpol_log {
            VERSION => {}
            newer if newer > VERSION => {
                let problem = format!(
                    "the log is of version {newer}, and this rpol knows {VERSION}: use a newer rpol"
                );
                return Err(Error::Storage { place: place.into(), problem });
            }
            none => return Err(damaged(place, format!("its version is {none}, which never was"))),
        }
        let study = head.study.clone();
        Ok(Self { chain: Chain::of_study(&study), study, entries: Vec::new() })
    }

    fn entry(&mut self, place: &str, text: &str) -> Result<()> {
        let position = self.entries.len();
        let altered = || {
            let problem = "it is not as it was written, or a line before it is missing, doubled or moved: export the study again";
            damaged(place, problem)
        };
        let text = compact(text);
        let Some((at, event, check)) = parts(&text) else {
            // Where it is no JSON at all, that says more.
            let _: serde::de::IgnoredAny = parsed(place, &text)?;
            return Err(altered());
        };
        self.chain = self.chain.then(position, at, &event);
        if digits(&self.chain) != check {
            return Err(altered());
        }
        let event = parsed(place, &event)?;
        self.entries.push(Entry { at, event });
        Ok(())
    }

    fn end(self, seal: Option<Seal>) -> Result<Exported> {
        let count = self.entries.len();
        let end = "the end of the log";
        let Some(seal) = seal else {
            let problem = format!(
                "its last line is missing after {count} entries: it was cut, export the study again"
            );
            return Err(damaged(end, problem));
        };
        if seal != (Seal { entries: count, checksum: self.chain.hex() }) {
            let problem = format!(
                "the checksum of all {count} entries is not the one it was written with, of {}",
                seal.entries
            );
            return Err(damaged(end, problem));
        }
        match self.entries.first().map(|entry| &entry.event) {
            Some(Event::Created { spec, .. }) if spec.name == self.study => {
                Ok(Exported { entries: self.entries, verified: true, dated: true })
            }
            _ => Err(damaged(
                "the beginning of the log",
                format!("it does not begin the study {:?}", self.study),
            )),
        }
    }
}

/// When an entry was written, its event, and the first digits of its checksum.
fn parts(text: &str) -> Option<(u64, String, &str)> {
    let (body, check) = text.strip_suffix("\"}")?.rsplit_once(",\"check\":\"")?;
    let (at, event) = body.strip_prefix("{\"at\":")?.split_once(',')?;
    Some((at.parse().ok()?, format!("{{{event}}}"), check))
}

/// A log without checksums.
fn plain<'a>(entries: impl Iterator<Item = (String, &'a str)>) -> Result<Exported> {
    #[derive(Deserialize)]
    struct Undated {
        at: Option<u64>,
        #[serde(flatten)]
        event: Event,
    }
    let (mut read, mut dated, now) = (Vec::new(), true, now());
    for (place, text) in entries {
        let is_sealed = parts(&compact(text)).is_some_and(|(_, _, check)| check.len() == DIGITS);
        if is_sealed || begins(text, "{\"entries\":") {
            return Err(damaged(
                &place,
                "it has a checksum, but the first line of the log is missing: export the study again",
            ));
        }
        let Undated { at, event } = parsed(&place, text)?;
        dated &= at.is_some();
        read.push(Entry { at: at.unwrap_or(now), event });
    }
    Ok(Exported { entries: read, verified: false, dated })
}

fn begins(line: &str, with: &str) -> bool {
    compact(&line.chars().take(2 * with.len()).collect::<String>()).starts_with(with)
}

/// Without white space between its parts.
fn compact(json: &str) -> String {
    let (mut quoted, mut escaped) = (false, false);
    let mut is_part = |c: &char| {
        let part = quoted || !c.is_ascii_whitespace();
        quoted ^= *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        part
    };
    json.chars().filter(|c| is_part(c)).collect()
}

fn parsed<'a, T: Deserialize<'a>>(place: &str, text: &'a str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| {
        let (column, said) = (error.column(), error.to_string());
        let problem = said.split(" at line ").next().unwrap_or_default();
        let problem = crate::name::cut(problem, LONGEST);
        damaged(&format!("{place} column {column}"), problem)
    })
}

/// Most characters of what was found there that an error shows.
const LONGEST: usize = 300;

fn damaged(place: &str, problem: impl Into<String>) -> Error {
    Error::Damaged { place: place.into(), problem: problem.into() }
}
