"""Optuna's Gaussian-process sampler with its defaults: log constrained expected improvement, ten random trials first."""

from __future__ import annotations

import warnings

import numpy as np
import optuna
import torch
from optuna.distributions import BaseDistribution, FloatDistribution
from optuna.samplers import GPSampler
from peer import Peer
from problems import Problem

torch.set_num_threads(1)
optuna.logging.set_verbosity(optuna.logging.ERROR)
warnings.simplefilter("ignore")


class Optuna(Peer):
    """A study in memory, with constraints told as Optuna 5 wants them (`constraints_func` is deprecated there)."""

    label = "Optuna GPSampler"
    packages = ["optuna", "torch"]

    def __init__(self, problem: Problem, seed: int) -> None:
        super().__init__(problem, seed)
        bounds = zip(problem.low, problem.high, strict=True)
        self._space: dict[str, BaseDistribution] = {
            f"x{i}": FloatDistribution(low, high) for i, (low, high) in enumerate(bounds)
        }
        self._study = optuna.create_study(sampler=GPSampler(seed=seed), direction="maximize")

    def add(self, x: np.ndarray, f: float, g: list[float]) -> None:
        """History."""
        self._study.add_trial(
            optuna.trial.create_trial(
                value=f,
                params=dict(zip(self._space, x.tolist(), strict=True)),
                distributions=self._space,
                constraints={f"g{i}": value for i, value in enumerate(g)},
            )
        )

    def ask(self) -> np.ndarray:
        """A decision; its sampler begins by itself."""
        self._trial = self._study.ask(self._space)
        return self.suggest()

    def suggest(self) -> np.ndarray:
        """The setting of the open trial."""
        return np.array([self._trial.params[name] for name in self._space])

    def tell(self, f: float, g: list[float]) -> None:
        """The result of the open trial."""
        for i, value in enumerate(g):
            self._trial.set_constraint(f"g{i}", value)
        self._study.tell(self._trial, f)


PEER = Optuna
