//! Texts of others, as a message or a terminal may show them: of bounded length, and with nothing hidden in them.

use std::borrow::Cow;

/// Whether a character does something other than to be seen: control codes, and those that turn the direction of the text
/// around them, have no width, or end a line.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    let formats = matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    c.is_control() || formats
}

/// A text whose hidden characters are written out, so that nothing in it reads otherwise than it is, nor commands a
/// terminal.
///
/// ```
/// assert_eq!(rpol::words::visible("a\u{202e}b\x1b[2J"), "a\\u{202e}b\\u{1b}[2J");
/// ```
#[must_use]
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    shown
}

/// The text where it has at most `most` characters, else its first three quarters and its end: names stand at the
/// beginning of a message, remedies at its end.
///
/// ```
/// use rpol::words::excerpt;
/// assert_eq!(excerpt("cost is 5", 20), "cost is 5");
/// let long = format!("cost is {}: a number is needed", "9".repeat(1_000_000));
/// assert_eq!(excerpt(&long, 36), "cost is 9999999999999999999 ... is needed");
/// ```
#[must_use]
pub fn excerpt(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most || text.chars().nth(most).is_none() {
        return text.into();
    }
    let (head, tail) = (most - most / 4, most / 4);
    let end = text.char_indices().nth(head).map_or(text.len(), |(at, _)| at);
    let begin = text.char_indices().rev().nth(tail.saturating_sub(1)).map_or(0, |(at, _)| at);
    format!("{} ... {}", text[..end].trim_end(), text[begin..].trim_start()).into()
}

/// Characters that a message shows of a value.
const OF_A_VALUE: usize = 80;
/// Of a field, which may hold a name; longer names are refused where they are given.
const OF_A_FIELD: usize = 240;
/// Of a sentence about a value.
const OF_A_SENTENCE: usize = 800;

pub(crate) fn brief_value(text: &str) -> String {
    brief(text, OF_A_VALUE)
}

pub(crate) fn brief_field(text: &str) -> String {
    brief(text, OF_A_FIELD)
}

fn brief(text: &str, most: usize) -> String {
    // Written out a hidden character is longer; a text without end is not written out first.
    excerpt(&visible(&excerpt(text, most)), most).into_owned()
}

/// A message on a few lines, each of bounded length and without hidden characters.
#[must_use]
pub fn message(text: &str) -> String {
    const LINES: usize = 200;
    let lines = text.split('\n').take(LINES).map(|line| brief(line, OF_A_SENTENCE));
    lines.collect::<Vec<_>>().join("\n")
}
