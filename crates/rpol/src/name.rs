//! What a user may call a parameter or a metric, and how such a name is quoted back.

use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization;

/// Longest name allowed, in characters.
pub(crate) const LONGEST: usize = 200;

/// What is wrong with a name and what to do, or nothing.
pub(crate) fn fault(name: &str) -> Option<String> {
    let length = name.chars().count();
    if name.trim().is_empty() {
        Some(format!("the name {name:?} is empty: give it a letter or more"))
    } else if let Some(c) = name.chars().find(|c| c.is_control()) {
        Some(format!("the name {} holds the control character {c:?}: leave it out", quoted(name)))
    } else if length > LONGEST {
        Some(format!("the name {} has {length} characters: use {LONGEST} or fewer", quoted(name)))
    } else {
        None
    }
}

/// Refuses a name that [`fault`] finds fault with.
pub(crate) fn check(path: &str, name: &str) -> crate::Result<()> {
    fault(name).map_or(Ok(()), |fault| Err(crate::Error::spec(path, fault)))
}

/// Equal for names that differ by case only.
pub(crate) fn folded(name: &str) -> String {
    // Both ways, as some letters (the Kelvin sign, the long s) fold in one direction only.
    name.to_lowercase().to_uppercase()
}

/// Equal for names that are written with the same letters: an accent may be part of its letter or follow it.
pub(crate) fn composed(name: &str) -> String {
    name.nfc().collect()
}

/// Two of the names that look the same and are not.
pub(crate) fn alike<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<(&'a str, &'a str)> {
    let mut seen: HashMap<String, &str> = HashMap::new();
    let before = |own| seen.insert(composed(own), own).map(|other| (other, own));
    names.into_iter().filter_map(before).find(|(other, own)| other != own)
}

/// The text in quotes, escaped so that no control code reaches a terminal, and cut when long.
pub(crate) fn quoted(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        None => format!("{text:?}"),
        Some((cut, _)) => format!("{:?}...", &text[..cut]),
    }
}

/// The text, cut after so many characters, and without control codes.
pub(crate) fn cut(text: &str, most: usize) -> String {
    let shown = text.chars().take(most).flat_map(|c| {
        let escaped = c.is_control().then(|| c.escape_default());
        escaped.into_iter().flatten().chain((!c.is_control()).then_some(c))
    });
    let more = if text.chars().nth(most).is_some() { "..." } else { "" };
    shown.collect::<String>() + more
}

/// `root.name`, the name quoted unless it is a plain word.
pub(crate) fn path(root: &str, name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.len() <= LONGEST && name.chars().all(plain) {
        format!("{root}.{name}")
    } else {
        format!("{root}.{}", quoted(name))
    }
}

/// The items one after another, the first twenty of them.
pub(crate) fn joined(items: &[String]) -> String {
    const SHOWN: usize = 20;
    let text = items[..items.len().min(SHOWN)].join(", ");
    match items.len().saturating_sub(SHOWN) {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}

/// The one of `known` that `name` was probably meant as: a few letters off, or one within the other. `None` where nothing
/// is near.
///
/// ```
/// use rpol::nearest;
/// assert_eq!(nearest("objektive", &["params", "objective"]), Some("objective"));
/// assert_eq!(nearest("p99_ms", &["cost", "p99"]), Some("p99"));
/// assert_eq!(nearest("speed", &["params", "objective"]), None);
/// ```
#[must_use]
pub fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let plain = |text: &str| -> Vec<char> {
        let letters = text.chars().take(LONGEST).flat_map(char::to_lowercase);
        letters.filter(|c| c.is_alphanumeric()).collect()
    };
    let wanted = plain(name);
    let contains =
        |a: &[char], b: &[char]| b.len() >= 3 && a.windows(b.len()).any(|part| part == b);
    let distance = |candidate: &&&str| {
        let other = plain(candidate);
        let within = contains(&wanted, &other) || contains(&other, &wanted);
        let most = if within { usize::MAX } else { wanted.len().max(other.len()).div_ceil(3) };
        let distance = edits(&wanted, &other);
        (distance <= most).then_some(distance)
    };
    let near = known.iter().filter(|candidate| distance(candidate).is_some());
    near.min_by_key(|candidate| distance(candidate)).copied()
}

/// How many letters must be added, dropped or replaced (Levenshtein); two that are swapped count as two.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
