"""The definition of a study, whichever way it is written down."""

from __future__ import annotations

import json
import math
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Union, cast

from . import _rpol
from .errors import InvalidSpecError, StorageError, WrongTypeError
from .params import Param, param_of

MOST = int(sys.float_info.max)

PLACE = re.compile(r" \(line 1 column \d+\)$")
"""Where in a text an error is, which says nothing to those who gave keywords."""

SpecLike = Union["Spec", Mapping[str, Any], str, "os.PathLike[str]"]
"""A definition: a dict, the text of a TOML or JSON file, or the path of one."""


class Spec:
    """The definition of a study, checked.

    >>> import rpol
    >>> spec = rpol.Spec(name="cache", objective="minimize cost", params={"ttl_s": rpol.Float(1, 3600)})
    >>> spec.name, spec.to_dict()["objective"]["metric"]
    ('cache', 'cost')
    """

    __slots__ = ("_json",)
    _json: str

    def __init__(self, spec: SpecLike | None = None, /, **fields: Any) -> None:
        given = fields_of(spec) if spec is not None else {}
        self._json = canonical(plain(with_direction({**given, **fields}), ""))

    @property
    def name(self) -> str:
        """The study's name."""
        return cast(str, self.to_dict()["name"])

    @property
    def params(self) -> dict[str, Param]:
        """The parameters, in their order."""
        return {name: param_of(each) for name, each in self.to_dict()["params"].items()}

    def to_dict(self) -> dict[str, Any]:
        """As a file would have it; what was left out stands for its default."""
        return cast("dict[str, Any]", json.loads(self._json))

    def to_json(self) -> str:
        """The same as JSON text."""
        return self._json

    @staticmethod
    def schema() -> dict[str, Any]:
        """The JSON Schema of a definition."""
        return cast("dict[str, Any]", json.loads(_rpol.spec_schema()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Spec) and self._json == other._json

    def __hash__(self) -> int:
        return hash(self._json)

    def __reduce__(self) -> tuple[type[Spec], tuple[dict[str, Any]]]:
        return Spec, (self.to_dict(),)

    def __repr__(self) -> str:
        return f"Spec({self.to_dict()!r})"


def canonical(fields: dict[str, Any]) -> str:
    """The definition as the library writes it."""
    try:
        return _rpol.canonical_spec(json.dumps(fields))
    except InvalidSpecError as error:
        raise InvalidSpecError(PLACE.sub("", str(error))) from None


def fields_of(spec: SpecLike) -> dict[str, Any]:
    """The fields of a definition."""
    if isinstance(spec, Spec):
        return spec.to_dict()
    if isinstance(spec, Mapping):
        return dict(spec)
    if isinstance(spec, str) and is_text(spec):
        return from_text(spec, "study")
    if isinstance(spec, (str, os.PathLike)):
        return from_file(Path(spec))
    raise WrongTypeError(f"spec is {spec!r}: a dict, the text of a definition or the path of a file is needed")


def is_text(spec: str) -> bool:
    """Whether a text is a definition rather than the path of a file: no definition fits on a line, except in JSON."""
    return "\n" in spec or spec.lstrip().startswith("{")


def from_text(text: str, name: str) -> dict[str, Any]:
    """The fields of a text, TOML or JSON; the name where it has none."""
    return cast("dict[str, Any]", json.loads(_rpol.canonical_spec_text(text, name)))


def from_file(path: Path) -> dict[str, Any]:
    """The fields of a file; a study without a name is named after it, or after its folder if it is called ``study``."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise StorageError(f"{path}: {error}") from error
    name = path.absolute().parent.name if path.stem == "study" else path.stem
    return from_text(text, name)


def with_direction(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields with ``direction`` where the definition has it: beside the objective's metric."""
    if "direction" not in fields:
        return fields
    rest = {name: value for name, value in fields.items() if name != "direction"}
    objective = rest.get("objective")
    if isinstance(objective, Mapping) and "direction" not in objective:
        return {**rest, "objective": {**objective, "direction": fields["direction"]}}
    if isinstance(objective, str) and not objective.startswith(("minimize ", "maximize ")):
        return {**rest, "objective": {"metric": objective, "direction": fields["direction"]}}
    raise InvalidSpecError("direction: it needs an objective without a direction of its own: give objective=\"cost\"")


def plain(value: Any, path: str) -> Any:
    """The value as JSON can have it; the error names the path of what it cannot."""
    where = path or "study"
    if hasattr(value, "to_dict"):
        return plain(value.to_dict(), path)
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, (int, float)):
        return finite(value, where)
    if isinstance(value, Mapping):
        return {key(name, where): plain(each, f"{path}.{name}".lstrip(".")) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each, f"{path}[{i}]") for i, each in enumerate(value)]
    if hasattr(value, "tolist"):  # NumPy's
        return plain(value.tolist(), path)
    raise InvalidSpecError(f"{where}: {value!r} cannot stand in a definition: give numbers, texts, lists and dicts")


def finite(value: int | float, path: str) -> int | float:
    """The number, where it is one that can be written down."""
    if isinstance(value, int):
        if abs(value) <= MOST:
            return int(value)
    elif math.isfinite(value):
        return float(value)
    shown = value if isinstance(value, float) else "an integer beyond every float"
    raise InvalidSpecError(f"{path}: {shown} is not usable: give a finite number")


def key(name: Any, path: str) -> str:
    """The name of a field."""
    if isinstance(name, str):
        return name
    raise InvalidSpecError(f"{path}: {name!r} is no name of a field: give a text")
