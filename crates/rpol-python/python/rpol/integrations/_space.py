"""A framework's search space beside rpol's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..params import Param, Value
from ._axis import Axis
from ._refusal import refused


class Space:
    """Named axes: settings of a framework become settings of rpol, and back."""

    def __init__(self, axes: Mapping[str, Axis]) -> None:
        self._axes = dict(axes)

    @property
    def axes(self) -> dict[str, Axis]:
        """The axes by name."""
        return dict(self._axes)

    @property
    def params(self) -> dict[str, Param]:
        """What rpol searches over."""
        return {name: axis.param for name, axis in self._axes.items()}

    def inward(self, setting: Mapping[str, Any]) -> dict[str, Value]:
        """A setting of the framework as one of rpol; what else stands there is left out."""
        for name in self._axes:
            if name not in setting:
                raise refused(f"params.{name}", f"is missing in {dict(setting)!r}: give every parameter")
        return {name: self._inward(name, setting[name]) for name in self._axes}

    def _inward(self, name: str, value: Any) -> Value:
        try:
            return self._axes[name].inward(value)
        except (TypeError, ValueError) as error:
            raise refused(f"params.{name}", str(error)) from error

    def settings(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Fields of a definition, in which a baseline stands as a setting of the framework."""
        baseline = settings.get("baseline")
        if not isinstance(baseline, Mapping) or "params" not in baseline:
            return dict(settings)
        return {**settings, "baseline": {**baseline, "params": self.inward(baseline["params"])}}

    def outward(self, setting: Mapping[str, Any]) -> dict[str, Any]:
        """A setting of rpol as one of the framework."""
        return {name: axis.outward(setting[name]) for name, axis in self._axes.items()}
