"""Measures one optimizer and keeps the numbers: `python measure.py optuna target/bench-peers`, as `cargo xtask bench peers` does.

What is measured replaces what was kept of the same problem, number of observations or seed; the rest stays, unless it is
of other versions.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import json
import os
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

    def __init__(self, path: Path, kind: type[Peer], missing: bool) -> None:
        self._path = path
        self._missing = missing
        found = {name: importlib.metadata.version(name) for name in kind.packages}
        self.kept: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
        if self.kept.get("versions") != found:
            self.kept = {"label": kind.label, "versions": found, "speed": {}, "play": {}}
        self.kept["python"] = platform.python_version()

    def wants(self, part: dict[str, Any], key: int) -> bool:
        """Whether this is still to be measured."""
        return not (self._missing and str(key) in part)

    def write(self) -> None:
        """Keeps everything; whoever reads meets the old file or the new one."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._path.with_suffix(".new")
        fresh.write_text(json.dumps(self.kept, indent=1) + "\n")
        os.replace(fresh, self._path)


def measure_speed(kind: type[Peer], name: str, observations: list[int], results: Results) -> None:
    """One problem, fewer observations first."""
    found = results.kept["speed"].setdefault(name, {})
    for n in sorted(observations):
        if results.wants(found, n):
            say(f"{kind.label}, {name}, {n} observations")
            found[str(n)] = speed(kind, PROBLEMS[name], n)
            results.write()
            say(f"  median {1e3 * statistics.median(found[str(n)]['rounds']):.1f} ms")
        if is_too_slow(found[str(n)]):
            say("more observations would take too long")
            break


def measure_play(kind: type[Peer], seeds: int, results: Results) -> None:
    """Whole runs, seed by seed."""
    runs = results.kept["play"]
    for seed in range(seeds):
        if results.wants(runs, seed):
            say(f"{kind.label}, {PLAYED}, seed {seed}")
            run = runs[str(seed)] = play(kind, PROBLEMS[PLAYED], seed)
            results.write()
            say(f"  R+/T {run['regret']:.3f}, V/T {run['violation']:.3f}, {run['seconds']:.0f} s of CPU")
        if runs[str(seed)]["seconds"] > TOO_LONG:
            say("further seeds would take too long")
            break


def words(text: str) -> list[str]:
    """Parts between commas."""
    return [part for part in text.split(",") if part]


def numbers(text: str) -> list[int]:
    """Whole numbers between commas."""
    return [int(part) for part in words(text)]


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peer", help="peer_<this>.py")
    parser.add_argument("folder", type=Path, help="where the numbers are kept")
    parser.add_argument("--problems", type=words, default=list(PROBLEMS))
    parser.add_argument("--observations", type=numbers, default=[50, 100, 200, 500, 1000], help="empty: no asks are timed")
    parser.add_argument("--seeds", type=int, default=3, help="whole runs; 0 for none")
    parser.add_argument("--missing", action="store_true", help="only what is not kept yet")
    given = parser.parse_args()
    check_against_lab()
    kind: type[Peer] = importlib.import_module(f"peer_{given.peer}").PEER
    results = Results(given.folder / f"{given.peer}.json", kind, given.missing)
    for name in given.problems:
        measure_speed(kind, name, given.observations, results)
    if PLAYED in given.problems:
        measure_play(kind, given.seeds, results)


if __name__ == "__main__":
    main()
