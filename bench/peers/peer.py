"""What every optimizer is driven through."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np
from problems import Problem

STARTS = 10
"""Points of the design that are played first by who has no start of its own."""


class Account(NamedTuple):
    """How a round came about."""

    decided: bool
    """By the model, not by a starting design."""
    fitted: bool
    """With hyper-parameters learned anew."""


class Peer(ABC):
    """An optimizer of one problem: history is added, then every ask is followed by its tell."""

    label: str
    """Its name in tables."""
    packages: list[str]
    """The packages whose versions matter."""
    keeps_fit = False
    """Whether most asks go without learning the hyper-parameters anew."""

    def __init__(self, problem: Problem, seed: int) -> None:
        self.problem = problem
        self.seed = seed
        self.x: list[np.ndarray] = []
        self.y: list[list[float]] = []
        self._design = iter(problem.design(1024, seed))
        self._asked = np.empty(0)

    def add(self, x: np.ndarray, f: float, g: list[float]) -> None:
        """An observation that was not asked for."""
        self.x.append(x)
        self.y.append([f, *g])

    def ask(self) -> np.ndarray:
        """The next setting to play."""
        self._asked = self.start() if len(self.x) < STARTS else self.suggest()
        return self._asked

    def tell(self, f: float, g: list[float]) -> None:
        """What was measured at the setting last asked for."""
        self.add(self._asked, f, g)

    def start(self) -> np.ndarray:
        """The next point of the design."""
        return next(self._design)

    @abstractmethod
    def suggest(self) -> np.ndarray:
        """The optimizer's own decision."""

    def account(self) -> Account:
        """How the last round came about."""
        return Account(decided=True, fitted=True)
