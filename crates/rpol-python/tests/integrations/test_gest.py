"""``RpolGenerator`` against the contract of gest-api's ``Generator``."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from gest_api.generator import Generator
from gest_api.tests import test_generator as own_checks
from gest_api.vocs import VOCS, BaseConstraint, BaseVariable, DiscreteVariable

from rpol.errors import AlreadyToldError, InvalidSpecError
from rpol.integrations.gest import RpolGenerator

Point = dict[str, Any]


def vocs(**changes: Any) -> VOCS:
    given = {
        "variables": {"x": [0.0, 10.0], "n": {1, 2, 5}, "m": {"slow", "fast"}},
        "objectives": {"f": "MINIMIZE"},
        "constraints": {"c": ["LESS_THAN", 4.0], "b": ["BOUNDS", -1.0, 1.0], "p99 ms": ["GREATER_THAN", 0.5]},
        "constants": {"alpha": 0.55},
        "observables": {"seen"},
    }
    return VOCS(**{**given, **changes})


def measured(point: Point) -> Point:
    x = point["x"]
    return point | {"f": (x - 6) ** 2 + point["n"], "c": x, "b": 0.1 * x, "p99 ms": 1.0, "seen": x}


@pytest.mark.parametrize(
    "case",
    [
        own_checks.test_gen_fails_without_variable,
        own_checks.test_gen_fails_without_objective,
        own_checks.test_gen_has_constant_alpha,
        own_checks.test_suggest_default_single_point,
    ],
)
def test_gest_apis_own_checks(monkeypatch: pytest.MonkeyPatch, case: Callable[[], None]) -> None:
    """Those of its example generator that say what a generator must do, and not how that one does it."""
    monkeypatch.setattr(own_checks, "RandomGenerator", RpolGenerator)
    case()


def test_it_is_a_generator_that_returns_ids() -> None:
    generator = RpolGenerator(vocs())
    assert isinstance(generator, Generator) and generator.returns_id


@pytest.mark.parametrize("count", [1, 3, 8])
def test_exactly_as_many_points_as_asked_for_with_every_input(count: int) -> None:
    points = RpolGenerator(vocs()).suggest(count)
    assert [point["_id"] for point in points] == list(range(count))
    for point in points:
        assert set(point) == {"x", "n", "m", "alpha", "_id"}
        assert 0 <= point["x"] <= 10 and point["n"] in {1, 2, 5} and point["m"] in {"slow", "fast"}
        assert point["alpha"] == 0.55
    settings = {(point["x"], point["n"], point["m"]) for point in points}
    assert len(settings) == count, "pending points are accounted for"


@pytest.mark.parametrize("count", [0, -1, 10**9])
def test_a_number_of_points_that_cannot_be_is_a_value_error(count: int) -> None:
    with pytest.raises(ValueError, match="count"):
        RpolGenerator(vocs()).suggest(count)


def test_without_a_number_it_is_the_batch() -> None:
    generator = RpolGenerator(vocs(), batch=4)
    assert len(generator.suggest()) == len(generator.suggest(None)) == 4


def test_it_optimizes_within_the_limits() -> None:
    generator = RpolGenerator(vocs(), seed=1)
    for _ in range(15):
        generator.ingest([measured(point) for point in generator.suggest(2)])
    generator.finalize()
    best = generator.study.best_trial
    assert best is not None and best.metrics["f"] == pytest.approx(5, abs=0.6)
    assert [account.constraint for account in generator.study.ledger.values()] == [
        "c <= 4",
        "b >= -1",
        "b <= 1",
        "'p99 ms' >= 0.5",
    ]
    assert best.metrics["seen"] == best.metrics["c"]


def test_results_may_come_late_and_out_of_order() -> None:
    generator = RpolGenerator(vocs())
    first, second, third = generator.suggest(3)
    generator.ingest([measured(third), measured(first)])
    assert [trial.state for trial in generator.study.trials] == ["complete", "running", "complete"]
    generator.ingest([measured(second), measured(first)])
    assert {trial.state for trial in generator.study.trials} == {"complete"}


def test_an_id_may_have_been_through_a_table() -> None:
    generator = RpolGenerator(vocs())
    (point,) = generator.suggest(1)
    generator.ingest([measured(point) | {"_id": float(point["_id"])}])
    with pytest.raises(InvalidSpecError, match="^_id: nan was not suggested here"):
        generator.ingest([measured(point) | {"_id": math.nan}])
    assert len(generator.study.trials) == 1


def test_another_result_for_the_same_id_is_refused() -> None:
    generator = RpolGenerator(vocs())
    (point,) = generator.suggest(1)
    generator.ingest([measured(point)])
    with pytest.raises(AlreadyToldError):
        generator.ingest([measured(point) | {"f": 99.0}])


def test_an_unknown_id_is_a_value_error_and_nothing_is_taken_in() -> None:
    generator = RpolGenerator(vocs())
    good, bad = generator.suggest(2)
    for wrong in ({**bad, "_id": 7}, {**bad, "x": 0.123}, {**bad, "m": "other"}):
        with pytest.raises(ValueError, match="_id|params.m"):
            generator.ingest([measured(good), measured(wrong)])
    assert {trial.state for trial in generator.study.trials} == {"running"}


def test_a_baseline_is_a_point_of_the_vocs() -> None:
    known = {"x": 3.0, "n": 5, "m": "slow"}
    generator = RpolGenerator(vocs(), baseline={"params": known}, caution=1)
    (first,) = generator.suggest(1)
    assert {name: first[name] for name in known} == known


def test_points_without_an_id_are_history() -> None:
    generator = RpolGenerator(vocs())
    generator.ingest([measured({"x": 9.0, "n": 2, "m": "fast", "alpha": 0.55})])
    (trial,) = generator.study.trials
    assert trial.metrics["c"] == 9.0 and trial.decision is None
    assert generator.study.ledger.total == 0, "history is not on the books"


def test_what_was_not_measured_is_unknown() -> None:
    generator = RpolGenerator(vocs())
    one, two = generator.suggest(2)
    generator.ingest([measured(one) | {"f": math.nan}, measured(two) | {"c": None, "seen": math.nan}])
    first, second = generator.study.trials
    assert first.state == second.state == "fail"
    assert "f" not in first.metrics and second.feasible is False and second.metrics["f"] > 0


@pytest.mark.parametrize("name", ["x", "f", "c", "seen"])
def test_a_missing_name_is_refused_by_name(name: str) -> None:
    generator = RpolGenerator(vocs())
    (point,) = generator.suggest(1)
    result = measured(point)
    del result[name]
    with pytest.raises(InvalidSpecError, match=f"^{name}: is missing"):
        generator.ingest([result])


def test_discrete_numbers_keep_their_order_and_sets_have_none() -> None:
    params = RpolGenerator(vocs()).study.spec.params
    assert params["n"].to_dict() == {"type": "int", "low": 0, "high": 2, "log": False}
    assert params["m"].to_dict() == {"type": "categorical", "choices": [0, 1]}


def test_the_order_of_a_set_changes_nothing() -> None:
    letters = [chr(ord("a") + i) for i in range(20)]
    history = [{"m": letter, "f": float(i)} for i, letter in enumerate(letters)]
    generator = RpolGenerator(VOCS(variables={"m": set(letters)}, objectives={"f": "MINIMIZE"}))
    generator.ingest(history)
    assert [trial.params["m"] for trial in generator.study.trials] == list(range(20))


class Odd(BaseConstraint):
    """No limit that anybody knows."""


class OddVariable(BaseVariable):
    """No variable that anybody knows."""


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"variables": {}}, "^variables: .*at least one variable"),
        ({"objectives": {}}, "^objectives: .*at least one objective"),
        ({"objectives": {"f": "MINIMIZE", "g": "MAXIMIZE"}}, "^objectives: there are 2"),
        ({"objectives": {"f": "EXPLORE"}}, "^objectives.f: ExploreObjective is not known"),
        ({"variables": {"x": "CONTEXTUAL"}}, "^variables.x: a contextual variable"),
        ({"variables": {"x": OddVariable()}}, "^variables.x: OddVariable is not known"),
        ({"constraints": {"c": Odd()}}, "^constraints.c: Odd is not known"),
        ({"variables": {"x": DiscreteVariable(values={1})}}, "^params: every parameter is fixed"),
    ],
)
def test_what_it_cannot_do_is_a_value_error_with_a_remedy(changes: Point, message: str) -> None:
    with pytest.raises(InvalidSpecError, match=message) as caught:
        RpolGenerator(vocs(**changes))
    assert isinstance(caught.value, ValueError)


def test_it_pickles() -> None:
    generator = RpolGenerator(vocs())
    generator.ingest([measured(point) for point in generator.suggest(3)])
    assert pickle.loads(pickle.dumps(generator)).suggest(2) == generator.suggest(2)
