"""What the models believe, and where a study stands."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._internal.html import table
from .params import Value
from .recommendation import Recommendation, recommendation_of


@dataclass(frozen=True)
class Belief:
    """A mean and a standard deviation, of the true value rather than of a measurement."""

    mean: float
    deviation: float


@dataclass(frozen=True)
class LimitBelief(Belief):
    """What is believed of the metric that a constraint limits, in the metric's own unit."""

    metric: str
    """Its name."""
    within: float
    """The probability that the mean keeps the limit."""


@dataclass(frozen=True)
class Prediction:
    """What is believed of one setting, every metric in its own unit."""

    objective: Belief
    """Of the objective."""
    limits: dict[str, LimitBelief]
    """Of every limit's metric, by the constraint as written."""

    @property
    def within(self) -> float:
        """The probability that the means keep all limits, as if they were independent."""
        return math.prod(limit.within for limit in self.limits.values())

    def is_feasible(self, deviations: float = 0.0) -> bool:
        """Whether every limit is believed to be kept, each with ``deviations`` to spare."""
        probability = 0.5 * math.erfc(-deviations / math.sqrt(2))
        return all(limit.within >= probability for limit in self.limits.values())

    def _repr_html_(self) -> str:
        limits = [(name, at.mean, at.deviation, f"{at.within:.1%}") for name, at in self.limits.items()]
        rows = [("objective", self.objective.mean, self.objective.deviation, ""), *limits]
        return table(rows, ("", "mean", "deviation", "kept with"))


@dataclass(frozen=True)
class Calibration:
    """How far the forecasts of a metric can be trusted."""

    metric: str
    answered: int
    """Forecasts whose value has come."""
    within: int
    """How many of the values lay in the central 90 % interval."""
    stretch: float
    """How much wider the intervals have to be to hold that."""


@dataclass(frozen=True)
class Merged:
    """What was merged to keep a study's settings few, and how wrong that can be."""

    settings: int
    """How many settings were merged into others."""
    largest: float
    """How far a setting was at most from the one that stands for it, in deviations of the output's prior."""


@dataclass(frozen=True)
class Status:
    """Where a study stands."""

    name: str
    round: int
    """Rounds opened so far."""
    trials: int
    """Trials, history included."""
    running: int
    """Trials still open."""
    penalties: tuple[float, ...]
    """Multipliers the next decision will use, one a constraint."""
    information_gain: tuple[float, ...]
    """Of the objective's model, then of each constraint's; empty before the first ask."""
    calibration: tuple[Calibration, ...]
    """Of the objective, then of each constraint."""
    recommendation: Recommendation | None
    """What to run now, and what to expect of it; None before anything was measured."""
    incumbent: dict[str, Value] | None
    """Its setting; the baseline's before anything was measured."""
    merged: Merged | None
    """What was merged to keep the settings of the models few; None where nothing was."""
    warnings: tuple[str, ...]
    """Why the models should be trusted less."""


def prediction_of(row: Mapping[str, Any]) -> Prediction:
    """The prediction of a JSON object."""
    limits = {limit.pop("constraint"): LimitBelief(**limit) for limit in row["limits"]}
    return Prediction(Belief(**row["objective"]), limits)


def status_of(row: Mapping[str, Any], words: str | None) -> Status:
    """The status of a JSON object, and the recommendation in words."""
    return Status(
        name=row["name"],
        round=row["round"],
        trials=row["trials"],
        running=row["running"],
        penalties=tuple(row["penalties"]),
        information_gain=tuple(row["information_gain"]),
        calibration=tuple(Calibration(**each) for each in row["calibration"]),
        recommendation=None if words is None else recommendation_of(row["recommendation"], words),
        incumbent=row["incumbent"],
        merged=Merged(**row["merged"]) if "merged" in row else None,
        warnings=tuple(row.get("warnings", ())),
    )
