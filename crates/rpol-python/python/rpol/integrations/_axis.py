"""One parameter of another framework, and the parameter of rpol that stands for it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..params import Categorical, Float, Int, Param, Value


class Axis(Protocol):
    """A map between a framework's values and rpol's."""

    @property
    def param(self) -> Param:
        """What rpol searches over."""

    def inward(self, value: Any) -> Value:
        """rpol's value for one of the framework's; ValueError where it has none."""

    def outward(self, value: Any) -> Any:
        """The framework's value for one of rpol's."""


@dataclass(frozen=True)
class Real:
    """A real number of ``[low, high]``."""

    low: float
    high: float
    log: bool = False

    @property
    def param(self) -> Param:
        """A float."""
        return Float(self.low, self.high, log=self.log)

    def inward(self, value: Any) -> float:
        """The same number."""
        return _inside(float(value), self.low, self.high)

    def outward(self, value: Any) -> float:
        """The same number."""
        return float(value)


@dataclass(frozen=True)
class Stepped:
    """``offset + k * step`` for the integers k of ``[first, last]``: rpol searches over k.

    On a logarithmic scale the offset is 0, as ratios of k are then those of the values. A value that rounding takes
    beyond ``within`` is brought back: 3 * 0.1 is above 0.3.
    """

    first: int
    last: int
    step: float = 1
    offset: float = 0
    log: bool = False
    whole: bool = True
    within: tuple[float, float] = (-math.inf, math.inf)

    @property
    def param(self) -> Param:
        """An integer."""
        return Int(self.first, self.last, log=self.log)

    def inward(self, value: Any) -> int:
        """The nearest k."""
        return int(_inside(round((value - self.offset) / self.step), self.first, self.last))

    def outward(self, value: Any) -> float:
        """The value at k."""
        number = self.offset + int(value) * self.step
        low, high = self.within
        return int(number) if self.whole else float(min(max(number, low), high))


@dataclass(frozen=True)
class Choice:
    """One of any values, without an order unless they are levels: rpol searches over their positions."""

    choices: Sequence[Any]
    levels: bool = False

    @property
    def param(self) -> Param:
        """A category, or an integer for levels."""
        last = len(self.choices) - 1
        return Int(0, last) if self.levels else Categorical(list(range(last + 1)))

    def inward(self, value: Any) -> int:
        """The position of the value: of its own type if there is one, as 1 equals True."""
        same = [i for i, choice in enumerate(self.choices) if choice is value or choice == value]
        exact = [i for i in same if type(self.choices[i]) is type(value)]
        if not same:
            raise ValueError(f"{value!r} is none of {list(self.choices)!r}")
        return (exact or same)[0]

    def outward(self, value: Any) -> Any:
        """The value at a position."""
        return self.choices[int(value)]


def _inside(number: float, low: float, high: float) -> float:
    if not low <= number <= high:
        raise ValueError(f"{number!r} must lie in [{low}, {high}]")
    return number
