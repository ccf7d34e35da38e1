"""``RpolSearch`` inside of Ray Tune."""

from __future__ import annotations

import logging
import os
import pickle
from pathlib import Path
from typing import Any

import pytest

tune = pytest.importorskip("ray.tune", reason="Ray is large: cargo xtask python-integrations")

from classical import measure  # noqa: E402

import rpol  # noqa: E402
from rpol.errors import InvalidSpecError  # noqa: E402
from rpol.integrations.ray import RpolSearch  # noqa: E402
from rpol.integrations.ray.space import converted  # noqa: E402

SPACE = {"x1": tune.uniform(0, 6), "inner": {"x2": tune.uniform(0, 6)}, "constant": 3}


def play(config: dict[str, Any] | None) -> dict[str, float]:
    assert config is not None
    return measure({"x1": config["x1"], "x2": config["inner"]["x2"]})


def searcher(**settings: Any) -> RpolSearch:
    return RpolSearch(metric="reward", mode="max", constraints=["cost <= 0"], seed=1, **settings)


def test_two_workers_find_a_feasible_point_in_60_trials(tmp_path: Path) -> None:
    import ray

    def trainable(config: dict[str, Any]) -> dict[str, float]:
        # Within the test, so that it travels to the workers by value.
        from math import sin

        x1, x2 = config["x1"], config["inner"]["x2"]
        return {"reward": -sin(x1) - x2, "cost": sin(x1) * sin(x2) + 0.95}

    ray.init(num_cpus=2, include_dashboard=False, logging_level=logging.ERROR)
    try:
        search = searcher()
        tuner = tune.Tuner(
            trainable,
            param_space=SPACE,
            tune_config=tune.TuneConfig(search_alg=search, num_samples=60, max_concurrent_trials=2, reuse_actors=True),
            run_config=tune.RunConfig(storage_path=str(tmp_path), verbose=0),
        )
        results = tuner.fit()
    finally:
        ray.shutdown()
    assert len(results) == 60 and not results.errors
    assert any(found.metrics["cost"] <= 0 for found in results)
    assert all(found.config["constant"] == 3 for found in results)
    account = search.study.ledger["cost"]
    assert account.observed == 60
    costs = [max(found.metrics["cost"], 0.0) for found in results]
    assert account.total == pytest.approx(sum(costs))


def test_every_kind_of_domain_is_converted() -> None:
    space = {
        "uniform": (tune.uniform(-1, 1), float),
        "loguniform": (tune.loguniform(1e-4, 1), float),
        "quniform": (tune.quniform(-1, 1, 0.25), float),
        "qloguniform": (tune.qloguniform(0.5, 64, 0.5), float),
        "randint": (tune.randint(0, 3), int),
        "qrandint": (tune.qrandint(0, 12, 4), int),
        "lograndint": (tune.lograndint(1, 9), int),
        "qlograndint": (tune.qlograndint(2, 64, 2), int),
        "choice": (tune.choice([None, "a", (1, 2)]), object),
    }
    domains = {name: domain for name, (domain, _) in space.items()}
    search = searcher(space=domains, algorithm="random")
    seen: dict[str, set[Any]] = {name: set() for name in space}
    for i in range(40):
        config = search.suggest(str(i))
        assert config is not None
        for name, (domain, kind) in space.items():
            assert isinstance(config[name], kind) and domain.is_valid(config[name])
            seen[name].add(config[name])
        search.on_trial_complete(str(i), {"reward": i % 5, "cost": -1.0})
    assert seen["randint"] <= {0, 1, 2} and seen["qrandint"] <= {0, 4, 8, 12}
    assert max(seen["lograndint"]) <= 8
    assert all(value % 0.25 == 0 for value in seen["quniform"])
    assert all(value % 2 == 0 for value in seen["qlograndint"])


def test_no_quantum_leads_out_of_the_range() -> None:
    domain = tune.quniform(-0.3, 0.3, 0.1)
    space = converted({"x": domain})
    assert all(domain.is_valid(space.outward({"x": k})["x"]) for k in range(-3, 4))


@pytest.mark.parametrize(
    "domain", [tune.randn(0, 1), tune.grid_search([1, 2]), tune.sample_from(lambda _: 1)]
)
def test_what_has_no_range_is_refused_by_name(domain: Any) -> None:
    with pytest.raises(InvalidSpecError, match="^x: "):
        searcher(space={"x": domain})


