//! The one font the pictures are measured and drawn with; it comes with the program, as a machine may have none.

use std::sync::LazyLock;

use super::script;
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

/// What the SVG asks for: our font, then what browsers have that runs about as wide.
pub(crate) const FAMILY: &str = "Noto Sans, Helvetica, Arial, sans-serif";
/// Text in a browser may fall back to a font a little wider than ours.
const SLACK: f64 = 1.03;

/// Regular and bold, as files; their licence lies beside them.
pub(crate) const FILES: [&[u8]; 2] = [
    include_bytes!("../../fonts/NotoSans-Regular.ttf"),
    include_bytes!("../../fonts/NotoSans-Bold.ttf"),
];

static FACES: LazyLock<[FontRef<'static>; 2]> =
    LazyLock::new(|| FILES.map(|file| FontRef::new(file).expect("the bundled font is sound")));

/// How heavy the type is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    Regular,
    Bold,
}

/// How wide the words run at a size, in the units of that size.
pub(crate) fn width(words: &str, size: f64, weight: Weight) -> f64 {
    let face = &FACES[weight as usize];
    let glyphs = face.charmap();
    let metrics = face.glyph_metrics(Size::new(size as f32), LocationRef::default());
    let advance = |letter: char| {
        let (level, letter) = script::placed(letter);
        let glyph = glyphs.map(letter).unwrap_or_default();
        level.look()[0] * f64::from(metrics.advance_width(glyph).unwrap_or(size as f32))
    };
    SLACK * words.chars().map(advance).sum::<f64>()
}

/// The words, their end left out where they run wider than `room`.
pub(crate) fn cut(words: &str, size: f64, weight: Weight, room: f64) -> String {
    if width(words, size, weight) <= room {
        return words.into();
    }
    let mut kept: Vec<char> = words.chars().collect();
    let text = |kept: &[char]| kept.iter().chain(&['…']).collect::<String>();
    while kept.len() > 1 && width(&text(&kept), size, weight) > room {
        kept.pop();
    }
    text(&kept)
}

/// The words in lines no wider than `room`, broken at spaces; a word wider than that has a line of its own.
pub(crate) fn wrapped(words: &str, size: f64, weight: Weight, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for paragraph in words.lines() {
        let mut line = String::new();
        for word in unbroken(paragraph) {
            let longer = if line.is_empty() { word.clone() } else { format!("{line} {word}") };
            if line.is_empty() || width(&longer, size, weight) <= room {
                line = longer;
            } else {
                lines.push(std::mem::replace(&mut line, word));
            }
        }
        if !line.is_empty() {
            lines.push(line);
        }
    }
    lines
}

/// The words, with relations and units kept together: "T = 500" and "95 %" are one word each.
fn unbroken(paragraph: &str) -> Vec<String> {
    let relates = |word: &str| matches!(word, "=" | "≤" | "≥" | "<" | ">" | "≈" | "±" | "×" | "·");
    let mut out: Vec<String> = Vec::new();
    let mut joins = false;
    for word in paragraph.split_whitespace() {
        let relation = relates(word);
        match out.last_mut() {
            Some(last) if joins || relation || word.starts_with('%') => {
                *last += &format!(" {word}")
            }
            _ => out.push(word.into()),
        }
        joins = relation;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a caption of this project may say: a missing sign would be an empty box.
    #[test]
    fn both_faces_have_the_signs_of_captions() {
        let signs = "αβγδεηθκλμνπρστφωΓΔΣΛ≤≥≠≈±×·−√∞∑∏∂∫°…–—’“”′→xₜx₁Q⁺R⁰¹²³⁴⁵⁶⁷⁸⁹⁻ⁿaᵢ";
        for face in FACES.iter() {
            let glyphs = face.charmap();
            let lacks = |sign: &char| glyphs.map(script::placed(*sign).1).is_none();
            assert_eq!(signs.chars().filter(lacks).collect::<String>(), "");
        }
    }

    #[test]
    fn what_is_cut_fits_and_says_so() {
        let cut = cut(&"W".repeat(80), 12.0, Weight::Regular, 100.0);
        assert!(cut.ends_with('…') && width(&cut, 12.0, Weight::Regular) <= 100.0);
        assert_eq!(super::cut("short", 12.0, Weight::Regular, 100.0), "short");
    }

    #[test]
    fn relations_and_percents_are_not_broken() {
        let lines = wrapped("a horizon of T = 500 and 95 % bands", 10.0, Weight::Regular, 75.0);
        assert!(lines.len() > 2);
        assert!(lines.iter().any(|line| line.contains("T = 500")));
        assert!(lines.iter().any(|line| line.contains("95 %")));
    }
}
