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
    """A progress bar with the time left; nothing where stderr is no terminal, unless it is asked for.

    >>> with Progress(total=10, shown=False) as progress:
    ...     progress.show(3)
    """

    def __init__(self, total: int, shown: bool | None = None) -> None:
        self._total = max(total, 1)
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

    def show(self, done: int, note: str = "") -> None:
        """Draws the bar anew, ten times a second at most."""
        now = time.monotonic()
        if not self._shown or now - self._start < PATIENCE or (now - self._last < 0.1 and done < self._total):
            return
        self._last, self._drawn = now, True
        filled = WIDTH * min(done, self._total) // self._total
        left = (now - self._start) / done * (self._total - done) if done else 0.0
        bar = "#" * filled + "-" * (WIDTH - filled)
        sys.stderr.write(f"\r[{bar}] {done}/{self._total}, {left:.0f} s left {note}\x1b[K")
        sys.stderr.flush()
