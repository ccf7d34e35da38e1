//! The words of a constraint: names, numbers, `baseline`, `*` and comparisons.

use super::Direction;
use crate::name;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Name(String),
    Number(f64),
    Baseline,
    Times,
    Compare(Direction),
}

/// A token, where it stands (in characters, from 1) and how it is written.
#[derive(Debug, Clone)]
pub(super) struct Placed {
    pub(super) token: Token,
    pub(super) at: usize,
    pub(super) text: String,
}

/// Where the text goes wrong, what stands there and what to do.
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) found: String,
    pub(super) problem: String,
}

impl Fault {
    pub(super) fn new(at: usize, found: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { at, found: found.into(), problem: problem.into() }
    }

    pub(super) fn of(placed: &Placed, problem: impl Into<String>) -> Self {
        Self::new(placed.at, &placed.text, problem)
    }
}

pub(super) type Parsed<T> = std::result::Result<T, Fault>;

/// Whether the name needs no quotes.
pub(super) fn is_bare_name(name: &str) -> bool {
    name.chars().all(is_word) && matches!(word(name), Ok(Token::Name(_)))
}

/// Whether a name without quotes reads as a difference: `p99-10`. Nothing is subtracted here.
pub(super) fn looks_subtracted(name: &str) -> bool {
    name.contains('-') && name.split('-').any(|part| number(part).is_some())
}

pub(super) fn tokens(text: &str) -> Parsed<Vec<Placed>> {
    let chars: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        if chars[i].is_whitespace() {
            i += 1;
            continue;
        }
        let (token, length) = token(&chars[i..], i + 1)?;
        let text = chars[i..i + length].iter().collect();
        found.push(Placed { token, at: i + 1, text });
        i += length;
    }
    Ok(found)
}

fn token(chars: &[char], at: usize) -> Parsed<(Token, usize)> {
    match chars {
        ['<', '=', ..] => Ok((Token::Compare(Direction::AtMost), 2)),
        ['>', '=', ..] => Ok((Token::Compare(Direction::AtLeast), 2)),
        ['<' | '>' | '=' | '!', ..] => Err(comparison(chars, at)),
        ['*', ..] => Ok((Token::Times, 1)),
        [quote @ ('\'' | '"'), ..] => quoted(*quote, chars, at),
        [c, ..] if is_word(*c) => {
            let text: String = chars.iter().take_while(|c| is_word(**c)).collect();
            let length = text.chars().count();
            word(&text).map(|token| (token, length)).map_err(|why| Fault::new(at, text, why))
        }
        _ => Err(Fault::new(at, &chars[..1].iter().collect::<String>()[..], "not understood here")),
    }
}

fn comparison(chars: &[char], at: usize) -> Fault {
    let found: String = chars.iter().take_while(|c| "<>=!".contains(**c)).collect();
    let problem = match found.as_str() {
        "<" | "=<" => "use <=, as noise hides the difference",
        ">" | "=>" => "use >=, as noise hides the difference",
        _ => "use <= or >=, as a noisy metric never equals a number",
    };
    Fault::new(at, found, problem)
}

/// A name in quotes, a quote inside it doubled.
fn quoted(quote: char, chars: &[char], at: usize) -> Parsed<(Token, usize)> {
    let mut text = String::new();
    let mut i = 1;
    while i < chars.len() {
        match (chars[i] == quote, chars.get(i + 1) == Some(&quote)) {
            (true, false) => return named(text, i + 1, at),
            (true, true) => i += 2,
            (false, _) => i += 1,
        }
        text.push(chars[i - 1]);
    }
    Err(Fault::new(at, chars.iter().collect::<String>(), "the closing quote is missing"))
}

fn named(text: String, length: usize, at: usize) -> Parsed<(Token, usize)> {
    match name::fault(&text) {
        None => Ok((Token::Name(text), length)),
        Some(fault) => Err(Fault::new(at, text, fault)),
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || "_.-/:+".contains(c)
}

fn word(text: &str) -> std::result::Result<Token, &'static str> {
    let starts = |c: char| c.is_alphanumeric() || c == '_';
    match number(text) {
        Some(value) if value.is_finite() => Ok(Token::Number(value)),
        Some(_) => Err("a finite number is needed"),
        None if text == "baseline" => Ok(Token::Baseline),
        None if text.starts_with(starts) && !text.contains('+') => Ok(Token::Name(text.into())),
        None => Err("a name starts with a letter or digit and has no +, or stands in quotes"),
    }
}

/// What `f64` reads, and `1_000`; an underscore must stand between digits.
fn number(text: &str) -> Option<f64> {
    let digit = |c: Option<&u8>| c.is_some_and(u8::is_ascii_digit);
    let bytes = text.as_bytes();
    let between = |i: usize| i > 0 && digit(bytes.get(i - 1)) && digit(bytes.get(i + 1));
    let misplaced = (0..bytes.len()).any(|i| bytes[i] == b'_' && !between(i));
    (!misplaced).then(|| text.replace('_', "").parse().ok()).flatten()
}
