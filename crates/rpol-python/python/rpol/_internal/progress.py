"""A line on stderr for whoever waits."""

from __future__ import annotations

import sys
import time
from types import TracebackType

WIDTH = 30
"""Signs of the bar."""
PATIENCE = 1.0
"""Seconds before there is anything to see: what is quicker needs no bar."""


class Progress:
    """A progress bar with the time left, or a count where the total is not known; nothing where stderr is no terminal, unless it is asked for.

    >>> with Progress(total=10, shown=False) as progress:
    ...     progress.show(3)
    """

    def __init__(self, total: int | None, shown: bool | None = None) -> None:
        self._total = total
        self._shown = sys.stderr.isatty() if shown is None else shown
        self._start = self._last = time.monotonic()
        self._drawn = False

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._drawn:
            sys.stderr.write("\n")

    def show(self, done: int) -> None:
        """Draws it again, ten times a second at most."""
        now = time.monotonic()
        if not self._shown or now - self._start < PATIENCE or (now - self._last < 0.1 and done != self._total):
            return
        self._last, self._drawn = now, True
        sys.stderr.write(f"\r{self._words(done, now - self._start)}\x1b[K")
        sys.stderr.flush()

    def _words(self, done: int, seconds: float) -> str:
        if not self._total:
            return f"{done} trials, {seconds:.0f} s"
        filled = WIDTH * min(done, self._total) // self._total
        left = seconds / done * (self._total - done) if done else 0.0
        return f"[{'#' * filled}{'-' * (WIDTH - filled)}] {done}/{self._total}, {left:.0f} s left"
