//! Every stated optimum is feasible, stationary, and what a search finds.

use std::collections::HashSet;

use rpol_lab::problem::{Problem, all};

use crate::kkt::Kkt;
use crate::search::best;

fn relative(error: f64, value: f64) -> f64 {
    error / value.abs().max(1e-2)
}

fn unit(problem: &Problem, x: &[f64]) -> Vec<f64> {
    x.iter().zip(&problem.domain).map(|(x, p)| (x - p.low) / p.width()).collect()
}

/// Ackley's kink at the origin has no gradient; its optimum is proved by hand where it is stated.
fn smooth() -> impl Iterator<Item = Problem> {
    all().into_iter().filter(|p| !p.name.starts_with("ackley"))
}

#[test]
fn descriptions_are_complete() {
    let mut names = HashSet::new();
    for p in all() {
        assert!(names.insert(p.name.clone()), "{} twice", p.name);
        assert!(!p.source.is_empty() && !p.constraints.is_empty(), "{}", p.name);
        assert_eq!(p.optimum.x.len(), p.dims(), "{}", p.name);
        assert!(p.domain.iter().all(|d| d.low < d.high), "{}", p.name);
        let named: HashSet<_> = p.domain.iter().map(|d| &d.name).collect();
        assert_eq!(named.len(), p.dims(), "{}", p.name);
    }
}

#[test]
fn values_at_the_corners_are_finite() {
    for p in all() {
        for corner in 0..1 << p.dims() {
            let x =
                p.from_unit(&(0..p.dims()).map(|i| f64::from(corner >> i & 1)).collect::<Vec<_>>());
            let sound = p.f(&x).is_finite() && p.g(&x).iter().all(|v| v.is_finite());
            assert!(sound, "{} at {x:?}", p.name);
        }
    }
}

#[test]
fn optima_are_feasible_and_worth_what_is_stated() {
    for p in all() {
        let best = &p.optimum;
        assert!(
            best.x.iter().zip(&p.domain).all(|(x, d)| (d.low..=d.high).contains(x)),
            "{}",
            p.name
        );
        assert!(p.violation(&best.x) <= 1e-8, "{}: violated by {:e}", p.name, p.violation(&best.x));
        let error = relative((p.f(&best.x) - best.value).abs(), best.value);
        assert!(error <= 1e-8, "{}: f(x*) off by {error:e}", p.name);
    }
}

#[test]
fn constraints_are_active_exactly_where_claimed() {
    for p in all() {
        for (i, g) in p.g(&p.optimum.x).into_iter().enumerate() {
            let claimed = p.optimum.active.contains(&i);
            assert!(
                if claimed { g.abs() <= 1e-8 } else { g <= -1e-2 },
                "{}: {} is {g:e}",
                p.name,
                p.constraints[i].name
            );
        }
    }
}

#[test]
fn optima_are_stationary() {
    for p in smooth() {
        let unit = unit(&p, &p.optimum.x);
        let breach = Kkt::new(&p, &unit).breach(&unit);
        assert!(breach <= 1e-8, "{}: {breach:e}", p.name);
    }
}

#[test]
fn a_search_finds_the_optimum_and_nothing_better() {
    for p in all() {
        let (x, found) = best(&p, 4);
        assert_eq!(found.violation, 0.0, "{}", p.name);
        let short = relative(p.optimum.value - found.value, p.optimum.value);
        assert!(
            (-1e-8..=1e-6).contains(&short),
            "{}: search ends {short:e} short, at {x:?}",
            p.name
        );
    }
}

#[test]
fn newton_from_the_search_agrees_to_the_last_stated_digits() {
    for p in smooth() {
        let (x, _) = best(&p, 4);
        let start = unit(&p, &x);
        let refined = p.from_unit(&Kkt::new(&p, &start).refine(start));
        let error = relative((p.f(&refined) - p.optimum.value).abs(), p.optimum.value);
        assert!(error <= 1e-9, "{}: value off by {error:e}", p.name);
        let mirrored = p.name == "simionescu" && refined[0] < 0.0;
        for (i, d) in p.domain.iter().enumerate() {
            let stated = if mirrored { -p.optimum.x[i] } else { p.optimum.x[i] };
            assert!(
                (refined[i] - stated).abs() <= 1e-8 * d.width(),
                "{}: {} is {}",
                p.name,
                d.name,
                refined[i]
            );
        }
    }
}
