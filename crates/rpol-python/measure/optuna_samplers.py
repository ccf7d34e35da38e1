"""Samplers of Optuna on the classical problem: what they find, what they violate, and what a decision takes.

    python optuna_samplers.py [--seeds 10] [--trials 100] [--noise 0.0]
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import optuna
from optuna.distributions import BaseDistribution, FloatDistribution
from optuna.samplers import BaseSampler, RandomSampler, TPESampler
from optuna.trial import FrozenTrial

from rpol.integrations.optuna import RpolSampler

SPACE: dict[str, BaseDistribution] = {"x1": FloatDistribution(0, 6), "x2": FloatDistribution(0, 6)}
BEST = 1.0 - math.asin(0.95)
"""The reward at the best feasible setting."""


def measured(x1: float, x2: float) -> dict[str, float]:
    """The paper's classical problem: maximise the reward while the cost is at most 0."""
    return {"reward": -math.sin(x1) - x2, "cost": math.sin(x1) * math.sin(x2) + 0.95}


@dataclass
class Outcome:
    """One run, in the terms of the problem without noise."""

    first_feasible: int | None
    gap: float | None
    violation: float
    violating: int
    last_asks: float


def limits(trial: FrozenTrial) -> list[float]:
    """The constraint as it was measured."""
    return [float(trial.user_attrs["cost"])]


SAMPLERS: dict[str, Callable[[int], BaseSampler]] = {
    "RpolSampler": lambda seed: RpolSampler(seed=seed, constraints_func=limits),
    "TPESampler": lambda seed: TPESampler(seed=seed, constraints_func=limits),
    "TPESampler, multivariate": lambda seed: TPESampler(
        seed=seed, constraints_func=limits, multivariate=True
    ),
    "RandomSampler": lambda seed: RandomSampler(seed=seed),
}


def play(sampler: BaseSampler, trials: int, noise: float, seed: int) -> Outcome:
    """A study, its true values, and the time of its last ten decisions."""
    study = optuna.create_study(sampler=sampler, direction="maximize")
    errors = np.random.default_rng(seed).normal(0, noise, (trials, 2))
    true, asks = [], []
    for error in errors:
        begin = time.perf_counter()
        trial = study.ask(SPACE)
        asks.append(time.perf_counter() - begin)
        true.append(measured(**trial.params))
        trial.set_user_attr("cost", true[-1]["cost"] + error[1])
        study.tell(trial, true[-1]["reward"] + error[0])
    feasible = [i for i, values in enumerate(true) if values["cost"] <= 0]
    best = max((true[i]["reward"] for i in feasible), default=None)
    excess = [max(values["cost"], 0.0) for values in true]
    return Outcome(
        first_feasible=feasible[0] if feasible else None,
        gap=None if best is None else BEST - best,
        violation=sum(excess),
        violating=trials - len(feasible),
        last_asks=statistics.median(asks[-10:]),
    )


def row(name: str, outcomes: list[Outcome]) -> str:
    """Medians over the seeds."""
    found = [outcome for outcome in outcomes if outcome.gap is not None]
    first = statistics.median(o.first_feasible or 0 for o in found) if found else float("nan")
    gap = statistics.median(o.gap or 0.0 for o in found) if found else float("nan")
    violation = statistics.median(o.violation for o in outcomes)
    violating = statistics.median(o.violating for o in outcomes)
    asks = 1000 * statistics.median(o.last_asks for o in outcomes)
    share = f"{len(found)}/{len(outcomes)}"
    return f"{name:<26}{share:>9}{first:>8.0f}{gap:>10.4f}{violation:>11.2f}{violating:>10.0f}{asks:>9.1f}"


def main() -> None:
    """The table, on stdout."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--noise", type=float, default=0.0, help="standard deviation of both metrics")
    given = parser.parse_args()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    warnings.simplefilter("ignore")
    print(f"classical problem, {given.trials} trials, {given.seeds} seeds, noise {given.noise}; medians")
    print(f"{'':<26}{'feasible':>9}{'first':>8}{'gap':>10}{'violation':>11}{'violating':>10}{'ms/ask':>9}")
    for name, make in SAMPLERS.items():
        outcomes = []
        for seed in range(given.seeds):
            print(f"\r{name}: seed {seed} of {given.seeds} ", end="", file=sys.stderr)
            outcomes.append(play(make(seed), given.trials, given.noise, seed))
        print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
        print(row(name, outcomes))


if __name__ == "__main__":
    main()
