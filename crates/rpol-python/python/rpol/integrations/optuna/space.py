"""Optuna's distributions as axes, and what its trials say."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from optuna.distributions import (
    BaseDistribution,
    CategoricalDistribution,
    FloatDistribution,
    IntDistribution,
)
from optuna.trial import FrozenTrial, TrialState

from .._axis import Axis, Choice, Real, Stepped
from .._refusal import refused

SearchSpace = dict[str, BaseDistribution]

#: Where a running trial keeps the setting it was given, before its function has asked for all of it.
GIVEN = "rpol:given"
#: Where Optuna 4 keeps the values of constraints.
CONSTRAINTS = "constraints"


def axis(name: str, distribution: BaseDistribution) -> Axis:
    """The axis of one parameter."""
    if isinstance(distribution, CategoricalDistribution):
        return Choice(distribution.choices)
    if isinstance(distribution, IntDistribution):
        return _integer(distribution)
    if isinstance(distribution, FloatDistribution):
        return _real(distribution)
    kind = type(distribution).__name__
    raise refused(name, f"{kind} is not known: use a float, an int or a categorical one")


def _integer(distribution: IntDistribution) -> Axis:
    low, high, step = distribution.low, distribution.high, distribution.step
    if distribution.log:
        return Stepped(low, high, log=True)
    return Stepped(0, (high - low) // step, step, low)


def _real(distribution: FloatDistribution) -> Axis:
    low, high, step = distribution.low, distribution.high, distribution.step
    if step is None:
        return Real(low, high, distribution.log)
    return Stepped(0, round((high - low) / step), step, low, whole=False, within=(low, high))


def setting(trial: FrozenTrial, space: SearchSpace) -> dict[str, Any] | None:
    """The trial's setting, where all of it is known and within the space."""
    if all(name in trial.params for name in space):
        played: Mapping[str, Any] = trial.params
    elif trial.state == TrialState.RUNNING and GIVEN in trial.system_attrs:
        played = _given(trial, space)
    else:
        return None
    return {name: played[name] for name in space} if _within(played, space) else None


def _within(played: Mapping[str, Any], space: SearchSpace) -> bool:
    """Optuna plays an enqueued value that is out of range after a warning."""
    try:
        return all(d._contains(d.to_internal_repr(played[name])) for name, d in space.items())
    except (KeyError, ValueError):
        return False


def given(setting: Mapping[str, Any], space: SearchSpace) -> str:
    """A setting as text that any storage of Optuna takes; any choice has a position."""
    return json.dumps({name: space[name].to_internal_repr(v) for name, v in setting.items()})


def _given(trial: FrozenTrial, space: SearchSpace) -> dict[str, Any]:
    kept = json.loads(trial.system_attrs[GIVEN])
    return {name: space[name].to_external_repr(kept[name]) for name in space if name in kept}


def constraints(trial: FrozenTrial) -> dict[str, float]:
    """Values of the trial's constraints: by name in Optuna 5, by position in Optuna 4."""
    if hasattr(trial, "constraints"):
        return dict(trial.constraints)
    return {str(i): value for i, value in enumerate(trial.system_attrs.get(CONSTRAINTS) or ())}
