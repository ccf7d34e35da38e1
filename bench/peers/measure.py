"""Measures one optimizer and keeps the numbers: `python measure.py optuna target/bench-peers`, as `cargo xtask bench peers` does.

What is measured replaces what was kept of the same problem, number of observations or seed; the rest stays.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import json
import platform
import statistics
import sys
from pathlib import Path
from typing import Any

from peer import Peer
from play import TOO_LONG, play
from problems import PROBLEMS, check_against_lab
from speed import is_too_slow, speed

PLAYED = "classical"
"""The problem of whole runs."""


def say(words: str) -> None:
    """Progress, over what is left of a line."""
    print(f"\r  {words:<60}", file=sys.stderr, flush=True)


class Results:
    """The numbers of one optimizer, in a file that is written after every step."""

    def __init__(self, path: Path, kind: type[Peer]) -> None:
        self._path = path
        self.kept: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {"speed": {}, "play": {}}
        versions = {name: importlib.metadata.version(name) for name in kind.packages}
        self.kept |= {"label": kind.label, "versions": versions, "python": platform.python_version()}

    def write(self) -> None:
        """Keeps everything."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.write_text(json.dumps(self.kept, indent=1) + "\n")


def measure_speed(kind: type[Peer], name: str, observations: list[int], results: Results) -> None:
    """One problem, fewer observations first."""
    found = results.kept["speed"].setdefault(name, {})
    for n in sorted(observations):
        say(f"{kind.label}, {name}, {n} observations")
        found[str(n)] = speed(kind, PROBLEMS[name], n)
        results.write()
        say(f"  median {1e3 * statistics.median(found[str(n)]['rounds']):.1f} ms")
        if is_too_slow(found[str(n)]):
            say("more observations would take too long")
            break


def measure_play(kind: type[Peer], seeds: int, results: Results) -> None:
    """Whole runs, seed by seed."""
    for seed in range(seeds):
        say(f"{kind.label}, {PLAYED}, seed {seed} of {seeds}")
        found = play(kind, PROBLEMS[PLAYED], seed)
        results.kept["play"][str(seed)] = found
        results.write()
        say(f"R+/T {found['regret']:.3f}, V/T {found['violation']:.3f}, {found['seconds']:.0f} s of CPU")
        if found["seconds"] > TOO_LONG:
            say("further seeds would take too long")
            break


def main() -> None:
    """What the command line asks for."""
    numbers = lambda text: [int(part) for part in text.split(",") if part]  # noqa: E731
    names = lambda text: text.split(",")  # noqa: E731
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peer", help="peer_<this>.py")
    parser.add_argument("folder", type=Path, help="where the numbers are kept")
    parser.add_argument("--problems", type=names, default=list(PROBLEMS))
    parser.add_argument("--observations", type=numbers, default=[50, 100, 200, 500, 1000], help="none: no speed")
    parser.add_argument("--seeds", type=int, default=3, help="whole runs; 0 for none")
    given = parser.parse_args()
    kind: type[Peer] = importlib.import_module(f"peer_{given.peer}").PEER
    check_against_lab()
    results = Results(given.folder / f"{given.peer}.json", kind)
    for name in given.problems:
        measure_speed(kind, name, given.observations, results)
    if PLAYED in given.problems:
        measure_play(kind, given.seeds, results)


if __name__ == "__main__":
    main()
