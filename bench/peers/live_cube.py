"""Settings as points of the unit cube: numbers in one column each, a categorical parameter in one column a choice."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
from live_system import Params


class Cube:
    """The columns of a space, and the way there and back."""

    def __init__(self, space: dict[str, dict[str, Any]]) -> None:
        self._space = space
        self._columns: dict[str, slice] = {}
        self.width = 0
        for name, param in space.items():
            wide = len(param["choices"]) if param["type"] == "categorical" else 1
            self._columns[name] = slice(self.width, self.width + wide)
            self.width += wide

    @property
    def categorical(self) -> list[int]:
        """The columns of choices."""
        wide = [self._columns[name] for name, param in self._space.items() if param["type"] == "categorical"]
        return list(itertools.chain.from_iterable(range(each.start, each.stop) for each in wide))

    def point(self, params: Params) -> np.ndarray:
        """Where a setting is."""
        x = np.zeros(self.width)
        for name, param in self._space.items():
            columns = self._columns[name]
            if param["type"] == "categorical":
                x[columns.start + param["choices"].index(params[name])] = 1.0
            else:
                x[columns.start] = _share(param, params[name])
        return x

    def setting(self, x: np.ndarray) -> Params:
        """The nearest setting: integers are rounded, the largest of the columns of a choice has it."""
        return {name: self._value(param, x[self._columns[name]]) for name, param in self._space.items()}

    def spread(self, u: np.ndarray) -> Params:
        """The setting of a point with one coordinate a parameter, as a design has it."""
        setting = {}
        for (name, param), share in zip(self._space.items(), u.tolist(), strict=True):
            if param["type"] == "categorical":
                choices = param["choices"]
                setting[name] = choices[min(int(share * len(choices)), len(choices) - 1)]
            else:
                setting[name] = _number(param, share)
        return setting

    def _value(self, param: dict[str, Any], part: np.ndarray) -> Any:
        if param["type"] == "categorical":
            return param["choices"][int(part.argmax())]
        return _number(param, float(part[0]))


def _ends(param: dict[str, Any]) -> tuple[float, float]:
    low, high = float(param["low"]), float(param["high"])
    return (math.log(low), math.log(high)) if param.get("log", False) else (low, high)


def _share(param: dict[str, Any], value: float) -> float:
    low, high = _ends(param)
    return ((math.log(value) if param.get("log", False) else value) - low) / (high - low)


def _number(param: dict[str, Any], share: float) -> float | int:
    low, high = _ends(param)
    value = low + share * (high - low)
    value = math.exp(value) if param.get("log", False) else value
    value = min(max(value, float(param["low"])), float(param["high"]))
    return round(value) if param["type"] == "int" else value
