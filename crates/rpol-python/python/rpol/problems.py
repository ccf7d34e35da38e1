"""Problems with known optima: maximise f over a box subject to every g <= 0.

>>> problem = get("gardner1")
>>> float(problem.evaluate(problem.optimum).f) == problem.best
True
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from . import _rpol
from ._internal.arrays import point, rows
from ._internal.checks import number, text, whole
from .errors import MissingError
from .params import Float, Value
from .spec import Spec

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Values(NamedTuple):
    """The objective and every constraint; of a matrix of points, a number and a row each."""

    f: npt.NDArray[np.float64]
    g: npt.NDArray[np.float64]


class Problem:
    """A problem with a known optimum."""

    __slots__ = ("_native", "name")

    def __init__(self, name: str) -> None:
        self._native = _rpol.NativeProblem(text("name", name))
        self.name = name
        """Its name."""

    @property
    def source(self) -> str:
        """Where it comes from."""
        return self._native.source

    @property
    def params(self) -> dict[str, Float]:
        """Its parameters, as a study takes them."""
        return {name: Float(low, high) for name, low, high in self._native.domain}

    @property
    def metrics(self) -> list[str]:
        """Names of what is told of a trial: ``reward``, to be maximised, then each cost, to be held at or below 0."""
        return self._native.metrics

    @property
    def optimum(self) -> npt.NDArray[np.float64]:
        """The best feasible point."""
        import numpy as np

        return np.array(self._native.optimum[0])

    @property
    def best(self) -> float:
        """f at the optimum."""
        return self._native.optimum[1]

    def evaluate(self, x: npt.ArrayLike) -> Values:
        """f and g at a point, or at every row of a matrix."""
        import numpy as np

        if np.ndim(x) != 1:
            return Values(*self._native.evaluate(rows("x", x)))
        f, g = self._native.evaluate(point("x", x))
        return Values(f[0], g[0])

    def measure(self, params: Mapping[str, Value]) -> dict[str, float]:
        """The metrics of a setting, without noise: ``study.tell(trial, problem.measure(trial.params))``."""
        missing = [name for name in self.params if name not in params]
        if missing:
            raise MissingError(f"params.{missing[0]} is missing: give all of {', '.join(map(repr, self.params))}")
        f, g = self.evaluate([number(f"params.{name}", params[name]) for name in self.params])
        return dict(zip(self.metrics, [float(f), *map(float, g)], strict=True))

    def spec(self, rounds: int = 100, seed: int = 0) -> Spec:
        """The definition of a study on it."""
        return Spec(json.loads(self._native.spec(whole("rounds", rounds, 1), whole("seed", seed))))

    def __reduce__(self) -> tuple[type[Problem], tuple[str]]:
        return Problem, (self.name,)

    def __repr__(self) -> str:
        return f"<rpol problem {self.name!r}: {len(self.params)} parameters, {len(self.metrics) - 1} constraints>"


def names() -> list[str]:
    """Names of all problems; ``classical`` is the paper's."""
    return _rpol.problem_names()


def get(name: str) -> Problem:
    """The problem of that name."""
    return Problem(name)
