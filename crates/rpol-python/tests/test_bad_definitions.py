"""Bad input, row by row: definitions of studies, files, and arguments of other calls."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conftest import SPEC

import rpol

NAN, INF = float("nan"), float("inf")
X = {"x": rpol.Float(0, 1)}


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"params": {"x": rpol.Float(2, 1)}}, "params.x.low"),
        ({"params": {"x": rpol.Float(0, 1, log=True)}}, "params.x.low"),
        ({"params": {"x": rpol.Float(-1.7e308, 1.7e308)}}, "params.x"),
        ({"params": {"x": rpol.Float(NAN, 1)}}, "params.x.low"),
        ({"params": {"x": rpol.Float(0, INF)}}, "params.x.high"),
        ({"params": {"x": rpol.Int(0, 10**400)}}, "params.x.high"),
        ({"params": {"x": rpol.Int(0, 2.5)}}, "params.x"),
        ({"params": {"x": rpol.Categorical([])}}, "params.x.choices"),
        ({"params": {"x": rpol.Categorical("ab")}}, "params.x"),
        ({"params": {"x": {"type": "float", "low": 0, "high": 1, "step": 1}}}, "params.x"),
        ({"params": {"x": object()}}, "params.x"),
        ({"params": {1: rpol.Float(0, 1)}}, "params"),
        ({"params": {}}, "params"),
        ({"params": {"x": rpol.Float(1, 1)}}, "params"),
        ({"params": {"x": rpol.Float(0, 1), "X": rpol.Float(0, 1)}}, "params"),
        ({"params": {"": rpol.Float(0, 1)}}, "params"),
        ({"params": {"a\0": rpol.Float(0, 1)}}, "params"),
        ({"params": {"a\nb": rpol.Float(0, 1)}}, "params"),
        ({"params": {"\x1b[2J": rpol.Float(0, 1)}}, "params"),
        ({"params": {"a" * 10_000: rpol.Float(0, 1)}}, "params"),
        ({"name": ""}, "name"),
        ({"name": "\ud800"}, ""),
        ({"model": {"kernel": {"type": "cubic"}}}, "model.kernel"),
        ({"model": {"kernel": rpol.Kernel.matern52([-1.0])}}, "kernel"),
        ({"model": {"noise": 0}}, "model.noise"),
        ({"policy": {"type": "greedy"}}, "policy"),
        ({"strategy": {"type": "none"}}, "strategy"),
        ({"strategy": {"type": "sliding_window", "window": 0}}, "strategy"),
        ({"algorithm": "nobody"}, "algorithm"),
        ({"colour": "red"}, "colour"),
        ({"caution": 2}, "caution"),
        ({"caution": np.float64("nan")}, "caution"),
        ({"seed": -1}, "seed"),
        ({"horizon": 0}, "horizon"),
        ({"constraints": ["p99 <"]}, r"constraints\[0\]"),
        ({"constraints": ["a <= 1", "a <= 1"]}, r"constraints\[1\]"),
        ({"constraints": ["qps >= 0.95 * baseline"]}, "baseline"),
        ({"objective": "minimize cost", "direction": "minimize"}, "direction"),
        ({"objective": 3}, "objective"),
    ],
)
def test_definitions_that_are_none(fields: dict[str, Any], path: str) -> None:
    given = {"name": "a", "objective": "y", "params": X, **fields}
    with pytest.raises(rpol.InvalidSpecError, match=rf"^(constraints\[\d\]|[\w.\[\]\"]*){path}|^{path}"):
        rpol.create_study(**given)


def test_keywords_have_no_line_and_texts_do() -> None:
    with pytest.raises(rpol.InvalidSpecError, match=r"swap them$"):
        rpol.create_study(name="a", objective="y", params={"x": rpol.Float(2, 1)})
    with pytest.raises(rpol.InvalidSpecError, match=r"line \d+ column \d+"):
        rpol.create_study('objective = "y"\n[params]\nx = { type = "float", low = 2, high = 1 }')


@pytest.mark.parametrize("spec", [3, None, [], b"name"])
def test_what_is_no_definition(spec: Any) -> None:
    with pytest.raises(rpol.RpolError):
        rpol.create_study(spec)


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(rpol.StorageError, match="nowhere.toml"):
        rpol.create_study("nowhere.toml")


def test_a_fixed_parameter_is_dropped_from_the_model() -> None:
    study = rpol.create_study(SPEC, params={"x": rpol.Float(0, 1), "y": rpol.Float(3, 3), "z": rpol.Categorical(["a"])})
    assert study.ask().params.items() >= {"y": 3.0, "z": "a"}.items()


def test_bounds_one_ulp_apart() -> None:
    high = math.nextafter(1.0, 2.0)
    study = rpol.create_study(SPEC, params={"x": rpol.Float(1.0, high)})
    assert all(trial["x"] in (1.0, high) for trial in study.ask_many(3))


@pytest.mark.parametrize("name", ["../../etc/passwd", "'; DROP TABLE", "<img onerror=...>", "=cmd()"])
def test_names_are_plain_text(name: str, tmp_path: Any) -> None:
    study = rpol.create_study(SPEC, name=name, storage=tmp_path / "a.db")
    study.tell(study.ask(), {"cost": 1.0, "p99_ms": 1.0, "err_rate": 0.0})
    assert rpol.load_study(name, tmp_path / "a.db").best_trial is not None
    assert "<img" not in study.plot.history().svg


def test_an_existing_name(tmp_path: Any) -> None:
    storage = tmp_path / "a.db"
    rpol.create_study(SPEC, storage=storage).ask()
    assert len(rpol.create_study(SPEC, storage=storage, load_if_exists=True).trials) == 1
    with pytest.raises(rpol.StudyExistsError, match="load_if_exists"):
        rpol.create_study(SPEC, storage=storage)
    with pytest.raises(rpol.StudyExistsError, match="caution"):
        rpol.create_study(SPEC, storage=storage, caution=0.9, load_if_exists=True)
    with pytest.raises(rpol.UnknownStudyError, match='"cache"'):
        rpol.load_study("nobody", storage)


@pytest.mark.parametrize("storage", ["postgresql://x", "", "sqlite:///", "sqlite:a.db"])
def test_addresses_that_are_none(storage: str) -> None:
    with pytest.raises(rpol.StorageError):
        rpol.create_study(SPEC, storage=storage)


def test_a_database_that_is_none(tmp_path: Any) -> None:
    broken = tmp_path / "a.db"
    broken.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    before = broken.read_bytes()
    for storage in (broken, tmp_path):
        with pytest.raises((rpol.StorageError, rpol.DamagedError)):
            rpol.create_study(SPEC, storage=storage)
    assert broken.read_bytes() == before
    with pytest.raises(rpol.StorageError):
        rpol.load_study("cache", tmp_path / "nowhere.db")


@pytest.mark.parametrize(
    "call",
    [
        lambda study: rpol.load_study(3, "a.db"),
        lambda study: rpol.GaussianProcess(rpol.Kernel.rbf([1.0]), noise="much"),
        lambda study: rpol.GaussianProcess(rpol.Kernel.rbf([1.0]), centre=NAN),
        lambda study: study.plot.slice(3),
        lambda study: study.plot.history().png(scale="big"),
        lambda study: study.plot.history().png(scale=-1),
        lambda study: study.ask_for(None),
        lambda study: study.ask_for([("ttl_s", 1.0)]),
        lambda study: study.predict([3]),
    ],
)
def test_every_error_is_ours(study: rpol.Study, call: Callable[[rpol.Study], object]) -> None:
    with pytest.raises(rpol.RpolError):
        call(study)
