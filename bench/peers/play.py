"""Whole runs: what the settings that were played lost and violated, without the noise."""

from __future__ import annotations

import sys
import time

import numpy as np
from peer import Peer
from problems import Problem

ROUNDS = 200
TOO_LONG = 15 * 60.0
"""CPU seconds of a run after which no further seed is played."""


def play(kind: type[Peer], problem: Problem, seed: int) -> dict[str, float]:
    """Regret and violation a round, the share of violating rounds, and the CPU seconds of asks and tells."""
    if problem.best is None:
        raise ValueError("this problem has no known optimum, so its regret is not known: play another")
    noise = np.random.default_rng(seed)
    peer = kind(problem, seed)
    played: list[np.ndarray] = []
    seconds, shown = 0.0, time.monotonic()
    for t in range(ROUNDS):
        begin = time.process_time()
        x = peer.ask()
        seconds += time.process_time() - begin
        f, g = problem.measure(x, noise)
        begin = time.process_time()
        peer.tell(f, g)
        seconds += time.process_time() - begin
        played.append(x)
        if time.monotonic() - shown > 1:
            shown = time.monotonic()
            print(f"\r    round {t + 1} of {ROUNDS}, {seconds:.0f} s ", end="", file=sys.stderr, flush=True)
    excess = [sum(max(g, 0.0) for g in problem.g(x)) for x in played]
    return {
        "regret": float(np.mean([max(problem.best - problem.f(x), 0.0) for x in played])),
        "violation": float(np.mean(excess)),
        "violating": float(np.mean([e > 0 for e in excess])),
        "seconds": seconds,
    }
