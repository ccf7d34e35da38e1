"""Hostile but legal data: never a panic, never NaN out."""

from __future__ import annotations

import math

import pytest
from conftest import SPEC, measured

import rpol


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
