"""A searcher's state as JSON: reading a file must not run what stands in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from ...errors import InvalidSpecError
from ...study import Study, _replayed
from .._axis import Axis, Choice, Real, Stepped
from .._refusal import refused
from .._space import Space

KINDS: dict[str, type[Real] | type[Stepped] | type[Choice]] = {"real": Real, "stepped": Stepped, "choice": Choice}
#: What JSON keeps as it is.
PLAIN = (str, int, float, bool, type(None))


def written(state: Mapping[str, Any]) -> str:
    """The state as text."""
    space, study = state["_space"], state["_study"]
    queue = state["_queue"]
    if not _is_plain(queue):
        raise refused("points_to_evaluate", "a file keeps texts, numbers, lists and tables only: play them before saving")
    return json.dumps({
        "rpol_ray": 1,
        **{name: state[name] for name in ("_metric", "_mode", "_numbers", "_outputs")},
        "_queue": queue,
        "_space": None if space is None else {name: _axis_written(axis) for name, axis in space.axes.items()},
        "_study": None if study is None else study.log(),
        "_asked": [] if study is None else list(study._queue),
    })


def read(text: bytes, own: Space | None) -> dict[str, Any]:
    """The state of a text; ``own`` is the searcher's space, where it has one."""
    try:
        found = json.loads(text)
        if found["rpol_ray"] != 1:
            raise refused("checkpoint", f"is of version {found['rpol_ray']!r}: use a newer rpol")
        state = {name: found[name] for name in ("_metric", "_mode", "_queue", "_numbers", "_outputs")}
        axes, log, asked = found["_space"], found["_study"], found["_asked"]
        state["_space"] = None if axes is None else _space_read(axes, own)
    except InvalidSpecError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        problem = "is no state of RpolSearch (older versions wrote pickles, which are not read): save it again"
        raise refused("checkpoint", problem) from error
    state["_study"] = None if log is None else _study_read(log, asked)
    return state


def _study_read(log: Any, asked: Any) -> Study:
    return _replayed(json.dumps(log), asked)


def _axis_written(axis: Axis) -> dict[str, Any]:
    kind = next((name for name, known in KINDS.items() if isinstance(axis, known)), "")
    if isinstance(axis, Choice):
        choices = list(axis.choices)
        return {"kind": kind, "choices": choices if _is_plain(choices) else None, "levels": axis.levels}
    if not isinstance(axis, (Real, Stepped)):
        raise TypeError(f"{axis!r} is no axis of Ray's")
    return {"kind": kind, **{name: _number(value) for name, value in asdict(axis).items()}}


def _space_read(axes: Mapping[str, Any], own: Space | None) -> Space:
    return Space({name: _axis_read(name, dict(fields), own) for name, fields in axes.items()})


def _axis_read(name: str, fields: dict[str, Any], own: Space | None) -> Axis:
    kind = KINDS[fields.pop("kind")]
    if kind is Choice and fields["choices"] is None:
        if own is None or name not in own.axes:
            raise refused(f"params.{name}", "a file does not keep its choices: give space to RpolSearch, then restore")
        return own.axes[name]
    if kind is Stepped:
        fields["within"] = tuple(fields["within"])
    return kind(**fields)


def _is_plain(value: Any) -> bool:
    if type(value) is list:
        return all(_is_plain(entry) for entry in value)
    if type(value) is dict:
        return all(type(name) is str and _is_plain(entry) for name, entry in value.items())
    return type(value) in PLAIN


def _number(value: Any) -> Any:
    """Without NumPy's types."""
    if isinstance(value, tuple):
        return [_number(entry) for entry in value]
    return value.item() if hasattr(value, "item") else value
