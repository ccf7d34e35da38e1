"""Constraints in SciPy's forms as limits on metrics."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._limit import between
from .._refusal import refused

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Limit:
    """``low <= function(x) <= high``, entry by entry."""

    name: str
    function: Callable[[Vector], Any]
    low: Any
    high: Any

    def values(self, x: Vector) -> dict[str, float]:
        """Each entry by its name: ``c0``, or ``c0.0``, ``c0.1``, ... where there are several."""
        entries = np.atleast_1d(np.asarray(self.function(x), dtype=float)).ravel()
        if len(entries) == 1:
            return {self.name: float(entries[0])}
        return {f"{self.name}.{i}": float(entry) for i, entry in enumerate(entries)}

    def bounds(self, names: list[str]) -> dict[str, tuple[float, float]]:
        """What holds for each entry that is limited at all."""
        ends = [self._spread(end, len(names)) for end in (self.low, self.high)]
        found = {name: (float(low), float(high)) for name, low, high in zip(names, *ends)}
        for name, (low, high) in found.items():
            if low == high:
                raise refused(name, f"must equal {low}: noise hides equality, give a range")
        return {name: ends for name, ends in found.items() if not np.isinf(ends).all()}

    def _spread(self, end: Any, count: int) -> Vector:
        if np.size(end) not in (1, count):
            problem = f"has {count} values and {np.size(end)} bounds: give one bound, or one for each value"
            raise refused(self.name, problem)
        return np.broadcast_to(np.ravel(end), count).astype(float)


class Limits:
    """All constraints of a problem; how many entries they have is known once they are evaluated."""

    def __init__(self, constraints: Any) -> None:
        many = isinstance(constraints, (list, tuple))
        given = constraints if many else [constraints]
        self._limits = [_limit(f"c{i}", constraint) for i, constraint in enumerate(given)]
        self._bounds: dict[str, tuple[float, float]] = {}

    def first(self, x: Vector) -> dict[str, float]:
        """The values at the first point; from now on their number is known."""
        found = [limit.values(x) for limit in self._limits]
        for limit, values in zip(self._limits, found):
            self._bounds |= limit.bounds(list(values))
        return {name: values[name] for values in found for name in values if name in self._bounds}

    def values(self, x: Vector) -> dict[str, float]:
        """The value of each entry that is limited."""
        found = {name: v for limit in self._limits for name, v in limit.values(x).items()}
        for name in self._bounds:
            if name not in found:
                raise refused(name, "was there at the first point and is no more: return as many values each time")
        return {name: found[name] for name in self._bounds}

    @property
    def names(self) -> list[str]:
        """The entries that are limited."""
        return list(self._bounds)

    @property
    def expressions(self) -> list[str]:
        """The same as rpol writes them."""
        return [limit for name, ends in self._bounds.items() for limit in between(name, *ends)]

    def excess(self, values: Mapping[str, float]) -> float:
        """How far the values are beyond the limits, in all; what is not a number is infinitely far."""
        beyond = [max(low - values[n], values[n] - high) for n, (low, high) in self._bounds.items()]
        return float(sum(max(by, 0.0) if np.isfinite(by) else np.inf for by in beyond))


def _limit(name: str, constraint: Any) -> Limit:
    """Told apart by their attributes, as SciPy may not be there."""
    if isinstance(constraint, Mapping):
        return _old_limit(name, constraint)
    if not (hasattr(constraint, "lb") and hasattr(constraint, "ub")):
        kind = type(constraint).__name__
        raise refused(name, f"{kind} is no constraint: use NonlinearConstraint or a dict")
    if hasattr(constraint, "A"):
        matrix = constraint.A
        return Limit(name, lambda x: matrix @ x, constraint.lb, constraint.ub)
    return Limit(name, constraint.fun, constraint.lb, constraint.ub)


def _old_limit(name: str, constraint: Mapping[str, Any]) -> Limit:
    if constraint.get("type") != "ineq":
        kind = constraint.get("type")
        raise refused(f"{name}.type", f"{kind!r} is not known: use 'ineq', which keeps fun(x) >= 0")
    function, args = constraint["fun"], tuple(constraint.get("args", ()))
    return Limit(name, lambda x: function(x, *args), 0.0, np.inf)
