//! A small parser of `metric <= threshold`, either way round. Nothing is evaluated.

use super::tokens::{Fault, Parsed, Placed, Token, tokens};
use super::{Constraint, Direction, Threshold};
use crate::{Error, Result, name};

const EXAMPLES: &str = r#"write it like "p99_ms <= 250" or "qps >= 0.95 * baseline""#;

enum Side {
    Metric(String),
    Threshold(Threshold),
}

pub(super) fn constraint(text: &str) -> Result<Constraint> {
    parse(text).map_err(|Fault { at, found, problem }| {
        let found = name::quoted(&found);
        let text = name::quoted(text);
        Error::spec("constraint", format!("{text}: {found} at {at}: {problem}; {EXAMPLES}"))
    })
}

fn parse(text: &str) -> Parsed<Constraint> {
    let tokens = tokens(text)?;
    let end = text.chars().count() + 1;
    let mut compares = (0..tokens.len()).filter_map(|i| match tokens[i].token {
        Token::Compare(direction) => Some((i, direction)),
        _ => None,
    });
    let Some((middle, direction)) = compares.next() else {
        return Err(Fault::new(end, "", "a comparison <= or >= is needed"));
    };
    if let Some((second, _)) = compares.next() {
        let problem = "one comparison only: split it into two constraints";
        return Err(Fault::of(&tokens[second], problem));
    }
    let (left, right) = (&tokens[..middle], &tokens[middle + 1..]);
    let (metric, direction, threshold) = match (side(left, tokens[middle].at)?, side(right, end)?) {
        (Side::Metric(metric), Side::Threshold(threshold)) => (metric, direction, threshold),
        (Side::Threshold(threshold), Side::Metric(metric)) => (metric, flip(direction), threshold),
        (Side::Threshold(_), Side::Threshold(_)) => {
            return Err(Fault::of(&right[0], "one side must be a metric"));
        }
        (Side::Metric(_), Side::Metric(_)) => return Err(no_threshold(&left[0], &right[0])),
    };
    Constraint::new(&metric, direction, threshold)
        .map_err(|error| Fault::new(1, metric, error.to_string()))
}

/// Blames the side that looks like a number that went wrong, as in `250ms`.
fn no_threshold(left: &Placed, right: &Placed) -> Fault {
    let digit = left.text.starts_with(|c: char| c.is_ascii_digit());
    let problem = "one side must be a number or a multiple of baseline, without units";
    Fault::of(if digit { left } else { right }, problem)
}

fn flip(direction: Direction) -> Direction {
    match direction {
        Direction::AtMost => Direction::AtLeast,
        Direction::AtLeast => Direction::AtMost,
    }
}

fn side(tokens: &[Placed], end: usize) -> Parsed<Side> {
    let kinds: Vec<&Token> = tokens.iter().map(|placed| &placed.token).collect();
    match kinds[..] {
        [Token::Name(metric)] => Ok(Side::Metric(metric.clone())),
        [Token::Number(value)] => Ok(Side::Threshold(Threshold::Fixed(*value))),
        [Token::Baseline] => Ok(Side::Threshold(Threshold::TimesBaseline(1.0))),
        [Token::Number(factor), Token::Times, Token::Baseline]
        | [Token::Baseline, Token::Times, Token::Number(factor)] => {
            Ok(Side::Threshold(Threshold::TimesBaseline(*factor)))
        }
        [] => Err(Fault::new(end, "", "a metric or a threshold is missing here")),
        _ => Err(Fault::of(
            &tokens[1.min(tokens.len() - 1)],
            "a side is one metric, one number or number * baseline; quote names with spaces",
        )),
    }
}
