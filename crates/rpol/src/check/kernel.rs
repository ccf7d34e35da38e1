//! The laws of a kernel.

use crate::kernel::{Covariance, Kernel, KernelRow, ParamRole};
use crate::points::{Points, PointsView};

const COUNT: usize = 24;
const STEP: f64 = 1e-6;
const JITTER: f64 = 1e-10;

/// Checks that `kernel` is a covariance function on points of `dims` coordinates and keeps every
/// promise of the trait behind it.
///
/// Symmetric; positive semi-definite up to rounding; the same values from `row`, `cross`, `gram`
/// and `diagonal`; gradients and second derivatives equal to central differences; hyper-parameters and definition written
/// and read back; finite for every finite input.
///
/// # Panics
/// At the first law that is broken, naming it.
///
/// ```
/// rpol::check::kernel(&rpol::Kernel::matern52([0.3, 0.7]), 2);
/// ```
pub fn kernel(kernel: &Kernel, dims: usize) {
    kernel.validate(dims).expect("the kernel is valid");
    let points = points(dims);
    let points = points.view();
    same_values_everywhere(kernel, points);
    positive_semi_definite(kernel, points);
    for i in 0..COUNT {
        let mut x = vec![0.0; dims];
        points.copy_point(i, &mut x);
        param_gradient(kernel, &x, points);
        log_gradient(kernel, &x, points);
        // Off the grid: the Hamming and Matern 1/2 kernels jump or bend where coordinates meet.
        x.iter_mut().for_each(|v| *v += 0.137);
        input_gradient(kernel, &x, points);
        input_hessian(kernel, &x, points);
    }
    params_round_trip(kernel);
    definition_round_trip(kernel);
    finite_at_extremes(kernel, dims);
}

/// Spread over the unit cube; every third point on a coarse grid, so that coordinates coincide.
fn points(dims: usize) -> Points {
    let mut points = Points::new(dims);
    for i in 0..COUNT {
        let spread = |d: usize| (0.5 + i as f64 * (d as f64 + 2.0).sqrt()).fract();
        let on_grid = |v: f64| {
            if i % 3 == 0 { (2.0 * v).round() / 2.0 } else { v }
        };
        let x: Vec<f64> = (0..dims).map(|d| on_grid(spread(d))).collect();
        points.push(&x);
    }
    points
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()))
}

fn row(kernel: &Kernel, x: &[f64], points: PointsView<'_>) -> Vec<f64> {
    let mut out = vec![f64::NAN; points.len()];
    kernel.row(KernelRow::new(x, points), &mut out);
    out
}

fn full_gram(kernel: &Kernel, points: PointsView<'_>) -> Vec<f64> {
    let mut out = vec![f64::NAN; points.len() * points.len()];
    kernel.gram(points, &mut out, points.len());
    out
}

fn same_values_everywhere(kernel: &Kernel, points: PointsView<'_>) {
    let n = points.len();
    let (gram, mut cross) = (full_gram(kernel, points), vec![f64::NAN; n * n]);
    kernel.cross(points, points, &mut cross);
    let mut x = vec![0.0; points.dims()];
    for i in 0..n {
        points.copy_point(i, &mut x);
        let row = row(kernel, &x, points);
        for j in 0..n {
            assert_eq!(cross[i * n + j], row[j], "cross differs from row at {i}, {j}");
            assert_eq!(row[j], cross[j * n + i], "k(x, y) differs from k(y, x) at {i}, {j}");
            let lower = gram[i.min(j) * n + i.max(j)];
            assert_eq!(lower, row[j], "gram differs from row at {i}, {j}");
        }
        let diagonal = kernel.diagonal(&x);
        assert!(close(diagonal, row[i], 1e-14), "diagonal {diagonal}, row {} at {i}", row[i]);
    }
}

fn positive_semi_definite(kernel: &Kernel, points: PointsView<'_>) {
    let n = points.len();
    let mut l = full_gram(kernel, points);
    let largest = (0..n).map(|i| l[i * n + i]).fold(0.0, f64::max);
    for j in 0..n {
        let pivot = l[j * n + j] + JITTER * largest;
        assert!(pivot > 0.0, "the Gram matrix is not positive semi-definite: pivot {pivot} at {j}");
        for i in j..n {
            l[j * n + i] /= pivot.sqrt();
        }
        for k in j + 1..n {
            for i in k..n {
                l[k * n + i] -= l[j * n + i] * l[j * n + k];
            }
        }
    }
}

/// Compares `gradient` with the central difference of `values` at two sides.
fn matches_difference(law: &str, gradient: &[f64], above: &[f64], below: &[f64]) {
    for j in 0..gradient.len() {
        let difference = (above[j] - below[j]) / (2.0 * STEP);
        let fits = close(gradient[j], difference, 1e-5);
        assert!(fits, "{law} is {}, differences say {difference} at {j}", gradient[j]);
    }
}

