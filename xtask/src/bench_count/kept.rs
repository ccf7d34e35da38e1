//! The counts that are kept in the repository.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

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
#[derive(Debug, PartialEq)]
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
        fs::write(file(), self.text()).with_context(|| format!("{FILE} cannot be written"))?;
        println!("kept in {FILE}");
        Ok(())
    }

    fn read(text: &str) -> Result<Self> {
        let table: toml::Table = text.parse()?;
        let word = |key: &str| -> Result<String> {
            let value = table.get(key).and_then(toml::Value::as_str);
            Ok(value.with_context(|| format!("{key}: no text"))?.into())
        };
        let counts = table.get("counts").and_then(toml::Value::as_table).context("no [counts]")?;
        let count = |(path, value): (&String, &toml::Value)| -> Result<(String, u64)> {
            let count = value.as_integer().and_then(|count| u64::try_from(count).ok());
            Ok((path.clone(), count.with_context(|| format!("{path}: no count"))?))
        };
        Ok(Self {
            simd: word("simd")?,
            rustc: word("rustc")?,
            counts: counts.iter().map(count).collect::<Result<_>>()?,
        })
    }

    fn text(&self) -> String {
        let Self { simd, rustc, counts } = self;
        let lines: String =
            counts.iter().map(|(path, count)| format!("{path} = {count}\n")).collect();
        format!("{HEAD}simd = {simd:?}\nrustc = {rustc:?}\n\n[counts]\n{lines}")
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
        assert_eq!(Counts::read(&kept.text()).ok(), Some(kept));
        for broken in ["", "simd = 1", "simd = \"a\"\nrustc = \"b\"\n[counts]\nx = -1"] {
            assert!(Counts::read(broken).is_err(), "{broken}");
        }
    }
}
