"""Bounds in SciPy's forms as parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._axis import Axis, Real, Stepped
from .._refusal import refused
from .._space import Space

Vector = NDArray[np.float64]


class Box:
    """Points as vectors, settings by name."""

    def __init__(self, bounds: Any, integrality: Sequence[bool] | None) -> None:
        self.low, self.high = _ends(bounds)
        whole = [False] * len(self.low) if integrality is None else list(integrality)
        if len(whole) != len(self.low):
            problem = f"there are {len(whole)} for {len(self.low)} bounds: give one for each"
            raise refused("integrality", problem)
        ends = zip(self.low.tolist(), self.high.tolist(), whole)
        self.space = Space({f"x{i}": _axis(*given) for i, given in enumerate(ends)})

    def setting(self, x: ArrayLike) -> dict[str, Any]:
        """The point as a setting of rpol."""
        point = np.asarray(x, dtype=float)
        if point.shape != self.low.shape:
            problem = f"its shape is {point.shape}, the bounds' is {self.low.shape}: give one number a bound"
            raise refused("x0", problem)
        return self.space.inward(dict(zip(self.space.params, point.tolist())))

    def point(self, setting: Mapping[str, Any]) -> Vector:
        """The setting as a vector."""
        return np.array([*self.space.outward(setting).values()], dtype=float)

    def middle(self) -> Vector:
        """The centre, or the nearest point that is allowed."""
        centre = (self.low + self.high) / 2
        return self.point(self.setting(centre))


def _axis(low: float, high: float, whole: bool) -> Axis:
    if not whole:
        return Real(low, high)
    return Stepped(int(np.ceil(low)), int(np.floor(high)))


def _ends(bounds: Any) -> tuple[Vector, Vector]:
    """From ``Bounds`` or from pairs."""
    if hasattr(bounds, "lb"):
        low, high = np.broadcast_arrays(np.atleast_1d(bounds.lb), np.atleast_1d(bounds.ub))
    else:
        pairs = np.array([tuple(pair) for pair in bounds], dtype=float)
        if pairs.ndim != 2 or pairs.shape[1] != 2:
            raise refused("bounds", f"{bounds!r}: give a pair (low, high) for every variable")
        low, high = pairs[:, 0], pairs[:, 1]
    ends = np.stack([low, high]).astype(float)
    if not np.isfinite(ends).all():
        raise refused("bounds", f"{bounds!r} are not all finite: give finite numbers")
    if (ends[0] > ends[1]).any():
        raise refused("bounds", f"{bounds!r}: a low end is above its high end: swap them")
    return ends[0], ends[1]
