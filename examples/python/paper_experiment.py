"""The paper's classical experiment in arrays, and its curves: `python paper_experiment.py [page.html] [seeds] [rounds]`.

The paper's settings, by name: the numbers are those of `rpol lab paper classical`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

import rpol

ALGORITHMS = {"RPOL-UCB": "rpol-ucb", "CKB-UCB": "ckb-ucb", "random": "random"}


def average(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The mean of the rounds so far, for every round."""
    rounds = np.arange(1, values.shape[1] + 1)
    found: npt.NDArray[np.float64] = np.cumsum(values, axis=1) / rounds
    return found


def played(seeds: int, rounds: int) -> dict[str, rpol.Experiment]:
    """Every algorithm under every seed."""
    runs = {}
    for label, algorithm in ALGORITHMS.items():
        print(f"{label}: {seeds} seeds of {rounds} rounds", file=sys.stderr)
        runs[label] = rpol.run_experiment("classical", algorithm, preset="printed", rounds=rounds, seeds=seeds)
    return runs


def pictures(runs: dict[str, rpol.Experiment]) -> list[rpol.Figure]:
    """Average regret, and average violation."""
    regret = {label: average(run.regret) for label, run in runs.items()}
    violation = {label: average(run.violation) for label, run in runs.items()}
    seeds = len(next(iter(runs.values())).regret)
    caption = f"Mean of {seeds} seeds, and twice its standard error."
    return [
        rpol.plot_curves("Regret a round", "R(t) / t", regret, caption=caption),
        rpol.plot_curves("Violation a round", "V(t) / t", violation, caption=caption),
    ]


def table(runs: dict[str, rpol.Experiment]) -> str:
    """The same at the last round."""
    lines = [f"{'':10} {'R(T)/T':>8} {'V(T)/T':>8}"]
    for label, run in runs.items():
        lines.append(f"{label:10} {run.regret.mean():8.3f} {run.violation.mean():8.3f}")
    return "\n".join(lines)


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "paper_experiment.html")
    seeds, rounds = (int(given) for given in (sys.argv[2:4] + ["5", "200"][len(sys.argv[2:4]) :]))
    done = played(seeds, rounds)
    print(table(done))
    figures = "\n".join(f"<p>{figure.svg}</p>" for figure in pictures(done))
    page = f"<!doctype html><meta charset='utf-8'><title>The paper's experiment</title><pre>{table(done)}</pre>\n{figures}\n"
    target.write_text(page, encoding="utf-8")
    print(f"wrote {target}")
