"""Parameters of a study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Value = float | int | str | bool
"""The value of a parameter."""


@dataclass(frozen=True)
class Float:
    """A real number of ``[low, high]``; with ``log``, ratios matter rather than differences.

    >>> import rpol
    >>> rpol.Float(1, 3600, log=True)
    Float(low=1, high=3600, log=True)
    """

    low: float
    high: float
    log: bool = False

    def to_dict(self) -> dict[str, Any]:
        """As in a study's file."""
        return {"type": "float", "low": self.low, "high": self.high, "log": self.log}


@dataclass(frozen=True)
class Int:
    """An integer of ``[low, high]``; with ``log``, ratios matter rather than differences.

    >>> import rpol
    >>> rpol.Int(1, 64).to_dict()
    {'type': 'int', 'low': 1, 'high': 64, 'log': False}
    """

    low: int
    high: int
    log: bool = False

    def to_dict(self) -> dict[str, Any]:
        """As in a study's file."""
        return {"type": "int", "low": self.low, "high": self.high, "log": self.log}


@dataclass(frozen=True)
class Categorical:
    """One of the choices, in no order: texts, numbers or booleans.

    >>> import rpol
    >>> rpol.Categorical(["lz4", "zstd"]).choices
    ('lz4', 'zstd')
    """

    choices: Sequence[Value]

    def __post_init__(self) -> None:
        if not isinstance(self.choices, str):
            object.__setattr__(self, "choices", tuple(self.choices))

    def to_dict(self) -> dict[str, Any]:
        """As in a study's file."""
        choices = self.choices if isinstance(self.choices, str) else list(self.choices)
        return {"type": "categorical", "choices": choices}


@dataclass(frozen=True)
class Bool:
    """True or false.

    >>> import rpol
    >>> rpol.Bool().to_dict()
    {'type': 'categorical', 'choices': [False, True]}
    """

    def to_dict(self) -> dict[str, Any]:
        """As in a study's file."""
        return {"type": "categorical", "choices": [False, True]}


Param = Float | Int | Categorical | Bool
"""The definition of a parameter."""


def param_of(definition: dict[str, Any]) -> Param:
    """The parameter that a study's file defines so."""
    fields = {name: value for name, value in definition.items() if name != "type"}
    kinds: dict[str, type[Float] | type[Int] | type[Categorical]] = {
        "float": Float,
        "int": Int,
        "categorical": Categorical,
    }
    return kinds[definition["type"]](**fields)
