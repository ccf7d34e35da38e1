//! Laws: settings and model points agree, and nothing leaves the bounds.

use super::{float, int, one, param, set, snapped, space, space_and_cube};
use proptest::prelude::*;
use rpol::space::Coordinate;
use rpol::{Param, Params, Space, Value};

/// One `f64` step at the larger bound, as a share of the width: what a float must lose.
fn resolution(param: &Param) -> f64 {
    match param {
        Param::Float { low, high, log: false } => {
            f64::EPSILON * low.abs().max(high.abs()) / (high - low)
        }
        Param::Float { low, high, .. } => {
            f64::EPSILON * (1.0 + low.ln().abs() + high.ln().abs()) / (high / low).ln()
        }
        _ => 0.0,
    }
}

fn in_bounds(param: &Param, value: &Value) -> bool {
    match (param, value) {
        (Param::Float { low, high, .. }, Value::Float(v)) => low <= v && v <= high,
        (Param::Int { low, high, .. }, Value::Int(v)) => low <= v && v <= high,
        (Param::Categorical { choices }, v) => choices.contains(v),
        _ => false,
    }
}

proptest! {
    #[test]
    fn encode_of_decode_is_snap((space, x) in space_and_cube()) {
        let back = space.encode(&space.decode(&x)).unwrap();
        let free = space.params().values().filter(|p| !p.is_fixed());
        for (((got, want), coordinate), param) in
            back.iter().zip(snapped(&space, &x)).zip(space.coordinates()).zip(free)
        {
            let allowed = if *coordinate == Coordinate::Continuous { 1e-15 + resolution(param) } else { 0.0 };
            prop_assert!((got - want).abs() <= allowed, "{} for {} ({:?})", got, want, param);
        }
    }

    #[test]
    fn decode_of_encode_is_the_setting((space, x) in space_and_cube()) {
        let setting = space.decode(&x);
        let back = space.decode(&space.encode(&setting).unwrap());
        for ((name, param), (value, again)) in
            space.params().iter().zip(setting.values().zip(back.values()))
        {
            match (param, value, again) {
                (Param::Float { low, high, log }, Value::Float(v), Value::Float(w)) => {
                    let size = if *log { v * (2.0 + low.ln().abs() + high.ln().abs()) } else { low.abs().max(high.abs()) };
                    prop_assert!((v - w).abs() <= 2.0 * f64::EPSILON * size, "{} {} {}", name, v, w);
                }
                _ => prop_assert_eq!(value, again),
            }
        }
    }

    #[test]
    fn decode_stays_in_bounds(
        (space, x) in space_and_cube(),
        wild in prop::sample::select(vec![0.0, 1.0, -0.0, -1e9, 1e9, f64::NAN, f64::INFINITY, f64::MIN, 1.0 - f64::EPSILON / 2.0, f64::MIN_POSITIVE]),
    ) {
        for x in [x.clone(), vec![wild; x.len()]] {
            for ((name, param), value) in space.params().iter().zip(space.decode(&x).values()) {
                prop_assert!(in_bounds(param, value), "{name} {value:?} {param:?}");
            }
            prop_assert!(snapped(&space, &x).iter().all(|x| x.is_finite()));
            prop_assert!(space.encode(&space.decode(&x)).unwrap().iter().all(|x| x.is_finite()));
        }
    }

    #[test]
    fn ends_map_exactly(param in prop_oneof![float(), int()]) {
        let ends: [Value; 2] = match &param {
            Param::Float { low, high, .. } => [(*low).into(), (*high).into()],
            Param::Int { low, high, .. } => [(*low).into(), (*high).into()],
            Param::Categorical { .. } => unreachable!(),
        };
        let space = one(param);
        for (x, end) in [0.0, 1.0].into_iter().zip(ends) {
            prop_assert_eq!(space.encode(&set(end.clone())).unwrap(), [x]);
            prop_assert_eq!(&space.decode(&[x])["x"], &end);
        }
    }

    #[test]
    fn every_integer_survives(param in int(), at in any::<u64>()) {
        let Param::Int { low, high, .. } = param else { unreachable!() };
        let space = one(param);
        let edges = [low, low + 1, high - 1, high];
        for v in edges.into_iter().chain([low + (at % (high - low) as u64) as i64]) {
            let x = space.encode(&set(v)).unwrap();
            prop_assert_eq!(&space.decode(&x)["x"], &Value::Int(v));
            prop_assert_eq!(snapped(&space, &x), x);
        }
    }

    #[test]
    fn integers_keep_their_order_in_the_model(param in int(), at in any::<u64>()) {
        let Param::Int { low, high, .. } = param else { unreachable!() };
        let space = one(param);
        let v = low + (at % (high - low) as u64) as i64;
        prop_assert!(space.encode(&set(v)).unwrap()[0] < space.encode(&set(v + 1)).unwrap()[0]);
    }

    #[test]
    fn text_round_trips(params in prop::collection::vec(param(), 1..6)) {
        let space = space(params);
        let json = serde_json::to_string(&space).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Space>(&json).unwrap(), &space);
        let text = toml::to_string(&space).unwrap();
        prop_assert_eq!(&toml::from_str::<Space>(&text).unwrap(), &space);
        let setting = space.decode(&vec![0.25; space.dims()]);
        let json = serde_json::to_string(&setting).unwrap();
        prop_assert_eq!(serde_json::from_str::<Params>(&json).unwrap(), setting);
    }
}

#[test]
fn the_order_is_the_users() {
    let text = "[z]\ntype = 'float'\nlow = 0\nhigh = 1\n[a]\ntype = 'int'\nlow = 0\nhigh = 1\n";
    let space: Space = toml::from_str(text).unwrap();
    assert_eq!(space.params().keys().collect::<Vec<_>>(), ["z", "a"]);
    assert_eq!(space.decode(&[0.0, 0.0]).keys().collect::<Vec<_>>(), ["z", "a"]);
}

#[test]
fn an_integer_written_as_a_float_is_that_integer() {
    let space = one(Param::int(1, 8));
    assert_eq!(space.encode(&set(8.0)), space.encode(&set(8)));
    let space = one(Param::float(1.0, 8.0));
    assert_eq!(space.encode(&set(8)), space.encode(&set(8.0)));
}

#[test]
fn extreme_floats_stay_accurate() {
    let tiny = f64::from_bits(1);
    for (low, high) in [(tiny, f64::MAX), (1e-300, 1e300), (tiny, 2.0 * tiny), (1e-3, 1.0)] {
        let space = one(Param::float(low, high).log());
        for k in 0..=1000 {
            let x = k as f64 / 1000.0;
            let Value::Float(v) = space.decode(&[x])["x"] else { panic!() };
            let Value::Float(w) = space.decode(&space.encode(&set(v)).unwrap())["x"] else {
                panic!()
            };
            assert!((v - w).abs() <= 1e-12 * v, "{v:e} came back as {w:e}");
        }
    }
}
