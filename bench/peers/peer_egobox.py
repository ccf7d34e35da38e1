"""egobox with its defaults: log expected improvement, constraints held by the means of their models."""

from __future__ import annotations

import egobox
import numpy as np
from peer import Peer
from problems import Problem


class Egobox(Peer):
    """It minimises, and is given all data at every ask; it has no setting for noise."""

    label = "egobox"
    packages = ["egobox"]

    def __init__(self, problem: Problem, seed: int) -> None:
        super().__init__(problem, seed)
        bounds = [list(pair) for pair in zip(problem.low, problem.high, strict=True)]
        self._egor = egobox.Egor(bounds, n_cstr=problem.constraints, seed=seed)

    def suggest(self) -> np.ndarray:
        """Fits, and maximises the criterion."""
        values = np.array(self.y)
        values[:, 0] *= -1
        return self._egor.suggest(np.array(self.x), values, seed=self.seed + len(self.x))[0]


PEER = Egobox
