"""What the tests of the sampler share."""

from __future__ import annotations

from typing import Any

import optuna
from classical import measure
from optuna.distributions import BaseDistribution, FloatDistribution
from optuna.trial import FrozenTrial, Trial, create_trial

import rpol
from rpol.integrations.optuna import RpolSampler

optuna.logging.set_verbosity(optuna.logging.ERROR)

SPACE: dict[str, BaseDistribution] = {
    "x1": FloatDistribution(0, 6),
    "x2": FloatDistribution(0, 6),
}


def classical(trial: Trial) -> float:
    """The paper's classical problem: the feasible parts are 0.05 deep."""
    setting = {name: trial.suggest_float(name, 0, 6) for name in SPACE}
    measured = measure(setting)
    trial.set_user_attr("over", [measured["cost"]])
    return measured["reward"]


def over(trial: FrozenTrial) -> list[float]:
    found: list[float] = trial.user_attrs["over"]
    return found


def sampler(**settings: Any) -> RpolSampler:
    return RpolSampler(seed=3, constraints_func=over, **settings)


def study_of(sampler: RpolSampler, **where: Any) -> optuna.Study:
    return optuna.create_study(sampler=sampler, direction="maximize", **where)


def mirrored(study: optuna.Study) -> rpol.Study:
    """The study of rpol underneath."""
    assert isinstance(study.sampler, RpolSampler) and study.sampler._mirror is not None
    return study.sampler._mirror.study


def with_attributes(trial: FrozenTrial, system_attrs: dict[str, Any]) -> FrozenTrial:
    """The trial with further attributes of Optuna's own."""
    trial.system_attrs = {**trial.system_attrs, **system_attrs}
    return trial


def made(**fields: Any) -> FrozenTrial:
    """A trial at one point, with one constraint that is kept unless another is given."""
    constraints = fields.pop("constraints", [-1.0])
    given: dict[str, Any] = {"params": {"x1": 2.0, "x2": 3.0}, "distributions": SPACE, **fields}
    return with_attributes(create_trial(**given), {"constraints": constraints})
