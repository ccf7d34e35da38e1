//! How a line looks, so that it is told apart by colour, by dash and by marker, each alone.

use super::marker::Shape;

/// Colour, dash pattern and marker of a line.
#[derive(Debug, PartialEq)]
pub struct Style {
    /// Of the line and its marker.
    pub colour: &'static str,
    /// Of `stroke-dasharray`; empty means solid.
    pub dash: &'static str,
    /// Of the marker.
    pub shape: Shape,
}

/// The names that look the same in every chart.
const KNOWN: [(&str, Style); 10] = [
    ("RPOL-UCB", style(BLUE, "", Shape::Disc)),
    ("RPOL-CensoredUCB", style(VERMILION, "11 4", Shape::Square)),
    ("RPOL-SWUCB", style(GREEN, "10 3.5 2 3.5", Shape::Triangle)),
    ("CKB-UCB", style(ORANGE, "6 3", Shape::Diamond)),
    ("CKB-RestartUCB", style(SKY, "14 3 5 3", Shape::Wedge)),
    ("CONFIG", style(PURPLE, "2 2.6", Shape::Ring)),
    ("EPBO", style(BLACK, "10 3 2 3 2 3", Shape::Box)),
    ("Random", style(GREY, "4 2 1.4 2", Shape::Cross)),
    ("Hallucinated", style(OLIVE, "8 5", Shape::Plus)),
    ("EventTriggered", style(WINE, "18 3 2 3", Shape::Star)),
];

// Okabe and Ito's palette without its yellow, which is faint on white.
const BLUE: &str = "#0072B2";
const VERMILION: &str = "#D55E00";
const GREEN: &str = "#009E73";
const ORANGE: &str = "#E69F00";
const SKY: &str = "#56B4E9";
const PURPLE: &str = "#CC79A7";
const BLACK: &str = "#000000";
// Ten names need three more; these are safe beside the others (Tol's muted scheme, and a grey).
const GREY: &str = "#777777";
const OLIVE: &str = "#8C8C1F";
const WINE: &str = "#882255";

const fn style(colour: &'static str, dash: &'static str, shape: Shape) -> Style {
    Style { colour, dash, shape }
}

/// A style for every label: known names have their own, the rest take those that are left, in order.
#[must_use]
pub fn styles<'a>(labels: impl Iterator<Item = &'a str>) -> Vec<&'static Style> {
    let labels: Vec<&str> = labels.collect();
    let left: Vec<_> = KNOWN.iter().filter(|(name, _)| !labels.contains(name)).collect();
    let all: Vec<_> = KNOWN.iter().collect();
    let mut free = left.iter().chain(all.iter().cycle());
    let mut pick = |label: &&str| match KNOWN.iter().find(|(name, _)| name == label) {
        Some((_, own)) => own,
        None => free.next().map_or(&KNOWN[0].1, |(_, next)| next),
    };
    labels.iter().map(&mut pick).collect()
}

/// The colour at a share, 0 to 1, of the way through evenly spread ones.
pub(crate) fn blend(stops: &[[f64; 3]], share: f64) -> String {
    let along = share.clamp(0.0, 1.0) * (stops.len() - 1) as f64;
    let from = (along as usize).min(stops.len() - 2);
    let rest = along - from as f64;
    let part = |i: usize| (stops[from][i] + rest * (stops[from + 1][i] - stops[from][i])).round();
    format!("#{:02x}{:02x}{:02x}", part(0) as u8, part(1) as u8, part(2) as u8)
}
