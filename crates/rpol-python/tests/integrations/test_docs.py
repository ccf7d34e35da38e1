"""The examples of docs/python-integrations.md run as they stand, for fewer trials."""

from __future__ import annotations

import doctest
import importlib
import math
import re
from pathlib import Path
from typing import Any

import pytest
from optuna.trial import Trial

PAGE = Path(__file__).parents[4] / "docs/python-integrations.md"
SHORTER = {
    "n_trials=100": "n_trials=5",
    "range(25)": "range(2)",
    "rounds=60": "rounds=5",
    "print(": "shown.append(",
    # Without a cluster.
    "results = tuner.fit()": "tuner",
}
YOURS: dict[str, Any] = {
    "measure": lambda ttl: (100 + 0.1 * ttl, 900 / math.sqrt(ttl)),
    "simulate": lambda point: {"energy": 1.0, "loss": abs(point["phase"]) / 1000, "charge": 2.0},
    "dollars": lambda x: x[0] + x[1],
    "p99_ms": lambda x: 100 + 0.1 * x[0],
    "trainable": lambda config: {"cost": config["ttl_s"], "p99_ms": 1.0},
}


def example(heading: str) -> str:
    section = PAGE.read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    found = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    assert found is not None
    code = found.group(1)
    for long, short in SHORTER.items():
        code = code.replace(long, short)
    return code


def play(heading: str) -> dict[str, Any]:
    names: dict[str, Any] = {**YOURS, "shown": Shown()}
    exec(compile(example(heading), heading, "exec"), names)
    return names


class Shown(list[Any]):
    """What an example prints."""

    def append(self, *values: Any) -> None:
        self.extend(values)


@pytest.mark.parametrize("module", ["optuna.sampler", "gest", "scipy.minimize", "ray.search"])
def test_examples_of_the_documentation(module: str) -> None:
    if module.startswith("ray"):
        pytest.importorskip("ray.tune")
    found = doctest.testmod(importlib.import_module(f"rpol.integrations.{module}"))
    assert found.attempted > 0 and found.failed == 0


@pytest.mark.skipif(not hasattr(Trial, "set_constraint"), reason="the example is for Optuna 5")
def test_optuna(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert all("p99_ms" in trial.constraints for trial in play("Optuna")["study"].trials)


def test_gest_api() -> None:
    best, ledger = play("gest-api")["shown"]
    assert best.metrics["energy"] == 1 and ledger["loss"].observed == 8


def test_scipy() -> None:
    pytest.importorskip("scipy.optimize")
    result = play("SciPy")["result"]
    assert result.success and result.x[1] == round(result.x[1])


def test_ray_tune() -> None:
    pytest.importorskip("ray.tune")
    assert play("Ray Tune")["RpolSearch"] is not None
