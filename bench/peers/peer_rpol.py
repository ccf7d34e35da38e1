"""rpol with its defaults: everything learned."""

from __future__ import annotations

import numpy as np
import rpol
from peer import Account, Peer
from problems import Problem


class Ours(Peer):
    """A study in memory."""

    label = "rpol"
    packages = ["rpol"]
    keeps_fit = True

    def __init__(self, problem: Problem, seed: int) -> None:
        super().__init__(problem, seed)
        self._names = [f"x{i}" for i in range(problem.dims)]
        self._limits = [f"g{i}" for i in range(problem.constraints)]
        bounds = zip(self._names, problem.low, problem.high, strict=True)
        self._study = rpol.create_study(
            name="peers",
            objective="maximize f",
            params={name: rpol.Float(low, high) for name, low, high in bounds},
            constraints=[f"{limit} <= 0" for limit in self._limits],
            seed=seed,
        )

    def add(self, x: np.ndarray, f: float, g: list[float]) -> None:
        """History."""
        self._study.add(dict(zip(self._names, x.tolist(), strict=True)), self._metrics(f, g))

    def ask(self) -> np.ndarray:
        """A decision; the first ones are its own too."""
        self._trial = self._study.ask()
        return self.suggest()

    def suggest(self) -> np.ndarray:
        """The setting of the open trial."""
        return np.array([self._trial.params[name] for name in self._names])

    def tell(self, f: float, g: list[float]) -> None:
        """The result of the open trial."""
        self._study.tell(self._trial, self._metrics(f, g))

    def account(self) -> Account:
        """From the log: a round is told after it is asked, and a fit comes just before."""
        *earlier, asked, _told = self._study.log()
        assert asked["event"] == "asked", asked
        return Account(asked["decision"]["by"] != "design", earlier[-1]["event"] == "fitted")

    def _metrics(self, f: float, g: list[float]) -> dict[str, float]:
        return {"f": f, **dict(zip(self._limits, g, strict=True))}


PEER = Ours
