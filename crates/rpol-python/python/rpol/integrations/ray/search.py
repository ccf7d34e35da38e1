"""A searcher of Ray Tune that minds every violation on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import rpol
from ray.tune.search import Searcher

from .._measured import remember, settle
from .._refusal import refused
from .._space import Space
from .space import converted, flat, nested
from .state import read, written

#: The parts of a searcher that a checkpoint keeps.
STATE = ("_metric", "_mode", "_space", "_queue", "_numbers", "_outputs", "_study")


class RpolSearch(Searcher):
    """rpol for ``tune.Tuner``: one metric, limits on other reported metrics, any number of trials at once.

    ``constraints`` are rpol's, over what the trainable reports: ``["p99_ms <= 250"]``. The search space is the tuner's
    ``param_space``, or ``space``; ``points_to_evaluate`` are played first. A trial that ends in an error, or whose
    last report lacks a metric or has NaN there, has nothing more to tell; what it measured counts. ``settings`` are
    further fields of a study's definition, such as ``seed``, ``risk`` or ``horizon``.

    >>> from ray import tune
    >>> search = RpolSearch({"x": tune.uniform(0, 1)}, metric="cost", mode="min", constraints=["p99_ms <= 250"])
    >>> config = search.suggest("trial")
    >>> search.on_trial_complete("trial", {"cost": 1.5, "p99_ms": 240.0})
    >>> search.study.ledger["p99_ms"].total
    0.0
    """

    _metric: str | None
    _mode: str | None

    def __init__(
        self,
        space: Mapping[str, Any] | None = None,
        metric: str | None = None,
        mode: str | None = None,
        constraints: Sequence[str] = (),
        points_to_evaluate: Sequence[Mapping[str, Any]] = (),
        **settings: Any,
    ) -> None:
        super().__init__(metric=metric, mode=mode)
        self._constraints, self._settings = list(constraints), settings
        self._queue = [dict(point) for point in points_to_evaluate]
        self._numbers: dict[str, int] = {}
        self._space: Space | None = None if space is None else converted(space)
        self._study: rpol.Study | None = None
        self._outputs: list[str] = []
        self._begin()

    @property
    def study(self) -> rpol.Study:
        """The study underneath: ledger, best trial, plots."""
        return self._begun()[0]

    def set_search_properties(
        self, metric: str | None, mode: str | None, config: dict[str, Any], **spec: Any
    ) -> bool:
        """Takes the tuner's metric and search space, unless it has its own."""
        if self._study is not None:
            return False
        self._metric, self._mode = metric or self._metric, mode or self._mode
        if self._space is None and config:
            self._space = converted(config)
        self._begin()
        return True

    def suggest(self, trial_id: str) -> dict[str, Any] | None:
        """The next configuration."""
        study, space = self._begun()
        if self._queue:
            trial = study.ask_for(space.inward(flat(self._queue[0])))
            self._queue.pop(0)
        else:
            trial = study.ask()
        self._numbers[trial_id] = trial.number
        return nested(space.outward(trial.params))

    def on_trial_complete(
        self, trial_id: str, result: dict[str, Any] | None = None, error: bool = False
    ) -> None:
        """Tells what the trial reported last."""
        study, _ = self._begun()
        number = self._numbers.pop(trial_id, None)
        if number is not None:
            reported = {name: (result or {}).get(name) for name in self._outputs}
            settle(study, number, reported, self._outputs)

    def add_evaluated_point(
        self,
        parameters: dict[str, Any],
        value: float,
        error: bool = False,
        pruned: bool = False,
        intermediate_values: list[float] | None = None,
    ) -> None:
        """History: its objective counts, its constraints are unknown."""
        study, space = self._begun()
        if not error and not pruned:
            setting = space.inward(flat(parameters))
            remember(study, setting, {str(self._metric): value}, self._outputs)

    def get_state(self) -> dict[str, Any]:
        """What a checkpoint keeps."""
        return {name: getattr(self, name) for name in STATE}

    def set_state(self, state: dict[str, Any]) -> None:
        """Goes on from a checkpoint; trials that were running then are told when they end."""
        self.__dict__.update(state)

    def save(self, checkpoint_path: str) -> None:
        """Writes the state to a file, as JSON."""
        Path(checkpoint_path).write_text(written(self.get_state()), encoding="utf-8")

    def restore(self, checkpoint_path: str) -> None:
        """Reads the state from a file."""
        self.set_state(read(Path(checkpoint_path).read_bytes(), self._space))

    def _begin(self) -> None:
        """Creates the study once metric, mode and space are known."""
        if self._space is None or not self._metric or not self._mode:
            return
        self._study = rpol.create_study(
            **{"name": "ray", **self._space.settings(self._settings)},
            objective=self._metric,
            direction="minimize" if self._mode == "min" else "maximize",
            params=self._space.params,
            constraints=self._constraints,
        )
        limited = [account.metric for account in self._study.ledger.values()]
        self._outputs = list(dict.fromkeys([self._metric, *limited]))

    def _begun(self) -> tuple[rpol.Study, Space]:
        if self._study is None or self._space is None:
            has = {"space": self._space, "metric": self._metric, "mode": self._mode}
            lacking = ", ".join(name for name, value in has.items() if not value)
            raise refused(lacking, "not known yet: give it here or to tune.Tuner")
        return self._study, self._space
