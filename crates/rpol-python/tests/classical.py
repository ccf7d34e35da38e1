"""The paper's classical problem: maximise the reward while the cost is at most 0. The feasible parts are 0.05 deep."""

from __future__ import annotations

import math
from collections.abc import Mapping

BEST = 1.0 - math.asin(0.95)
"""The reward at the best feasible setting."""


def measure(setting: Mapping[str, float]) -> dict[str, float]:
    """Both metrics of a setting: x1 and x2 from 0 to 6."""
    x1, x2 = setting["x1"], setting["x2"]
    return {"reward": -math.sin(x1) - x2, "cost": math.sin(x1) * math.sin(x2) + 0.95}
