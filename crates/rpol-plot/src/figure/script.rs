//! Raised and lowered characters: few fonts have them all, so they are set small and shifted instead.

/// Where a character stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Line,
    Raised,
    Lowered,
}

/// How small raised and lowered characters are.
pub(super) const SMALL: f64 = 0.72;

impl Level {
    /// Size and distance below the line, in parts of the type size.
    pub(super) fn look(self) -> [f64; 2] {
        match self {
            Self::Line => [1.0, 0.0],
            Self::Raised => [SMALL, -0.36],
            Self::Lowered => [SMALL, 0.2],
        }
    }
}

const RAISED: [&str; 2] = ["⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+−=()ni"];
const LOWERED: [&str; 2] = ["₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚₛₜₓ", "0123456789+−=()aehijklmnopstx"];

/// The character on the line that stands for this one, and where to put it.
pub(super) fn placed(letter: char) -> (Level, char) {
    let plain = |[from, to]: [&str; 2]| {
        from.chars().zip(to.chars()).find(|(own, _)| *own == letter).map(|(_, plain)| plain)
    };
    if let Some(raised) = plain(RAISED) {
        (Level::Raised, raised)
    } else if let Some(lowered) = plain(LOWERED) {
        (Level::Lowered, lowered)
    } else {
        (Level::Line, letter)
    }
}

/// The words in stretches of one level.
pub(super) fn stretches(words: &str) -> Vec<(Level, String)> {
    let mut out: Vec<(Level, String)> = Vec::new();
    for (level, letter) in words.chars().map(placed) {
        match out.last_mut() {
            Some((last, stretch)) if *last == level => stretch.push(letter),
            _ => out.push((level, letter.into())),
        }
    }
    out
}
