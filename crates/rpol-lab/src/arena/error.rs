//! Names that nobody has.

use thiserror::Error;

/// A name or a setting that cannot be used, and what can be done about it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct BadName(pub(super) String);

impl BadName {
    /// No `kind` has this name: the nearest that there is, and where the list is.
    pub(crate) fn unknown(kind: &str, name: &str, known: &[String]) -> Self {
        let nearest = known.iter().min_by_key(|other| distance(name, other));
        let close = nearest.filter(|other| distance(name, other) <= name.len() / 2);
        let remedy = close.map_or(String::new(), |other| format!("did you mean `{other}`? "));
        Self(format!("there is no {kind} `{name}`: {remedy}`rpol lab arena --list` has them all"))
    }
}

/// Letters to insert, drop or replace to make one word of the other (Levenshtein 1966).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, other) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{BadName, distance};

    #[test]
    fn distances_count_letters() {
        for (a, b, letters) in [("", "abc", 3), ("kitten", "sitting", 3), ("same", "same", 0)] {
            assert_eq!((distance(a, b), distance(b, a)), (letters, letters), "{a} {b}");
        }
    }

    #[test]
    fn only_a_near_name_is_offered() {
        let known = ["config".to_string(), "random".to_string()];
        assert!(BadName::unknown("algorithm", "confg", &known).0.contains("did you mean `config`"));
        assert!(!BadName::unknown("algorithm", "xyz", &known).0.contains("did you mean"));
    }
}
