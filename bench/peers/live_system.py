"""A system of the live course behind a pipe: settings in, measurements out, and what is true of a setting."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

Params = dict[str, Any]
"""A setting by the names of its parameters."""

NAMES = [
    "queue",
    "autoscale",
    "llm",
    "pool",
    "reactor",
    "compressor",
    "cache",
    "surge",
    "heating",
    "spark",
    "rotor",
    "search",
    "database",
    "broker",
    "pipeline",
    "control",
]
"""The whole course."""


@dataclass(frozen=True)
class Description:
    """What the first line of `live serve` says."""

    metric: str
    """The objective's."""
    maximize: bool
    limits: list[str]
    space: dict[str, dict[str, Any]]
    """Each parameter's type with its bounds or choices, in the order of the definition."""
    baseline: Params
    phases: int
    yardstick: dict[str, Any]
    """Of random play: `violation` a trial and the `worst` of each limit."""


@dataclass(frozen=True)
class Result:
    """What came of a trial."""

    objective: float
    """As measured, in its own direction."""
    excesses: list[float]
    """By how much each limit was broken: at most 0 where it was kept."""

    @property
    def over(self) -> bool:
        """Whether a limit was broken as measured."""
        return any(g > 0.0 for g in self.excesses)


class System:
    """A run of `live serve`, which counts the trials: the chance in a trial is that of any other player."""

    def __init__(self, program: Path, name: str, seed: int, horizon: int) -> None:
        self._program = program.resolve()
        self._name = name
        serve = ["serve", "--system", name, "--seed", str(seed), "--horizon", str(horizon)]
        self._process = subprocess.Popen(
            [self._program, *serve], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        said = self._line()
        self.about = Description(
            metric=said["objective"]["metric"],
            maximize=said["objective"]["direction"] == "maximize",
            limits=said["constraints"],
            space={key: said["params"][key] for key in said["order"]},
            baseline={key: said["baseline"][key] for key in said["order"]},
            phases=said["phases"],
            yardstick=said["yardstick"],
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()

    def measure(self, params: Params) -> Result | None:
        """Tries a setting; `None` where it failed."""
        if self._process.stdin is None:
            raise RuntimeError("the system has no input")
        self._process.stdin.write(json.dumps({"params": params}) + "\n")
        self._process.stdin.flush()
        said = self._line()
        if "failed" in said:
            return None
        return Result(said["metrics"][self.about.metric], said["excesses"])

    def truth(self, params: Params) -> dict[str, Any]:
        """True means of the last phase, the share over a limit, and the gain from the baseline to the best known."""
        line = json.dumps({"params": params})
        asked = [str(self._program), "truth", "--system", self._name]
        said = subprocess.run(asked, input=line, stdout=subprocess.PIPE, text=True, check=True).stdout
        found: dict[str, Any] = json.loads(said)
        return found

    def _line(self) -> dict[str, Any]:
        if self._process.stdout is None:
            raise RuntimeError("the system has no output")
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self._name} has ended: its words are above")
        said: dict[str, Any] = json.loads(line)
        return said
