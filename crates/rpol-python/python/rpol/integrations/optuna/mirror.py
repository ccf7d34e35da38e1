"""A study of rpol that follows the trials of a study of Optuna."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import rpol
from optuna.trial import FrozenTrial, TrialState

from .._measured import settle
from .._space import Space
from . import space as read
from .space import SearchSpace

OBJECTIVE = "objective"


class Mirror:
    """What the trials of Optuna mean to rpol, over one search space and with one list of constraints.

    Every trial is a round, whoever chose its setting: a running one is pending, a failed one has nothing left to
    wait for. So a process that comes late, or a second one, gets to where the first is by following the same
    trials. Parameters and constraints go by their positions, as Optuna takes names that rpol refuses.
    """

    def __init__(
        self,
        search_space: SearchSpace,
        constraints: Sequence[str],
        direction: str,
        settings: Mapping[str, Any],
    ) -> None:
        self._search_space = search_space
        self._names = dict(zip((f"x{i}" for i in range(len(search_space))), search_space))
        axes = {own: read.axis(name, search_space[name]) for own, name in self._names.items()}
        self._space = Space(axes)
        self._metrics = {name: f"c{i}" for i, name in enumerate(constraints)}
        self.study = rpol.create_study(
            name="optuna",
            direction=direction,
            objective=OBJECTIVE,
            params=self._space.params,
            constraints=[f"{metric} <= 0" for metric in self._metrics.values()],
            **settings,
        )
        self._rounds: dict[int, tuple[int, dict[str, Any]]] = {}
        self._settled: set[int] = set()

    def ask(self, number: int) -> dict[str, Any]:
        """The setting for Optuna's trial of that number."""
        asked = self.study.ask()
        self._rounds[number] = asked.number, dict(asked.params)
        found = self._space.outward(asked.params)
        return {name: found[own] for own, name in self._names.items()}

    def follow(self, trials: Iterable[FrozenTrial]) -> None:
        """Takes in what is new in the trials, in the order of their numbers."""
        for trial in trials:
            if trial.number not in self._settled:
                self._follow(trial)

    def _follow(self, trial: FrozenTrial) -> None:
        number = self._round(trial)
        if trial.state.is_finished():
            self._settled.add(trial.number)
            self._rounds.pop(trial.number, None)
            if number is not None:
                settle(self.study, number, self._reported(trial), self._needed())

    def _round(self, trial: FrozenTrial) -> int | None:
        """The round of a trial; it is opened now if its setting came from elsewhere."""
        number, asked = self._rounds.get(trial.number, (None, None))
        played = self._played(trial)
        if played is None or played == asked:
            return number
        if number is not None:
            self.study.fail(number, "another setting was played")
        opened = self.study.ask_for(played)
        self._rounds[trial.number] = opened.number, played
        return opened.number

    def _played(self, trial: FrozenTrial) -> dict[str, Any] | None:
        setting = read.setting(trial, self._search_space)
        if setting is None:
            return None
        return self._space.inward({own: setting[name] for own, name in self._names.items()})

    def _reported(self, trial: FrozenTrial) -> dict[str, float | None]:
        """A pruned trial's value is that of an unfinished run: its constraints count, its objective does not."""
        found = read.constraints(trial)
        reported = {metric: found.get(name) for name, metric in self._metrics.items()}
        if trial.state == TrialState.COMPLETE:
            reported[OBJECTIVE] = trial.value
        return reported

    def _needed(self) -> list[str]:
        return [OBJECTIVE, *self._metrics.values()]
