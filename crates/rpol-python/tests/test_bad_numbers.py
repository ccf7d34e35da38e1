"""Bad input, row by row: numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from conftest import SPEC, refused

import rpol

NAN, INF = float("nan"), float("inf")


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
