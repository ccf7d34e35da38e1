"""An algorithm against a problem, many times over."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from . import _rpol
from ._internal.arrays import rows
from ._internal.checks import number, text, whole
from ._internal.progress import Progress
from .errors import InvalidSpecError, WrongLengthError
from .plot import Figure

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

PAPER = ("classical", "delayed", "drifting")
"""Experiments of the paper; they have noise of their own."""


@dataclass(frozen=True)
class Experiment:
    """What was played, on the true functions. The first axis is the seed, the second the round."""

    x: npt.NDArray[np.float64]
    """The settings: seed, round, coordinate."""
    f: npt.NDArray[np.float64]
    """The objective: seed, round."""
    g: npt.NDArray[np.float64]
    """How far beyond each limit: seed, round, constraint."""
    regret: npt.NDArray[np.float64]
    """What the optimum is better by: seed, round; negative only where a limit is broken."""
    penalties: npt.NDArray[np.float64]
    """The multipliers each decision used: seed, round, constraint."""

    @property
    def violation(self) -> npt.NDArray[np.float64]:
        """The sum of all excesses: seed, round."""
        import numpy as np

        total: npt.NDArray[np.float64] = np.maximum(self.g, 0.0).sum(axis=2)
        return total


def run_experiment(
    problem: str = "classical",
    algorithm: str = "rpol",
    *,
    rounds: int = 100,
    seeds: int | Iterable[int] = 5,
    preset: Literal["practical", "printed"] = "practical",
    noise: float | None = None,
    delay: float | None = None,
    workers: int | None = None,
    progress: bool | None = None,
) -> Experiment:
    """Plays an algorithm on a problem under several seeds; the same seeds give the same numbers, on however many threads.

    ``problem`` is one of :func:`rpol.problems.names` or of the paper's experiments; ``algorithm`` is ``"rpol"``, a name of the
    literature, or either with changes, such as ``"rpol@risk=0.05"``. ``preset="printed"`` plays an experiment of the paper
    exactly as ``rpol lab paper`` does. ``noise`` is a share of each output's deviation over the domain (0.1), ``delay`` the mean of
    Poisson delays in rounds.

    >>> runs = run_experiment("gardner1", "random", rounds=6, seeds=2)
    >>> runs.regret.shape, runs.violation.shape
    ((2, 6), (2, 6))
    """
    if noise is not None and problem in PAPER:
        raise InvalidSpecError(f"noise: {problem!r} has noise of its own: leave it out, or give another problem")
    if preset not in ("practical", "printed"):
        raise InvalidSpecError(f"preset: {preset!r} is not known: give \"practical\" or \"printed\"")
    chosen = _seeds(seeds)
    work = _rpol.NativeExperiment(
        text("problem", problem),
        text("algorithm", algorithm),
        preset == "printed",
        whole("rounds", rounds, 1),
        chosen,
        0.1 if noise is None else number("noise", noise),
        None if delay is None else number("delay", delay),
        (os.cpu_count() or 1) if workers is None else whole("workers", workers, 1),
    )
    _wait(work, rounds * len(chosen), progress)
    arrays = work.result()
    return Experiment(
        x=arrays["x"],
        f=arrays["f"][:, :, 0],
        g=arrays["g"],
        regret=arrays["regret"][:, :, 0],
        penalties=arrays["penalties"],
    )


def plot_curves(
    title: str, y: str, runs: Mapping[str, npt.ArrayLike], *, x: str = "round", caption: str = ""
) -> Figure:
    """A line a name: the mean over the seeds of an array of seeds and rounds, with twice its standard error around it.

    >>> plot_curves("Nothing", "y", {"a line": [[1.0, 2.0, 3.0], [2.0, 3.0, 4.0]]}).svg.startswith("<svg")
    True
    """
    import numpy as np

    lines = []
    for label, values in runs.items():
        found = rows(label, values)
        if found.size == 0:
            raise WrongLengthError(f"{label} has no values: a row a seed is needed, with a value a round")
        spread = found.std(axis=0, ddof=1) if len(found) > 1 else np.zeros(found.shape[1])
        band = (2 * spread / len(found) ** 0.5).tolist()
        lines.append((text("label", label), found.mean(axis=0).tolist(), band))
    return Figure(_rpol.curves(title, x, y, caption, lines))


def _seeds(seeds: int | Iterable[int]) -> list[int]:
    if isinstance(seeds, Iterable):
        return [whole("seeds", seed) for seed in seeds]
    return list(range(whole("seeds", seeds, 1)))


def _wait(work: _rpol.NativeExperiment, total: int, shown: bool | None) -> None:
    try:
        with Progress(total, shown) as bar:
            while True:
                played, done = work.progress()
                bar.show(played)
                if done:
                    return
                time.sleep(0.02)
    except KeyboardInterrupt:
        work.stop()
        raise
