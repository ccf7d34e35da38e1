//! The last JSON object in a text.
//!
//! It may stand between other text and go over many lines. An object within an object is a part of it and none of its
//! own. What begins like an object, with `{"`, but cannot be read counts as one that is broken: to take an
//! earlier one, or a piece of it, would be to guess.

use serde::de::IgnoredAny;

/// The text of the last object, read or not; none where nothing begins like one.
pub(crate) fn last(text: &str) -> Option<&str> {
    let (mut found, mut from) = (None, 0);
    while let Some(at) = text[from..].find('{').map(|at| from + at) {
        let rest = &text[at..];
        from = at
            + match extent(rest) {
                Extent::Object(length) => {
                    found = Some(&rest[..length]);
                    length
                }
                Extent::Other(length) => length,
            };
    }
    found
}

/// How far what begins with a brace goes. Nothing of it is looked at again: texts may be long.
enum Extent {
    Object(usize),
    Other(usize),
}

fn extent(text: &str) -> Extent {
    let inside = text[1..].trim_start();
    if !inside.starts_with(['"', '}']) {
        return Extent::Other(1);
    }
    let mut reader = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    match reader.next() {
        Some(Ok(_)) => Extent::Object(reader.byte_offset()),
        Some(Err(error)) if error.is_eof() => Extent::Object(text.len()),
        _ => closed(text),
    }
}

/// Up to the brace that closes the first one, or the end. Where a text within goes beyond its line, as no text of JSON
/// does, it was not meant as an object.
fn closed(text: &str) -> Extent {
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for (i, byte) in text.bytes().enumerate() {
        match byte {
            b'\n' if quoted => return Extent::Other(i),
            b'"' if !escaped => quoted = !quoted,
            b'{' if !quoted => depth += 1,
            b'}' if !quoted => depth -= 1,
            _ => {}
        }
        escaped = quoted && byte == b'\\' && !escaped;
        if depth == 0 {
            return Extent::Object(i + 1);
        }
    }
    Extent::Object(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_object_is_found_between_lines_over_lines_and_within_them() {
        for (text, expected) in [
            ("", None),
            ("no object { here }", None),
            ("{", None),
            (r#"{"a": 1}"#, Some(r#"{"a": 1}"#)),
            ("{\"a\": 1}\nlog\n{\n  \"b\": 2\n}\nbye\n", Some("{\n  \"b\": 2\n}")),
            (r#"12:01 INFO {"a": 1} done (3 s)"#, Some(r#"{"a": 1}"#)),
            (r#"{"a": {"b": 2}, "c": 3}"#, Some(r#"{"a": {"b": 2}, "c": 3}"#)),
            (r#"fn main() { {"a": 1} }"#, Some(r#"{"a": 1}"#)),
            (r#"[{"a": 1}, {"a": 2}]"#, Some(r#"{"a": 2}"#)),
            (r#"{"a": "}{"} {x}"#, Some(r#"{"a": "}{"}"#)),
            (r#"{"a": 1} {}"#, Some("{}")),
            ("unexpected {\" in line 3\n{\"a\": 1}", Some(r#"{"a": 1}"#)),
        ] {
            assert_eq!(last(text), expected, "{text}");
        }
    }

    #[test]
    fn a_broken_object_is_not_passed_over_nor_is_a_piece_of_it_taken() {
        for text in [
            r#"{"a": NaN, "b": {"a": 3}}"#,
            r#"{"a": 0,5}"#,
            r#"{"a": {"a": 1}, "b": "#,
            r#"{"a": "\"}", "b": NaN}"#,
        ] {
            assert_eq!(last(&format!("{{\"a\": 7}}\n{text}")), Some(text), "{text}");
        }
    }

    #[test]
    fn a_megabyte_of_openings_is_read_in_no_time() {
        for piece in ["{", "{\"a\":", "{\"a\":[1,", "{\"", "{\"a\":1 "] {
            let text = piece.repeat((1 << 20) / piece.len());
            last(&text);
            last(&(text + "\"\n{}"));
        }
    }
}
