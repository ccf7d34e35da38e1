"""Means over the seeds of runs on the live course: `python live_table.py peers.csv rpol.csv`."""

from __future__ import annotations

import csv
import statistics
import sys
from collections.abc import Callable
from pathlib import Path

from live import HORIZON
from live_system import NAMES

Row = dict[str, str]
COLUMNS: dict[str, Callable[[Row], float]] = {
    f"over of {HORIZON}": lambda row: HORIZON * float(row["over"]),
    f"of the last {HORIZON // 2}": lambda row: HORIZON // 2 * float(row["over_late"]),
    "failures": lambda row: float(row["failures"]),
    "V": lambda row: float(row["normal_violation"]),
    "gain, %": lambda row: 100.0 * float(row["gain"]),
    "sound, %": lambda row: 100.0 * (row["sound"] == "1"),
    "kept 10 %, %": lambda row: 100.0 * (float(row["over"]) <= 0.13 + 1e-9),
    "ask, ms": lambda row: float(row["ask_ms"]),
}
"""What is shown of a run; V is 1 for random play, `sound` is a recommendation that truly keeps the limits, `kept` as the lab judges a risk of 0.1."""


def line(system: str, player: str, rows: list[Row]) -> str:
    """A line of the table."""
    means = [f"{statistics.mean(map(of, rows)):.{3 if name == 'V' else 1}f}" for name, of in COLUMNS.items()]
    return "| " + " | ".join([system, player, str(len(rows)), *means]) + " |"


def main() -> None:
    """Prints a line for each player on each system, and on all that every player has played."""
    rows: list[Row] = []
    for path in filter(Path.exists, map(Path, sys.argv[1:])):
        with path.open(newline="") as file:
            rows += csv.DictReader(file)
    players = list(dict.fromkeys(row["player"] for row in rows))
    runs = {player: {(row["system"], row["seed"]) for row in rows if row["player"] == player} for player in players}
    print("| " + " | ".join(["system", "player", "runs", *COLUMNS]) + " |")
    print("|---|---|" + "---:|" * (1 + len(COLUMNS)))
    for system in NAMES:
        for player in players:
            here = [row for row in rows if (row["system"], row["player"]) == (system, player)]
            if here:
                print(line(system, player, here))
    common = set.intersection(*runs.values()) if runs else set()
    for player in players:
        here = [row for row in rows if row["player"] == player and (row["system"], row["seed"]) in common]
        if here:
            print(line("**runs of all**", player, here))


if __name__ == "__main__":
    main()
