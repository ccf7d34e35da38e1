//! The laws of kernels, for every kernel, some compositions and random hyper-parameters.

use super::{Covariance, Form, KernelRow};
use crate::{Kernel, Points, check};
use proptest::prelude::*;

fn scales(dims: usize) -> Vec<f64> {
    (0..dims).map(|d| 0.3 + 0.2 * d as f64).collect()
}

fn base(dims: usize) -> Vec<Kernel> {
    let l = scales(dims);
    vec![
        Kernel::squared_exponential(l.clone()),
        Kernel::matern12(l.clone()),
        Kernel::matern32(l.clone()),
        Kernel::matern52(l.clone()),
        Kernel::rational_quadratic(1.3, l.clone()),
        Kernel::periodic(vec![0.8; dims], l.clone()),
        Kernel::linear(0.4, l.clone()),
        Kernel::hamming(l),
    ]
}

fn composed(dims: usize) -> Vec<Kernel> {
    let l = scales(dims);
    let last = [dims - 1];
    let smooth = Kernel::squared_exponential(l.clone());
    let category = Kernel::hamming([0.7]).on(last);
    let trend = Kernel::linear(0.2, [1.5]).on([0]);
    vec![
        smooth.clone() + Kernel::matern12(l.clone()),
        smooth.clone() * category.clone(),
        Kernel::matern52(l.clone()).scaled(2.5),
        (smooth.scaled(0.5) * category + trend.clone()).scaled(3.0),
        trend.clone() * Kernel::periodic([0.4], [1.1]).on(last) * trend,
        (Kernel::matern32(l.clone()) + Kernel::rational_quadratic(0.5, l)).scaled(1e-3),
    ]
}

#[test]
fn every_kernel_keeps_the_laws() {
    for dims in [1, 2, 3, 6] {
        base(dims).iter().for_each(|k| check::kernel(k, dims));
    }
}

#[test]
fn compositions_keep_the_laws() {
    for dims in [1, 2, 3, 6] {
        composed(dims).iter().for_each(|k| check::kernel(k, dims));
    }
}

