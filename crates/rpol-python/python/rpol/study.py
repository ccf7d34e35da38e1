"""The long-lived problem: ask and tell."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast, overload

from . import _rpol
from .belief import Prediction, Status, prediction_of, status_of
from .ledger import Ledger, account_of
from .optimize import Objective, optimize
from .params import Value
from .plot import Plots
from .spec import Spec
from .trial import Measured, Trial, trials_of

if TYPE_CHECKING:
    import pandas


class Study:
    """A study: its definition, its trials, and what follows from them. :func:`rpol.create_study` makes one.

    Safe to use from several threads. What has a storage may be opened by several processes at once.
    """

    def __init__(self, native: _rpol.NativeStudy, storage: str | None) -> None:
        self._native = native
        self._storage = storage

    @property
    def storage(self) -> str | None:
        """The address of its store; ``None`` for a study in memory."""
        return self._storage

    @property
    def spec(self) -> Spec:
        """Its definition."""
        return Spec(json.loads(self._native.spec()))

    @property
    def name(self) -> str:
        """Its name."""
        return self.spec.name

    def ask(self) -> Trial:
        """The next setting to try. Any number of trials may be open at once."""
        return self.ask_many(1)[0]

    def ask_many(self, count: int) -> list[Trial]:
        """Several settings to try at once: each accounts for those before it as pending."""
        return trials_of(self._native.ask(count))

    def ask_for(self, params: Mapping[str, Value]) -> Trial:
        """Opens a trial of a setting of your own."""
        return trials_of(self._native.ask_for(params))[0]

    def tell(self, trial: Trial | int, metrics: Mapping[str, Measured]) -> bool:
        """Records metrics of a trial: all of them or some, in any order, early or late.

        A value is a number, or a pair of mean and standard error. Returns whether any of it was new; the same value again
        changes nothing, another one is refused (see :meth:`correct`).
        """
        return self._native.tell(_number(trial), metrics)

    def add(self, params: Mapping[str, Value], metrics: Mapping[str, Measured]) -> int:
        """Adds a trial that was not asked for: history. It informs the model and is not on the ledger. Returns its number."""
        return self._native.add(params, metrics)

    def correct(self, trial: Trial | int, metrics: Mapping[str, Measured]) -> None:
        """Replaces told metrics, as if the right values had been told in their place. The log keeps the old."""
        self._native.correct(_number(trial), metrics)

    def fail(self, trial: Trial | int, reason: str = "") -> None:
        """Notes that a trial gave no result."""
        self._native.fail(_number(trial), str(reason))

    def void(self, trial: Trial | int, reason: str = "") -> None:
        """Takes a trial's metrics out of everything, penalties and ledger too. The log keeps them."""
        self._native.void(_number(trial), str(reason))

    def optimize(
        self,
        function: Objective,
        rounds: int,
        workers: int = 1,
        *,
        progress: bool | None = None,
        callback: Callable[[Trial], object] | None = None,
    ) -> None:
        """Asks, runs ``function``, and tells, for so many more trials, on so many threads.

        ``function`` takes a trial and returns its metrics. An exception of it fails the trial, with a warning, and not the run.
        Ctrl-C ends the run after the trials under way; they count. The bar is on stderr where that is a terminal, or where
        ``progress`` says so; ``callback`` hears of each trial when it has ended.

        >>> import rpol
        >>> study = rpol.create_study(name="demo", objective="minimize y", params={"x": rpol.Float(-1, 1)})
        >>> study.optimize(lambda trial: {"y": trial["x"] ** 2}, rounds=12)
        >>> study.best_trial.metrics["y"] < 0.1
        True
        """
        optimize(self, function, rounds, workers, progress, callback)

    @property
    def trials(self) -> list[Trial]:
        """Every trial, in the order of their numbers."""
        return trials_of(self._native.trials())

    def trial(self, number: int) -> Trial:
        """The trial of that number."""
        return trials_of(self._native.trial(number))[0]

    @property
    def best_trial(self) -> Trial | None:
        """The best trial that kept every limit as observed; ``None`` while there is none."""
        return next(iter(trials_of(self._native.best_trial())), None)

    def incumbent(self) -> dict[str, Value] | None:
        """What to run now: the setting of best expected objective that the models hold feasible, each limit by 90 %."""
        return cast("dict[str, Value] | None", json.loads(self._native.incumbent()))

    @property
    def ledger(self) -> Ledger:
        """The account of every limit: ``study.ledger["p99_ms"].total``."""
        return Ledger([account_of(row) for row in json.loads(self._native.ledger())])

    @overload
    def predict(self, params: Mapping[str, Value]) -> Prediction | None: ...

    @overload
    def predict(self, params: Sequence[Mapping[str, Value]]) -> list[Prediction] | None: ...

    def predict(
        self, params: Mapping[str, Value] | Sequence[Mapping[str, Value]]
    ) -> Prediction | list[Prediction] | None:
        """What the models believe of a setting, or of several; ``None`` while there is no model."""
        settings = [params] if isinstance(params, Mapping) else list(params)
        rows = json.loads(self._native.predict(settings))
        if rows is None:
            return None
        limits = self._native.limits()
        predictions = [prediction_of(row, limits) for row in rows]
        return predictions[0] if isinstance(params, Mapping) else predictions

    def status(self) -> Status:
        """Where the study stands."""
        return status_of(json.loads(self._native.status()))

    @property
    def plot(self) -> Plots:
        """Its pictures: ``study.plot.history()``."""
        return Plots(self)

    def trials_dataframe(self) -> pandas.DataFrame:
        """The trials as a table of pandas, which must be installed: a column a parameter and a metric."""
        from .frame import trials_frame

        return trials_frame(self)

    def log(self) -> list[dict[str, Any]]:
        """Everything that happened, in order, as ``rpol export`` writes it."""
        return cast("list[dict[str, Any]]", json.loads(self._native.log()))

    def __reduce__(self) -> tuple[Callable[..., Study], tuple[str, ...]]:
        # A stored study is an address; copies of it are the same study.
        if self._storage is not None:
            return _loaded, (self.name, self._storage)
        return _replayed, (self._native.log(),)

    def __repr__(self) -> str:
        status = f"{len(self.trials)} trials"
        return f"<rpol.Study {self.name!r}: {status}, {self._storage or 'in memory'}>"


def _number(trial: Trial | int) -> int:
    return trial.number if isinstance(trial, Trial) else trial


def _loaded(name: str, place: str) -> Study:
    return Study(_rpol.NativeStudy.load(name, place), place)


def _replayed(log: str) -> Study:
    return Study(_rpol.NativeStudy.replay(log), None)
