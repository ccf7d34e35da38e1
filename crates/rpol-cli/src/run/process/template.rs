//! Arguments with places for parameters: `--ttl={ttl_s}`.

use crate::BadInput;
use rpol::Params;

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
            let doubled = brace.starts_with("{{") || brace.starts_with("}}");
            if doubled {
                push(&mut parts, &brace[..1]);
                rest = &brace[2..];
                continue;
            }
            let named = brace.strip_prefix('{').and_then(|inside| inside.split_once('}'));
            let Some((name, after)) = named else {
                let remedy = "write {name} for a parameter, and {{ or }} for a brace itself";
                return Err(refuse(format!("has an open or a stray brace: {remedy}")));
            };
            if !known.contains(&name) {
                return Err(refuse(unknown(name, known)));
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

fn unknown(name: &str, known: &[&str]) -> String {
    let remedy = match known {
        [] => "no parameter has a value there".to_string(),
        _ => format!("the parameters are {}", known.join(", ")),
    };
    format!("names {name:?}, which is no parameter: {remedy}; write {{{{ for a brace itself")
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
    fn a_text_without_a_place_is_fixed() {
        let read = |text| ArgumentTemplate::read("f", text, &["x"]).ok().and_then(|t| t.fixed());
        assert_eq!(read("./a{{b").as_deref(), Some("./a{b"));
        assert_eq!(read("./{x}"), None);
    }
}
