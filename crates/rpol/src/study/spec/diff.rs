//! What two definitions disagree about.

use super::Spec;
use crate::name;
use serde_json::Value;

impl Spec {
    /// Where `other` differs, field by field; empty when both define the same study. How it is run is no part of that.
    ///
    /// ```
    /// use rpol::study::Spec;
    /// let spec = |high: f64| {
    ///     let x = serde_json::json!({"type": "float", "low": 0, "high": high});
    ///     let spec = serde_json::json!({"name": "s", "objective": "y", "params": {"x": x}});
    ///     Spec::from_json(&spec.to_string()).unwrap()
    /// };
    /// assert_eq!(spec(2.0).differences(&spec(2.0)), Vec::<String>::new());
    /// assert_eq!(spec(2.0).differences(&spec(3.0)), ["params.x.high was 2.0 and is 3.0"]);
    /// ```
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let tree = |spec: &Self| {
            serde_json::to_value(Self { run: None, ..spec.clone() }).unwrap_or_default()
        };
        let mut found = Vec::new();
        compare("", Some(&tree(self)), Some(&tree(other)), &mut found);
        found
    }
}

fn compare(path: &str, old: Option<&Value>, new: Option<&Value>, found: &mut Vec<String>) {
    if let (Some(Value::Object(a)), Some(Value::Object(b))) = (old, new) {
        let added = b.keys().filter(|key| !a.contains_key(*key));
        for key in a.keys().chain(added) {
            let path = name::path(path, key);
            compare(path.trim_start_matches('.'), a.get(key), b.get(key), found);
        }
    } else if old != new {
        found.push(format!("{path} was {} and is {}", shown(old), shown(new)));
    }
}

fn shown(value: Option<&Value>) -> String {
    const SHOWN: usize = 80;
    let text = value.map_or("absent".into(), Value::to_string);
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}...", &text[..cut]),
        None => text,
    }
}
