"""sobol.json: SciPy's unscrambled Sobol points.

Points below index 1024 are multiples of 1/1024 and stored as such. For each dimension a weighted
sum of all 1024 of them stands for the rows that are not stored.
"""

import numpy as np
from scipy.stats import qmc

from emit import emit

COUNT, BITS = 1024, 53
ROWS = [0, 1, 2, 3, 4, 5, 6, 7, 100, 511, 512, 777, 1023]
FAR = [2**20 + 3, 2**40 + 12345, 2**52 + 98765, 2**53 - 1]


def near(dims):
    scaled = qmc.Sobol(dims, scramble=False, bits=BITS).random(COUNT) * COUNT
    points = scaled.astype(np.int64)
    assert (points == scaled).all()
    sums = np.arange(1, COUNT + 1) @ points
    rows = {str(i): points[i].tolist() for i in ROWS}
    return {"dims": dims, "rows": rows, "weighted_sums": sums.tolist()}


def far(dims):
    """Points far along, from SciPy's direction numbers: its own fast_forward takes every step."""
    directions = qmc.Sobol(dims, scramble=False, bits=BITS)._sv
    out = []
    for index in FAR:
        gray = index ^ (index >> 1)
        chosen = [k for k in range(BITS) if gray >> k & 1]
        digits = np.bitwise_xor.reduce(directions[:, chosen], axis=1)
        out.append({"index": index, "point": (digits * 2.0**-BITS).tolist()})
    return {"dims": dims, "points": out}


emit("sobol.json", {"near": [near(d) for d in (1, 2, 6, 30, 256)], "far": far(1024)})
