"""bayesian-optimization with its defaults: expected improvement times the probability of keeping every limit."""

from __future__ import annotations

import warnings

import numpy as np
from bayes_opt import BayesianOptimization
from bayes_opt.exception import NoValidPointRegisteredError
from peer import Peer
from problems import NOISE_VARIANCE, Problem
from scipy.optimize import NonlinearConstraint

warnings.simplefilter("ignore")


class BayesOpt(Peer):
    """It does not learn the noise, so it is told: the share of it in the variance of each output."""

    label = "bayesian-optimization"
    packages = ["bayesian-optimization", "scikit-learn"]

    def __init__(self, problem: Problem, seed: int) -> None:
        super().__init__(problem, seed)
        self._names = [f"x{i}" for i in range(problem.dims)]
        bounds = zip(self._names, problem.low, problem.high, strict=True)
        upper = np.zeros(problem.constraints)
        self._optimizer = BayesianOptimization(
            f=None,
            pbounds={name: (low, high) for name, low, high in bounds},
            constraint=NonlinearConstraint(None, np.full(problem.constraints, -np.inf), upper),
            random_state=seed,
            verbose=0,
            allow_duplicate_points=True,
        )

    def add(self, x: np.ndarray, f: float, g: list[float]) -> None:
        """Registers it."""
        super().add(x, f, g)
        params = dict(zip(self._names, x.tolist(), strict=True))
        self._optimizer.register(params, f, g[0] if len(g) == 1 else np.array(g))

    def suggest(self) -> np.ndarray:
        """Its suggestion; the next point of the design while nothing was measured within the limits."""
        noise = NOISE_VARIANCE / np.var(self.y, axis=0)
        self._optimizer.set_gp_params(alpha=noise[0])
        for model, share in zip(self._optimizer.constraint.model, noise[1:], strict=True):
            model.set_params(alpha=share)
        try:
            found = self._optimizer.suggest()
        except NoValidPointRegisteredError:
            return self.start()
        return np.array([found[name] for name in self._names])


PEER = BayesOpt