fn input_gradient(kernel: &Kernel, x: &[f64], points: PointsView<'_>) {
    let (n, dims) = (points.len(), x.len());
    let (mut value, mut jacobian) = (vec![f64::NAN; n], vec![f64::NAN; n * dims]);
    kernel.input_gradient(KernelRow::new(x, points), &mut value, &mut jacobian);
    assert_eq!(value, row(kernel, x, points), "input_gradient has other values");
    let mut diagonal = vec![f64::NAN; dims];
    kernel.diagonal_gradient(x, &mut diagonal);
    for d in 0..dims {
        let (mut above, mut below) = (x.to_vec(), x.to_vec());
        above[d] += STEP;
        below[d] -= STEP;
        let sides = [&above, &below].map(|x| row(kernel, x, points));
        let gradient = &jacobian[d * n..][..n];
        matches_difference(&format!("dk/dx_{d}"), gradient, &sides[0], &sides[1]);
        let sides = [&above, &below].map(|x| [kernel.diagonal(x)]);
        let law = format!("dk(x, x)/dx_{d}");
        matches_difference(&law, &diagonal[d..=d], &sides[0], &sides[1]);
    }
}

/// Second derivatives against differences of the gradient, in coordinates from last to first: of every point alone, and of
/// all with weights.
fn input_hessian(kernel: &Kernel, x: &[f64], points: PointsView<'_>) {
    let (n, dims) = (points.len(), x.len());
    let free: Vec<usize> = (0..dims).rev().collect();
    let gradient = |x: &[f64]| {
        let (mut value, mut jacobian) = (vec![f64::NAN; n], vec![f64::NAN; n * dims]);
        kernel.input_gradient(KernelRow::new(x, points), &mut value, &mut jacobian);
        jacobian
    };
    let hessian = |weights: &[f64]| {
        let mut sum = vec![f64::NAN; dims * dims];
        kernel.hessian_sum(KernelRow::new(x, points), &free, weights, &mut sum);
        sum
    };
    let alone = |j: usize| (0..n).map(|i| f64::from(u8::from(i == j))).collect::<Vec<f64>>();
    let each: Vec<Vec<f64>> = (0..n).map(|j| hessian(&alone(j))).collect();
    let here = gradient(x);
    for (i, a) in free.iter().enumerate() {
        // Either may be on the other side of a bend.
        let sides = [1e-5, -1e-5].map(|step| {
            let mut moved = x.to_vec();
            moved[*a] += step;
            let there = gradient(&moved);
            there.iter().zip(&here).map(|(t, h)| (t - h) / step).collect::<Vec<f64>>()
        });
        for (k, b) in free.iter().enumerate().skip(i) {
            for j in 0..n {
                let found = each[j][i * dims + k];
                assert_eq!(found, each[j][k * dims + i], "not symmetric at {j}");
                let [above, below] = [sides[0][b * n + j], sides[1][b * n + j]];
                let error = (found - 0.5 * (above + below)).abs();
                let fits = error <= (above - below).abs() + 1e-3 * (1.0 + found.abs());
                assert!(fits, "d2k/dx_{a}dx_{b} is {found}, not {below} to {above} at {j}");
            }
        }
    }
    let weights: Vec<f64> = (0..n).map(|j| (1.0 + j as f64).sin()).collect();
    for (i, found) in hessian(&weights).into_iter().enumerate() {
        let sum: f64 = weights.iter().zip(&each).map(|(w, one)| w * one[i]).sum();
        // Differences have errors of their own.
        let size: f64 = each.iter().map(|one| one[i].abs()).sum();
        assert!((found - sum).abs() <= 1e-8 * (1.0 + size), "{found} is not the sum {sum}");
    }
}

fn param_gradient(kernel: &Kernel, x: &[f64], points: PointsView<'_>) {
    let (n, logs) = (points.len(), log_params(kernel));
    let (mut value, mut jacobian) = (vec![f64::NAN; n], vec![f64::NAN; n * logs.len()]);
    kernel.param_gradient(KernelRow::new(x, points), &mut value, &mut jacobian);
    assert_eq!(value, row(kernel, x, points), "param_gradient has other values");
    for (p, name) in kernel.param_names().iter().enumerate() {
        let sides = [STEP, -STEP].map(|step| {
            let mut moved = logs.clone();
            moved[p] += step;
            row(&with_log_params(kernel, &moved), x, points)
        });
        let gradient = &jacobian[p * n..][..n];
        matches_difference(&format!("dk/dln {name}"), gradient, &sides[0], &sides[1]);
    }
}

