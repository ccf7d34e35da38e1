//! Finished runs on disk: a file each, written whole or not at all.
//!
//! A file has two lines: the run with the settings and the version it was made under, and a checksum of that line. What cannot be read, or
//! was made otherwise, is as good as absent.

use super::job::Job;
use super::run::Run;
use anyhow::{Context, Result};
use rpol_plot::{Replace, write_whole};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Of the program, as the files have it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The folder of the runs.
#[derive(Debug, Clone)]
pub struct Archive {
    folder: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct Record {
    version: String,
    settings: Value,
    run: Run,
}

impl Archive {
    /// Under the folder of the results, made where it is missing.
    pub fn open(results: &Path) -> Result<Self> {
        let folder = results.join("runs");
        fs::create_dir_all(&folder)
            .with_context(|| format!("cannot create the folder {}", folder.display()))?;
        Ok(Self { folder })
    }

    /// Where the run of a job is kept.
    pub fn path(&self, job: &Job) -> PathBuf {
        self.folder.join(format!("{}.jsonl", job.name()))
    }

    /// The run of a job, if it is here, whole, and made under the same settings by the same version.
    pub fn find(&self, job: &Job) -> Result<Option<Run>> {
        let settings = job.settings()?;
        let record = fs::read(self.path(job)).ok().and_then(|bytes| checked(&bytes));
        let same = |r: &Record| r.version == VERSION && r.settings == settings;
        let run = record.filter(same).map(|record| record.run);
        Ok(run.filter(|run| run.is_whole(job.environment.horizon)))
    }

    /// Keeps the run of a job, in the place of any before.
    pub fn keep(&self, job: &Job, run: Run) -> Result<()> {
        let record = Record { version: VERSION.into(), settings: job.settings()?, run };
        let line = serde_json::to_string(&record)?;
        let text = format!("{line}\n{}\n", checksum(line.as_bytes()));
        // Its name says what it is, whatever became of what it held.
        write_whole(&self.path(job), text.as_bytes(), Replace::Any)
    }
}

fn checked(bytes: &[u8]) -> Option<Record> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (line, rest) = text.split_once('\n')?;
    let sound = rest.trim_end() == checksum(line.as_bytes());
    sound.then(|| serde_json::from_str(line).ok()).flatten()
}

/// FNV-1a: notices a flipped bit, and is no guard against intent.
fn checksum(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("\"fnv1a:{hash:016x}\"")
}
