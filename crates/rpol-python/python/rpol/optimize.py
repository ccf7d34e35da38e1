"""Ask, run, tell: on this thread or on several."""

from __future__ import annotations

import os
import socket
import threading
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Union

from ._internal.checks import whole
from ._internal.progress import Progress
from .errors import RpolError
from .trial import Measured, Trial, trials_of

if TYPE_CHECKING:
    from .study import Study

Objective = Callable[[Trial], Union[Mapping[str, Measured], Measured]]
"""Takes a trial; returns its metrics, or the objective's value where that is all there is to tell."""

LEASE = 60
"""Seconds a worker may be silent before its trial is given to another."""


def optimize(
    study: Study,
    function: Objective,
    rounds: int,
    workers: int,
    progress: bool | None,
    callback: Callable[[Trial], object] | None,
) -> None:
    """See :meth:`rpol.Study.optimize`."""
    rounds, workers = whole("rounds", rounds, 1), whole("workers", workers, 1)
    run = Run(study, function, rounds, callback)
    with Progress(rounds, progress) as bar, Heartbeat(run):
        if workers == 1:
            run.work(bar.show)
        else:
            run.work_on_threads(min(workers, rounds), bar.show)


class Run:
    """So many trials to be made, and those that are under way."""

    def __init__(
        self, study: Study, function: Objective, rounds: int, callback: Callable[[Trial], object] | None
    ) -> None:
        self.study = study
        self.open: set[int] = set()
        self.worker = f"{socket.gethostname()}:{os.getpid()}"
        self._function, self._callback = function, callback
        self._left, self._rounds = rounds, rounds
        self._ended = 0
        self._failure: BaseException | None = None
        self._lock = threading.Lock()
        self._working, self._idle = 0, threading.Event()

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
            self._left = 0
            self._wait(show)
            raise
        if self._failure is not None:
            raise self._failure

    def _wait(self, show: Callable[[int], object]) -> None:
        # Not by `join`: interrupted by Ctrl-C it takes a thread for dead that is not (Python 3.10, 3.11).
        while not self._idle.wait(0.05):
            show(self._ended)

    def _work_quietly(self) -> None:
        try:
            self.work(lambda _: None)
        except BaseException as failure:  # of rpol's own, such as a full disk: it ends the run
            self._failure, self._left = failure, 0
        with self._lock:
            self._working -= 1
            if self._working == 0:
                self._idle.set()

    def _next(self) -> Trial | None:
        with self._lock:
            if self._left <= 0:
                return None
            self._left -= 1
        if self.study.storage is None:
            trial = self.study.ask()
        else:
            trial = trials_of(self.study._native.issue(self.worker, LEASE))[0]
        self.open.add(trial.number)
        return trial

    def _play(self, trial: Trial) -> None:
        try:
            self.study.tell(trial, self._metrics(self._function(trial)))
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
        if self._callback is not None:
            self._callback(self.study.trial(trial.number))

    def _metrics(self, returned: Mapping[str, Measured] | Measured) -> Mapping[str, Measured]:
        if isinstance(returned, Mapping):
            return returned
        return {self.study.spec.to_dict()["objective"]["metric"]: returned}


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
