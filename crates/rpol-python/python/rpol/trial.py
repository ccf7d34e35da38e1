"""One suggestion and its outcome."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Union

from ._internal.html import table
from .params import Value

Measured = Union[float, "tuple[float, float]", Sequence[float]]
"""A metric's value, or its mean and standard error."""


@dataclass(frozen=True)
class Trial:
    """A setting to try, and what is known of it by the time the trial was looked at.

    ``trial["ttl_s"]`` is short for ``trial.params["ttl_s"]``.
    """

    number: int
    """0-based and dense within the study."""
    params: dict[str, Value]
    """The setting."""
    state: Literal["running", "complete", "stale", "fail", "abandoned"] = "running"
    """Where it stands; which metrics have arrived is a separate matter."""
    metrics: dict[str, float] = field(default_factory=dict)
    """What has arrived, in the user's units."""
    errors: dict[str, float] = field(default_factory=dict)
    """Standard errors of the metrics that were told with one."""
    feasible: bool | None = None
    """Whether every constraint is known and kept; ``None`` while one is unknown."""
    costs: tuple[float | None, ...] = ()
    """How far beyond each limit it is, at most 0 where that was kept; ``None`` while it is unknown."""
    reason: str | None = None
    """Why it failed or was voided."""
    believed_infeasible: bool = False
    """Whether the model believed that no setting is feasible."""
    decision: dict[str, Any] | None = None
    """How it was chosen; ``None`` for history."""
    asked_at: datetime | None = None
    """When it was asked for; ``None`` for history."""
    told_at: datetime | None = None
    """When the last of its metrics came."""

    def __getitem__(self, name: str) -> Any:
        # Not `Value`: who names a parameter knows its type, and would have to convert it to reckon with it.
        return self.params[name]

    def _repr_html_(self) -> str:
        errors = {name: f" +- {error:.4g}" for name, error in self.errors.items()}
        measured = {name: f"{value:.4g}{errors.get(name, '')}" for name, value in self.metrics.items()}
        rows = [("trial", self.number), ("state", self.state), *self.params.items(), *measured.items()]
        if self.state == "fail":
            return table([*rows, ("reason", self.reason)])
        kept = {True: "every limit kept", False: "over a limit", None: "not known"}[self.feasible]
        return table([*rows, ("limits", kept)])


def trials_of(text: str) -> list[Trial]:
    """The trials of a JSON list."""
    return [_trial(row) for row in json.loads(text)]


def _trial(row: Mapping[str, Any]) -> Trial:
    pairs = {name: value for name, value in row["metrics"].items() if isinstance(value, list)}
    decision = row.get("decision")
    return Trial(
        number=row["number"],
        params=row["params"],
        state=row["state"],
        metrics={name: value[0] if name in pairs else value for name, value in row["metrics"].items()},
        errors={name: error for name, (_, error) in pairs.items()},
        feasible=row["feasible"],
        costs=tuple(row["costs"]),
        reason=row.get("reason") or None,
        believed_infeasible=bool(decision and decision.get("infeasible", False)),
        decision=decision,
        asked_at=_moment(row["asked_at"]),
        told_at=_moment(row["told_at"]),
    )


def _moment(written: str | None) -> datetime | None:
    # Python 3.10 knows no Z.
    return None if written is None else datetime.fromisoformat(written.replace("Z", "+00:00"))
