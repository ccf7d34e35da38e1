//! The elements of SVG, and the document around them.

use std::borrow::Cow;

use super::font::{self, Weight};
use super::frame::Frame;
use super::script;
use rpol::words::is_hidden;

/// Ink of text and frames.
pub(crate) const INK: &str = "#222";
/// Farther than this nothing is seen, and a number that large would only lengthen the file.
const FAR: f64 = 20_000.0;

/// A number of the picture: two decimals at most, never infinite, never "-0".
pub(crate) fn number(value: f64) -> String {
    debug_assert!(!value.is_nan(), "missing values are left out before they are drawn");
    let hundredths = (value.clamp(-FAR, FAR) * 100.0).round() / 100.0;
    // Adding zero turns a negative zero into zero.
    format!("{}", hundredths + 0.0)
}

/// `x,y` of a path.
#[must_use]
pub fn pair([x, y]: [f64; 2]) -> String {
    format!("{},{}", number(x), number(y))
}

/// What every picture begins with: whoever would replace a file can tell by it that the file is one.
pub(crate) const BEGINNING: &str =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" data-generator=\"rpol\"";

/// Words as XML text or as the value of an attribute. Control codes and what XML forbids become blanks; characters that turn
/// the direction of text, or have no width, are shown as U+FFFD, so that nothing on a page reads otherwise than it is.
pub(crate) fn escaped(words: &str) -> Cow<'_, str> {
    let special = |c: char| {
        matches!(c, '<' | '>' | '&' | '"' | '\'' | '\u{fffe}' | '\u{ffff}') || is_hidden(c)
    };
    if !words.contains(special) {
        return Cow::Borrowed(words);
    }
    let mut out = String::with_capacity(words.len() + 8);
    for c in words.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => out.push(' '),
            c if c.is_control() => out.push(' '),
            c if is_hidden(c) => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Which end of the words is at the given place.
#[derive(Clone, Copy)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A line of text.
pub(crate) struct Text<'a> {
    pub(crate) at: [f64; 2],
    pub(crate) anchor: Anchor,
    pub(crate) size: f64,
    pub(crate) weight: Weight,
    pub(crate) words: &'a str,
}

impl<'a> Text<'a> {
    pub(crate) fn new(at: [f64; 2], anchor: Anchor, size: f64, words: &'a str) -> Self {
        Self { at, anchor, size, weight: Weight::Regular, words }
    }

    pub(crate) fn bold(self) -> Self {
        Self { weight: Weight::Bold, ..self }
    }

    pub(crate) fn level(&self) -> String {
        self.element("")
    }

    /// Read from the bottom up.
    pub(crate) fn upright(&self) -> String {
        let [x, y] = self.at.map(number);
        self.element(&format!(r#" transform="rotate(-90 {x} {y})""#))
    }

    fn element(&self, turned: &str) -> String {
        let [x, y] = self.at.map(number);
        let size = number(self.size);
        let anchor = match self.anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let weight = if self.weight == Weight::Bold { r#" font-weight="bold""# } else { "" };
        let words = self.stretches();
        format!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{anchor}{weight}{turned}>{words}</text>\n"
        )
    }

    /// The words, with what is raised or lowered in spans of its own.
    fn stretches(&self) -> String {
        let mut out = String::new();
        let mut below = 0.0;
        for (level, words) in script::stretches(self.words) {
            let [size, depth] = level.look();
            let words = escaped(&words);
            if depth == below {
                out += &words;
            } else {
                let [size, shift] = [size, depth - below].map(|part| number(part * self.size));
                out += &format!("<tspan font-size=\"{size}\" dy=\"{shift}\">{words}</tspan>");
            }
            below = depth;
        }
        out
    }
}

/// A rectangle with the given attributes.
pub(crate) fn rectangle(frame: &Frame, attributes: &str) -> String {
    let [x, y] = [frame.left, frame.top].map(number);
    let [width, height] = [frame.width, frame.height].map(number);
    format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {attributes}/>\n")
}

/// A disc around a place, in the look of its group.
pub(crate) fn dot([x, y]: [f64; 2], radius: f64) -> String {
    format!("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", number(x), number(y), number(radius))
}

/// A stroke from one place to another.
#[must_use]
pub fn stroke([x1, y1]: [f64; 2], [x2, y2]: [f64; 2], attributes: &str) -> String {
    let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(number);
    format!("<path d=\"M{x1},{y1}L{x2},{y2}\" {attributes}/>\n")
}

/// The title in bold lines from the top, and where what is below it may begin.
pub(crate) fn heading(title: &str, width: f64, edge: f64) -> (String, f64) {
    const SIZE: f64 = 18.0;
    let lines = font::wrapped(title, SIZE, Weight::Bold, width - 2.0 * edge);
    let baseline = |i: usize| 27.0 + 23.0 * i as f64;
    let line = |(i, words): (usize, &String)| {
        Text::new([width / 2.0, baseline(i)], Anchor::Middle, SIZE, words).bold().level()
    };
    (lines.iter().enumerate().map(line).collect(), baseline(lines.len()) - 12.0)
}

/// The caption in small lines from `top` down, and where it ends.
pub(crate) fn caption(words: &str, width: f64, edge: f64, top: f64) -> (String, f64) {
    const SIZE: f64 = 14.0;
    let lines = font::wrapped(words, SIZE, Weight::Regular, width - 2.0 * edge);
    let baseline = |i: usize| top + 18.0 * (i as f64 + 1.0);
    let line = |(i, words): (usize, &String)| {
        Text::new([edge, baseline(i)], Anchor::Start, SIZE, words).level()
    };
    let end = if lines.is_empty() { top } else { baseline(lines.len() - 1) + 12.0 };
    (lines.iter().enumerate().map(line).collect(), end)
}

/// An id that only the same content shares: FNV-1a of it.
pub(crate) fn id_of(content: &[&str]) -> String {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let bytes = content.iter().flat_map(|part| part.bytes());
    format!("f{:016x}", bytes.fold(0xcbf2_9ce4_8422_2325, mix))
}

/// What is read aloud, and the size of the whole.
pub(crate) struct Document<'a> {
    pub(crate) id: &'a str,
    pub(crate) title: &'a str,
    pub(crate) description: &'a str,
    pub(crate) size: [f64; 2],
}

impl Document<'_> {
    /// The whole file, on white.
    pub(crate) fn with(&self, body: &str) -> String {
        let [width, height] = self.size.map(|side| number(side.ceil()));
        let (id, family) = (self.id, font::FAMILY);
        let (title, description) = (escaped(self.title), escaped(self.description));
        format!(
            r##"{BEGINNING} viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-labelledby="{id}-title {id}-desc" font-family="{family}" fill="{INK}">
<title id="{id}-title">{title}</title>
<desc id="{id}-desc">{description}</desc>
<rect width="{width}" height="{height}" fill="#fff"/>
{body}</svg>
"##
        )
    }
}
