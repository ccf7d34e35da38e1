"""What to run now, and what to expect of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ._internal.html import table
from .params import Value


@dataclass(frozen=True)
class Expectation:
    """What to expect of a metric, in its own unit."""

    metric: str
    """Its name."""
    mean: float
    """What many measurements average to."""
    deviation: float
    """The standard deviation of that, by what is known so far."""
    noise: float
    """The standard deviation of one measurement around it."""


@dataclass(frozen=True)
class LimitOutlook:
    """What to expect of a limit."""

    expected: Expectation | None
    """Of its metric; ``None`` while there is no model."""
    mean_within: float
    """The probability that the mean keeps the limit."""
    next_within: float
    """The probability that the next measurement does."""


@dataclass(frozen=True)
class Recommendation:
    """A setting to run now. It was measured; nothing is recommended that was not. ``print`` says it in words."""

    params: dict[str, Value]
    """The setting."""
    standing: Literal["confirmed", "early", "baseline", "closest"]
    """What speaks for it: its own measurements; the models, but it was measured only once; nothing better than the baseline
    is sure enough; or nothing is, and this comes closest."""
    confidence: float
    """The confidence that was asked for."""
    measurements: int
    """How often it was measured."""
    mean_within: float
    """The probability that the means of all metrics keep their limits."""
    next_within: float
    """The probability that the next measurement keeps every limit."""
    objective: Expectation | None
    """What to expect of the objective; ``None`` while there is no model."""
    limits: dict[str, LimitOutlook]
    """What to expect of every limit, by the constraint as written."""
    words: str = field(repr=False)
    """All of it, as ``rpol best`` says it."""

    def __str__(self) -> str:
        return self.words

    def _repr_html_(self) -> str:
        objective = [] if self.objective is None else [_row(self.objective.metric, self.objective, "")]
        limits = [_row(name, at.expected, f"{at.next_within:.1%}") for name, at in self.limits.items()]
        setting = table([("standing", self.standing), ("measurements", self.measurements), *self.params.items()])
        return setting + table([*objective, *limits], ("", "mean", "deviation", "noise", "next within"))


def _row(name: str, at: Expectation | None, within: str) -> tuple[object, ...]:
    numbers = (None, None, None) if at is None else (at.mean, at.deviation, at.noise)
    return (name, *numbers, within)


def recommendation_of(row: Mapping[str, Any], words: str) -> Recommendation:
    """The recommendation of a JSON object."""
    limits = {limit["constraint"]: _limit(limit) for limit in row["limits"]}
    objective = _expectation(row.get("objective"))
    return Recommendation(**{**row, "objective": objective, "limits": limits, "words": words})


def _limit(row: Mapping[str, Any]) -> LimitOutlook:
    return LimitOutlook(_expectation(row.get("expected")), row["mean_within"], row["next_within"])


def _expectation(row: Mapping[str, Any] | None) -> Expectation | None:
    return None if row is None else Expectation(**row)
