//! `rpol plot`: pictures of a study, in the terminal or in a file.

mod bars;
mod canvas;
mod chart;
mod ground;
mod lines;
mod terminal;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use rpol::Study;
use rpol::store::Shared;
use rpol_plot::Replace;
use rpol_plot::figure;
use rpol_plot::picture::{self, Kind, data};

use crate::BadInput;
use crate::common::files::{self, Force, Written};
use crate::common::output::say;
use crate::common::terminal::{of_stderr, of_stdout};
use crate::verbs::Target;

/// Draw a study, in the terminal or into a file.
///
/// Pictures: history (objective of each trial), violation (against the budgets), penalty (multipliers over the rounds),
/// slice (the models along each parameter), contour (over two parameters), parallel (parallel coordinates), delay (of
/// results), timeline. Without a name: history and violation.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rpol plot cache                     history and violations, in the terminal
  rpol plot cache contour -o c.svg    a picture in a file")]
pub(crate) struct Args {
    #[command(flatten)]
    target: Target,
    /// Which picture.
    kind: Option<String>,
    /// Write it to this file, .svg or .png, instead of the terminal.
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// A parameter to show, for slice and contour; may be given again.
    #[arg(long = "param", value_name = "NAME")]
    params: Vec<String>,
    #[command(flatten)]
    force: Force,
}

/// Pixels of a PNG for each unit of its SVG: sharp in print.
const PNG_SCALE: f32 = 2.0;

pub(crate) fn run(args: &Args) -> Result<()> {
    let kind = args.kind.as_deref().map(kind).transpose()?;
    let file =
        args.out.as_deref().map(|path| Ok::<_, BadInput>((path, format(path)?))).transpose()?;
    let shared = args.target.load()?;
    let study = shared.study();
    let params = checked(study, kind, &args.params)?;
    let Some((path, format)) = file else {
        let mut out = anstream::stdout().lock();
        return match kind {
            Some(kind) => terminal::write(&mut out, kind, study, shared.times(), &params, width()),
            None => overview(&mut out, &shared),
        };
    };
    let svg = drawn(kind.unwrap_or(Kind::History), study, shared.times(), &params);
    let bytes = match format {
        Format::Svg => svg.into_bytes(),
        Format::Png => figure::png(&svg, PNG_SCALE)?,
    };
    write(path, &bytes, args.force.replace(), false)
}

/// History and violation in characters.
pub(crate) fn overview(out: &mut impl Write, shared: &Shared) -> Result<()> {
    [Kind::History, Kind::Violation].into_iter().try_for_each(|kind| {
        terminal::write(out, kind, shared.study(), shared.times(), &[], width())
    })
}

/// Writes a file, and says so.
pub(crate) fn write(path: &Path, bytes: &[u8], replace: Replace, is_quiet: bool) -> Result<()> {
    let written = files::write(path, bytes, replace)?;
    if written == Written::File && !is_quiet {
        say!("wrote {}", path.display());
    }
    Ok(())
}

fn drawn(kind: Kind, study: &Study, times: &[u64], params: &[String]) -> String {
    match (kind, params) {
        (Kind::Slice, _) => picture::slice(study, params),
        (Kind::Contour, [a, b]) => picture::contour(study, Some(&[a.clone(), b.clone()])),
        _ => kind.svg(study, times),
    }
}

enum Format {
    Svg,
    Png,
}

fn format(path: &Path) -> Result<Format, BadInput> {
    match path.extension().and_then(|e| e.to_str()).map(str::to_lowercase).as_deref() {
        Some("svg") => Ok(Format::Svg),
        Some("png") => Ok(Format::Png),
        _ => Err(BadInput(format!(
            "cannot tell the format of {:?}: give a name that ends in .svg or .png",
            path.display().to_string()
        ))),
    }
}

fn kind(name: &str) -> Result<Kind, BadInput> {
    let known = || Kind::ALL.map(Kind::name).join(", ");
    let found = Kind::ALL.into_iter().find(|kind| kind.name() == name);
    found.ok_or_else(|| BadInput(format!("there is no picture {name:?}: those are {}", known())))
}

/// The parameters to show, refusing names and numbers of them that the picture cannot use.
fn checked(study: &Study, kind: Option<Kind>, params: &[String]) -> Result<Vec<String>, BadInput> {
    let space = study.spec().params.params();
    let usable: Vec<&str> = match kind {
        _ if params.is_empty() => return Ok(Vec::new()),
        Some(Kind::Contour) => data::numeric(study),
        Some(Kind::Slice) => {
            space.iter().filter(|(_, p)| !p.is_fixed()).map(|(name, _)| name.as_str()).collect()
        }
        _ => return Err(BadInput("--param is for slice and contour: leave it out".into())),
    };
    if let Some(unknown) = params.iter().find(|name| !usable.contains(&name.as_str())) {
        let known = usable.iter().take(20).map(|name| format!("{name:?}")).collect::<Vec<_>>();
        let known = known.join(", ");
        return Err(BadInput(format!("--param {unknown:?} cannot be shown: use one of {known}")));
    }
    if kind == Some(Kind::Contour) && (params.len() != 2 || params[0] == params[1]) {
        let problem =
            format!("{} given for a contour: give --param twice, with two names", params.len());
        return Err(BadInput(problem));
    }
    Ok(params.to_vec())
}

/// Columns of the terminal; 80 where there is none.
fn width() -> usize {
    of_stdout().or_else(of_stderr).unwrap_or(80).clamp(40, 160)
}
