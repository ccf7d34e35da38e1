//! Laws of counting, snapping, drawing and stepping.

use super::{few_levels, one, snapped, space, space_and_cube};
use proptest::prelude::*;
use rpol::Param;
use rpol::space::Coordinate;
use std::collections::HashSet;

proptest! {
    #[test]
    fn enumeration_covers_every_point_once(params in prop::collection::vec(few_levels(1), 1..5)) {
        let space = space(params);
        let size = space.size().unwrap();
        let levels: u64 = space.coordinates().iter().map(|c| c.levels().unwrap()).product();
        prop_assert_eq!(size, levels);
        let points: HashSet<Vec<u64>> = (0..size)
            .map(|i| space.point(i))
            .inspect(|x| assert_eq!(&snapped(&space, x), x))
            .map(|x| x.into_iter().map(f64::to_bits).collect())
            .collect();
        prop_assert_eq!(points.len() as u64, size);
    }

    #[test]
    fn snap_is_idempotent((space, x) in space_and_cube(), stretch in -3.0..6.0) {
        let x: Vec<f64> = x.iter().map(|x| x * stretch).collect();
        let once = snapped(&space, &x);
        prop_assert_eq!(&snapped(&space, &once), &once);
    }

    #[test]
    fn snap_moves_to_the_nearest_level(param in few_levels(2), x in -0.5..5.5) {
        let space = one(param);
        let near = (snapped(&space, &[x])[0] - x).abs();
        for i in 0..space.size().unwrap() {
            prop_assert!(near <= (space.point(i)[0] - x).abs() + 1e-12);
        }
    }

    #[test]
    fn neighbours_are_other_real_choices((space, u) in space_and_cube()) {
        let x = space.from_cube(&u);
        for dim in 0..space.dims() {
            for near in space.neighbours(&x, dim) {
                prop_assert_ne!(near, x[dim]);
                let mut moved = x.clone();
                moved[dim] = near;
                prop_assert_eq!(&snapped(&space, &moved), &moved);
                let (here, there) = (space.decode(&x), space.decode(&moved));
                let changed = here.values().zip(there.values()).filter(|(a, b)| a != b).count();
                prop_assert_eq!(changed, 1);
                if let Coordinate::Lattice(l) = space.coordinates()[dim] {
                    prop_assert_eq!(l.nearest(near).abs_diff(l.nearest(x[dim])), 1);
                }
            }
        }
    }

    #[test]
    fn levels_are_equally_likely(param in few_levels(2)) {
        let space = one(param);
        let size = space.size().unwrap();
        for i in 0..size {
            let drawn = (0..10 * size).map(|k| (k as f64 + 0.5) / (10 * size) as f64);
            let hits = drawn.filter(|u| space.from_cube(&[*u]) == space.point(i)).count();
            prop_assert_eq!(hits, 10);
        }
    }

    #[test]
    fn drawn_points_are_real((space, u) in space_and_cube()) {
        let x = space.from_cube(&u);
        prop_assert_eq!(&snapped(&space, &x), &x);
    }
}

#[test]
fn a_size_needs_finite_levels_within_u64() {
    let wide = |count: usize| space(vec![Param::int(0, (1 << 32) - 1); count]);
    assert_eq!(wide(1).size(), Some(1 << 32));
    assert_eq!(wide(2).size(), None);
    assert_eq!(one(Param::float(0.0, 1.0)).size(), None);
}

#[test]
fn along_a_logarithm_every_magnitude_is_drawn() {
    let space = one(Param::int(1, 1_000_000).log());
    let small =
        |u: f64| space.decode(&space.from_cube(&[u]))["x"].to_string().parse::<f64>().unwrap();
    let below = (0..1000).filter(|k| small(f64::from(*k) / 1000.0) < 1000.0).count();
    assert!((480..=520).contains(&below), "{below} of 1000 draws lie below 1000");
}
