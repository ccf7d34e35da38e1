//! Settings, values and texts in a few characters, without control codes.

pub(crate) use crate::common::table::number;
use rpol::study::Metrics;
use rpol::words::is_hidden;
use rpol::{Params, Value};

/// A setting, such as `workers=4 cache=128`.
pub(crate) fn params(params: &Params) -> String {
    pairs(params.iter().map(|(name, param)| (name, value(param))))
}

/// The same with every digit, for whoever has to apply it.
pub(crate) fn params_in_full(params: &Params) -> String {
    let value = |value: &Value| match value {
        Value::Text(text) => shell(text),
        other => other.to_string(),
    };
    pairs(params.iter().map(|(name, param)| (name, value(param))))
}

/// Metrics, such as `cost=3.41 p99_ms=243`.
pub(crate) fn metrics(metrics: &Metrics) -> String {
    pairs(metrics.iter().map(|(name, reported)| (name, number(reported.value.get()))))
}

fn pairs<'a>(pairs: impl Iterator<Item = (&'a String, String)>) -> String {
    let pair = |(name, value): (&String, String)| format!("{}={value}", plain(name));
    pairs.map(pair).collect::<Vec<_>>().join(" ")
}

fn value(value: &Value) -> String {
    match value {
        Value::Float(x) => number(*x),
        Value::Text(text) => plain(text),
        other => other.to_string(),
    }
}

/// A text as it is where that is a plain word, else in quotes and escaped.
pub(crate) fn plain(text: &str) -> String {
    let word = |c: char| c.is_alphanumeric() || "_-./:+%".contains(c);
    let short = text.chars().count() <= SHOWN;
    if !text.is_empty() && short && text.chars().all(word) { text.into() } else { quoted(text) }
}

const SHOWN: usize = 40;

/// A text in quotes, escaped, and cut when long.
pub(crate) fn quoted(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        None => format!("{text:?}"),
        Some((cut, _)) => format!("{:?}...", &text[..cut]),
    }
}

/// A text that fits a line: escaped, and cut when long.
pub(crate) fn line(text: &str, most: usize) -> String {
    let mut shown = String::new();
    for (i, c) in text.chars().enumerate() {
        if i == most {
            shown.push_str("...");
            break;
        }
        if is_hidden(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    shown
}

/// A text over lines of at most `width` columns, broken at spaces only; every further line begins as far in as the
/// first does.
pub(crate) fn wrapped(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.into();
    }
    let indent = &text[..text.len() - text.trim_start().len()];
    let (mut lines, mut line) = (Vec::new(), String::from(indent));
    for word in text.split_whitespace() {
        let begun = line.len() > indent.len();
        if begun && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(std::mem::replace(&mut line, String::from(indent)));
        } else if begun {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines.join("\n")
}

/// A text beside its label, over as many lines as it needs; the further ones begin where the first does.
pub(crate) fn labelled(label: &str, text: &str, width: usize) -> String {
    let indent = label.chars().count();
    let indented = wrapped(&format!("{}{text}", " ".repeat(indent)), width);
    format!("{label}{}", &indented[indent..])
}

/// An argument as a shell reads it.
pub(crate) fn shell(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%,=".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.into();
    }
    if text.chars().any(is_hidden) {
        // Only $'...' can say a hidden character without sending it to the terminal.
        let escaped: String = text.chars().map(in_dollar_quotes).collect();
        return format!("$'{escaped}'");
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn in_dollar_quotes(c: char) -> String {
    match c {
        '\'' | '\\' => format!("\\{c}"),
        '\n' => "\\n".into(),
        '\t' => "\\t".into(),
        c if is_hidden(c) => format!("\\U{:08x}", u32::from(c)),
        c => c.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_code_gets_through() {
        let hostile = "a\x1b[31m\nb";
        let setting = Params::from([(hostile.into(), hostile.into())]);
        for text in [params(&setting), line(hostile, 9), plain(hostile), shell(hostile)] {
            assert!(!text.chars().any(char::is_control), "{text}");
        }
        assert_eq!(line("abcdef", 3), "abc...");
        assert!(
            params(&Params::from([("x".into(), "y".repeat(10_000).as_str().into())])).len() < 60
        );
    }

    #[test]
    fn lines_break_between_words_only() {
        assert_eq!(wrapped("  one two three", 9), "  one two\n  three");
        assert_eq!(wrapped("a-word-that-is-long b", 5), "a-word-that-is-long\nb");
        assert_eq!(wrapped("fits", 80), "fits");
    }

    #[test]
    fn a_shell_reads_what_was_meant() {
        for text in ["a", "", "a b", "it's", "$(id)", "a\nb\\'\x1b", "-x", "ä;"] {
            let command = format!("printf %s {}", shell(text));
            let output = std::process::Command::new("bash").args(["-c", &command]).output();
            assert_eq!(output.expect("bash").stdout, text.as_bytes(), "{command}");
        }
    }
}
