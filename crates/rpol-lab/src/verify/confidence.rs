//! Condition 1 and the confidence lemmas, and that the widths are the printed ones.

use super::setting::{Case, Setting};
use super::statement::{Family, Sample, Statement, largest};
use super::trace::Trace;

/// Lemmas GP-UCB, delay and sliding window: Condition 1 for the strategy, uniformly over x and t, f and g together.
///
/// With $\hat f = \mu + w$ and $e = 2w$ both sides of $0 \le \hat f - \rho f \le e$ say $|\rho f - \mu| \le w$; for g
/// likewise, in the direction of the erratum: $0 \le \rho g - \check g \le e$.
///
/// Every band is judged as if it were `scale` times as wide: 1, but where the check itself is checked.
pub(super) fn held_with(setting: &Setting, trace: &Trace, scale: f64) -> Sample {
    lemma(setting).sample(trace.worst / scale)
}

fn lemma(setting: &Setting) -> Statement {
    let (lemma, inequality) = match setting.case {
        Case::Ucb => (
            "Lemma GP-UCB",
            "for all x, t: 0 <= f_hat - f <= 2 beta_t sigma_t(x), 0 <= g - g_check <= 2 beta_t sigma_t(x)",
        ),
        Case::Censored { .. } => (
            "Lemma delay",
            "for all x, t: 0 <= f_hat - rho f <= 2 v_t sigma_t(x), 0 <= rho g - g_check <= 2 v_t sigma_t(x)",
        ),
        Case::Window => (
            "Lemma sliding window",
            "for all x, t: 0 <= f_hat - f_t <= 2 Gamma_t + 2 beta_t sigma_t(x), g_t - g_check likewise",
        ),
    };
    Statement::new(
        Family::Confidence,
        format!("{lemma} = Condition 1, p = {}", setting.p),
        inequality,
        setting.promised(),
    )
}

/// Every round's width is the printed formula at the realised gain: else the lemma is tested for another algorithm.
pub(super) fn widths(setting: &Setting, trace: &Trace) -> Sample {
    let off = trace.rounds.iter().flat_map(|round| {
        [0, 1].map(|q| {
            let printed = setting.printed_width(q, round.gain);
            1.0 + (round.beta[q] / printed - 1.0).abs()
        })
    });
    let inequality = "for all t: |beta_t / printed beta_t - 1| <= 0, gamma the realised gain";
    let name = format!("Widths of {}", setting.case);
    Statement::law(Family::Confidence, name, inequality, largest(off))
}

/// $\Gamma_t$ is the printed one at the realised gain of the window.
pub(super) fn offsets(setting: &Setting, trace: &Trace, variation: &[f64]) -> Option<Sample> {
    if setting.case != Case::Window {
        return None;
    }
    let (lambda, window) = (setting.lambda(), trace.window as usize);
    let mut worst = 1f64;
    for (t, round) in trace.rounds.iter().enumerate() {
        let inside: f64 = variation[t.saturating_sub(window)..t].iter().sum();
        let factor = (2.0 * window as f64 * (1.0 + lambda) * round.gain).sqrt() / lambda;
        let gap = round.offset.iter().map(|offset| (offset - factor * inside).abs());
        worst = gap.fold(worst, |worst, gap| largest([worst, 1.0 + gap]));
    }
    let inequality = "for all t: Gamma_t = (1/lambda) sqrt(2 W (1 + lambda) gamma) sum |f_s+1 - f_s| in the window";
    Some(Statement::law(Family::Confidence, "Offset of SWUCB", inequality, worst))
}
