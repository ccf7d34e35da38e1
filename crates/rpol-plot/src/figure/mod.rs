//! Charts of a report, as SVG text and as PNG pixels.
//!
//! The SVG is written by hand: the same input gives the same bytes, nothing outside the file is referred to, and the
//! ids within it come from its content, so that several charts can stand in one HTML page.
//!
//! The PNG is drawn with a font that comes with the program (Noto Sans: Latin, Greek, Cyrillic and common signs such as
//! ≤ ≈ ± √ ∞ ∑). Raised and lowered digits are set by shifting. A sign the font lacks, like that of membership, becomes
//! an empty box in the PNG.
//!
//! ```
//! use rpol_plot::figure::{Curves, Line, png};
//!
//! let falling = (1..=100).map(|t| 1.0 / f64::from(t).sqrt()).collect();
//! let chart = Curves {
//!     title: "Average regret".into(),
//!     x: "round t".into(),
//!     y: "R(t) / t".into(),
//!     caption: "A curve, for show.".into(),
//!     lines: vec![Line { label: "RPOL-UCB".into(), mean: falling, half_width: None }],
//!     marks: vec![(50.0, "drift".into())],
//! };
//! let svg = chart.svg();
//! assert_eq!(svg, chart.svg());
//! assert!(png(&svg, 2.0)?.starts_with(b"\x89PNG"));
//! # Ok::<(), anyhow::Error>(())
//! ```

pub(crate) mod axes;
mod curves;
pub(crate) mod font;
pub(crate) mod frame;
mod legend;
pub(crate) mod maps;
pub(crate) mod marker;
mod marks;
mod pixels;
pub(crate) mod range;
pub(crate) mod region;
pub(crate) mod scale;
mod script;
mod series;
pub(crate) mod style;
pub(crate) mod svg;

pub use curves::{Curves, Line};
pub use maps::{Condition, Panel, PointMaps};
pub use pixels::png;
