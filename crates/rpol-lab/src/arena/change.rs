//! What stands behind the `@` of a contestant's name.

use rpol::study::Spec;
use serde_json::{Value, json};

/// One part of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Change {
    /// `printed`: the paper's preset.
    Printed,
    /// `start=safe`: a feasible setting to begin with.
    SafeStart,
    /// `path.of.field=value` in the study's definition.
    Field(String, Value),
}

/// Fields that say what is played, not how.
const OF_THE_COURSE: [&str; 8] =
    ["name", "seed", "params", "objective", "constraints", "track", "baseline", "run"];

/// Reads `printed,start=safe,model.learn=false`, the parts divided by `,` or `@`.
pub(super) fn read(text: &str) -> Result<Vec<Change>, String> {
    divided(text, &[',', '@']).into_iter().filter(|part| !part.is_empty()).map(one).collect()
}

fn one(part: &str) -> Result<Change, String> {
    if part == "printed" {
        return Ok(Change::Printed);
    }
    let Some((path, value)) = part.split_once('=') else {
        return Err(format!("`{part}` is no setting: give `printed`, `start=safe` or field=value"));
    };
    if path == "start" {
        let safe = (value == "safe").then_some(Change::SafeStart);
        return safe.ok_or_else(|| format!("start cannot be `{value}`: give start=safe"));
    }
    let field = path.split('.').next().unwrap_or_default();
    if OF_THE_COURSE.contains(&field) {
        return Err(format!("`{field}` belongs to the problem: choose another with --problems"));
    }
    let value = serde_json::from_str(value).unwrap_or_else(|_| json!(value));
    Ok(Change::Field(path.into(), value))
}

/// Whether a part of a list goes on with the name before it: `rpol@initial=3,model.learn=false`.
pub(super) fn continues(part: &str) -> bool {
    let name = part.split('@').next().unwrap_or_default();
    name == "printed" || name.contains('=')
}

/// The parts between dividers that stand outside of brackets and quotes.
pub(super) fn divided<'a>(text: &'a str, dividers: &[char]) -> Vec<&'a str> {
    let (mut parts, mut begun, mut depth, mut quoted) = (Vec::new(), 0, 0_u32, false);
    for (i, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '{' | '[' if !quoted => depth += 1,
            '}' | ']' if !quoted => depth = depth.saturating_sub(1),
            c if depth == 0 && !quoted && dividers.contains(&c) => {
                parts.push(&text[begun..i]);
                begun = i + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[begun..]);
    parts
}

/// The study with the fields set.
pub(super) fn apply(changes: &[Change], spec: Spec) -> anyhow::Result<Spec> {
    let fields = changes.iter().filter_map(|change| match change {
        Change::Field(path, value) => Some((path, value)),
        _ => None,
    });
    let mut fields = fields.peekable();
    if fields.peek().is_none() {
        return Ok(spec.validate().map(|()| spec)?);
    }
    let mut tree = serde_json::to_value(&spec)?;
    for (path, value) in fields {
        let whole = tree["confidence"]["width"].is_object();
        // A part of the default can be changed only where all of it stands.
        if path.starts_with("confidence.width.") && !whole {
            tree["confidence"]["width"] = json!(spec.width()?);
        }
        set(&mut tree, path, value);
    }
    let changed = Spec::from_json(&tree.to_string())?;
    // A tree sorts the parameters by name; their order is part of the study.
    Ok(Spec { params: spec.params, baseline: spec.baseline, ..changed })
}

fn set(tree: &mut Value, path: &str, value: &Value) {
    let mut place = tree;
    for step in path.split('.') {
        if !place.is_object() {
            *place = json!({});
        }
        place = &mut place[step];
    }
    *place = value.clone();
}

#[cfg(test)]
mod tests {
    use super::{Change, continues, divided, read};
    use serde_json::json;

    #[test]
    fn suffixes_are_read_part_by_part() {
        let field = |path: &str, value| Change::Field(path.into(), value);
        let text =
            r#"printed,initial=3@start=safe,confidence.width={"type":"constant","beta":2},a=b"#;
        let width = json!({"type": "constant", "beta": 2});
        let read = read(text).unwrap();
        let wanted = [
            Change::Printed,
            field("initial", json!(3)),
            Change::SafeStart,
            field("confidence.width", width),
            field("a", json!("b")),
        ];
        assert_eq!(read, wanted);
    }

    #[test]
    fn what_cannot_be_set_is_refused_with_the_remedy() {
        for (text, remedy) in [
            ("fast", "give `printed`"),
            ("start=best", "give start=safe"),
            ("params.x1=3", "--problems"),
            ("seed=4", "--problems"),
        ] {
            assert!(read(text).unwrap_err().contains(remedy), "{text}");
        }
    }

    #[test]
    fn lists_are_divided_outside_of_brackets() {
        assert_eq!(divided("a,b{c,d},\"e,f\"", &[',']), ["a", "b{c,d}", "\"e,f\""]);
        assert!(continues("initial=3") && continues("printed") && continues("x=1@printed"));
        assert!(!continues("rpol@initial=3") && !continues("config"));
    }
}
