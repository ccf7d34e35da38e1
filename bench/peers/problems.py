"""The problems that are played: maximise f over a box subject to every g <= 0, measured with noise."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.stats import qmc

NOISE_VARIANCE = 0.05
"""Of every measurement, of f and of each g."""


@dataclass(frozen=True)
class Problem:
    """A box, an objective and its constraints."""

    low: list[float]
    high: list[float]
    f: Callable[[np.ndarray], float]
    g: Callable[[np.ndarray], list[float]]
    constraints: int
    best: float | None
    """f at the best feasible point, where it is needed."""

    @property
    def dims(self) -> int:
        """How many parameters there are."""
        return len(self.low)

    def design(self, count: int, seed: int) -> np.ndarray:
        """The first points of a scrambled Sobol sequence, a row each."""
        unit = qmc.Sobol(self.dims, seed=seed).random_base2(math.ceil(math.log2(count)))[:count]
        return qmc.scale(unit, self.low, self.high)

    def measure(self, x: np.ndarray, noise: np.random.Generator) -> tuple[float, list[float]]:
        """f and every g with noise."""
        errors = noise.normal(0.0, math.sqrt(NOISE_VARIANCE), 1 + self.constraints)
        return self.f(x) + errors[0], [g + e for g, e in zip(self.g(x), errors[1:], strict=True)]


def _classical_f(x: np.ndarray) -> float:
    return float(-np.sin(x[0]) - x[1])


def _classical_g(x: np.ndarray) -> list[float]:
    return [float(np.sin(x[0]) * np.sin(x[1]) + 0.95)]


_HEIGHT = np.array([1.0, 1.2, 3.0, 3.2])
_SHARPNESS = np.array([
    [10.0, 3.0, 17.0, 3.5, 1.7, 8.0],
    [0.05, 10.0, 17.0, 0.1, 8.0, 14.0],
    [3.0, 3.5, 1.7, 10.0, 17.0, 8.0],
    [17.0, 8.0, 0.05, 10.0, 0.1, 14.0],
])
_CENTRE = np.array([
    [0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886],
    [0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991],
    [0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650],
    [0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381],
])


def _hartmann_f(x: np.ndarray) -> float:
    return float(_HEIGHT @ np.exp(-(_SHARPNESS * (x - _CENTRE) ** 2).sum(axis=1)))


def _hartmann_g(x: np.ndarray) -> list[float]:
    return [float((x**2).sum() - 1.0), float(np.abs(x).sum() - 1.5)]


PROBLEMS = {
    "classical": Problem([0.0] * 2, [6.0] * 2, _classical_f, _classical_g, 1, 1.0 - math.asin(0.95)),
    "hartmann6": Problem([0.0] * 6, [1.0] * 6, _hartmann_f, _hartmann_g, 2, None),
}
"""The paper's problem, and Hartmann's function of six parameters under both of the lab's limits."""


def check_against_lab() -> None:
    """Raises where a formula above is not that of rpol's own problem: a test of the lab compares the same values."""
    values = json.loads(Path(__file__).with_name("values.json").read_text(encoding="utf-8"))
    for name, problem in PROBLEMS.items():
        for point in values[name]:
            x = np.array(point["x"])
            _same(f"{name}: f", problem.f(x), point["f"])
            _same(f"{name}: g", problem.g(x), point["g"])


def _same(what: str, here: object, there: object) -> None:
    if not np.allclose(np.asarray(here), np.asarray(there), rtol=0.0, atol=1e-12):
        raise SystemExit(f"{what} is {here}, but values.json has {there}: correct problems.py")
