"""One observation into a pool of 4096 candidates, in NumPy: the row update that rpol's Pool does.

Rows L^-1 k(X, C) are kept in a preallocated array; a new observation computes its kernel row against the
candidates, one product over all rows, and updates mean and variance. One thread.

usage: pool_update.py DIMS N [N ...]   prints the median milliseconds for each N, one a line
"""
import os

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import sys
import time

import numpy as np

CANDIDATES, LENGTHSCALE, REPEATS = 4096, 0.3, 31


def median_ms(n: int, dims: int) -> float:
    rng = np.random.default_rng(0)
    candidates, x = rng.random((CANDIDATES, dims)), rng.random(dims)
    rows = np.zeros((n + 1, CANDIDATES))
    rows[:n] = 0.01 * rng.standard_normal((n, CANDIDATES))
    w, z, d = 0.1 * rng.standard_normal(n), 0.1, 0.5
    mean, variance = np.zeros(CANDIDATES), np.ones(CANDIDATES)
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        kernel = np.exp(-0.5 * (((candidates - x) / LENGTHSCALE) ** 2).sum(axis=1))
        row = (kernel - w @ rows[:n]) / d
        rows[n] = row
        mean += row * z
        variance -= row * row
        times.append(time.perf_counter() - start)
    return 1e3 * float(np.median(times))


if __name__ == "__main__":
    dims = int(sys.argv[1])
    for n in sys.argv[2:]:
        print(median_ms(int(n), dims))
