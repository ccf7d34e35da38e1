"""What is promised of the package: `python promises.py installed WHEEL`, and with scikit-learn `python promises.py speed`.

Times depend on the machine and on who shares it, who can only add to them: the best of several runs counts.
"""

from __future__ import annotations

import importlib.metadata
import math
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import rpol


def kept(what: str, found: float, limit: float, at_most: bool) -> bool:
    """Prints a number beside its limit; whether the promise is kept."""
    good = found <= limit if at_most else found >= limit
    words = "at most" if at_most else "at least"
    print(f"{what}: {found:.3g} ({words} {limit:g}: {'kept' if good else 'MISSED'})", flush=True)
    return good


def seconds(work: Callable[[], object]) -> float:
    """How long it takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def size(wheel: str) -> bool:
    """The wheel is small."""
    return kept("megabytes of the wheel", Path(wheel).stat().st_size / 1e6, 15, at_most=True)


def light_import() -> bool:
    """The import is quick, each time in a process of its own."""
    code = "import time; start = time.perf_counter(); import rpol; print(time.perf_counter() - start)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, check=True) for _ in range(9)]
    return kept("seconds of the import", min(float(run.stdout) for run in runs), 0.15, at_most=True)


def command() -> bool:
    """The command is there, and begins quickly."""
    rpol_command = [str(Path(sys.executable).with_name("rpol")), "--version"]
    assert subprocess.run(rpol_command, capture_output=True, text=True, check=True).stdout == f"rpol {rpol.__version__}\n"
    times = [seconds(lambda: subprocess.run(rpol_command, capture_output=True, check=True)) for _ in range(9)]
    return kept("seconds of `rpol --version`", min(times), 0.25, at_most=True)


def dependencies() -> bool:
    """NumPy is all that came along."""
    came = {found.metadata["Name"] for found in importlib.metadata.distributions()} - {"pip", "setuptools"}
    return kept("packages that came along", len(came - {"rpol", "numpy"}), 0, at_most=True)


def predict() -> bool:
    """Mean and deviation at 4,096 points given 1,000, against scikit-learn, turn by turn."""
    import numpy as np
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import Matern

    rng = np.random.default_rng(0)
    x, points, scales = rng.random((1000, 3)), rng.random((4096, 3)), [0.3, 0.5, 0.7]
    y = np.sin(5 * x[:, 0]) + x[:, 1]
    own = rpol.GaussianProcess(rpol.Kernel.matern52(scales), noise=1e-2).condition(x, y)
    theirs = GaussianProcessRegressor(Matern(scales, nu=2.5), alpha=1e-2, optimizer=None).fit(x, y)
    pairs = []
    for _ in range(15):
        ours = seconds(lambda: own.predict(points))
        pairs.append((ours, seconds(lambda: theirs.predict(points, return_std=True))))
    ours, others = (min(column) for column in zip(*pairs, strict=True))
    print(f"{1e3 * ours:.0f} ms, scikit-learn {1e3 * others:.0f} ms")
    return kept("times as fast as scikit-learn", others / ours, 3, at_most=False)


def play(seed: int) -> None:
    """A study of its own."""
    params = {"x1": rpol.Float(0, 6), "x2": rpol.Float(0, 6)}
    study = rpol.create_study(name="a", objective="maximize y", params=params, constraints=["c <= 0"], seed=seed)
    for _ in range(60):
        trial = study.ask()
        x1, x2 = float(trial["x1"]), float(trial["x2"])
        y, cost = -math.cos(2 * x1) * math.cos(x2) - math.sin(x1), math.cos(x1 + x2) - 0.5
        study.tell(trial, {"y": y, "c": cost})


def threads() -> bool:
    """Two threads drive two studies, against the same one after the other."""

    def both() -> None:
        workers = [threading.Thread(target=play, args=(seed,)) for seed in (0, 1)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    pairs = [(seconds(both), seconds(lambda: [play(0), play(1)])) for _ in range(5)]
    together, apart = (min(column) for column in zip(*pairs, strict=True))
    print(f"{together:.2f} s together, {apart:.2f} s one after the other")
    return kept("times as fast on two threads", apart / together, 1.7, at_most=False)


if __name__ == "__main__":
    if sys.argv[1] == "installed":
        all_kept = [size(sys.argv[2]), light_import(), command(), dependencies()]
    else:
        all_kept = [predict(), threads()]
    sys.exit(0 if all(all_kept) else 1)
