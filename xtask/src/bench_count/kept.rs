//! The counts that are kept in the repository.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::run::root;

const FILE: &str = "bench/counts.toml";
const HEAD: &str = "\
# Instructions of the main paths, counted by callgrind in release mode: `cargo xtask bench count` compares with them,
# `cargo xtask bench count --accept` writes this file.
#
# Loops are compiled for several instruction sets, and the one that the processor has is taken: counts hold for `simd`
# only, and are not compared elsewhere. valgrind knows no AVX-512, so that counts are those of AVX2 there. Another
# compiler moves them a little.
";

/// Instructions of every path, and what they depend on.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Counts {
    pub(super) simd: String,
    pub(super) rustc: String,
    pub(super) counts: BTreeMap<String, u64>,
}

impl Counts {
    /// Those in the repository.
    pub(super) fn kept() -> Result<Self> {
        let text = fs::read_to_string(file())
            .with_context(|| format!("{FILE} cannot be read: make it with --accept"))?;
        Self::read(&text).with_context(|| format!("{FILE} is broken: make it anew with --accept"))
    }

    /// Writes them there.
    pub(super) fn keep(&self) -> Result<()> {
        fs::create_dir_all(file().parent().context("a file in a folder")?)?;
        fs::write(file(), self.text()?).with_context(|| format!("{FILE} cannot be written"))?;
        println!("kept in {FILE}");
        Ok(())
    }

    fn read(text: &str) -> Result<Self> {
        Ok(toml::from_str(text)?)
    }

    fn text(&self) -> Result<String> {
        Ok(format!("{HEAD}{}", toml::to_string(self)?))
    }
}

fn file() -> PathBuf {
    root().join(FILE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_again() {
        let counts = [("ask-2d-100".to_string(), 5), ("push".to_string(), 7)].into();
        let kept = Counts { simd: "avx2".into(), rustc: "1.95.0".into(), counts };
        assert_eq!(kept.text().and_then(|text| Counts::read(&text)).ok(), Some(kept));
        for broken in ["", "simd = 1", "simd = \"a\"\nrustc = \"b\"\n[counts]\nx = -1"] {
            assert!(Counts::read(broken).is_err(), "{broken}");
        }
    }
}
