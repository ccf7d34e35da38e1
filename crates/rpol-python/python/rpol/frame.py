"""Trials as a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from .errors import NotInstalledError
from .trial import Trial

if TYPE_CHECKING:
    import pandas

    from .study import Study


def trials_frame(study: Study) -> pandas.DataFrame:
    """A row a trial; a parameter and a metric of one name are told apart by ``params.`` and ``metrics.``."""
    try:
        import pandas
    except ImportError as error:
        raise NotInstalledError("trials_dataframe needs pandas: pip install rpol[pandas]") from error
    trials, limits = study.trials, study._native.names()[2]
    groups: dict[str, list[Mapping[str, Any]]] = {
        "params": [trial.params for trial in trials],
        "metrics": [trial.metrics for trial in trials],
    }
    names = {group: _names(rows) for group, rows in groups.items()}
    columns: dict[str, list[Any]] = {"number": [t.number for t in trials], "state": [t.state for t in trials]}
    for group, rows in groups.items():
        taken = {*columns, *OURS, *(name for other in names if other != group for name in names[other])}
        for name in names[group]:
            columns[f"{group}.{name}" if name in taken else name] = [row.get(name) for row in rows]
    for name in _names([trial.errors for trial in trials]):
        columns[f"{name}.sem"] = [trial.errors.get(name) for trial in trials]
    columns["feasible"] = [trial.feasible for trial in trials]
    for i, limit in enumerate(limits):
        columns[f"violation of {limit}"] = [_excess(trial, i) for trial in trials]
    for name in OURS[1:]:
        columns[name] = [getattr(trial, name) for trial in trials]
    return pandas.DataFrame(columns)


OURS = ("feasible", "asked_at", "told_at", "reason")
"""Columns after those of the user."""


def _names(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


def _excess(trial: Trial, limit: int) -> float | None:
    cost = trial.costs[limit]
    return None if cost is None else max(cost, 0.0)
