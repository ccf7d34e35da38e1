"""Bad input, row by row: a named error with the field in it, and the state before equals the state after."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conftest import SPEC, measured

import rpol

NAN, INF = float("nan"), float("inf")
X = {"x": rpol.Float(0, 1)}


def refused(study: rpol.Study, error: type[rpol.RpolError], words: str, call: Callable[[], object]) -> None:
    """The error, its words, and that nothing changed."""
    before = study.log()
    with pytest.raises(error, match=words) as caught:
        call()
    assert isinstance(caught.value, rpol.RpolError)
    assert study.log() == before


# Trials


@pytest.mark.parametrize("number", [1, 99, 2**63])
def test_an_unknown_number(study: rpol.Study, number: int) -> None:
    study.ask()
    refused(study, rpol.UnknownTrialError, f"no trial {number}", lambda: study.tell(number, {"cost": 1.0}))
    refused(study, rpol.UnknownTrialError, f"no trial {number}", lambda: study.fail(number))
    with pytest.raises(rpol.UnknownTrialError):
        study.trial(number)


@pytest.mark.parametrize("number", [-1, "0", 0.5, None, True, 2**64, [0]])
def test_what_is_no_number_of_a_trial(study: rpol.Study, number: Any) -> None:
    study.ask()
    refused(study, rpol.WrongTypeError, "number is", lambda: study.tell(number, {"cost": 1.0}))


def test_the_same_tell_twice_is_accepted_once(study: rpol.Study) -> None:
    trial = study.ask()
    assert study.tell(trial, {"cost": 1.0}) is True
    before = study.log()
    assert study.tell(trial, {"cost": 1.0}) is False
    assert study.log() == before


def test_a_second_tell_with_other_values(study: rpol.Study) -> None:
    trial = study.ask()
    study.tell(trial, {"cost": 1.0})
    refused(study, rpol.AlreadyToldError, "cost of trial 0", lambda: study.tell(trial, {"cost": 2.0, "p99_ms": 3.0}))
    study.correct(trial, {"cost": 2.0})
    assert study.trial(0).metrics == {"cost": 2.0}
    refused(study, rpol.UnknownNameError, "p99_ms", lambda: study.correct(trial, {"p99_ms": 2.0}))


def test_tells_out_of_order_and_in_parts(study: rpol.Study) -> None:
    first, second = study.ask(), study.ask()
    study.tell(second, {"p99_ms": 240.0})
    study.tell(first, {"cost": 1.0})
    study.tell(second, {"cost": 2.0, "err_rate": 0.001})
    assert [trial.state for trial in study.trials] == ["running", "complete"]


def test_a_missing_constraint_is_never_feasible(study: rpol.Study) -> None:
    study.tell(study.ask(), {"cost": 1.0, "p99_ms": 200.0})
    assert study.trial(0).feasible is None and study.best_trial is None
    study.tell(study.ask(), {"cost": 1.0, "p99_ms": 251.0})
    assert study.trial(1).feasible is False


@pytest.mark.parametrize("metrics", [{"costs": 1.0}, {"cost": 1.0, "": 1.0}, {"Cost": 1.0}])
def test_an_unknown_metric_names_the_known(study: rpol.Study, metrics: dict[str, float]) -> None:
    trial = study.ask()
    refused(study, rpol.UnknownNameError, '"cost".*"p99_ms".*"err_rate".*"memory"', lambda: study.tell(trial, metrics))


@pytest.mark.parametrize("value", [(1.0,), (1.0, 2.0, 3.0), [], ()])
def test_a_wrong_number_of_values(study: rpol.Study, value: Any) -> None:
    trial = study.ask()
    refused(study, rpol.WrongLengthError, "metrics.cost", lambda: study.tell(trial, {"cost": value}))


def test_no_metrics_at_all(study: rpol.Study) -> None:
    trial = study.ask()
    refused(study, rpol.MissingError, "metrics", lambda: study.tell(trial, {}))
    for nothing in (None, 3.0, "cost", [("cost", 1.0)]):
        refused(study, rpol.WrongTypeError, "metrics", lambda: study.tell(trial, nothing))  # type: ignore[arg-type]


def test_a_late_value_is_kept(study: rpol.Study) -> None:
    trial = study.ask()
    study.fail(trial, "lease expired")
    study.tell(trial, {"cost": 1.0})
    assert study.trial(0).metrics == {"cost": 1.0}


@pytest.mark.parametrize("count", [0, -1, 10**9, 1.5, "2", None, True, 2**70])
def test_absurd_numbers_of_trials(study: rpol.Study, count: Any) -> None:
    refused(study, rpol.InvalidSpecError, "count: .* 1 to 1000", lambda: study.ask_many(count))


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"ttl_s": 0.5}, rpol.OutOfBoundsError),
        ({"ttl_s": math.nextafter(3600, INF)}, rpol.OutOfBoundsError),
        ({"ttl_s": NAN}, rpol.NotFiniteError),
        ({"ttl_s": 10**400}, rpol.NotFiniteError),
        ({"ttl_s": "60"}, rpol.WrongTypeError),
        ({"ttl_s": True}, rpol.WrongTypeError),
        ({"ttl_s": None}, rpol.WrongTypeError),
        ({"shards": 2.5}, rpol.WrongTypeError),
        ({"shards": 65}, rpol.OutOfBoundsError),
        ({"codec": "gzip"}, rpol.UnknownNameError),
        ({"cache": 1}, rpol.UnknownNameError),
    ],
)
def test_settings_that_are_none(study: rpol.Study, change: dict[str, Any], error: type[rpol.RpolError]) -> None:
    setting = {"ttl_s": 60.0, "shards": 8, "codec": "lz4", **change}
    refused(study, error, next(iter(change)), lambda: study.ask_for(setting))
    refused(study, error, next(iter(change)), lambda: study.add(setting, {"cost": 1.0}))
    refused(study, error, next(iter(change)), lambda: study.predict(setting))


def test_a_setting_of_another_dimension(study: rpol.Study) -> None:
    refused(study, rpol.MissingError, "codec", lambda: study.ask_for({"ttl_s": 60.0, "shards": 8}))


# Numbers


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (NAN, rpol.NotFiniteError),
        (INF, rpol.NotFiniteError),
        (-INF, rpol.NotFiniteError),
        (1e999, rpol.NotFiniteError),
        (10**400, rpol.NotFiniteError),
        (np.float32("inf"), rpol.NotFiniteError),
        ((1.0, NAN), rpol.NotFiniteError),
        ((1.0, -1.0), rpol.OutOfBoundsError),
        (None, rpol.WrongTypeError),
        ("0.5", rpol.WrongTypeError),
        (True, rpol.WrongTypeError),
        (np.bool_(True), rpol.WrongTypeError),
        ((1.0, "2"), rpol.WrongTypeError),
        (1j, rpol.WrongTypeError),
        ({"value": 1.0}, rpol.WrongTypeError),
    ],
)
def test_what_is_no_finite_number(study: rpol.Study, value: Any, error: type[rpol.RpolError]) -> None:
    trial = study.ask()
    refused(study, error, r"metrics\.cost", lambda: study.tell(trial, {"cost": value}))


@pytest.mark.parametrize("value", [3, np.float64(3), np.float32(3), np.int64(3), np.array(3.0)])
def test_numbers_of_other_types(study: rpol.Study, value: Any) -> None:
    trial = study.ask()
    study.tell(trial, {"cost": value})
    assert study.trial(0).metrics["cost"] == 3.0


@pytest.mark.parametrize("value", [5e-324, -2.2250738585072014e-308, 0.1 + 0.2, 1.7976931348623157e308, -0.0])
def test_finite_numbers_round_trip(study: rpol.Study, value: float) -> None:
    study.tell(study.ask(), {"memory": value})
    kept = study.trial(0).metrics["memory"]
    assert kept.hex() == (value + 0.0).hex(), "bit for bit; -0.0 is stored as 0.0"


def test_values_beyond_a_declared_bound() -> None:
    limit = {"expression": "p99_ms <= 250", "bound": 1e6}
    objective = {"metric": "cost", "direction": "minimize", "bound": 1e3}
    study = rpol.create_study(SPEC, objective=objective, constraints=[limit])
    trial = study.ask()
    refused(study, rpol.OutOfBoundsError, "1000", lambda: study.tell(trial, {"cost": 1e16}))
    refused(study, rpol.OutOfBoundsError, "1000000", lambda: study.tell(trial, {"p99_ms": 1e7}))


# Study definitions


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"params": {"x": rpol.Float(2, 1)}}, "params.x.low"),
        ({"params": {"x": rpol.Float(0, 1, log=True)}}, "params.x.low"),
        ({"params": {"x": rpol.Float(-1.7e308, 1.7e308)}}, "params.x"),
        ({"params": {"x": rpol.Float(NAN, 1)}}, "params.x.low"),
        ({"params": {"x": rpol.Float(0, INF)}}, "params.x.high"),
        ({"params": {"x": rpol.Int(0, 10**400)}}, "params.x.high"),
        ({"params": {"x": rpol.Int(0, 2.5)}}, "params.x"),
        ({"params": {"x": rpol.Categorical([])}}, "params.x.choices"),
        ({"params": {"x": rpol.Categorical("ab")}}, "params.x"),
        ({"params": {"x": {"type": "float", "low": 0, "high": 1, "step": 1}}}, "params.x"),
        ({"params": {"x": object()}}, "params.x"),
        ({"params": {1: rpol.Float(0, 1)}}, "params"),
        ({"params": {}}, "params"),
        ({"params": {"x": rpol.Float(1, 1)}}, "params"),
        ({"params": {"x": rpol.Float(0, 1), "X": rpol.Float(0, 1)}}, "params"),
        ({"params": {"": rpol.Float(0, 1)}}, "params"),
        ({"params": {"a\0": rpol.Float(0, 1)}}, "params"),
        ({"params": {"a\nb": rpol.Float(0, 1)}}, "params"),
        ({"params": {"\x1b[2J": rpol.Float(0, 1)}}, "params"),
        ({"params": {"a" * 10_000: rpol.Float(0, 1)}}, "params"),
        ({"name": ""}, "name"),
        ({"name": "\ud800"}, ""),
        ({"model": {"kernel": {"type": "cubic"}}}, "model.kernel"),
        ({"model": {"kernel": rpol.Kernel.matern52([-1.0])}}, "kernel"),
        ({"model": {"noise": 0}}, "model.noise"),
        ({"policy": {"type": "greedy"}}, "policy"),
        ({"strategy": {"type": "none"}}, "strategy"),
        ({"strategy": {"type": "sliding_window", "window": 0}}, "strategy"),
        ({"algorithm": "nobody"}, "algorithm"),
        ({"colour": "red"}, "colour"),
        ({"caution": 2}, "caution"),
        ({"caution": np.float64("nan")}, "caution"),
        ({"seed": -1}, "seed"),
        ({"horizon": 0}, "horizon"),
        ({"constraints": ["p99 <"]}, r"constraints\[0\]"),
        ({"constraints": ["a <= 1", "a <= 1"]}, r"constraints\[1\]"),
        ({"constraints": ["qps >= 0.95 * baseline"]}, "baseline"),
        ({"objective": "minimize cost", "direction": "minimize"}, "direction"),
        ({"objective": 3}, "objective"),
    ],
)
def test_definitions_that_are_none(fields: dict[str, Any], path: str) -> None:
    given = {"name": "a", "objective": "y", "params": X, **fields}
    with pytest.raises(rpol.InvalidSpecError, match=rf"^(constraints\[\d\]|[\w.\[\]\"]*){path}|^{path}"):
        rpol.create_study(**given)


@pytest.mark.parametrize("spec", [3, None, [], b"name"])
def test_what_is_no_definition(spec: Any) -> None:
    with pytest.raises(rpol.RpolError):
        rpol.create_study(spec)


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(rpol.StorageError, match="nowhere.toml"):
        rpol.create_study("nowhere.toml")


def test_a_fixed_parameter_is_dropped_from_the_model() -> None:
    study = rpol.create_study(SPEC, params={"x": rpol.Float(0, 1), "y": rpol.Float(3, 3), "z": rpol.Categorical(["a"])})
    assert study.ask().params.items() >= {"y": 3.0, "z": "a"}.items()


def test_bounds_one_ulp_apart() -> None:
    high = math.nextafter(1.0, 2.0)
    study = rpol.create_study(SPEC, params={"x": rpol.Float(1.0, high)})
    assert all(trial["x"] in (1.0, high) for trial in study.ask_many(3))


@pytest.mark.parametrize("name", ["../../etc/passwd", "'; DROP TABLE", "<img onerror=...>", "=cmd()"])
def test_names_are_plain_text(name: str, tmp_path: Any) -> None:
    study = rpol.create_study(SPEC, name=name, storage=tmp_path / "a.db")
    study.tell(study.ask(), {"cost": 1.0, "p99_ms": 1.0, "err_rate": 0.0})
    assert rpol.load_study(name, tmp_path / "a.db").best_trial is not None
    assert "<img" not in study.plot.history().svg


def test_an_existing_name(tmp_path: Any) -> None:
    storage = tmp_path / "a.db"
    rpol.create_study(SPEC, storage=storage).ask()
    assert len(rpol.create_study(SPEC, storage=storage, load_if_exists=True).trials) == 1
    with pytest.raises(rpol.StudyExistsError, match="load_if_exists"):
        rpol.create_study(SPEC, storage=storage)
    with pytest.raises(rpol.StudyExistsError, match="caution"):
        rpol.create_study(SPEC, storage=storage, caution=0.9, load_if_exists=True)
    with pytest.raises(rpol.UnknownStudyError, match='"cache"'):
        rpol.load_study("nobody", storage)


# Files


@pytest.mark.parametrize("storage", ["postgresql://x", "", "sqlite:///"])
def test_addresses_that_are_none(storage: str) -> None:
    with pytest.raises(rpol.StorageError):
        rpol.create_study(SPEC, storage=storage)


def test_a_database_that_is_none(tmp_path: Any) -> None:
    broken = tmp_path / "a.db"
    broken.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    before = broken.read_bytes()
    for storage in (broken, tmp_path):
        with pytest.raises((rpol.StorageError, rpol.DamagedError)):
            rpol.create_study(SPEC, storage=storage)
    assert broken.read_bytes() == before
    with pytest.raises(rpol.StorageError):
        rpol.load_study("cache", tmp_path / "nowhere.db")


# Hostile but legal data


def hostile(values: list[float]) -> rpol.Study:
    """A study that has seen such objectives, at one setting."""
    study = rpol.create_study(SPEC, seed=1)
    for value in values:
        study.add({"ttl_s": 60.0, "shards": 8, "codec": "lz4"}, {"cost": value, "p99_ms": value, "err_rate": 0.0})
    return study


@pytest.mark.parametrize(
    "values",
    [[], [1.0], [1.0, 1.0], [1e300, -1e300, 1e299], [1e-300, 2e-300], [1.0, 2.0, 1e15], [1.0] * 40],
)
def test_hostile_values_give_no_nan(values: list[float]) -> None:
    study = hostile(values)
    trial = study.ask()
    study.tell(trial, measured(trial))
    study.ask()
    believed = study.predict(trial.params)
    assert believed is not None and math.isfinite(believed.objective.mean)
    study.incumbent(), study.status(), study.ledger, study.plot.slice()


def test_all_trials_failed(study: rpol.Study) -> None:
    for trial in study.ask_many(5):
        study.fail(trial, "no")
    assert study.ask().number == 5 and study.best_trial is None


def test_every_point_infeasible(study: rpol.Study) -> None:
    for _ in range(6):
        study.tell(study.ask(), {"cost": 1.0, "p99_ms": 1e6, "err_rate": 1.0})
    assert study.best_trial is None
    assert study.ledger["p99_ms"].violations == 6


# Arguments of other calls


@pytest.mark.parametrize(
    "call",
    [
        lambda study: rpol.load_study(3, "a.db"),
        lambda study: rpol.problems.get(3),
        lambda study: rpol.problems.get("gardner1").spec(rounds="9"),
        lambda study: rpol.problems.get("gardner1").measure({"x1": "a", "x2": 1.0}),
        lambda study: rpol.run_experiment(3),
        lambda study: rpol.run_experiment("gardner1", noise="loud"),
        lambda study: rpol.run_experiment("gardner1", workers=0),
        lambda study: rpol.GaussianProcess(rpol.Kernel.rbf([1.0]), noise="much"),
        lambda study: rpol.GaussianProcess(rpol.Kernel.rbf([1.0]), centre=NAN),
        lambda study: study.plot.slice(3),
        lambda study: study.plot.history().png(scale="big"),
        lambda study: study.plot.history().png(scale=-1),
        lambda study: study.ask_for(None),
        lambda study: study.ask_for([("ttl_s", 1.0)]),
        lambda study: study.predict([3]),
    ],
)
def test_every_error_is_ours(study: rpol.Study, call: Callable[[rpol.Study], object]) -> None:
    with pytest.raises(rpol.RpolError):
        call(study)
