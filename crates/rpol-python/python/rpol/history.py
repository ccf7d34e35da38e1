"""Trials from a table."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from .errors import MissingError, UnknownNameError, WrongTypeError
from .frame import OURS

if TYPE_CHECKING:
    import pandas

    from .study import Study

Row = Mapping[str, Any]


def read(
    study: Study, trials: pandas.DataFrame | Iterable[Row], ignore_extra: bool
) -> list[tuple[int, dict[str, Any], dict[str, Any]]]:
    """Every row that is a finished trial: its place, its setting and its metrics."""
    rows = list(_rows(trials))
    if not rows:
        return []
    columns = Columns(study, dict.fromkeys(name for row in rows for name in row), ignore_extra)
    finished = ((i, row) for i, row in enumerate(rows) if columns.is_finished(row))
    return [(i, columns.setting(row), columns.measured(row)) for i, row in finished]


def _rows(trials: pandas.DataFrame | Iterable[Row]) -> Iterable[Row]:
    to_dict = getattr(trials, "to_dict", None)
    found: Iterable[Any] = to_dict("records") if to_dict is not None else trials
    for i, row in enumerate(found):
        if not isinstance(row, Mapping):
            raise WrongTypeError(f"row {i}: {row!r} is no row: give a table, or a list of dicts")
        yield row


class Columns:
    """What the columns of a table stand for."""

    def __init__(self, study: Study, names: Iterable[str], ignore_extra: bool) -> None:
        outputs, metrics, limits = study._native.names()
        params, found = list(study.spec.params), set(names)
        both = set(params) & set(metrics)
        self._column_of_param = {name: _column("params", name, found, both) for name in params}
        self._column_of_metric = {name: _column("metrics", name, found, both) for name in metrics}
        own = {"number", "state", *OURS, *(f"violation of {limit}" for limit in limits)}
        used = {*self._column_of_param.values(), *self._column_of_metric.values()}
        self._state = "state" if "state" in found - used else None
        known = used | own | {f"{name}.sem" for name in metrics}
        _refuse_extra(found - known, [*params, *metrics], ignore_extra)
        for name, column in self._column_of_param.items():
            if column not in found:
                raise MissingError(f"params.{name} has no column: every setting needs it")
        missing = [name for name in dict.fromkeys(outputs) if self._column_of_metric[name] not in found]
        if missing:
            warnings.warn(f"no column has {', '.join(missing)}: taken as not measured", stacklevel=4)

    def is_finished(self, row: Row) -> bool:
        """Whether it is a trial that has its result; a table without states has no others."""
        return self._state is None or row.get(self._state) == "complete"

    def setting(self, row: Row) -> dict[str, Any]:
        """The parameters of a row."""
        return {name: row.get(column) for name, column in self._column_of_param.items()}

    def measured(self, row: Row) -> dict[str, Any]:
        """The metrics of a row."""
        found: dict[str, Any] = {}
        for name, column in self._column_of_metric.items():
            value, error = row.get(column), row.get(f"{name}.sem")
            if not _is_empty(value):
                found[name] = value if _is_empty(error) else (value, error)
        return found


def _column(group: str, name: str, found: set[str], both: set[str]) -> str:
    """The column of a name; a name that is a parameter and a metric needs the group before it."""
    qualified = f"{group}.{name}"
    return qualified if name in both or qualified in found else name


def _refuse_extra(extra: set[str], known: list[str], ignore: bool) -> None:
    if extra and not ignore:
        names = ", ".join(sorted(map(repr, extra)))
        raise UnknownNameError(f"columns {names}: known are {', '.join(known)}; ignore_extra=True leaves others out")


def _is_empty(value: Any) -> bool:
    # Of pandas, what is not a number says so by not being itself, and what is missing by refusing to say.
    return value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and math.isnan(value))
