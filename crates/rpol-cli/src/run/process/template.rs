//! Arguments with places for parameters: `--ttl={ttl_s}`.

use crate::BadInput;
use rpol::{Params, nearest};

/// One argument: texts and parameters, one after another.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ArgumentTemplate(Vec<Part>);

#[derive(Debug, Clone, PartialEq)]
enum Part {
    Text(String),
    Param(String),
}

impl ArgumentTemplate {
    /// Reads one; `field` says where it stands, `known` are the parameters it may name.
    pub(crate) fn read(field: &str, text: &str, known: &[&str]) -> Result<Self, BadInput> {
        let refuse = |problem: String| BadInput(format!("{field}: {text:?} {problem}"));
        if text.contains('\0') {
            return Err(refuse("holds a NUL, which no argument can carry: leave it out".into()));
        }
        let (mut parts, mut rest) = (Vec::new(), text);
        while let Some(at) = rest.find(['{', '}']) {
            let (before, brace) = rest.split_at(at);
            push(&mut parts, before);
            let is_doubled = brace.starts_with("{{") || brace.starts_with("}}");
            if is_doubled {
                push(&mut parts, &brace[..1]);
                rest = &brace[2..];
                continue;
            }
            let named = brace.strip_prefix('{').and_then(|inside| inside.split_once('}'));
            let Some((name, after)) = named else {
                let remedy = format!("where braces are meant, paste {:?}", doubled(text, known));
                return Err(refuse(format!("has an open or a stray brace: {remedy}")));
            };
            if !known.contains(&name) {
                return Err(refuse(unknown(name, text, known)));
            }
            parts.push(Part::Param(name.into()));
            rest = after;
        }
        push(&mut parts, rest);
        Ok(Self(parts))
    }

    /// The text, where it names no parameter.
    pub(crate) fn fixed(&self) -> Option<String> {
        let text = |part: &Part| match part {
            Part::Text(text) => Some(text.clone()),
            Part::Param(_) => None,
        };
        self.0.iter().map(text).collect()
    }

    /// The argument for a setting.
    pub(crate) fn fill(&self, params: &Params) -> String {
        let text = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Param(name) => params[name].to_string(),
        };
        self.0.iter().map(text).collect()
    }
}

fn push(parts: &mut Vec<Part>, text: &str) {
    match parts.last_mut() {
        _ if text.is_empty() => {}
        Some(Part::Text(last)) => last.push_str(text),
        _ => parts.push(Part::Text(text.into())),
    }
}

/// The text with every brace doubled that does not stand around a parameter.
fn doubled(text: &str, known: &[&str]) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(['{', '}']) {
        let (before, brace) = rest.split_at(at);
        out.push_str(before);
        let param = known.iter().map(|name| format!("{{{name}}}")).find(|p| brace.starts_with(p));
        let length = match &param {
            Some(param) => param.len(),
            // What is doubled already stays so.
            None if brace.starts_with("{{") || brace.starts_with("}}") => 2,
            None => 1,
        };
        out.push_str(&brace[..length]);
        if param.is_none() && length == 1 {
            out.push_str(&brace[..1]);
        }
        rest = &brace[length..];
    }
    out + rest
}

fn unknown(name: &str, text: &str, known: &[&str]) -> String {
    let remedy = match known {
        [] => "no parameter has a value there".to_string(),
        _ => format!("the parameters are {}", known.join(", ")),
    };
    let meant = nearest(name, known).map(|meant| format!("did you mean {{{meant}}}? "));
    let (meant, pasted) = (meant.unwrap_or_default(), doubled(text, known));
    format!(
        "names {name:?}, which is no parameter: {meant}{remedy}; where braces are meant, paste {pasted:?}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str) -> Result<String, String> {
        let params = Params::from([("x".into(), 0.5.into()), ("a b".into(), "$(id)".into())]);
        let template =
            ArgumentTemplate::read("run.command[1]", text, &["x", "a b"]).map_err(|e| e.0)?;
        Ok(template.fill(&params))
    }

    #[test]
    fn places_are_filled_and_doubled_braces_are_braces() {
        for (text, expected) in [
            ("", ""),
            ("--x={x}", "--x=0.5"),
            ("{x}{x}", "0.50.5"),
            ("{a b};", "$(id);"),
            ("{{x}}", "{x}"),
            ("{{{x}}}", "{0.5}"),
            ("{{}}", "{}"),
        ] {
            assert_eq!(filled(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_unknown_open_or_stray_is_refused_with_its_field() {
        for (text, part) in [
            ("{y}", "names \"y\""),
            ("{}", "names \"\""),
            ("{X}", "names \"X\""),
            ("{x", "open or a stray"),
            ("x}", "open or a stray"),
            ("{x}}", "open or a stray"),
            ("a\0b", "NUL"),
        ] {
            let error = filled(text).expect_err(text);
            assert!(error.contains(part) && error.starts_with("run.command[1]: "), "{error}");
        }
    }

    #[test]
    fn braces_of_another_language_are_given_back_to_be_pasted() {
        for (text, pasted) in [
            ("{print $1}", "paste \"{{print $1}}\""),
            ("{cost: .a, x: {x}}", "paste \"{{cost: .a, x: {x}}}\""),
            ("x}", "paste \"x}}\""),
            ("{{x} {y", "paste \"{{x}} {{y\""),
        ] {
            let error = filled(text).expect_err(text);
            assert!(error.contains(pasted), "{error}");
            let again = pasted.trim_start_matches("paste ").trim_matches('"');
            assert!(filled(again).is_ok(), "{again}");
        }
        assert!(filled("{X}").is_err_and(|error| error.contains("did you mean {x}?")));
    }

    #[test]
    fn a_text_without_a_place_is_fixed() {
        let read = |text| ArgumentTemplate::read("f", text, &["x"]).ok().and_then(|t| t.fixed());
        assert_eq!(read("./a{{b").as_deref(), Some("./a{b"));
        assert_eq!(read("./{x}"), None);
    }
}
