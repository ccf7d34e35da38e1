//! What has become slower, and what faster.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// One path before and now; `None` where it was or is not counted.
struct Line {
    path: String,
    before: Option<u64>,
    now: Option<u64>,
}

/// All paths, and how much change is none.
pub(super) struct Comparison {
    lines: Vec<Line>,
    tolerance: f64,
}

/// Counts of now beside those before; changes up to `tolerance` percent are no change.
pub(super) fn compare(
    before: &BTreeMap<String, u64>,
    now: &BTreeMap<String, u64>,
    tolerance: f64,
) -> Comparison {
    let paths: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let line = |path: &String| Line {
        path: path.clone(),
        before: before.get(path).copied(),
        now: now.get(path).copied(),
    };
    Comparison { lines: paths.into_iter().map(line).collect(), tolerance }
}

impl Line {
    /// In percent of what it was.
    fn change(&self) -> Option<f64> {
        let (before, now) = (self.before? as f64, self.now? as f64);
        Some(100.0 * (now - before) / before)
    }

    fn verdict(&self, tolerance: f64) -> &'static str {
        match (self.change(), self.before) {
            (Some(change), _) if change > tolerance => "SLOWER",
            (Some(change), _) if change < -tolerance => "FASTER",
            (Some(_), _) => "",
            (None, Some(_)) => "GONE",
            (None, None) => "NEW",
        }
    }
}

impl Comparison {
    /// Whether there is nothing to look at.
    pub(super) fn unchanged(&self) -> bool {
        self.lines.iter().all(|line| line.verdict(self.tolerance).is_empty())
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n{:<14} {:>14} {:>14} {:>9}", "instructions", "kept", "now", "change")?;
        let shown =
            |count: Option<u64>| count.map_or_else(|| "-".into(), |count| count.to_string());
        for line in &self.lines {
            let change =
                line.change().map_or_else(|| "-".into(), |change| format!("{change:+.2} %"));
            let (path, before, now) = (&line.path, shown(line.before), shown(line.now));
            let verdict = line.verdict(self.tolerance);
            writeln!(f, "{path:<14} {before:>14} {now:>14} {change:>9}  {verdict}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(counts: &[(&str, u64)]) -> BTreeMap<String, u64> {
        counts.iter().map(|(path, count)| ((*path).to_string(), *count)).collect()
    }

    #[test]
    fn changes_within_the_tolerance_are_none() {
        let before = counts(&[("ask", 1000), ("tell", 100)]);
        assert!(compare(&before, &counts(&[("ask", 1030), ("tell", 97)]), 3.0).unchanged());
        assert!(!compare(&before, &counts(&[("ask", 1031), ("tell", 100)]), 3.0).unchanged());
        assert!(!compare(&before, &counts(&[("ask", 1000), ("tell", 96)]), 3.0).unchanged());
        assert!(compare(&before, &counts(&[("ask", 1031), ("tell", 96)]), 5.0).unchanged());
    }

    #[test]
    fn the_table_says_what_happened_to_each() {
        let before = counts(&[("ask", 1000), ("gone", 1), ("tell", 100)]);
        let table = compare(&before, &counts(&[("ask", 1100), ("new", 5), ("tell", 80)]), 3.0);
        let text = table.to_string();
        for part in ["+10.00 %  SLOWER", "-20.00 %  FASTER", "GONE", "NEW"] {
            assert!(text.contains(part), "no {part} in\n{text}");
        }
        assert!(!table.unchanged());
    }
}
