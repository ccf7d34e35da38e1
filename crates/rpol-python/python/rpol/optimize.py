"""Ask, run, tell: on this thread or on several."""

from __future__ import annotations

import math
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Union

from . import _rpol
from ._internal.checks import number, whole
from ._internal.progress import Progress
from .errors import InvalidSpecError, MissingError, RpolError
from .trial import Measured, Trial, trials_of

if TYPE_CHECKING:
    from .study import Study

Objective = Callable[[Trial], Union[Mapping[str, Measured], Measured]]
"""Takes a trial; returns its metrics, or the objective's value where that is all there is to tell."""

Callback = Callable[["Study", Trial], object]
"""Hears of a trial that has ended."""

LEASE = 60
"""Seconds a worker may be silent before its trial is given to another."""


def optimize(
    study: Study,
    function: Objective,
    rounds: int | None,
    workers: int,
    timeout: float | None,
    callbacks: Iterable[Callback],
    progress: bool | None,
) -> None:
    """See :meth:`rpol.Study.optimize`."""
    workers = whole("workers", workers, 1)
    rounds = left_of_the_horizon(study) if rounds is None else whole("rounds", rounds, 1)
    run = Run(study, function, rounds, seconds(timeout), tuple(callbacks))
    study._runs.add(run)
    try:
        with Progress(rounds, progress) as bar, Heartbeat(run):
            if workers == 1:
                run.work(bar.show)
            else:
                run.work_on_threads(workers if rounds is None else min(workers, rounds), bar.show)
    finally:
        study._runs.discard(run)


def left_of_the_horizon(study: Study) -> int | None:
    """Trials until the study's horizon; ``None`` where it has none."""
    horizon = study.spec.to_dict().get("horizon")
    return None if horizon is None else max(int(horizon) - study.status().round, 0)


def seconds(timeout: float | None) -> float:
    """How long new trials may begin."""
    if timeout is None:
        return math.inf
    if number("timeout", timeout) < 0:
        raise InvalidSpecError(f"timeout: {timeout!r} is not usable: give seconds, 0 or more")
    return float(timeout)


class Run:
    """Trials to be made, and those that are under way."""

    def __init__(
        self, study: Study, function: Objective, rounds: int | None, timeout: float, callbacks: tuple[Callback, ...]
    ) -> None:
        self.study = study
        self.open: set[int] = set()
        # Such that others can tell whether this process still lives.
        self.worker = _rpol.worker()
        self._function, self._callbacks = function, callbacks
        self._outputs = study._native.names()[0]
        self._left: float = math.inf if rounds is None else rounds
        self._deadline = time.monotonic() + timeout
        self._ended = 0
        self._failure: BaseException | None = None
        self._lock = threading.Lock()
        self._working, self._idle = 0, threading.Event()

    def stop(self) -> None:
        """No trial is begun any more."""
        self._left = 0

    def work(self, show: Callable[[int], object]) -> None:
        """Plays until nothing is left."""
        while (trial := self._next()) is not None:
            self._play(trial)
            show(self._ended)

    def work_on_threads(self, workers: int, show: Callable[[int], object]) -> None:
        """The same on so many threads; this one only waits, so that Ctrl-C reaches it."""
        self._working = workers
        for _ in range(workers):
            # Daemons: a second Ctrl-C must be able to leave them behind.
            threading.Thread(target=self._work_quietly, daemon=True).start()
        try:
            self._wait(show)
        except KeyboardInterrupt:
            self.stop()
            self._wait(show)
            raise
        if self._failure is not None:
            raise self._failure

    def _wait(self, show: Callable[[int], object]) -> None:
        # Not by `join`: interrupted by Ctrl-C it takes a thread for dead that is not (Python 3.10, 3.11).
        while self._working and not self._idle.wait(0.05):
            show(self._ended)

    def _work_quietly(self) -> None:
        try:
            self.work(lambda _: None)
        except BaseException as failure:  # of rpol's own, such as a full disk, or of a callback: it ends the run
            self._failure = failure
            self.stop()
        with self._lock:
            self._working -= 1
            if self._working == 0:
                self._idle.set()

    def _next(self) -> Trial | None:
        with self._lock:
            if self._left <= 0 or time.monotonic() >= self._deadline:
                return None
            self._left -= 1
        trial = self._opened()
        self.open.add(trial.number)
        return trial

    def _opened(self) -> Trial:
        study = self.study
        if study.storage is None:
            return study.ask()
        queued = study._queued(1)
        if not queued:
            return trials_of(study._native.issue(self.worker, LEASE))[0]
        study._native.renew(queued[0].number, self.worker, LEASE)
        return queued[0]

    def _play(self, trial: Trial) -> None:
        try:
            self._tell(trial, self._function(trial))
        except Exception as error:
            self.study.fail(trial, f"{type(error).__name__}: {error}")
            warnings.warn(f"trial {trial.number} failed: {type(error).__name__}: {error}", stacklevel=2)
        except BaseException as error:
            # Left open it would be waited for in every later decision, and nobody is there to tell.
            self.study.fail(trial, f"interrupted: {type(error).__name__}")
            raise
        finally:
            self.open.discard(trial.number)
            with self._lock:
                self._ended += 1
        for callback in self._callbacks:
            callback(self.study, self.study.trial(trial.number))

    def _tell(self, trial: Trial, returned: Mapping[str, Measured] | Measured) -> None:
        metrics = returned if isinstance(returned, Mapping) else {self._outputs[0]: returned}
        if metrics:
            self.study.tell(trial, metrics)
        if all(name in metrics for name in self._outputs):
            return
        # The function may have told the others itself.
        told = self.study.trial(trial.number).metrics
        missing = [name for name in self._outputs if name not in told]
        if missing:
            # Left open it would be waited for, and never be known to keep its limits.
            names = " and ".join(f"metrics.{name}" for name in dict.fromkeys(missing))
            needed = ", ".join(dict.fromkeys(self._outputs))
            raise MissingError(f"{names} missing: return all of {needed}")


class Heartbeat:
    """Says every third of a lease that the trials under way are still worked at, where others could think otherwise."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True)

    def __enter__(self) -> None:
        if self._run.study.storage is not None:
            self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._over.set()

    def _beat(self) -> None:
        while not self._over.wait(LEASE / 3):
            for number in sorted(self._run.open):
                # A store that is busy now may not be at the next beat, and two beats may be missed.
                with suppress(RpolError):
                    self._run.study._native.renew(number, self._run.worker, LEASE)
