"""What a framework reports of a trial, told to a study of rpol."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import rpol


def settle(
    study: rpol.Study, number: int, reported: Mapping[str, Any], needed: Iterable[str]
) -> None:
    """Tells what is a finite number; where a needed metric is not, nothing more is waited for.

    A value that is missing, NaN or infinite is unknown: neither good nor bad, and never feasible.
    """
    finite = {name: float(reported[name]) for name in reported if is_finite(reported[name])}
    if finite:
        study.tell(number, finite)
    absent = [name for name in needed if name not in finite]
    if absent:
        found = ", ".join(f"{name} is {reported.get(name, 'missing')}" for name in absent)
        study.fail(number, f"no finite value: {found}")


def is_finite(value: Any) -> bool:
    """Whether it is a number that can be told."""
    try:
        return math.isfinite(value)
    except TypeError:
        return False
