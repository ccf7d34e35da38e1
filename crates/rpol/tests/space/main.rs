//! The space: random definitions and points for the laws beside this file.

#![allow(clippy::unwrap_used)]

mod bad_definition;
mod bad_setting;
mod grid;
mod round_trip;

use proptest::prelude::*;
use rpol::{Error, Param, Params, Space, Value};

fn float() -> impl Strategy<Value = Param> {
    let linear = (-1e6..1e6, 1e-3..1e6).prop_map(|(low, width)| Param::float(low, low + width));
    let log = (-20.0..20.0, 1e-3..30.0)
        .prop_map(|(low, width): (f64, f64)| Param::float(low.exp(), (low + width).exp()).log());
    prop_oneof![linear, log]
}

fn int() -> impl Strategy<Value = Param> {
    let linear = (-1_000_000i64..1_000_000, 0u32..50).prop_map(|(low, bits)| (low, 1i64 << bits));
    let log = (1i64..1_000_000, 0u32..42).prop_map(|(low, bits)| (low, 1i64 << bits));
    prop_oneof![
        linear.prop_map(|(low, width)| Param::int(low, low + width)),
        log.prop_map(|(low, width)| Param::int(low, low + width).log()),
    ]
}

fn choices(count: usize) -> Param {
    Param::categorical((0..count).map(|i| match i % 3 {
        0 => Value::Text(format!("choice {i}")),
        1 => Value::Int(i as i64),
        _ => Value::Float(i as f64 + 0.5),
    }))
}

fn fixed() -> impl Strategy<Value = Param> {
    prop_oneof![Just(Param::float(3.5, 3.5)), Just(Param::int(7, 7)), Just(choices(1))]
}

fn param() -> impl Strategy<Value = Param> {
    prop_oneof![3 => float(), 3 => int(), 2 => (2usize..6).prop_map(choices), 1 => fixed()]
}

/// At least so many and at most five levels.
fn few_levels(least: usize) -> impl Strategy<Value = Param> {
    let int = (1i64..50, least as i64 - 1..5, any::<bool>());
    let int = int.prop_map(|(low, width, log)| Param::Int { low, high: low + width, log });
    prop_oneof![int, (least..6).prop_map(choices)]
}

fn space(params: Vec<Param>) -> Space {
    Space::new(params.into_iter().enumerate().map(|(i, p)| (format!("p{i}"), p))).unwrap()
}

/// A space and a uniform point of its cube.
fn space_and_cube() -> impl Strategy<Value = (Space, Vec<f64>)> {
    prop::collection::vec(param(), 1..6).prop_map(space).prop_flat_map(|space| {
        let dims = space.dims();
        (Just(space), prop::collection::vec(0.0..1.0, dims))
    })
}

fn snapped(space: &Space, x: &[f64]) -> Vec<f64> {
    let mut x = x.to_vec();
    space.snap(&mut x);
    x
}

fn one(param: Param) -> Space {
    Space::new([("x", param)]).unwrap()
}

fn set(value: impl Into<Value>) -> Params {
    Params::from([("x".to_owned(), value.into())])
}

/// The error has this kind and its message these words.
#[track_caller]
fn says(error: Error, kind: &str, words: &[&str]) {
    assert_eq!(error.kind(), kind, "{error}");
    let message = error.to_string();
    for word in words {
        assert!(message.contains(word), "{word:?} is not in {message:?}");
    }
    assert!(!message.chars().any(char::is_control), "{message:?}");
    assert!(message.len() < 400, "{message}");
}
