"""The long-lived problem: ask and tell."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast, overload

from . import _rpol
from ._internal.checks import whole
from ._internal.html import table
from .belief import Prediction, Status, prediction_of, status_of
from .ledger import Ledger, account_of
from .optimize import Callback, Objective, Run, optimize
from .params import Value
from .plot import Plots
from .recommendation import Recommendation, recommendation_of
from .spec import Spec
from .trial import Measured, Trial, trials_of

if TYPE_CHECKING:
    import pandas


class Study:
    """A study: its definition, its trials, and what follows from them. :func:`rpol.create_study` makes one.

    Safe to use from several threads. What has a storage may be opened by several processes at once.
    """

    def __init__(
        self, native: _rpol.NativeStudy, storage: str | None, queue: Iterable[Mapping[str, Value]] = ()
    ) -> None:
        self._native = native
        self._storage = storage
        self._queue = deque(queue)
        self._runs: set[Run] = set()

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
        if not self._queue:
            return trials_of(self._native.ask(count))
        queued = self._queued(whole("count", count, 1))
        return queued + (trials_of(self._native.ask(count - len(queued))) if len(queued) < count else [])

    def enqueue(self, params: Mapping[str, Value]) -> None:
        """A setting to be tried next: the next ask gives it. Settings wait in their order, in this object.

        >>> import rpol
        >>> study = rpol.create_study(name="demo", objective="minimize y", params={"x": rpol.Float(-1, 1)})
        >>> study.enqueue({"x": 0.25})
        >>> study.ask().params
        {'x': 0.25}
        """
        self._native.check(params)
        self._queue.append(dict(params))

    enqueue_trial = enqueue
    """Optuna's name for it."""

    def _queued(self, most: int) -> list[Trial]:
        """Opens trials of settings that wait."""
        opened: list[Trial] = []
        with suppress(IndexError):  # another thread may take the last
            while len(opened) < most:
                opened.append(self.ask_for(self._queue.popleft()))
        return opened

    def ask_for(self, params: Mapping[str, Value]) -> Trial:
        """Opens a trial of a setting of your own."""
        return trials_of(self._native.ask_for(params))[0]

    def tell(self, trial: Trial | int, metrics: Mapping[str, Measured]) -> bool:
        """Records metrics of a trial: all of them or some, in any order, early or late.

        A value is a number, or a pair of mean and standard error. Returns whether any of it was new; the same value again
        changes nothing, another one is refused (see :meth:`correct`). But where the trial was given to another worker
        too, as the first had fallen silent, both results count: the second is that of a further trial of the same setting.
        """
        return self._native.tell(_number(trial), metrics)

    def add(self, params: Mapping[str, Value], metrics: Mapping[str, Measured]) -> int:
        """Adds a trial that was not asked for: history. It informs the model and is not on the ledger. Returns its number."""
        return self._native.add(params, metrics)

    def add_trials(
        self, trials: pandas.DataFrame | Iterable[Mapping[str, Any]], *, ignore_extra: bool = False
    ) -> list[int]:
        """Adds history from a table: a row a trial, a column a parameter and a metric. All of it is added, or nothing.

        Columns are those of :meth:`trials_dataframe`; ``name.sem`` is a standard error. Other columns are refused unless
        ``ignore_extra`` is set; a metric without a column is warned about; an empty cell was not measured. A row whose setting and metrics a
        trial has already adds nothing. Returns the numbers of the new trials.

        >>> import rpol
        >>> study = rpol.create_study(name="demo", objective="minimize y", params={"x": rpol.Float(-1, 1)})
        >>> rows = [{"x": 0.5, "y": 2.0}, {"x": 0.25, "y": 1.0}]
        >>> study.add_trials(rows), study.add_trials(rows)
        ([0, 1], [])
        """
        from .history import read

        return self._native.add_new(read(self, trials, ignore_extra))

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
        rounds: int | None = None,
        workers: int = 1,
        *,
        timeout: float | None = None,
        callbacks: Iterable[Callback] = (),
        progress: bool | None = None,
    ) -> None:
        """Asks, runs ``function``, and tells, for ``rounds`` more trials, on ``workers`` threads.

        ``function`` takes a trial and returns its metrics. An exception of it fails the trial, with a warning, and not the run;
        so does a missing metric of the objective or a limit. Without ``rounds`` the run ends at the study's horizon, or where
        there is none by ``timeout``, :meth:`stop` or Ctrl-C. ``timeout`` is in seconds; trials under way finish. So they do after
        Ctrl-C on several threads; on one the trial under way fails. Each of the ``callbacks`` is called with the study and each trial that has ended; its
        exception ends the run. The bar is on stderr where that is a terminal, or where ``progress`` says so.

        >>> import rpol
        >>> study = rpol.create_study(name="demo", objective="minimize y", params={"x": rpol.Float(-1, 1)})
        >>> study.optimize(lambda trial: {"y": trial["x"] ** 2}, rounds=12)
        >>> best = study.best_value
        >>> best is not None and best < 0.1
        True
        """
        optimize(self, function, rounds, workers, timeout, callbacks, progress)

    def stop(self) -> None:
        """Ends :meth:`optimize` after the trials under way: for its function, its callbacks, or another thread."""
        for run in list(self._runs):
            run.stop()

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

    @property
    def best_params(self) -> dict[str, Value] | None:
        """The setting of :attr:`best_trial`."""
        best = self.best_trial
        return None if best is None else best.params

    @property
    def best_value(self) -> float | None:
        """The objective as measured in :attr:`best_trial`: of many noisy values the best, and so rather too good."""
        best = self.best_trial
        return None if best is None else best.metrics[self._native.names()[0][0]]

    def recommendation(self) -> Recommendation | None:
        """What to run now, on what grounds, and what to expect of it; ``None`` before anything was measured.

        >>> import rpol
        >>> study = rpol.create_study(name="demo", objective="minimize y", constraints=["z >= 2"], params={"x": rpol.Float(0, 1)})
        >>> study.optimize(lambda trial: {"y": trial["x"], "z": 1 + 5 * trial["x"]}, rounds=12)
        >>> recommended = study.recommendation()
        >>> recommended is not None and recommended.limits["z >= 2"].mean_within > 0.5
        True
        """
        found = self._native.recommendation()
        return None if found is None else recommendation_of(json.loads(found[0]), found[1])

    def incumbent(self) -> dict[str, Value] | None:
        """The setting of :meth:`recommendation`; before anything was measured the baseline, where there is one."""
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
        """What the models believe of a setting, or of several, every metric in its own unit.

        ``None`` while there is no model, or while the baseline that a limit refers to was not measured.

        >>> import rpol
        >>> study = rpol.create_study(name="demo", objective="minimize y", constraints=["z >= 2"], params={"x": rpol.Float(0, 1)})
        >>> study.optimize(lambda trial: {"y": trial["x"], "z": 1 + 5 * trial["x"]}, rounds=12)
        >>> at = study.predict({"x": 0.5})
        >>> at is not None and 3 < at.limits["z >= 2"].mean < 4 and at.limits["z >= 2"].within > 0.9
        True
        """
        settings = [params] if isinstance(params, Mapping) else list(params)
        rows = json.loads(self._native.predict(settings))
        if rows is None:
            return None
        predictions = [prediction_of(row) for row in rows]
        return predictions[0] if isinstance(params, Mapping) else predictions

    def status(self) -> Status:
        """Where the study stands."""
        found, words = self._native.status()
        return status_of(json.loads(found), words)

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

    def __reduce__(self) -> tuple[Callable[..., Study], tuple[Any, ...]]:
        # A stored study is an address; copies of it are the same study.
        if self._storage is not None:
            return _loaded, (self.name, self._storage)
        return _replayed, (self._native.log(), list(self._queue))

    def __repr__(self) -> str:
        status = f"{len(self.trials)} trials"
        return f"<rpol.Study {self.name!r}: {status}, {self._storage or 'in memory'}>"

    def _repr_html_(self) -> str:
        recommended, limits = self.recommendation(), self.ledger
        return "".join([
            table([("study", self.name), ("storage", self._storage or "in memory"), ("trials", len(self.trials))]),
            "" if recommended is None else recommended._repr_html_(),
            limits._repr_html_() if limits else "",
        ])


def _number(trial: Trial | int) -> int:
    return trial.number if isinstance(trial, Trial) else trial


def _loaded(name: str, place: str) -> Study:
    return Study(_rpol.NativeStudy.load(name, place), place)


def _replayed(log: str, queue: Sequence[Mapping[str, Value]] = ()) -> Study:
    return Study(_rpol.NativeStudy.replay(log), None, queue)
