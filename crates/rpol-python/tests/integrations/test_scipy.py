"""``minimize_constrained``, with SciPy's own constraints and without SciPy."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, NonlinearConstraint, OptimizeResult

import rpol
from rpol.errors import InvalidSpecError
from rpol.integrations.scipy import minimize_constrained

BOX = [(0, 1), (0, 1)]


def product(x: Any) -> float:
    return float(x[0] * x[1])


@pytest.mark.parametrize(
    "constraint",
    [
        {"type": "ineq", "fun": lambda x, least: product(x) - least, "args": (0.1,)},
        NonlinearConstraint(product, 0.1, np.inf),
        NonlinearConstraint(lambda x: -product(x), -np.inf, -0.1),
        NonlinearConstraint(lambda x: [product(x), x[0]], [0.1, -np.inf], [2.0, np.inf]),
    ],
)
def test_every_form_of_a_constraint_gives_the_same_search(constraint: Any) -> None:
    result = minimize_constrained(lambda x, by: sum(x) * by, BOX, constraint, args=(2,), rounds=30)
    assert isinstance(result, OptimizeResult)
    assert result.success and result.fun == pytest.approx(2 * 2 * np.sqrt(0.1), abs=0.05)
    assert product(result.x) >= 0.1 and result.maxcv == 0 and result.nfev == 30
    assert product(result.incumbent) >= 0.099


def test_a_linear_constraint_and_scipys_bounds() -> None:
    limit = LinearConstraint([[1, 1], [1, -1]], [-np.inf, -0.5], [1.0, 0.5])
    result = minimize_constrained(lambda x: -x[0] - 2 * x[1], Bounds([0, 0], [1, 1]), [limit], rounds=30)
    assert result.success and result.fun == pytest.approx(-1.75, abs=0.05)
    assert list(result.violation) == ["c0.0", "c0.1"]


def test_the_books_are_those_of_the_evaluations() -> None:
    seen: list[float] = []

    def limited(x: Any) -> float:
        seen.append(product(x))
        return seen[-1]

    result = minimize_constrained(sum, BOX, NonlinearConstraint(limited, 0.1, 0.2), rounds=20)
    assert len(seen) == 20, "every point is evaluated once"
    expected = sum(max(0.1 - value, value - 0.2, 0.0) for value in seen)
    assert result.violation == {"c0": pytest.approx(expected)}


def test_noise_is_welcome() -> None:
    noise = np.random.default_rng(1)
    result = minimize_constrained(
        lambda x: x[0] + x[1] + 0.02 * noise.standard_normal(),
        BOX,
        NonlinearConstraint(lambda x: product(x) + 0.02 * noise.standard_normal(), 0.1, np.inf),
        rounds=40,
    )
    assert sum(result.incumbent) == pytest.approx(0.66, abs=0.25)


def test_no_feasible_point_is_said_and_the_nearest_given() -> None:
    result = minimize_constrained(sum, BOX, NonlinearConstraint(lambda x: x[0], 2, 3), rounds=8)
    assert not result.success and "no point kept every constraint" in result.message
    assert result.maxcv == pytest.approx(2 - result.x[0]) and result.x[0] > 0.9
    assert result.incumbent is None


def test_integers_stay_integers_and_x0_comes_first() -> None:
    points: list[Any] = []

    def cost(x: Any) -> float:
        points.append(x.copy())
        return float((x[0] - 2.2) ** 2 + x[1])

    result = minimize_constrained(cost, [(0, 5), (0, 1)], x0=[4, 0.25], integrality=[True, False], rounds=15)
    assert points[0].tolist() == [4, 0.25] and all(x[0] == round(x[0]) for x in points)
    assert result.x[0] == 2
    minimize_constrained(cost, [(0, 5), (0, 1)], integrality=[True, False], rounds=1)
    assert points[-1].tolist() == [2, 0.5], "the middle, or what is next to it"


def test_the_callback_sees_the_result_so_far_and_may_stop() -> None:
    def stop(so_far: Any) -> None:
        if so_far.nfev == 5:
            raise StopIteration

    result = minimize_constrained(sum, BOX, callback=stop)
    assert (result.nfev, result.message) == (5, "stopped by the callback")


def test_what_is_not_a_number_was_not_measured() -> None:
    result = minimize_constrained(lambda x: np.nan if x[0] < 0.5 else x[0], BOX, rounds=10)
    assert result.fun >= 0.5 and result.study.trials[0].state == "complete"
    assert "fail" in {trial.state for trial in result.study.trials}
    nothing = minimize_constrained(lambda x: np.nan, BOX, rounds=3)
    assert not nothing.success and nothing.maxcv == np.inf


def test_an_exception_ends_the_call() -> None:
    def broken(x: Any) -> float:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        minimize_constrained(broken, BOX)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"bounds": [(0, np.inf)]}, "^bounds: .*not all finite"),
        ({"bounds": [(0, None)]}, "^bounds: .*not all finite"),
        ({"bounds": [(0, 1, 2)]}, "^bounds: .*give a pair"),
        ({"bounds": [(1, 0)]}, "^bounds: .*: swap them"),
        ({"x0": [0.5]}, r"^x0: its shape is \(1,\)"),
        ({"x0": [0.5, 2]}, r"^params.x1: 2.0 must lie in \[0.0, 1.0\]"),
        ({"rounds": 0}, "^rounds: 0"),
        ({"integrality": [True]}, "^integrality: there are 1 for 2"),
        ({"constraints": {"type": "eq", "fun": sum}}, "^c0.type: 'eq' is not known"),
        ({"constraints": NonlinearConstraint(sum, 1, 1)}, "^c0: must equal 1.0: noise hides equality"),
        ({"constraints": NonlinearConstraint(lambda x: x, [0, 0, 0], 1)}, "^c0: has 2 values and 3 bounds"),
        ({"constraints": NonlinearConstraint(lambda x: x[: 1 + (x[0] == 0.5)], -1, 1)}, "^c0.0: was there"),
        ({"constraints": [sum]}, "^c0: builtin_function_or_method is no constraint"),
        ({"fun": lambda x: x}, "^fun: returned 2 numbers"),
    ],
)
def test_bad_input_is_refused_with_a_remedy(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidSpecError, match=message):
        minimize_constrained(**{"fun": sum, "bounds": BOX, **given})


def test_a_wrong_setting_is_refused_before_anything_is_evaluated() -> None:
    def never(x: Any) -> float:
        raise AssertionError

    with pytest.raises(InvalidSpecError, match="^caution"):
        minimize_constrained(never, BOX, {"type": "ineq", "fun": never}, caution=2)


def test_it_may_be_kept(tmp_path: Path) -> None:
    place = f"sqlite:///{tmp_path / 'kept.db'}"
    minimize_constrained(sum, BOX, rounds=3, storage=place, name="kept")
    assert len(rpol.load_study("kept", place).trials) == 3


def test_scipy_is_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    result = minimize_constrained(sum, BOX, {"type": "ineq", "fun": lambda x: product(x) - 0.1}, rounds=10)
    assert not isinstance(result, OptimizeResult) and result.fun == result["fun"]
    with pytest.raises(AttributeError, match="jac"):
        result.jac
    assert isinstance(result.study, rpol.Study)
