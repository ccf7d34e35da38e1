//! The paper's environments as printed, and the figures `algorithms.md` states for them.

use rpol_lab::problem::{Delay, Environment, NoiseReading, Problem, by_name};

use crate::search::Random;

/// Share of the domain that is feasible, from a jittered grid.
fn feasible_share(problem: &Problem) -> f64 {
    const SIDE: usize = 1500;
    let mut random = Random::new(5);
    let mut hits = 0;
    for cell in 0..SIDE * SIDE {
        let unit = [cell / SIDE, cell % SIDE].map(|i| (i as f64 + random.uniform()) / SIDE as f64);
        hits += usize::from(problem.is_feasible(&problem.from_unit(&unit)));
    }
    hits as f64 / (SIDE * SIDE) as f64
}

#[test]
fn optima_agree_with_the_reference() {
    let stated = [
        ("paper_phase1", [4.712389, 1.253236], -0.2532359),
        ("paper_phase2", [2.593081, 0.0], 0.6703452),
        ("paper_phase3", [0.0, 1.434260], -0.6774580),
    ];
    for (name, x, value) in stated {
        let best = by_name(name).unwrap().optimum;
        assert!((best.value - value).abs() < 1e-7, "{name}");
        assert!(best.x.iter().zip(x).all(|(a, b)| (a - b).abs() < 1e-6), "{name}");
    }
}

#[test]
fn feasible_areas_agree_with_the_reference() {
    for (name, percent, digit) in
        [("paper_phase1", 1.77, 0.01), ("paper_phase2", 18.6, 0.1), ("paper_phase3", 1.35, 0.01)]
    {
        let found = 100.0 * feasible_share(&by_name(name).unwrap());
        assert!((found - percent).abs() < digit, "{name}: {found} %");
    }
}

/// g <= 0 needs |sin x1| and |sin x2| of at least 0.95 and opposite signs: one patch around each of two points.
#[test]
fn phase1_is_feasible_in_two_components() {
    let phase1 = by_name("paper_phase1").unwrap();
    let mut seen = [0; 2];
    for cell in 0..600 * 600 {
        let x = phase1.from_unit(&[cell / 600, cell % 600].map(|i| (i as f64 + 0.5) / 600.0));
        if phase1.is_feasible(&x) {
            let near = |a: f64, b: f64| (x[0] - a).hypot(x[1] - b) < 0.5;
            let [quarter, three] = [std::f64::consts::FRAC_PI_2, 3.0 * std::f64::consts::FRAC_PI_2];
            assert!(near(quarter, three) ^ near(three, quarter), "{x:?}");
            seen[usize::from(near(three, quarter))] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 1000), "{seen:?}");
}

#[test]
fn phase1_ranges_agree_with_the_reference() {
    let phase1 = by_name("paper_phase1").unwrap();
    let (mut f, mut g) = ([f64::INFINITY, f64::NEG_INFINITY], [f64::INFINITY, f64::NEG_INFINITY]);
    for cell in 0..=1000 * 1001 {
        let x = phase1.from_unit(&[cell / 1001, cell % 1001].map(|i| i as f64 / 1000.0));
        let widen = |range: [f64; 2], v: f64| [range[0].min(v), range[1].max(v)];
        (f, g) = (widen(f, phase1.f(&x)), widen(g, phase1.g(&x)[0]));
    }
    let near = |range: [f64; 2], low: f64, high: f64| {
        (range[0] - low).abs() < 1e-3 && (range[1] - high).abs() < 1e-3
    };
    assert!(near(f, -7.0, 1.0) && near(g, -0.05, 1.95), "{f:?} {g:?}");
}

#[test]
fn gardners_second_simulation_is_phase1() {
    let (a, b) = (by_name("gardner2").unwrap(), by_name("paper_phase1").unwrap());
    assert_eq!(a.optimum, b.optimum);
    assert_eq!(a.f(&[1.0, 2.0]), b.f(&[1.0, 2.0]));
}

#[test]
fn environments_are_as_printed() {
    let classical = Environment::classical(NoiseReading::Variance);
    assert!((classical.noise[0].powi(2) - 0.05).abs() < 1e-15 && classical.delay.is_none());
    let delayed = Environment::delayed(NoiseReading::Deviation);
    assert_eq!(
        (&delayed.noise, delayed.delay),
        (&vec![0.05; 2], Some(Delay::Poisson { mean: 15.0 }))
    );
    assert_eq!(delayed.problem_at(77).name, "paper_phase1");
    let drifting = Environment::drifting(NoiseReading::Variance);
    let phase = |round| drifting.problem_at(round).name.clone();
    assert_eq!([1, 100].map(phase), ["paper_phase1"; 2]);
    assert_eq!([101, 300].map(phase), ["paper_phase2"; 2]);
    assert_eq!([301, 500, 10_000].map(phase), ["paper_phase3"; 3]);
}

#[test]
fn stretching_moves_the_switches_in_proportion() {
    let starts = |horizon| {
        let environment = Environment::drifting(NoiseReading::Variance).stretched(horizon);
        assert_eq!(environment.horizon, horizon);
        environment.phases.iter().map(|p| p.first_round).collect::<Vec<_>>()
    };
    assert_eq!(starts(500), [1, 101, 301]);
    assert_eq!(starts(1000), [1, 201, 601]);
    assert_eq!(starts(50), [1, 11, 31]);
}

#[test]
#[should_panic(expected = "counted from 1")]
fn there_is_no_round_zero() {
    Environment::classical(NoiseReading::Variance).problem_at(0);
}
