"""Decisions equal those of the Rust library for the same spec and log, bit for bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from conftest import SPEC, measured

import rpol

Pipe = Callable[[dict[str, Any]], Any]

ALGORITHMS = [None, "rpol-ucb", "config", "constrained-ei", "random"]


def bits(params: dict[str, Any]) -> dict[str, Any]:
    """Floats as their bits, so that equal means equal."""
    return {name: value.hex() if isinstance(value, float) else value for name, value in params.items()}


def events(log: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A log without the times, which no decision depends on."""
    return [{name: value for name, value in entry.items() if name != "at"} for entry in log]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_decision_is_that_of_the_library(pipe: Pipe, algorithm: str | None) -> None:
    study = rpol.create_study(SPEC, seed=7, horizon=30, **({"algorithm": algorithm} if algorithm else {}))
    pipe({"create": study.spec.to_dict()})
    for _ in range(14):
        trial, expected = study.ask(), pipe({"ask": {}})
        assert (trial.number, bits(trial.params)) == (expected["number"], bits(expected["params"]))
        metrics = measured(trial)
        study.tell(trial, metrics)
        pipe({"tell": {"number": trial.number, "metrics": metrics}})
    assert events(study.log()) == pipe({"log": {}})["log"]


def test_late_partial_failed_corrected_and_added_trials_too(pipe: Pipe) -> None:
    study = rpol.create_study(SPEC, seed=3)
    pipe({"create": study.spec.to_dict()})
    both: list[tuple[Callable[[], Any], dict[str, Any]]] = []
    history = {"ttl_s": 60.0, "shards": 8, "codec": "lz4"}
    both.append((lambda: study.add(history, {"cost": 1.5}), {"add": {"params": history, "metrics": {"cost": 1.5}}}))
    both.append((lambda: study.ask_many(4), {"ask": {"count": 4}}))
    both.append((lambda: study.ask_for(history), {"ask": {"params": history}}))
    both.append((lambda: study.tell(3, {"cost": 2.0}), {"tell": {"number": 3, "metrics": {"cost": 2.0}}}))
    both.append((lambda: study.tell(1, {"p99_ms": (240, 3)}), {"tell": {"number": 1, "metrics": {"p99_ms": [240, 3]}}}))
    both.append((lambda: study.fail(2, "crashed"), {"fail": {"number": 2, "reason": "crashed"}}))
    both.append((lambda: study.correct(3, {"cost": 2.5}), {"correct": {"number": 3, "metrics": {"cost": 2.5}}}))
    both.append((lambda: study.void(1, "wrong build"), {"void": {"number": 1, "reason": "wrong build"}}))
    both.append((lambda: study.ask_many(3), {"ask": {"count": 3}}))
    for here, there in both:
        here()
        pipe(there)
    assert events(study.log()) == pipe({"log": {}})["log"]
    assert list(study.status().penalties) == pipe({"status": {}})["penalties"]


def test_a_log_of_the_library_goes_on_here(pipe: Pipe, played: rpol.Study) -> None:
    pipe({"replay": events(played.log())})
    assert bits(played.ask().params) == bits(pipe({"ask": {}})["params"])
