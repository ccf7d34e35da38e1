"""The curves of the Rust studies against those of algorithms.py, round by round.

usage: paper_check.py WORLD CURVES   as the lab's paper_check wrote them; fails where a curve is off by more than a plot shows
"""

import os

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import json
import multiprocessing
import pathlib
import sys
import time

from algorithms import Problem, Run
from curves_golden import given

ALLOWED = 1e-3  # of a curve's range: what a plot shows
COLUMNS = {"regret": "R/t", "positive_regret": "R+/t", "violation": "V/t", "penalty": "Q"}


def compare(curve, world, constants):
    """The line of the table of one run, and whether it is within what is allowed."""
    start = time.perf_counter()
    experiment, setting, algorithm = curve["experiment"], curve["setting"], curve["algorithm"]
    size = constants["sizes"][world["size"]]
    run = Run(PROBLEM, constants, size, world["draws"][experiment], experiment, setting, algorithm)
    ours, notes = run.play(given(world, size, algorithm), towards=curve["x"])
    differs = next((t for t, (a, b) in enumerate(zip(ours["x"], curve["x"]), 1) if a != b), None)
    good = len(ours["x"]) == len(curve["x"]) and len(ours["penalty"]) == len(curve["penalty"])
    cells = []
    for column in COLUMNS:
        if not ours[column]:
            cells.append("-")
            continue
        largest = max(abs(a - b) for a, b in zip(ours[column], curve[column]))
        extent = max(ours[column]) - min(ours[column]) or 1.0
        good &= largest <= ALLOWED * extent
        cells.append(f"{largest:.1e}")
    cells += [str(notes["tied"]), str(notes["turned"])]
    changes = " ".join(map(str, notes["changes"])) or "-"
    spent = time.perf_counter() - start
    where = "never" if differs is None else str(differs)
    values = "".join(f"{cell:>9}" for cell in cells)
    line = f"{experiment:10} {setting:10} {algorithm:25} {where:>8} {values} {spent:7.1f} s  {changes}"
    if not good:
        line += "  DIFFERS"
    return line, good


def prepare(constants, size):
    """Each process has its own kernel matrix of the grid."""
    global PROBLEM
    PROBLEM = Problem(constants, size)


def main():
    world, curves = (json.loads(pathlib.Path(path).read_text()) for path in sys.argv[1:3])
    constants = json.loads(pathlib.Path(__file__).with_name("constants.json").read_text())
    size = constants["sizes"][world["size"]]
    print(f"T = {size['horizon']}, {size['side']} x {size['side']} points, seed {constants['seed']}; largest |difference|")
    heads = "".join(f"{head:>9}" for head in (*COLUMNS.values(), "tied", "turned"))
    print(f"{'experiment':10} {'setting':10} {'algorithm':25} {'x parts':>8} {heads} {'spent':>9}  changes")
    with multiprocessing.Pool(initializer=prepare, initargs=(constants, size)) as pool:
        jobs = [pool.apply_async(compare, (curve, world, constants)) for curve in curves]
        outcomes = []
        for job in jobs:
            line, good = job.get()
            print(line, flush=True)
            outcomes.append(good)
    print("x parts: first round with another point. tied: rounds with several points within 1e-12 of the best; turned:")
    print("those of them where the script took Rust's choice and not the first. changes: decisions that begin anew.")
    if not all(outcomes):
        sys.exit(f"{outcomes.count(False)} of {len(outcomes)} runs differ by more than {ALLOWED} of a curve's range")


if __name__ == "__main__":
    main()
