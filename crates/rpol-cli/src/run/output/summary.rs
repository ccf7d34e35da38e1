//! What a run has found, in words.

use super::findings::Findings;
use crate::common::lines;
use crate::common::text::{number, plain};
use rpol::Spec;
use rpol::study::Recommendation;

/// The words, a few lines of them.
pub(crate) fn words(findings: &Findings, spec: &Spec) -> String {
    let mut lines = vec![recommendation(findings)];
    lines.extend(findings.recommended.as_ref().and_then(|r| comparison(findings, r, spec)));
    lines.extend(
        findings.ledger.iter().map(|account| format!("on the books: {}", lines::account(account))),
    );
    lines.extend(best(findings, spec));
    let trials = &findings.trials;
    let others = [(trials.failed, "failed"), (trials.open, "still open")];
    let others: String = others
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!(", {count} {what}"))
        .collect();
    lines.push(format!("{} trials{others}; {}", trials.asked, findings.because));
    lines.extend(findings.remarks());
    lines.join("\n")
}

/// The best trial as measured, which is often the luckiest one: what the model makes of it stands beside.
fn best(findings: &Findings, spec: &Spec) -> Option<String> {
    let (best, metric) = (findings.best.as_ref()?, spec.objective.metric());
    let measured = number(best.metrics.get(metric)?.value.get());
    let expected = best.expected.map(|e| format!(", by the model {}", number(e.mean)));
    let (name, expected) = (plain(metric), expected.unwrap_or_default());
    Some(format!(
        "best within the limits: trial {}, {name} {measured} as measured{expected}",
        best.number
    ))
}

fn recommendation(findings: &Findings) -> String {
    let nothing = || {
        let why = findings.unmeasured.as_deref().unwrap_or("nothing was measured");
        format!("nothing to recommend: {}", plain(why))
    };
    findings.recommended.as_ref().map_or_else(nothing, ToString::to_string)
}

/// The objective against the baseline's.
fn comparison(findings: &Findings, recommended: &Recommendation, spec: &Spec) -> Option<String> {
    let metric = spec.objective.metric();
    let baseline = *findings.baseline.as_ref()?.metrics.get(metric)?;
    let expected = recommended.outlook.objective.as_ref()?.mean;
    let percent = 100.0 * (expected - baseline) / baseline.abs();
    let (metric, baseline) = (plain(metric), number(baseline));
    Some(match percent.is_finite() {
        false => format!("{metric} of the baseline is {baseline}"),
        true if percent.abs() < 0.5 => format!("{metric} is about the baseline's {baseline}"),
        true => {
            let side = if percent < 0.0 { "below" } else { "above" };
            format!("{metric} is {:.0} % {side} the baseline's {baseline}", percent.abs())
        }
    })
}
