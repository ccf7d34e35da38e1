"""Golden curves of the small size, all algorithms and settings: curves.json.

usage: curves_golden.py FOLDER   writes there; constants.json and world.json are read beside this file

world.json is the simulation's noise and delays, and the points of random search, which are not this script's to draw:

    cargo run --package rpol-lab --bin paper_check -- --size small --world crates/rpol-lab/tests/golden/world.json
"""

import json
import pathlib
import sys

from algorithms import Problem, Run


def all_runs(constants):
    for setting in sorted(constants["settings"]):
        for experiment, algorithms in sorted(constants["experiments"].items()):
            for algorithm in algorithms:
                yield experiment, setting, algorithm


def given(world, size, algorithm):
    """Points that are not decided: all of random search, and the first of the others."""
    return world["random"][: None if algorithm == "random" else size["initial"]]


def main():
    here = pathlib.Path(__file__).parent
    constants = json.loads((here / "constants.json").read_text())
    world = json.loads((here / "world.json").read_text())
    size = constants["sizes"][world["size"]]
    problem = Problem(constants, size)
    lines = []
    for experiment, setting, algorithm in all_runs(constants):
        run = Run(problem, constants, size, world["draws"][experiment], experiment, setting, algorithm)
        curve, notes = run.play(given(world, size, algorithm))
        assert notes["tied"] == 0, f"{experiment}, {setting}, {algorithm}: a decision hangs on rounding"
        print(f"{experiment:10} {setting:10} {algorithm:26} {notes}")
        head = {"experiment": experiment, "setting": setting, "algorithm": algorithm}
        lines.append(json.dumps({**head, **curve}))
    (pathlib.Path(sys.argv[1]) / "curves.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main()