/// The weighed sum of the gradients of the logarithm against the gradients, of a kernel that is nowhere below 0.
fn log_gradient(kernel: &Kernel, x: &[f64], points: PointsView<'_>) {
    let n = points.len();
    let mut value = vec![f64::NAN; n];
    let mut jacobian = vec![f64::NAN; n * kernel.param_count()];
    kernel.param_gradient(KernelRow::new(x, points), &mut value, &mut jacobian);
    if value.iter().any(|k| *k < 0.0) {
        return;
    }
    let factors: Vec<f64> = (0..n).map(|j| (1.0 + j as f64).sin()).collect();
    let weights: Vec<f64> = factors.iter().zip(&value).map(|(w, k)| w * k).collect();
    let mut sums = vec![f64::NAN; kernel.param_count()];
    kernel.log_gradient_sum(KernelRow::new(x, points), &weights, &mut sums);
    for (p, name) in kernel.param_names().iter().enumerate() {
        let gradient = jacobian[p * n..][..n].iter().zip(&factors);
        let (sum, expected) = (sums[p], gradient.map(|(g, w)| g * w).sum::<f64>());
        assert!(close(sum, expected, 1e-9), "log_gradient_sum of {name} is {sum}, not {expected}");
    }
}

fn log_params(kernel: &Kernel) -> Vec<f64> {
    let mut logs = Vec::new();
    kernel.log_params(&mut logs);
    logs
}

fn with_log_params(kernel: &Kernel, logs: &[f64]) -> Kernel {
    let mut kernel = kernel.clone();
    kernel.set_log_params(logs);
    kernel
}

fn params_round_trip(kernel: &Kernel) {
    let logs = log_params(kernel);
    assert_eq!(logs.len(), kernel.param_names().len(), "one name a hyper-parameter");
    assert_eq!(logs.len(), kernel.param_roles().len(), "one role a hyper-parameter");
    let moved: Vec<f64> = (0..logs.len()).map(|i| 0.1 * i as f64 - 1.0).collect();
    let mut from = moved.clone();
    from.push(7.0);
    let mut copy = kernel.clone();
    assert_eq!(copy.set_log_params(&from), [7.0], "set_log_params returns what it does not need");
    for (read, written) in log_params(&copy).into_iter().zip(moved) {
        assert!(close(read, written, 1e-14), "wrote ln {written}, read ln {read}");
    }
}

fn definition_round_trip(kernel: &Kernel) {
    let text = serde_json::to_string(kernel).expect("a kernel is written as JSON");
    let read: Kernel = serde_json::from_str(&text).expect("a written kernel is read");
    assert_eq!(&read, kernel, "written and read back as {text}");
}

fn finite_at_extremes(kernel: &Kernel, dims: usize) {
    const VALUES: [f64; 9] = [0.0, 1e-300, 1e-8, 1.0, -1e8, 1e150, -1e300, f64::MAX, f64::MIN];
    let mut points = Points::new(dims);
    for i in 0..VALUES.len() {
        let x: Vec<f64> = (0..dims).map(|d| VALUES[(i * (d + 1) + d) % VALUES.len()]).collect();
        points.push(&x);
    }
    for log in [-600.0, -20.0, 20.0, 600.0] {
        all_finite(&with_lengthscales(kernel, log), &points);
    }
    all_finite(kernel, &points);
}

fn with_lengthscales(kernel: &Kernel, log: f64) -> Kernel {
    let mut logs = log_params(kernel);
    for (value, role) in logs.iter_mut().zip(kernel.param_roles()) {
        if matches!(role, ParamRole::Lengthscale | ParamRole::Category) {
            *value = log;
        }
    }
    with_log_params(kernel, &logs)
}

fn all_finite(kernel: &Kernel, points: &Points) {
    let (n, view) = (points.len(), points.view());
    let mut value = vec![f64::NAN; n];
    let mut by_input = vec![f64::NAN; n * points.dims()];
    let mut by_param = vec![f64::NAN; n * kernel.param_count()];
    let free: Vec<usize> = (0..points.dims()).collect();
    let mut by_inputs = vec![f64::NAN; free.len() * free.len()];
    for i in 0..n {
        let x = points.point(i);
        kernel.input_gradient(KernelRow::new(&x, view), &mut value, &mut by_input);
        kernel.param_gradient(KernelRow::new(&x, view), &mut value, &mut by_param);
        kernel.hessian_sum(KernelRow::new(&x, view), &free, &vec![1.0; n], &mut by_inputs);
        let mut all = value.iter().chain(&by_input).chain(&by_param).chain(&by_inputs);
        assert!(all.all(|v| v.is_finite()), "not finite at {x:?} with {kernel:?}");
        let normal = |v: &f64| *v == 0.0 || v.abs() >= 1e-100;
        assert!(value.iter().all(normal), "a vanishing value is not 0 at {x:?} with {kernel:?}");
    }
}
