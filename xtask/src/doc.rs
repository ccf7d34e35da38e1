//! `cargo xtask doc`: the documentation with its formulas rendered, readable without a network.

use std::path::Path;

use anyhow::{Context, Result};

use crate::run::{cargo, check, command, root, step, target};

const KATEX: &str = "katex@0.19.1";

pub(crate) fn run() -> Result<()> {
    let katex = target().join("katex");
    install(&katex)?;
    let header = root().join("docs/katex-header.html");
    let mut doc = cargo("doc --workspace --no-deps --lib");
    // Encoded, so that a path with spaces stays one argument.
    let flags = ["-D", "warnings", "--html-in-header", &header.display().to_string()].join("\x1f");
    doc.env("CARGO_ENCODED_RUSTDOCFLAGS", flags);
    step("documentation", &mut doc)?;
    // Afterwards: cargo empties the folder when the compiler has changed.
    copy(&katex.join("node_modules/katex/dist"), &target().join("doc/katex"))?;
    println!("{}", target().join("doc/rpol/index.html").display());
    Ok(())
}

fn install(folder: &Path) -> Result<()> {
    let marker = folder.join("version");
    if std::fs::read_to_string(&marker).is_ok_and(|found| found == KATEX) {
        return Ok(());
    }
    std::fs::create_dir_all(folder)?;
    let mut npm = command("npm");
    npm.args(["install", "--no-save", "--no-audit", "--no-fund", "--prefix"]).arg(folder);
    check(npm.arg(KATEX)).context("the formulas need KaTeX from npm")?;
    Ok(std::fs::write(marker, KATEX)?)
}

/// Copies a folder with everything in it.
fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let copied = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &copied)?;
        } else {
            std::fs::copy(entry.path(), copied)?;
        }
    }
    Ok(())
}
