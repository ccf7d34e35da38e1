"""Bad input, row by row: trials. The state before is the state after."""

from __future__ import annotations

import math
from typing import Any

import pytest
from conftest import refused

import rpol

NAN, INF = float("nan"), float("inf")


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
