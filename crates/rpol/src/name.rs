//! What a user may call a parameter or a metric, and how such a name is quoted back.

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

/// The text in quotes, escaped so that no control code reaches a terminal, and cut when long.
pub(crate) fn quoted(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        None => format!("{text:?}"),
        Some((cut, _)) => format!("{:?}...", &text[..cut]),
    }
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
