"""The paper's classical problem: the feasible parts are 0.05 deep."""

from __future__ import annotations

import math

#: f at the optimum.
BEST = 1 - math.asin(0.95)


def reward(x1: float, x2: float) -> float:
    """To be maximised over ``[0, 6]`` squared."""
    return -math.sin(x1) - x2


def cost(x1: float, x2: float) -> float:
    """Feasible where it is at most 0."""
    return math.sin(x1) * math.sin(x2) + 0.95
