"""A sampler of Optuna that minds every violation on the way."""

from __future__ import annotations

import os
import random
import threading
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import rpol
from optuna.distributions import BaseDistribution
from optuna.samplers import BaseSampler, RandomSampler
from optuna.samplers._base import _process_constraints_after_trial
from optuna.search_space import IntersectionSearchSpace
from optuna.study import Study
from optuna.trial import FrozenTrial, TrialState

from .._refusal import refused
from . import space as read
from .mirror import Mirror
from .space import SearchSpace

Constraints = Callable[[FrozenTrial], Sequence[float]]


class RpolSampler(BaseSampler):
    """rpol for a study of Optuna with one objective and any number of constraints.

    Constraints are Optuna's: ``trial.set_constraint(key, value)`` in Optuna 5, ``constraints_func`` in both, and a
    value of at most 0 is feasible. Running trials are pending, in threads and in other processes on the same storage.
    Parameters that not every trial has are left to ``independent_sampler``.

    ``settings`` are further fields of a study's definition, such as ``risk``, ``horizon`` or ``algorithm``.

    >>> import optuna
    >>> def cost(trial):
    ...     ttl = trial.suggest_float("ttl", 1, 3600, log=True)
    ...     trial.set_user_attr("over", [0.1 * ttl - 60])
    ...     return 900 / ttl**0.5
    >>> sampler = RpolSampler(seed=1, constraints_func=lambda trial: trial.user_attrs["over"])
    >>> optuna.logging.set_verbosity(optuna.logging.WARNING)
    >>> study = optuna.create_study(sampler=sampler)
    >>> study.optimize(cost, n_trials=12)
    """

    _lock: threading.Lock
    _mirror: Mirror | None
    _mirrored: tuple[Any, ...]

    def __init__(
        self,
        *,
        seed: int | None = None,
        constraints_func: Constraints | None = None,
        independent_sampler: BaseSampler | None = None,
        **settings: Any,
    ) -> None:
        if "baseline" in settings:
            raise refused("baseline", "a sampler has none: play it first, study.enqueue_trial(params)")
        self._seed = _fresh_seed() if seed is None else seed
        self._settings = settings
        self._constraints_func = constraints_func
        self._independent = independent_sampler or RandomSampler(seed=seed)
        self._intersection = IntersectionSearchSpace()
        self._left_alone: set[str] = set()
        self._forget()
        # A wrong setting is an error here rather than at the second trial.
        rpol.Spec(name="check", objective="y", params={"x": rpol.Float(0, 1)}, **settings)

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> SearchSpace:
        """The parameters that every completed trial has, with the same range, unless they are fixed."""
        common = self._intersection.calculate(study)
        return {name: found for name, found in common.items() if not found.single()}

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: SearchSpace
    ) -> dict[str, Any]:
        """rpol's decision."""
        _refuse_several_objectives(study)
        if not search_space:
            return {}
        with self._lock:
            others = [t for t in study.get_trials(deepcopy=False) if t.number != trial.number]
            mirror = self._mirror_of(study, search_space, others)
            mirror.follow(others)
            setting = mirror.ask(trial.number)
        given = read.given(setting, search_space)
        study._storage.set_trial_system_attr(trial._trial_id, read.GIVEN, given)
        return setting

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        """A parameter that rpol does not see: the other sampler's."""
        _refuse_several_objectives(study)
        if not param_distribution.single():
            self._mention(study, trial, param_name)
        return self._independent.sample_independent(study, trial, param_name, param_distribution)

    def before_trial(self, study: Study, trial: FrozenTrial) -> None:
        """The other sampler's turn."""
        self._independent.before_trial(study, trial)

    def after_trial(
        self, study: Study, trial: FrozenTrial, state: TrialState, values: Sequence[float] | None
    ) -> None:
        """Keeps the constraints where Optuna and its dashboard look for them."""
        if self._constraints_func is not None:
            _process_constraints_after_trial(self._constraints_func, study, trial, state)
        self._independent.after_trial(study, trial, state, values)

    def reseed_rng(self) -> None:
        """Another seed for the next mirror, so that copies of this sampler in other processes do not decide alike.

        Optuna calls it before every trial of parallel jobs. Those are threads, which share the mirror in use.
        """
        self._seed = _fresh_seed()
        self._independent.reseed_rng()

    def _mirror_of(
        self, study: Study, search_space: SearchSpace, trials: Sequence[FrozenTrial]
    ) -> Mirror:
        """The mirror in use; a new one where the space or the constraints have changed, or after a fork."""
        constraints = sorted({name for t in trials for name in read.constraints(t)})
        direction = study.direction.name.lower()
        wanted = os.getpid(), study.study_name, direction, constraints, search_space
        if self._mirror is None or self._mirrored != wanted:
            settings = {"seed": self._seed, **self._settings}
            self._mirror = Mirror(search_space, constraints, direction, settings)
            self._mirrored = wanted
        return self._mirror

    def _mention(self, study: Study, trial: FrozenTrial, name: str) -> None:
        """Says once that a parameter is not rpol's, unless the trial began before any other had ended."""
        if name in self._left_alone or not _had_an_example(study, trial):
            return
        self._left_alone.add(name)
        text = (
            f"{name}: not every trial has had this parameter with this range, so "
            f"{type(self._independent).__name__} chooses it: suggest the same ones in every trial"
        )
        warnings.warn(text, stacklevel=2)

    def _forget(self) -> None:
        self._lock = threading.Lock()
        self._mirror = None
        self._mirrored = ()

    def __getstate__(self) -> dict[str, Any]:
        """Without the mirror: the trials say it all again."""
        left_out = ("_lock", "_mirror", "_mirrored")
        return {key: value for key, value in vars(self).items() if key not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._forget()


def _fresh_seed() -> int:
    return random.SystemRandom().getrandbits(32)


def _had_an_example(study: Study, trial: FrozenTrial) -> bool:
    complete = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
    ended = [t.datetime_complete for t in complete if t.datetime_complete is not None]
    began = trial.datetime_start
    return began is not None and any(end <= began for end in ended)


def _refuse_several_objectives(study: Study) -> None:
    if len(study.directions) > 1:
        count = len(study.directions)
        raise refused("directions", f"{count} objectives: rpol has one; make the others constraints")
