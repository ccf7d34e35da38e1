//! Sobol points: equal to SciPy's, and evenly spread whatever the scramble.

// Helpers of tests may fail like tests.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use rpol::random::Stream;
use rpol::sobol::Sobol;
use rpol::{Error, Result};
use serde_json::Value;

fn golden() -> Value {
    serde_json::from_str(include_str!("golden/sobol.json")).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn dims(case: &Value) -> usize {
    case["dims"].as_u64().unwrap() as usize
}

#[test]
fn the_first_points_equal_scipys() {
    for case in golden()["near"].as_array().unwrap() {
        let mut sobol = Sobol::new(dims(case)).unwrap();
        let points: Vec<Vec<f64>> = sobol.points().take(1024).collect();
        for (index, row) in case["rows"].as_object().unwrap() {
            let found = &points[index.parse::<usize>().unwrap()];
            assert_eq!(found.iter().map(|x| x * 1024.0).collect::<Vec<_>>(), numbers(row));
        }
        assert_eq!(weighted_sums(&points), numbers(&case["weighted_sums"]));
    }
}

/// All integers below 2^53, so the sums are exact.
fn weighted_sums(points: &[Vec<f64>]) -> Vec<f64> {
    let mut sums = vec![0.0; points[0].len()];
    for (i, point) in points.iter().enumerate() {
        for (sum, x) in sums.iter_mut().zip(point) {
            *sum += (i + 1) as f64 * x * 1024.0;
        }
    }
    sums
}

#[test]
fn points_far_along_equal_scipys_directions() {
    let golden = golden();
    for case in golden["far"]["points"].as_array().unwrap() {
        let mut sobol = Sobol::new(dims(&golden["far"])).unwrap();
        sobol.skip(case["index"].as_u64().unwrap());
        assert_eq!(sobol.points().next().unwrap(), numbers(&case["point"]));
    }
}

#[test]
fn the_sequence_starts_anew_after_its_last_point() {
    let mut sobol = Sobol::scrambled(3, &mut Stream::new(1, 2)).unwrap();
    let first: Vec<Vec<f64>> = sobol.clone().points().take(3).collect();
    sobol.skip((1 << 53) - 1);
    let around: Vec<Vec<f64>> = sobol.points().skip(1).take(3).collect();
    assert_eq!(around, first);
}

#[test]
fn dimensions_outside_the_table_are_refused() {
    for wrong in [0, Sobol::MAX_DIMS + 1] {
        let error = Sobol::new(wrong).unwrap_err();
        assert!(matches!(error, Error::OutOfBounds { .. }), "{error}");
    }
    assert!(Sobol::new(Sobol::MAX_DIMS).is_ok());
}

#[test]
fn scrambled_points_are_uniform_over_the_scrambles() -> Result<()> {
    let n = 4000;
    let mut sums = [0.0; 4];
    for seed in 0..n {
        let mut sobol = Sobol::scrambled(2, &mut Stream::new(seed, 0))?;
        sobol.skip(3);
        let point = sobol.points().next().unwrap();
        for (sum, term) in sums.iter_mut().zip([point[0], point[1], point[0] * point[1], 0.0]) {
            *sum += term / n as f64;
        }
    }
    // Standard errors: 0.0046 for the means, 0.0035 for the product.
    assert!((sums[0] - 0.5).abs() < 0.018 && (sums[1] - 0.5).abs() < 0.018, "{sums:?}");
    assert!((sums[2] - 0.25).abs() < 0.014, "{sums:?}");
    Ok(())
}

#[test]
fn scrambling_sharpens_an_integral() -> Result<()> {
    // The integral of the product of 2x over the cube is 1.
    let error = |points: &mut dyn Iterator<Item = Vec<f64>>| {
        let value = |x: Vec<f64>| x.iter().map(|x| 2.0 * x).product::<f64>();
        (points.take(4096).map(value).sum::<f64>() / 4096.0 - 1.0).abs()
    };
    let mut stream = Stream::new(3, 0);
    let mut sobol = Sobol::scrambled(5, &mut stream)?;
    let quasi = error(&mut sobol.points());
    let plain = error(&mut std::iter::repeat_with(|| (0..5).map(|_| stream.uniform()).collect()));
    assert!(quasi < 0.005 && quasi < plain, "{quasi} {plain}");
    Ok(())
}

/// Whether the points hit every box of a grid with `2^a` by `2^b` cells once.
fn hits_each_once(points: &[Vec<f64>], (i, a): (usize, i32), (j, b): (usize, i32)) -> bool {
    let columns = 1 << b;
    let mut hit = vec![0; points.len()];
    for x in points {
        let cell = |x: f64, bits| (x * 2f64.powi(bits)) as usize;
        hit[cell(x[i], a) * columns + cell(x[j], b)] += 1;
    }
    hit.iter().all(|&count| count == 1)
}

proptest! {
    #[test]
    fn every_axis_is_stratified(seed: u64, dims in 1..40usize, m in 0..9i32, block in 0..5u64) {
        let mut sobol = Sobol::scrambled(dims, &mut Stream::new(seed, 0)).unwrap();
        sobol.skip(block << m);
        let points: Vec<Vec<f64>> = sobol.points().take(1 << m).collect();
        for d in 0..dims {
            prop_assert!(hits_each_once(&points, (d, m), (d, 0)));
        }
    }

    #[test]
    fn the_first_two_axes_form_a_net(seed: u64, m in 0..9i32) {
        let mut sobol = Sobol::scrambled(2, &mut Stream::new(seed, 0)).unwrap();
        let points: Vec<Vec<f64>> = sobol.points().take(1 << m).collect();
        for a in 0..=m {
            prop_assert!(hits_each_once(&points, (0, a), (1, m - a)));
        }
    }

    #[test]
    fn skip_is_as_many_nexts(seed: u64, dims in 1..20usize, start in 0..50u64, n in 0..300u64) {
        let mut stepped = Sobol::scrambled(dims, &mut Stream::new(seed, 1)).unwrap();
        stepped.skip(start);
        let mut skipped = stepped.clone();
        skipped.skip(n);
        let wanted = stepped.points().nth(n as usize);
        prop_assert_eq!(skipped.points().next(), wanted);
    }

    #[test]
    fn one_stream_gives_one_sequence(seed: u64, n in 0..1u64 << 53) {
        let draw = |round| {
            let mut sobol = Sobol::scrambled(4, &mut Stream::new(seed, round)).unwrap();
            sobol.skip(n);
            sobol.points().next().unwrap()
        };
        prop_assert_eq!(draw(0), draw(0));
        prop_assert_ne!(draw(0), draw(1));
        prop_assert!(draw(0).iter().all(|x| (0.0..1.0).contains(x)));
    }
}