def test_a_trial_without_a_number_has_nothing_more_to_tell() -> None:
    search = searcher(space=SPACE)
    outcomes: list[tuple[dict[str, Any] | None, bool]] = [
        (None, True),
        ({"reward": float("nan"), "cost": 0.5}, False),
        ({"cost": 0.25}, False),
        ({"reward": 1.0, "cost": float("inf")}, False),
    ]
    for i, (result, error) in enumerate(outcomes):
        search.suggest(str(i))
        search.on_trial_complete(str(i), result, error)
    assert [trial.state for trial in search.study.trials] == ["fail"] * 4
    assert search.study.ledger["cost"].total == 0.75, "what was measured counts"
    search.on_trial_complete("0", {"reward": 1.0})  # a second ending is no error


def test_a_restored_searcher_goes_on_as_if_nothing_had_been(tmp_path: Path) -> None:
    search = searcher(space=SPACE)
    for i in range(8):
        config = search.suggest(str(i))
        search.on_trial_complete(str(i), play(config)) if i < 7 else None
    search.save(str(tmp_path / "state"))
    other = searcher(space=SPACE)
    other.restore(str(tmp_path / "state"))
    for one in (search, other):
        one.on_trial_complete("7", {"reward": 0.0, "cost": 1.0})
    assert other.suggest("8") == search.suggest("8")


class Evil:
    """What a pickle could do."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, ("evil",)


@pytest.mark.parametrize("content", [pickle.dumps(Evil()), b"", b"{}", b"[]", b"\xff", b'{"rpol_ray": 1}', b'{"rpol_ray": 2}'])
def test_a_file_that_is_no_state_is_refused_and_nothing_is_run(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(content)
    search = searcher(space=SPACE)
    with pytest.raises(InvalidSpecError, match="^checkpoint: is "):
        search.restore(str(tmp_path / "state"))
    assert not Path("evil").exists()
    assert search.suggest("0")


def test_choices_that_json_does_not_have_come_from_the_space(tmp_path: Path) -> None:
    space = {"x": tune.uniform(0, 1), "mode": tune.choice([len, max])}
    search = searcher(space=space)
    search.suggest("0")
    search.save(str(tmp_path / "state"))
    with pytest.raises(InvalidSpecError, match="^params.mode: a file does not keep its choices"):
        searcher().restore(str(tmp_path / "state"))
    other = searcher(space=space)
    other.restore(str(tmp_path / "state"))
    assert other.suggest("1") == search.suggest("1")


def test_points_to_evaluate_come_first_and_history_informs() -> None:
    point = {"x1": 4.7, "inner": {"x2": 1.3}}
    search = searcher(space=SPACE, points_to_evaluate=[point])
    search.add_evaluated_point(point, 0.5)
    assert search.suggest("0") == point
    assert search.study.trials[0].metrics == {"reward": 0.5}
    assert search.study.ledger["cost"].observed == 0


def test_a_baseline_is_played_first() -> None:
    known = {"x": 0.25, "mode": "b"}
    space = {"x": tune.uniform(0, 1), "mode": tune.choice(["a", "b"])}
    assert searcher(space=space, baseline={"params": known}).suggest("0") == known
    with pytest.raises(InvalidSpecError, match="^params.mode: is missing"):
        searcher(space=space, baseline={"params": {"x": 0.25}})


def test_metric_and_space_come_from_the_tuner_unless_given() -> None:
    search = RpolSearch(constraints=["cost <= 0"])
    with pytest.raises(rpol.RpolError, match="space, metric, mode: not known yet"):
        search.suggest("0")
    assert search.set_search_properties("reward", "max", SPACE)
    assert not search.set_search_properties("other", "min", {})
    assert search.suggest("0") is not None


@pytest.mark.parametrize(("mode", "direction"), [("min", "minimize"), ("max", "maximize")])
def test_the_mode_is_the_direction(mode: str, direction: str) -> None:
    search = RpolSearch(SPACE, metric="reward", mode=mode)
    assert search.study.spec.to_dict()["objective"] == {"metric": "reward", "direction": direction}


def test_it_pickles() -> None:
    search = searcher(space=SPACE)
    search.suggest("0")
    assert pickle.loads(pickle.dumps(search)).suggest("1") == search.suggest("1")
