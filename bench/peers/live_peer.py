"""What every optimizer is driven through on the live course."""

from __future__ import annotations

from abc import ABC, abstractmethod

from live_system import Description, Params, Result


class LivePeer(ABC):
    """An optimizer of one live system: every ask is followed by its tell, and the baseline is asked for first."""

    label: str
    """Its name in tables."""

    def __init__(self, system: Description, seed: int) -> None:
        self.system = system
        self.seed = seed
        self._results: list[Result] = []

    @abstractmethod
    def ask(self) -> Params:
        """The next setting to try."""

    def tell(self, result: Result | None) -> None:
        """What came of the setting last asked for; `None` where it failed."""
        if result is None:
            self.learn(self._worst())
        else:
            self._results.append(result)
            self.learn(result)

    @abstractmethod
    def learn(self, result: Result) -> None:
        """Takes the result of the setting last asked for; that of a failure is made up, and breaks every limit."""

    @abstractmethod
    def recommended(self) -> Params:
        """What it would run now: the best trial that was measured within the limits, else the baseline."""

    def _worst(self) -> Result:
        """What a failure is told as: the worst objective measured so far, and the most that each limit was broken by.

        A limit that was never broken is as far over as it was ever kept.
        """
        if not self._results:
            raise RuntimeError("the baseline failed: nothing is known that a failure could be told as")
        objectives = [result.objective for result in self._results]
        limits = list(zip(*(result.excesses for result in self._results), strict=True))
        return Result(
            min(objectives) if self.system.maximize else max(objectives),
            [max(excesses) if max(excesses) > 0.0 else -min(excesses) or 1.0 for excesses in limits],
        )