fn random_kernel() -> impl Strategy<Value = (Kernel, usize)> {
    let all = |dims| base(dims).into_iter().chain(composed(dims)).collect::<Vec<_>>();
    let pick = (1usize..=4).prop_flat_map(move |d| (prop::sample::select(all(d)), Just(d)));
    let moves = prop::collection::vec(-1.2f64..1.2, 32);
    (pick, moves).prop_map(|((mut kernel, dims), moves)| {
        let mut logs = Vec::new();
        kernel.log_params(&mut logs);
        logs.iter_mut().zip(moves).for_each(|(v, m)| *v += m);
        kernel.set_log_params(&logs);
        (kernel, dims)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    #[test]
    fn random_hyper_parameters_keep_the_laws((kernel, dims) in random_kernel()) {
        check::kernel(&kernel, dims);
    }

    #[test]
    fn a_value_depends_on_its_two_points_only(
        (kernel, dims) in random_kernel(),
        seed in prop::collection::vec(-2.0f64..2.0, 4 * 77),
        start in 0usize..70,
    ) {
        let rows: Vec<&[f64]> = seed.chunks_exact(4).map(|x| &x[..dims]).collect();
        let points = Points::from_rows(dims, &rows);
        let (mut whole, mut part) = (vec![0.0; 77], vec![0.0; 77 - start]);
        kernel.row(KernelRow::new(rows[0], points.view()), &mut whole);
        kernel.row(KernelRow::new(rows[0], points.view().range(start..77)), &mut part);
        prop_assert_eq!(&whole[start..], &part[..]);
        prop_assert_eq!(kernel.value(rows[start], rows[0]), whole[start]);
    }
}

#[test]
fn vanishing_values_are_zero() {
    let kernel = Kernel::squared_exponential([1.0]);
    assert!(kernel.value(&[21.4], &[0.0]) > 1e-100);
    assert_eq!(kernel.value(&[21.5], &[0.0]), 0.0);
    assert_eq!((kernel.clone() * kernel).value(&[16.0], &[0.0]), 0.0);
    assert_eq!(Kernel::matern52([1.0]).scaled(1e-80).value(&[30.0], &[0.0]), 0.0);
}

#[test]
fn cross_is_the_same_within_and_past_a_block() {
    let rows: Vec<[f64; 1]> = (0..2500).map(|i| [f64::from(i) * 1e-3]).collect();
    let (a, b) = (Points::from_rows(1, &rows[..3]), Points::from_rows(1, &rows));
    let (kernel, mut out) = (Kernel::matern32([0.4]), vec![0.0; 3 * 2500]);
    kernel.cross(a.view(), b.view(), &mut out);
    for (i, j) in [(0, 0), (1, 1023), (1, 1024), (2, 2499)] {
        assert_eq!(out[i * 2500 + j], kernel.value(&rows[i], &rows[j]));
    }
}

#[test]
fn gram_writes_the_lower_triangle_at_its_stride_only() {
    let points = Points::from_rows(1, &[[0.0], [0.5], [2.0]]);
    let mut out = vec![9.0; 15];
    Kernel::matern12([1.0]).gram(points.view(), &mut out, 5);
    let untouched: Vec<usize> = (0..15).filter(|&i| out[i] == 9.0).collect();
    assert_eq!(untouched, [3, 4, 5, 8, 9, 10, 11, 13, 14]);
}

#[test]
fn a_bad_definition_is_refused_with_its_path() {
    let l = |values: &[f64]| Kernel::matern52(values);
    let cases = [
        (l(&[1.0, 0.0]), "kernel.lengthscales[1]: 0"),
        (l(&[f64::NAN, 1.0]), "kernel.lengthscales[0]: NaN"),
        (l(&[1.0]), "kernel.lengthscales: 1 values for 2"),
        (l(&[1.0]).on([2]), "kernel.dims[0]: coordinate 2 of 2"),
        (l(&[1.0, 1.0]).on([1, 1]), "kernel.dims[1]: coordinate 1 stands here twice"),
        (l(&[]).on([]), "kernel.dims: no coordinate"),
        (l(&[1.0, 1.0]).scaled(-1.0), "kernel.variance: -1"),
        (l(&[1.0, 1.0]) * l(&[1.0, -2.0]), "kernel.factors[1].lengthscales[1]: -2"),
        (Kernel::periodic([1.0], [1.0, 1.0]), "kernel.periods: 1 values for 2"),
        (Kernel::linear(f64::INFINITY, [1.0, 1.0]), "kernel.bias: inf"),
        (
            serde_json::from_str(r#"{"type":"sum","terms":[]}"#).unwrap(),
            "kernel.terms: a sum of no",
        ),
    ];
    for (kernel, start) in cases {
        let error = kernel.validate(2).expect_err(start).to_string();
        assert!(error.starts_with(start), "{error} should start with {start}");
    }
}

#[test]
fn a_definition_is_flat_and_closed() {
    let kernel = Kernel::rational_quadratic(2.0, [0.5]).on([1]);
    let json = serde_json::json!(
        {"type": "rational_quadratic", "alpha": 2.0, "lengthscales": [0.5], "dims": [1]}
    );
    assert_eq!(serde_json::to_value(&kernel).unwrap(), json);
    for name in ["squared_exponential", "matern12", "matern32", "matern52", "hamming"] {
        let text = format!(r#"{{"type":"{name}","lengthscales":[1.0]}}"#);
        assert!(serde_json::from_str::<Kernel>(&text).is_ok(), "{text}");
        let text = format!(r#"{{"type":"{name}","lengthscales":[1.0],"lenghtscale":1}}"#);
        assert!(serde_json::from_str::<Kernel>(&text).is_err(), "{text}");
    }
}

#[test]
fn gradients_are_zero_where_two_points_coincide() {
    for kernel in base(2).into_iter().filter(|k| !matches!(k.0, Form::Linear(_))) {
        let (mut value, mut jacobian) = ([0.0], [f64::NAN; 2]);
        let points = Points::from_rows(2, &[[0.3, 0.4]]);
        kernel.input_gradient(
            KernelRow::new(&[0.3, 0.4], points.view()),
            &mut value,
            &mut jacobian,
        );
        assert_eq!((value, jacobian.map(f64::abs)), ([1.0], [0.0; 2]), "{kernel:?}");
    }
}

#[test]
fn the_schema_names_every_kernel() {
    let schema = schemars::schema_for!(Kernel).to_value();
    let variants = schema["oneOf"].as_array().unwrap();
    let names: Vec<_> = variants.iter().map(|v| &v["properties"]["type"]["const"]).collect();
    assert_eq!(names.len(), 11, "{schema:#}");
    assert!(names.contains(&&serde_json::json!("rational_quadratic")), "{schema:#}");
}
