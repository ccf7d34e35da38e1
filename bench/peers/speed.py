"""CPU time of an ask and its tell, after so many observations."""

from __future__ import annotations

import sys
import time

import numpy as np
from peer import Account, Peer
from problems import Problem

SEED = 8
"""Of the design: by 50 observations one is within the limits on every problem, without which some make no decision."""
ROUNDS_FITTED_EACH = 3
ROUNDS_OF_KEPT_FITS = 20
ONE_IS_ENOUGH = 60.0
"""Seconds of an ask after which no second one is waited for."""
TOO_SLOW = 120.0
"""Seconds of an ask after which no larger number of observations is tried."""


def speed(kind: type[Peer], problem: Problem, observations: int) -> dict[str, object]:
    """Seconds of the first round, of all rounds, and which of them learned hyper-parameters anew.

    Who learns at every ask has its first round among the others. Who keeps a fit pays for one first, and again
    later: `cycle` has the rounds until then.
    """
    noise = np.random.default_rng(SEED)
    peer = kind(problem, SEED)
    history = [(x, *problem.measure(x, noise)) for x in problem.design(observations, SEED)]
    if all(max(g) > 0 for _, _, g in history):
        raise ValueError(f"no observation of seed {SEED} is within the limits, so some make no decision: take another")
    for x, f, g in history:
        peer.add(x, f, g)
    first, _ = _round(peer, noise)
    if not peer.keeps_fit:
        rounds = [first]
        while len(rounds) < ROUNDS_FITTED_EACH and rounds[-1] <= ONE_IS_ENOUGH:
            rounds.append(_round(peer, noise)[0])
        return {"first": first, "rounds": rounds, "refits": []}
    cycle = _cycle(peer, noise, most=max(ROUNDS_OF_KEPT_FITS, observations // 4))
    rounds = cycle[:ROUNDS_OF_KEPT_FITS]
    return {
        "first": first,
        "rounds": [seconds for seconds, _ in rounds],
        "refits": [i for i, (_, fitted) in enumerate(rounds) if fitted],
        "cycle": [seconds for seconds, _ in cycle],
    }


def _cycle(peer: Peer, noise: np.random.Generator, most: int) -> list[tuple[float, bool]]:
    """Rounds up to the first refit after those that count: CPU seconds, and whether it refitted."""
    cycle: list[tuple[float, bool]] = []
    while len(cycle) < ROUNDS_OF_KEPT_FITS or (len(cycle) < most and not cycle[-1][1]):
        seconds, account = _round(peer, noise)
        # A starting design is played after a history too, and costs nothing.
        if account.decided:
            cycle.append((seconds, account.fitted))
    return cycle


def is_too_slow(found: dict[str, object]) -> bool:
    """Whether a larger number of observations would take too long."""
    return float(found["first"]) > TOO_SLOW  # type: ignore[arg-type]


def _round(peer: Peer, noise: np.random.Generator) -> tuple[float, Account]:
    """CPU seconds of an ask and its tell, and how the round came about."""
    begin = time.process_time()
    x = peer.ask()
    seconds = time.process_time() - begin
    f, g = peer.problem.measure(x, noise)
    begin = time.process_time()
    peer.tell(f, g)
    seconds += time.process_time() - begin
    print(f"\r    {1e3 * seconds:.1f} ms ", end="", file=sys.stderr, flush=True)
    return seconds, peer.account()
