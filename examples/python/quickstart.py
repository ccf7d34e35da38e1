"""Tunes a simulated cache, and writes a page about it: `python quickstart.py [quickstart.html]`.

The cache is cheaper the longer it keeps things and the fewer shards it has, but slower; its 99th percentile is measured with
noise and must stay below 250 ms.
"""

from __future__ import annotations

import html
import math
import random
import sys
from pathlib import Path

import rpol

NOISE = random.Random(1)
WORSE = {"lz4": 1.0, "zstd": 1.15}


def measure(trial: rpol.Trial) -> dict[str, float | tuple[float, float]]:
    """Runs the cache at a setting: what it costs, and how slow it is, with the error of that measurement."""
    ttl, shards = float(trial["ttl_s"]), float(trial["shards"])
    cost = WORSE[str(trial["codec"])] * (600 / math.sqrt(ttl) + 2 * shards)
    p99 = 80 + 0.06 * ttl + 900 / shards + NOISE.gauss(0, 4)
    return {"cost": cost, "p99_ms": (p99, 4.0)}


def tuned(rounds: int = 40) -> rpol.Study:
    """The study after so many trials."""
    study = rpol.create_study(
        name="cache",
        direction="minimize",
        objective="cost",
        params={
            "ttl_s": rpol.Float(1, 3600, log=True),
            "shards": rpol.Int(1, 64),
            "codec": rpol.Categorical(["lz4", "zstd"]),
        },
        constraints=[{"expression": "p99_ms <= 250", "budget": 4000}],
        horizon=rounds,
    )
    study.optimize(measure, rounds=rounds)
    return study


def answer(study: rpol.Study) -> str:
    """What to run, and what it took to find out."""
    recommended, account = study.recommendation(), study.ledger["p99_ms"]
    if recommended is None:
        return "nothing was measured yet"
    return (
        f"{recommended}\non the way there p99_ms was over its limit in {account.violations} of {account.observed} trials, "
        f"by {account.total:.0f} ms in all"
    )


def page(study: rpol.Study) -> str:
    """The answer and the pictures, in one file that needs no other."""
    figures = [study.plot.history(), study.plot.violation(), study.plot.contour("ttl_s", "shards")]
    pictures = "\n".join(f"<p>{figure.svg}</p>" for figure in figures)
    return f"<!doctype html><meta charset='utf-8'><title>cache</title><pre>{html.escape(answer(study))}</pre>\n{pictures}\n"


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "quickstart.html")
    done = tuned()
    print(answer(done))
    target.write_text(page(done), encoding="utf-8")
    print(f"wrote {target}")
