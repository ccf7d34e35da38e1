"""Optuna's samplers with their defaults: Gaussian processes, and tree-structured Parzen estimators."""

from __future__ import annotations

import math
import warnings
from typing import Any

import optuna
import torch
from live_peer import LivePeer
from live_system import Description, Params, Result
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.samplers import BaseSampler, GPSampler, TPESampler
from optuna.study import StudyDirection

torch.set_num_threads(1)
optuna.logging.set_verbosity(optuna.logging.ERROR)
warnings.simplefilter("ignore")

MOST_VALUES = 64
"""The Gaussian processes get an integer of more values as a float that is rounded: their search along integers takes seconds."""


class Optuna(LivePeer):
    """A study in memory that begins with the baseline; limits are told as its constraints."""

    most_values = math.inf
    """An integer of more values is a float that is rounded."""

    def __init__(self, system: Description, seed: int) -> None:
        super().__init__(system, seed)
        self._space = {name: self._distribution(param) for name, param in system.space.items()}
        direction = StudyDirection.MAXIMIZE if system.maximize else StudyDirection.MINIMIZE
        self._study = optuna.create_study(sampler=self.sampler(), direction=direction)
        self._study.enqueue_trial(system.baseline)

    def sampler(self) -> BaseSampler:
        """Which of Optuna's samplers plays."""
        raise NotImplementedError

    def ask(self) -> Params:
        """A decision of its sampler, which begins with random trials by itself."""
        self._trial = self._study.ask(self._space)
        return self._setting(self._trial.params)

    def learn(self, result: Result) -> None:
        """Ends the open trial."""
        for limit, excess in zip(self.system.limits, result.excesses, strict=True):
            self._trial.set_constraint(limit, excess)
        self._study.tell(self._trial, result.objective)

    def recommended(self) -> Params:
        """The study's best trial."""
        try:
            return self._setting(self._study.best_trial.params)
        except ValueError:
            return self.system.baseline

    def _distribution(self, param: dict[str, Any]) -> BaseDistribution:
        if param["type"] == "categorical":
            return CategoricalDistribution(param["choices"])
        low, high, log = param["low"], param["high"], param.get("log", False)
        if param["type"] == "int" and high - low < self.most_values:
            return IntDistribution(low, high, log=log)
        return FloatDistribution(low, high, log=log)

    def _setting(self, params: Params) -> Params:
        kinds = {name: param["type"] for name, param in self.system.space.items()}
        return {name: round(value) if kinds[name] == "int" else value for name, value in params.items()}


class OptunaGP(Optuna):
    """Log constrained expected improvement after ten trials, the baseline and random ones."""

    label = "Optuna GPSampler"
    most_values = MOST_VALUES

    def sampler(self) -> BaseSampler:
        """Its defaults."""
        return GPSampler(seed=self.seed)


class OptunaTPE(Optuna):
    """Densities of the better and the worse trials after ten, the baseline and random ones."""

    label = "Optuna TPESampler"

    def sampler(self) -> BaseSampler:
        """Its defaults."""
        return TPESampler(seed=self.seed)
