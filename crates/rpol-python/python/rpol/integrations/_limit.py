"""Limits of other frameworks as rpol's expressions."""

from __future__ import annotations

import math


def at_most(metric: str, threshold: float) -> str:
    """``metric <= threshold``; the name is quoted, so it may be any."""
    return f"{_quoted(metric)} <= {float(threshold)!r}"


def at_least(metric: str, threshold: float) -> str:
    """``metric >= threshold``."""
    return f"{_quoted(metric)} >= {float(threshold)!r}"


def between(metric: str, low: float, high: float) -> list[str]:
    """The limits that are finite."""
    found = [] if math.isinf(low) else [at_least(metric, low)]
    return found if math.isinf(high) else [*found, at_most(metric, high)]


def _quoted(name: str) -> str:
    return "'" + name.replace("'", "''") + "'"
