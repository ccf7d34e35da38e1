"""Other optimizers on the live course: `python live.py target/release/live target/bench-live/peers.csv`.

A row for every run is added to the file, with the columns of the arena's `runs.csv` and each limit's violation; what it has already is not played again.
No peer promises a risk, so `risk` and `kept` are empty. `cargo xtask bench live` does this, and prints a table.
"""

from __future__ import annotations

import argparse
import csv
import importlib
import math
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from live_peer import LivePeer
from live_system import NAMES, Description, Params, Result, System

PEERS = {
    "optuna-gp": ("live_optuna", "OptunaGP"),
    "optuna-tpe": ("live_optuna", "OptunaTPE"),
    "botorch": ("live_botorch", "BoTorch"),
}
"""The module and the class of each."""
HORIZON = 60
COLUMNS = [
    "system",
    "player",
    "seed",
    "over",
    "over_late",
    "failures",
    "normal_violation",
    "gain",
    "sound",
    "recommended_over",
    "best_feasible",
    "risk",
    "kept",
    "ask_ms",
    "violation",
]


def play(kind: type[LivePeer], program: Path, name: str, seed: int) -> dict[str, Any]:
    """One run, as a row."""
    results: list[Result | None] = []
    seconds = 0.0
    with System(program, name, seed, HORIZON) as system:
        peer = kind(system.about, seed)
        for t in range(HORIZON):
            begin = time.process_time()
            params = peer.ask()
            seconds += time.process_time() - begin
            if t == 0 and params != system.about.baseline:
                raise RuntimeError(f"{kind.label} began with {params}, not with the baseline")
            results.append(system.measure(params))
            begin = time.process_time()
            peer.tell(results[-1])
            seconds += time.process_time() - begin
        judged = score(system.about, results)
        judged |= recommendation(system, peer.recommended())
    return {"system": name, "player": kind.label, "seed": seed, "ask_ms": 1e3 * seconds / HORIZON, **judged}


def score(about: Description, results: list[Result | None]) -> dict[str, Any]:
    """What a run cost, as the lab counts it."""
    over = [result is None or result.over for result in results]
    worst, random = about.yardstick["worst"], about.yardstick["violation"]
    broken = [worst if result is None else result.excesses for result in results]
    violation = [sum(max(g, 0.0) for g in limit) for limit in zip(*broken, strict=True)]
    ratios = [v / (r * len(results)) for v, r in zip(violation, random, strict=True) if r > 0.0]
    # What was measured before the last phase says little about it.
    last = results[math.ceil(len(results) * (about.phases - 1) / about.phases) :]
    kept = [result.objective for result in last if result is not None and not result.over]
    return {
        "over": statistics.mean(over),
        "over_late": statistics.mean(over[len(over) // 2 :]),
        "failures": sum(result is None for result in results),
        "normal_violation": statistics.mean(ratios) if ratios else 0.0,
        "best_feasible": (max(kept) if about.maximize else min(kept)) if kept else "",
        "violation": " ".join(map(str, violation)),
    }


def recommendation(system: System, params: Params) -> dict[str, Any]:
    """What is true of the setting that is recommended at the end; what cannot be run at all gains nothing."""
    truth = system.truth(params)
    return {"gain": truth["gain"] or 0.0, "sound": int(truth["feasible"]), "recommended_over": truth["over"]}


def missing(given: argparse.Namespace) -> Iterator[tuple[type[LivePeer], str, int]]:
    """The runs that the file does not have, all systems of a seed before the next."""
    kept: set[tuple[str, ...]] = set()
    if given.file.exists():
        with given.file.open(newline="") as rows:
            kept = {(row["player"], row["system"], row["seed"]) for row in csv.DictReader(rows)}
    for name in given.peers:
        module, kind = PEERS[name]
        peer: type[LivePeer] = getattr(importlib.import_module(module), kind)
        for seed in given.seeds:
            for system in given.systems:
                if (peer.label, system, str(seed)) not in kept:
                    yield peer, system, seed


def words(text: str) -> list[str]:
    """Parts between commas."""
    return [part for part in text.split(",") if part]


def seeds(text: str) -> range:
    """`from..to`, or how many."""
    first, dots, end = text.partition("..")
    return range(int(first), int(end)) if dots else range(int(first))


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=Path, help="the lab's `live`")
    parser.add_argument("file", type=Path, help="rows are added to it")
    parser.add_argument("--peers", type=words, default=list(PEERS))
    parser.add_argument("--systems", type=words, default=NAMES)
    parser.add_argument("--seeds", type=seeds, default=range(5), help="from..to, or how many")
    given = parser.parse_args()
    given.file.parent.mkdir(parents=True, exist_ok=True)
    if not given.file.exists():
        given.file.write_text(",".join(COLUMNS) + "\n")
    for peer, name, seed in missing(given):
        row = play(peer, given.program, name, seed)
        with given.file.open("a", newline="") as rows:
            csv.DictWriter(rows, COLUMNS, restval="", lineterminator="\n").writerow(row)
        words_of = f"over {row['over']:.2f}, V {row['normal_violation']:.3f}, gain {100 * row['gain']:.0f} %"
        print(f"  {peer.label}, {name}, seed {seed}: {words_of}, {row['ask_ms']:.0f} ms", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
