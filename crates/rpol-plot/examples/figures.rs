//! Draws one figure of every kind from made-up data into `target/figures`, to be looked at.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use rpol_plot::figure::{Condition, Curves, Line, Panel, PointMaps, png};

const CAPTION: &str = "Made-up data: 30 repetitions, horizon T = 500, squared exponential kernel with length 0.6, \
    noise σ = 0.1, β = 2, δ = 0.1; bands are 95 % confidence intervals of the mean (Student's t). \
    The first rounds are clipped. x* is the best feasible point, f(x*) ≈ 0.77, V ≤ √T.";

fn main() {
    let folder = Path::new("target/figures");
    fs::create_dir_all(folder).unwrap();
    let feasible = |[a, b]: [f64; 2]| a.sin() * b.sin() + 0.95 <= 0.0;
    let drifted = |[a, b]: [f64; 2]| (a - 0.8).sin() * (b + 0.5).sin() + 0.6 <= 0.0;
    let figures = [
        ("regret", regret(7).svg()),
        ("regret8", regret(8).svg()),
        ("violation", violation().svg()),
        ("penalty", penalty().svg()),
        ("single", single().svg()),
        ("maps", maps(6, vec![("feasible".into(), &feasible)]).svg()),
        ("maps1", maps(1, vec![("feasible".into(), &feasible)]).svg()),
        (
            "drift",
            maps(
                4,
                vec![
                    ("feasible, t ≤ 250".into(), &feasible),
                    ("feasible, t > 250".into(), &drifted),
                ],
            )
            .svg(),
        ),
    ];
    for (name, svg) in figures {
        fs::write(folder.join(format!("{name}.svg")), &svg).unwrap();
        fs::write(folder.join(format!("{name}.png")), png(&svg, 1.5).unwrap()).unwrap();
        fs::write(folder.join(format!("{name}-half.png")), png(&svg, 0.5).unwrap()).unwrap();
    }
}

/// Numbers in [0, 1) that look random.
fn noise(i: usize) -> f64 {
    let mixed = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((mixed ^ (mixed >> 32)) >> 11) as f64 / (1u64 << 53) as f64
}

const NAMES: [&str; 8] = [
    "RPOL-UCB",
    "CKB-UCB",
    "CONFIG",
    "EPBO",
    "Random",
    "RPOL-CensoredUCB",
    "Hallucinated",
    "RPOL-SWUCB",
];

fn average(k: usize, start: f64, end: f64) -> Line {
    let mean = |t: usize| {
        let wiggle = 0.5 * (noise(1000 * k + t) - 0.5) / (t as f64).sqrt();
        let first = if t < 5 { -4.0 * noise(k) } else { 0.0 };
        end + (start - end) * (t as f64).powf(-0.5 - 0.03 * k as f64) + first + wiggle * 0.3
    };
    let half = |t: usize| 0.12 * (1.0 + 0.2 * k as f64) / (t as f64).powf(0.35);
    Line {
        label: NAMES[k].into(),
        mean: (1..=500).map(mean).collect(),
        half_width: Some((1..=500).map(half).collect()),
    }
}

fn regret(lines: usize) -> Curves {
    Curves {
        title: "Average positive regret, delayed feedback <50 rounds & less>".into(),
        x: "round t".into(),
        y: "R⁺(t) / t".into(),
        caption: CAPTION.into(),
        lines: (0..lines)
            .map(|k| average(k, 3.0 + 0.2 * k as f64, 0.02 + 0.09 * k as f64))
            .collect(),
        marks: vec![],
    }
}

fn violation() -> Curves {
    let line = |k: usize| {
        let mut sum = 0.0;
        let grow = |t: usize| {
            sum += (0.8 + 0.35 * k as f64) * (0.4 + noise(t + 999 * k))
                / (t as f64).powf(0.55 - 0.04 * k as f64);
            sum
        };
        let mean: Vec<f64> = (1..=500).map(grow).collect();
        let half_width = Some(mean.iter().map(|v| 0.08 * v).collect());
        Line { label: NAMES[k].into(), mean, half_width }
    };
    Curves {
        title: "Cumulative violation in a drifting system: the limits move twice".into(),
        x: "round t".into(),
        y: "V(t), sum of g⁺ (ms)".into(),
        caption: CAPTION.into(),
        lines: (0..5).map(line).collect(),
        marks: vec![
            (170.0, "limits move".into()),
            (200.0, "window full".into()),
            (490.0, "limits move back".into()),
        ],
    }
}

fn penalty() -> Curves {
    let trace = |k: usize| {
        (1..=3000).map(|t| ((t / (60 * (k + 1))) as f64 * 40.0).max((t as f64).sqrt())).collect()
    };
    let line =
        |k: usize, label: &str| Line { label: label.into(), mean: trace(k), half_width: None };
    Curves {
        title: "Penalty weights".into(),
        x: "round t".into(),
        y: "Q(t)".into(),
        caption: "One run.".into(),
        lines: vec![line(0, "constraint 1"), line(1, "constraint 2"), line(5, "√t")],
        marks: vec![],
    }
}

fn single() -> Curves {
    let line = |label: &str, value: f64| Line {
        label: label.into(),
        mean: vec![value],
        half_width: Some(vec![0.4]),
    };
    Curves {
        title: "One round".into(),
        x: "round t".into(),
        y: "value".into(),
        caption: String::new(),
        lines: vec![line("RPOL-UCB", -1.0), line("other", 2.0)],
        marks: vec![],
    }
}

fn maps<'a>(panels: usize, regions: Vec<(String, Condition<'a>)>) -> PointMaps<'a> {
    let target = |k: usize| [[1.5, 4.7], [4.7, 1.5]][k % 2];
    let point = |k: usize, t: usize| {
        let spread = if NAMES[k] == "Random" {
            6.0
        } else {
            6.0 / (1.0 + t as f64 / (8.0 + 5.0 * k as f64))
        };
        let goal = if NAMES[k] == "Random" { [3.0, 3.0] } else { target(k) };
        [0, 1].map(|d| (goal[d] + spread * (noise(7919 * k + 2 * t + d) - 0.5)).clamp(0.0, 6.0))
    };
    let panel = |k: usize| Panel {
        label: NAMES[k].into(),
        points: (0..300).map(|t| point(k, t)).collect(),
    };
    PointMaps {
        title: "Where the algorithms played".into(),
        x: "x₁".into(),
        y: "x₂".into(),
        caption: CAPTION.into(),
        low: [0.0, 0.0],
        high: [6.0, 6.0],
        regions,
        optima: vec![("optimum".into(), [1.57, 4.71]), ("second optimum".into(), [4.71, 1.57])],
        panels: (0..panels).map(panel).collect(),
    }
}
