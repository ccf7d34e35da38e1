//! A series in one line of text.

use std::io::{self, Write};

use anstyle::AnsiColor;

const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const WIDTH: usize = 44;

/// Name, bars from 0 to the largest value, last value.
pub(super) fn write(out: &mut impl Write, name: &str, values: &[f64]) -> io::Result<()> {
    let style = AnsiColor::Cyan.on_default();
    let last = values.last().copied().unwrap_or(0.0);
    writeln!(out, "  {name:<15} {style}{}{style:#} {last:.3}", bars(values))
}

/// One bar a value, or the last value of each of [`WIDTH`] equal parts.
fn bars(values: &[f64]) -> String {
    let width = values.len().min(WIDTH);
    let most = values.iter().fold(f64::MIN_POSITIVE, |most, v| most.max(*v));
    let bar = |i: usize| {
        let value = values[(i + 1) * values.len() / width - 1];
        BARS[(value / most * (BARS.len() - 1) as f64).round() as usize]
    };
    (0..width).map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_grow_with_the_values_and_end_at_the_last() {
        assert_eq!(bars(&[0.0, 3.5, 7.0]), "▁▅█");
        assert_eq!(bars(&[]), "");
        let long: Vec<f64> = (0..1000).map(f64::from).collect();
        assert_eq!((bars(&long).chars().count(), bars(&long).chars().last()), (WIDTH, Some('█')));
    }
}
