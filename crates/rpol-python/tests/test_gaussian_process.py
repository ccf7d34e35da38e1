"""The model against scikit-learn, and its own laws."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process import kernels as sk

import rpol
from rpol import Kernel

RNG = np.random.default_rng(0)
X, P = RNG.random((120, 3)), RNG.random((700, 3))
Y = np.sin(5 * X[:, 0]) + X[:, 1] ** 2 + 3
SCALES = [0.3, 0.5, 0.9]

PAIRS = [
    (Kernel.matern52(SCALES), sk.Matern(SCALES, nu=2.5)),
    (Kernel.matern32(SCALES), sk.Matern(SCALES, nu=1.5)),
    (Kernel.matern12(SCALES), sk.Matern(SCALES, nu=0.5)),
    (Kernel.rbf(SCALES), sk.RBF(SCALES)),
    (Kernel.rational_quadratic(0.7, [0.4] * 3), sk.RationalQuadratic(0.4, 0.7)),
    (2.5 * Kernel.matern52(SCALES), sk.ConstantKernel(2.5) * sk.Matern(SCALES, nu=2.5)),
    (Kernel.rbf(SCALES) + Kernel.linear(0.5, [1.0] * 3), sk.RBF(SCALES) + sk.DotProduct(0.5**0.5)),
    (Kernel.rbf(SCALES) * Kernel.matern12([1.0] * 3), sk.RBF(SCALES) * sk.Matern([1.0] * 3, nu=0.5)),
]


@pytest.mark.parametrize(("own", "theirs"), PAIRS)
def test_numbers_are_those_of_scikit_learn(own: Kernel, theirs: Any) -> None:
    gp = rpol.GaussianProcess(own, noise=1e-2).condition(X, Y)
    reference = GaussianProcessRegressor(theirs, alpha=1e-2, optimizer=None).fit(X, Y)
    mean, deviation = reference.predict(P, return_std=True)
    found, spread = gp.predict(P)
    np.testing.assert_allclose(found, mean, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(spread, deviation, rtol=1e-9, atol=1e-9)
    likelihood = reference.log_marginal_likelihood()
    np.testing.assert_allclose(gp.log_marginal_likelihood(), likelihood, rtol=1e-9)
    np.testing.assert_allclose(own(X, P), theirs(X, P), rtol=1e-9, atol=1e-12)


def test_noise_of_its_own_for_each() -> None:
    variances = np.linspace(0.01, 1.0, len(X))
    gp = rpol.GaussianProcess(PAIRS[0][0]).condition(X, Y, variances)
    reference = GaussianProcessRegressor(PAIRS[0][1], alpha=variances, optimizer=None).fit(X, Y)
    np.testing.assert_allclose(gp.predict(P)[0], reference.predict(P), rtol=1e-9)
    np.testing.assert_allclose(gp.log_marginal_likelihood(), reference.log_marginal_likelihood(), rtol=1e-9)


def test_gradients_are_derivatives() -> None:
    gp = rpol.GaussianProcess(PAIRS[0][0], noise=1e-2).condition(X, Y)
    gradients, step = gp.gradients(P[:5]), 1e-6
    for d in range(3):
        away = np.eye(3)[d] * step
        (high, wide), (low, narrow) = gp.predict(P[:5] + away), gp.predict(P[:5] - away)
        np.testing.assert_allclose(gradients.mean[:, d], (high - low) / (2 * step), rtol=1e-5, atol=1e-7)
        np.testing.assert_allclose(gradients.deviation[:, d], (wide - narrow) / (2 * step), rtol=1e-4, atol=1e-7)


def test_the_information_gain() -> None:
    gp = rpol.GaussianProcess(PAIRS[0][0], noise=0.1).condition(X, Y)
    expected = 0.5 * np.linalg.slogdet(np.eye(len(X)) + PAIRS[0][0](X) / 0.1)[1]
    np.testing.assert_allclose(gp.information_gain(), expected, rtol=1e-10)
    greedy = gp.greedy_gain(X, 5)
    assert greedy.shape == (5,) and (np.diff(greedy) > 0).all() and greedy[4] <= expected


def test_one_after_another_is_all_at_once() -> None:
    whole = rpol.GaussianProcess(PAIRS[0][0], noise=1e-2).condition(X, Y)
    grown = rpol.GaussianProcess(PAIRS[0][0], noise=1e-2)
    for x, y in zip(X, Y):
        grown.observe(x, y)
    np.testing.assert_allclose(grown.predict(P), whole.predict(P), rtol=1e-9, atol=1e-10)
    grown.observe(X[0], 9.0, variance=0.5)
    noise = np.append(np.full(len(X), 1e-2), 0.5)
    again = rpol.GaussianProcess(PAIRS[0][0]).condition(np.vstack([X, X[:1]]), np.append(Y, 9.0), noise)
    np.testing.assert_allclose(grown.predict(P), again.predict(P), rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(grown.log_marginal_likelihood(), again.log_marginal_likelihood(), rtol=1e-12)


def test_units_are_kept_apart() -> None:
    x, y = X[:20], 50 * Y[:20]
    gp = rpol.GaussianProcess(Kernel.matern52([1.0] * 3).scaled(1.0)).fit(x, y)
    assert gp.spread > 5 and gp.centre > 50
    gp.observe(P[0], 160.0, variance=4.0)
    own = gp.kernel.scaled(gp.spread**2)
    noise = np.append(np.full(20, gp.noise * gp.spread**2), 4.0)
    plain = rpol.GaussianProcess(own, centre=gp.centre).condition(np.vstack([x, P[:1]]), np.append(y, 160.0), noise)
    np.testing.assert_allclose(gp.predict(P), plain.predict(P), rtol=1e-7)
    np.testing.assert_allclose(gp.log_marginal_likelihood(), plain.log_marginal_likelihood(), rtol=1e-8)
    reference = GaussianProcessRegressor(PAIRS[0][1], alpha=1e-2, optimizer=None).fit(X, Y - 3)
    centred = rpol.GaussianProcess(PAIRS[0][0], noise=1e-2, centre=3.0).condition(X, Y)
    np.testing.assert_allclose(centred.log_marginal_likelihood(), reference.log_marginal_likelihood(), rtol=1e-9)
    np.testing.assert_allclose(centred.predict(P)[0], reference.predict(P) + 3, rtol=1e-9)


def test_a_fit_explains_more() -> None:
    far = rpol.GaussianProcess(Kernel.matern52([9.0] * 3).scaled(1.0), noise=1.0).condition(X, Y)
    near = rpol.GaussianProcess(Kernel.matern52([9.0] * 3).scaled(1.0)).fit(X, Y)
    assert near.log_marginal_likelihood() > far.log_marginal_likelihood() + 100
    assert np.abs(near.predict(X)[0] - Y).max() < 0.1 and near.spread > 0
    again = rpol.GaussianProcess(Kernel.matern52([9.0] * 3).scaled(1.0)).fit(X, Y)
    assert again.kernel == near.kernel, "the same seed"


@pytest.mark.parametrize("size", [1e300, 1e-300])
def test_units_do_not_matter(size: float) -> None:
    gp = rpol.GaussianProcess(Kernel.matern52([1.0] * 3).scaled(1.0)).fit(X, Y * size)
    mean, deviation = gp.predict(P)
    assert np.isfinite(mean).all() and np.isfinite(deviation).all()
    assert np.abs(mean / size - np.sin(5 * P[:, 0]) - P[:, 1] ** 2 - 3).max() < 0.3


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system does not choose cores")
def test_numbers_do_not_depend_on_the_cores() -> None:
    gp = rpol.GaussianProcess(PAIRS[0][0], noise=1e-2).condition(X, Y)
    cores = os.sched_getaffinity(0)
    for count in (501, 1025, 2051):  # alone, a point at an end is solved for in another order
        points = np.random.default_rng(1).random((count, 3))
        everywhere = np.array(gp.predict(points))
        os.sched_setaffinity(0, {min(cores)})
        try:
            alone = np.array(gp.predict(points))
        finally:
            os.sched_setaffinity(0, cores)
        assert np.array_equal(everywhere, alone), count


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda gp: gp.predict([0.1, 0.2, 0.3]), rpol.WrongLengthError),
        (lambda gp: gp.predict([[0.1, 0.2]]), rpol.WrongLengthError),
        (lambda gp: gp.gradients([[0.1, 0.2]]), rpol.WrongLengthError),
        (lambda gp: gp.predict([["a", "b", "c"]]), rpol.WrongTypeError),
        (lambda gp: gp.predict([[0.1, float("nan"), 0.2]]), rpol.NotFiniteError),
        (lambda gp: gp.condition(X, Y[:-1]), rpol.WrongLengthError),
        (lambda gp: gp.condition(X, Y, -np.ones(len(X))), rpol.InvalidSpecError),
        (lambda gp: gp.fit(X, np.full(len(X), np.inf)), rpol.NotFiniteError),
        (lambda gp: rpol.GaussianProcess(gp.kernel, noise=0.0), rpol.InvalidSpecError),
        (lambda gp: rpol.GaussianProcess(gp.kernel).predict(P), rpol.InvalidSpecError),
        (lambda gp: rpol.GaussianProcess(Kernel.rbf([1.0])).condition(X, Y), rpol.InvalidSpecError),
        (lambda gp: rpol.GaussianProcess(Kernel.rbf([-1.0] * 3)).condition(X, Y), rpol.InvalidSpecError),
        (lambda gp: Kernel({"type": "cubic"})(X), rpol.InvalidSpecError),
        (lambda gp: Kernel.rbf([1.0] * 3)(X, P[:, :2]), rpol.WrongLengthError),
        (lambda gp: gp.greedy_gain(X, -1), rpol.InvalidSpecError),
    ],
)
def test_what_is_refused(call: Any, error: type[rpol.RpolError]) -> None:
    gp = rpol.GaussianProcess(PAIRS[0][0], noise=1e-2).condition(X, Y)
    with pytest.raises(error):
        call(gp)
