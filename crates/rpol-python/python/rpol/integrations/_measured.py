"""What a framework reports of a trial, told to a study of rpol."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from ..study import Study


def settle(
    study: Study, number: int, reported: Mapping[str, Any], needed: Iterable[str]
) -> None:
    """Tells what is a finite number; where a needed metric is not, nothing more is waited for.

    A value that is missing, NaN or infinite is unknown: neither good nor bad, and never feasible.
    """
    known = finite(reported)
    if known:
        study.tell(number, known)
    close(study, number, reported, needed)


def remember(
    study: Study, params: Mapping[str, Any], reported: Mapping[str, Any], needed: Iterable[str]
) -> None:
    """Adds history in the same way; a setting of which nothing is known teaches nothing."""
    known = finite(reported)
    if known:
        close(study, study.add(params, known), reported, needed)


def close(
    study: Study, number: int, reported: Mapping[str, Any], needed: Iterable[str]
) -> None:
    """Fails a trial that lacks a needed metric: what was measured counts, and the rest will not come."""
    absent = [name for name in needed if not _is_finite(reported.get(name))]
    if absent:
        found = ", ".join(f"{name} is {reported.get(name, 'missing')}" for name in absent)
        study.fail(number, f"no finite value: {found}")


def finite(reported: Mapping[str, Any]) -> dict[str, float]:
    """What can be told."""
    return {name: float(value) for name, value in reported.items() if _is_finite(value)}


def _is_finite(value: Any) -> bool:
    try:
        return math.isfinite(value)
    except TypeError:
        return False
