//! Loops compiled once for each instruction set and chosen when the program runs, and an
//! exponential simple enough for the compiler to vectorise in them.
//!
//! Kernel rows spend their time in `exp`, and a library call cannot be vectorised by the compiler.
//! This one rounds to a power of two and evaluates a polynomial of degree 11 in two short chains.
//! pulp picks the instruction set at run time, so binaries stay portable. No loop sums in an order
//! that depends on it, so AVX2 and AVX-512 give the same bits.

use pulp::{Arch, Simd, WithSimd};

/// The multiply-add $ab + c$ of the instruction set a loop is compiled for.
pub(crate) trait Math {
    /// Whether registers hold eight numbers.
    const WIDE: bool;

    /// $ab + c$: rounded once where the processor can, twice elsewhere.
    fn mul_add(a: f64, b: f64, c: f64) -> f64;
}

struct Fused<const WIDE: bool>;
struct Plain;

impl<const WIDE: bool> Math for Fused<WIDE> {
    const WIDE: bool = WIDE;

    #[inline(always)]
    fn mul_add(a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }
}

impl Math for Plain {
    const WIDE: bool = false;

    // `f64::mul_add` without the instruction is a library call, far slower than what it replaces.
    #[inline(always)]
    fn mul_add(a: f64, b: f64, c: f64) -> f64 {
        a * b + c
    }
}

/// A body of loops; `run` must be `#[inline(always)]` to be compiled for each instruction set.
pub(crate) trait Loops {
    /// Does the work.
    fn run<M: Math>(self);
}

struct Job<L>(L);

impl<L: Loops> WithSimd for Job<L> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        if S::IS_SCALAR {
            self.0.run::<Plain>();
        } else if S::F64_LANES >= 8 {
            self.0.run::<Fused<true>>();
        } else {
            self.0.run::<Fused<false>>();
        }
    }
}

/// Runs `loops` with AVX-512, AVX2 and FMA, NEON or the baseline, whichever is the best here.
pub(crate) fn run<L: Loops>(loops: L) {
    #[cfg(all(test, target_arch = "x86_64"))]
    if let (true, Some(narrow)) = (narrow::is_forced(), pulp::x86::V3::try_new()) {
        return Simd::vectorize(narrow, Job(loops));
    }
    Arch::new().dispatch(Job(loops));
}

/// Lets a test run as on a processor without AVX-512.
#[cfg(test)]
pub(crate) mod narrow {
    use std::sync::atomic::{AtomicBool, Ordering};

    static FORCED: AtomicBool = AtomicBool::new(false);

    #[cfg(target_arch = "x86_64")]
    pub(super) fn is_forced() -> bool {
        FORCED.load(Ordering::Relaxed)
    }

    /// For all threads: fits have their own.
    pub(crate) fn force(narrow: bool) {
        FORCED.store(narrow, Ordering::Relaxed);
    }
}

struct Body<F>(F);

impl<F: FnOnce()> Loops for Body<F> {
    #[inline(always)]
    fn run<M: Math>(self) {
        (self.0)();
    }
}

/// As [`run`], for a closure that needs no multiply-add; it must be `#[inline(always)]` itself.
/// (Handed to the library directly, a closure is compiled on its own, for the baseline only.)
pub(crate) fn run_closure(body: impl FnOnce()) {
    run(Body(body));
}

const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1; // 32 bits: its product with an exponent is exact
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
const LOWEST: f64 = -708.0;
const HIGHEST: f64 = 709.0;

/// $(e^r - 1 - r) / r^2$ interpolated at ten Chebyshev nodes of $|r| \le \ln\sqrt 2$; with it the
/// error of $e^r$ stays under 0.08 ulp. Highest power first, even and odd powers apart: two short
/// chains of multiply-adds overlap where one long one waits.
const EVEN: [f64; 5] = [
    2.762_008_844_540_974_6e-7,
    2.480_152_129_595_437_6e-5,
    1.388_888_891_721_371_7e-3,
    4.166_666_666_662_413e-2,
    5.000_000_000_000_001e-1,
];
const ODD: [f64; 5] = [
    2.510_038_549_551_032e-8,
    2.755_726_845_999_706_4e-6,
    1.984_126_986_305_361_8e-4,
    8.333_333_333_330_062e-3,
    1.666_666_666_666_666_9e-1,
];

#[inline(always)]
fn horner<M: Math>(coefficients: [f64; 5], x: f64) -> f64 {
    // Written out: what an iterator calls is compiled on its own, for the baseline, where a multiply-add is a library call.
    let [a, b, c, d, e] = coefficients;
    M::mul_add(M::mul_add(M::mul_add(M::mul_add(a, x, b), x, c), x, d), x, e)
}

/// $e^x$ to 2 ulp: 0 below $-708$, $e^{709}$ above 709, exactly 1 at 0.
#[inline(always)]
pub(crate) fn exp<M: Math>(x: f64) -> f64 {
    // Adding 1.5 * 2^52 rounds to an integer and leaves that integer in the low bits.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let capped = if x < HIGHEST { x } else { HIGHEST };
    let shifted = M::mul_add(capped, std::f64::consts::LOG2_E, ROUND);
    let n = shifted - ROUND;
    let r = M::mul_add(n, -LN_2_LOW, M::mul_add(n, -LN_2_HIGH, capped));
    let r2 = r * r;
    let tail = M::mul_add(horner::<M>(ODD, r2), r, horner::<M>(EVEN, r2));
    let fraction = 1.0 + M::mul_add(tail, r2, r);
    let power = f64::from_bits((shifted.to_bits().wrapping_add(1023)) << 52);
    if x < LOWEST { 0.0 } else { fraction * power }
}

struct Exp<'a>(&'a mut [f64]);

impl Loops for Exp<'_> {
    #[inline(always)]
    fn run<M: Math>(self) {
        for v in self.0 {
            *v = exp::<M>(*v);
        }
    }
}

/// Replaces every value by its exponential.
pub(crate) fn exp_each(values: &mut [f64]) {
    run(Exp(values));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ulps(a: f64, b: f64) -> u64 {
        a.to_bits().abs_diff(b.to_bits())
    }

    fn sample() -> impl Iterator<Item = f64> {
        (-700_000..=700_000).map(|i| f64::from(i) * 1e-3 + 1e-7 * f64::from(i % 997))
    }

    #[test]
    fn exp_is_within_two_ulp_of_std_on_this_machine() {
        let mut values: Vec<f64> = sample().collect();
        exp_each(&mut values);
        for (x, v) in sample().zip(values) {
            assert!(ulps(v, x.exp()) <= 2, "exp({x}) is {v}, std says {}", x.exp());
        }
    }

    #[test]
    fn exp_is_within_two_ulp_of_std_without_fused_multiply_add() {
        for x in sample() {
            let v = exp::<Plain>(x);
            assert!(ulps(v, x.exp()) <= 2, "exp({x}) is {v}, std says {}", x.exp());
        }
    }

    #[test]
    fn exp_is_one_at_zero_and_finite_everywhere() {
        let mut values = [0.0, -0.0, f64::NEG_INFINITY, -1e300, -708.1, 1e300];
        exp_each(&mut values);
        assert_eq!(values[..5], [1.0, 1.0, 0.0, 0.0, 0.0]);
        assert!(values[5].is_finite());
    }
}
