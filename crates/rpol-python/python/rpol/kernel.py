"""Kernels: prior covariances of an unknown function at two points."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _rpol
from ._internal.arrays import rows

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Scales = Sequence[float]


class Kernel:
    """A kernel, as data: one length scale for each coordinate; sums, products and scalings of others.

    >>> import rpol
    >>> kernel = 2.0 * rpol.Kernel.matern52([0.2, 0.5]) + rpol.Kernel.linear(1.0, [1.0, 1.0])
    >>> kernel([[0.1, 0.2]], [[0.1, 0.2]]).shape
    (1, 1)
    """

    __slots__ = ("_definition",)

    def __init__(self, definition: Mapping[str, Any]) -> None:
        self._definition = dict(definition)

    @staticmethod
    def squared_exponential(lengthscales: Scales) -> Kernel:
        """exp(-r²/2), where r² is the sum of the squares of (x - x') / lengthscale."""
        return _kernel("squared_exponential", lengthscales)

    rbf = squared_exponential

    @staticmethod
    def matern12(lengthscales: Scales) -> Kernel:
        """exp(-r)."""
        return _kernel("matern12", lengthscales)

    @staticmethod
    def matern32(lengthscales: Scales) -> Kernel:
        """(1 + √3 r) exp(-√3 r)."""
        return _kernel("matern32", lengthscales)

    @staticmethod
    def matern52(lengthscales: Scales) -> Kernel:
        """(1 + √5 r + 5/3 r²) exp(-√5 r)."""
        return _kernel("matern52", lengthscales)

    @staticmethod
    def rational_quadratic(alpha: float, lengthscales: Scales) -> Kernel:
        """(1 + r²/2α) to the power of -α."""
        return _kernel("rational_quadratic", lengthscales, alpha=alpha)

    @staticmethod
    def periodic(periods: Scales, lengthscales: Scales) -> Kernel:
        """exp(-2 Σ sin²(π (x - x') / period) / lengthscale²)."""
        return _kernel("periodic", lengthscales, periods=list(periods))

    @staticmethod
    def linear(bias: float, lengthscales: Scales) -> Kernel:
        """Σ x x' / lengthscale² + bias."""
        return _kernel("linear", lengthscales, bias=bias)

    @staticmethod
    def hamming(lengthscales: Scales) -> Kernel:
        """exp(-Σ [x ≠ x'] / lengthscale): for categories."""
        return _kernel("hamming", lengthscales)

    def on(self, dims: Iterable[int]) -> Kernel:
        """The same, reading only these coordinates, one for each length scale."""
        return Kernel({**self._definition, "dims": list(dims)})

    def scaled(self, variance: float) -> Kernel:
        """This kernel times a variance."""
        return Kernel({"type": "scaled", "variance": variance, "kernel": self._definition})

    def __rmul__(self, variance: float) -> Kernel:
        return self.scaled(variance)

    def __mul__(self, other: Kernel) -> Kernel:
        return Kernel({"type": "product", "factors": [*self._parts("product", "factors"), other._definition]})

    def __add__(self, other: Kernel) -> Kernel:
        return Kernel({"type": "sum", "terms": [*self._parts("sum", "terms"), other._definition]})

    def _parts(self, kind: str, field: str) -> list[Any]:
        return list(self._definition[field]) if self._definition.get("type") == kind else [self._definition]

    def __call__(self, a: npt.ArrayLike, b: npt.ArrayLike | None = None) -> npt.NDArray[np.float64]:
        """The covariances between the rows of two arrays, or of one."""
        left = rows("a", a)
        return _rpol.covariances(self.to_json(), left, left if b is None else rows("b", b))

    def to_dict(self) -> dict[str, Any]:
        """As in a study's file, under ``model.kernel``."""
        return dict(self._definition)

    def to_json(self) -> str:
        """The same as JSON text."""
        from .spec import plain

        return json.dumps(plain(self._definition, "kernel"))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kernel) and self._definition == other._definition

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __reduce__(self) -> tuple[type[Kernel], tuple[dict[str, Any]]]:
        return Kernel, (self._definition,)

    def __repr__(self) -> str:
        return f"Kernel({self._definition!r})"


def _kernel(kind: str, lengthscales: Scales, **shape: Any) -> Kernel:
    return Kernel({"type": kind, **shape, "lengthscales": list(lengthscales)})
