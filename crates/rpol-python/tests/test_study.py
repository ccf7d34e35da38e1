"""Studies: definitions by every way, trials, answers."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path

import pytest
from conftest import SPEC, measured

import rpol

TOML = """
objective = "minimize cost"
constraints = ["p99_ms <= 250", "err_rate <= 0.01"]
track = ["memory"]
[params]
ttl_s = { type = "float", low = 1, high = 3600, log = true }
shards = { type = "int", low = 1, high = 64 }
codec = { type = "categorical", choices = ["lz4", "zstd"] }
"""


def test_one_spec_underneath(tmp_path: Path) -> None:
    (tmp_path / "cache.toml").write_text(TOML)
    (tmp_path / "study.toml").write_text(TOML)
    spec = rpol.Spec(SPEC)
    (tmp_path / "cache.json").write_text(spec.to_json())
    keywords = {name: value for name, value in SPEC.items() if name != "objective"}
    ways = [
        rpol.create_study(SPEC),
        rpol.create_study(spec),
        rpol.create_study(spec.to_json()),
        rpol.create_study(TOML, name="cache"),
        rpol.create_study(tmp_path / "cache.toml"),
        rpol.create_study(str(tmp_path / "cache.json")),
        rpol.create_study(**keywords, objective="cost", direction="minimize"),
        rpol.create_study(**keywords, objective={"metric": "cost"}, direction="minimize"),
    ]
    assert {study.spec for study in ways} == {spec}
    assert rpol.create_study(tmp_path / "study.toml").name == tmp_path.name
    assert list(spec.params) == ["ttl_s", "shards", "codec"], "in the user's order"


def test_keywords_replace_fields() -> None:
    assert rpol.create_study(TOML, seed=5, horizon=9).spec.to_dict()["seed"] == 5


def test_the_schema_lists_every_keyword() -> None:
    assert {"caution", "drift", "baseline"} <= rpol.Spec.schema()["properties"].keys()


def test_a_kernel_stands_in_a_definition() -> None:
    kernel = rpol.Kernel.matern52([0.3, 0.3]).on([0, 1]) * rpol.Kernel.hamming([1.0]).on([2])
    spec = rpol.Spec(SPEC, model={"kernel": kernel})
    assert rpol.Kernel(spec.to_dict()["model"]["kernel"]) == kernel


def test_a_trial_says_all_there_is_to_say(study: rpol.Study) -> None:
    began = datetime.now(timezone.utc)
    trial = study.ask()
    assert trial.number == 0 and trial.state == "running" and trial["codec"] in ("lz4", "zstd")
    assert isinstance(trial["shards"], int) and isinstance(trial["ttl_s"], float)
    study.tell(trial, {"cost": 0.42, "p99_ms": (253.0, 4.0)})
    study.tell(trial.number, {"err_rate": 0.004})
    told = study.trials[0]
    assert told.metrics == {"cost": 0.42, "p99_ms": 253.0, "err_rate": 0.004} and told.errors == {"p99_ms": 4.0}
    assert told.costs == (3.0, 0.004 - 0.01) and told.feasible is False and told.state == "complete"
    assert told.asked_at is not None and told.told_at is not None
    assert abs((told.asked_at - began).total_seconds()) < 60 and told.asked_at <= told.told_at
    study.fail(study.ask(), "crashed")
    assert study.trial(1).state == "fail" and study.trial(1).reason == "crashed"


def test_the_ledger(study: rpol.Study) -> None:
    for p99 in (240.0, 260.0, 255.0):
        study.tell(study.ask(), {"cost": 1.0, "p99_ms": p99, "err_rate": 0.0})
    account = study.ledger["p99_ms"]
    assert (account.total, account.violations, account.observed, account.worst) == (15.0, 2, 3, 10.0)
    assert account is not None and study.ledger["p99_ms <= 250"] == account and account.rate == 2 / 3
    assert list(study.ledger) == ["p99_ms <= 250", "err_rate <= 0.01"] and study.ledger.total == 15.0
    assert "p99_ms" in study.ledger and "cost" not in study.ledger
    with pytest.raises(rpol.UnknownNameError, match="p99_ms <= 250"):
        study.ledger["cost"]


def test_failures_are_on_the_books_apart() -> None:
    study = rpol.create_study(SPEC, failure={"counts_as": {"p99_ms": 260}})
    study.tell(study.ask(), {"cost": 1.0, "p99_ms": 253.0, "err_rate": 0.03})
    study.fail(study.ask(), "crashed")
    trial = study.ask()
    study.tell(trial, {"p99_ms": 251.0})
    study.fail(trial, "crashed after the first metric")
    p99, errors = study.ledger["p99_ms"], study.ledger["err_rate"]
    assert (p99.total, p99.violations, p99.observed, p99.failed, p99.by_failures) == (14.0, 2, 2, 1, 10.0)
    assert (errors.observed, errors.failed, errors.worst) == (1, 2, 0.03 - 0.01), "nothing stated: the worst that was observed"
    assert errors.by_failures == 2 * errors.worst and errors.total == pytest.approx(3 * errors.worst)
    assert "2 of 2, 1 failed" in repr(study.ledger) and "<td>2</td>" in study.ledger._repr_html_()


def test_two_limits_of_one_metric() -> None:
    study = rpol.create_study(SPEC, constraints=["p99_ms <= 250", "p99_ms >= 10"])
    study.tell(study.ask(), {"p99_ms": 4.0})
    assert study.ledger["p99_ms >= 10"].total == 6.0 and "p99_ms" not in study.ledger
    with pytest.raises(rpol.UnknownNameError, match="several"):
        study.ledger["p99_ms"]


def test_a_budget(study: rpol.Study) -> None:
    budgeted = rpol.create_study(SPEC, constraints=[{"expression": "p99_ms <= 250", "budget": 12}], horizon=4)
    budgeted.tell(budgeted.ask(), {"cost": 1.0, "p99_ms": 253.0})
    account = budgeted.ledger["p99_ms"]
    assert (account.budget, account.left, account.burn_rate) == (12.0, 9.0, 1.0)


def test_answers(played: rpol.Study) -> None:
    best = played.best_trial
    assert best is not None and best.feasible
    feasible = [trial for trial in played.trials if trial.feasible]
    assert best.metrics["cost"] == min(trial.metrics["cost"] for trial in feasible)
    assert played.best_params == best.params and played.best_value == best.metrics["cost"]
    incumbent = played.incumbent()
    assert incumbent is not None and incumbent.keys() == SPEC["params"].keys()
    one, many = played.predict(incumbent), played.predict([incumbent, best.params])
    assert one is not None and many is not None and len(many) == 2
    assert many[0].objective.mean == pytest.approx(one.objective.mean, rel=1e-9)
    assert list(one.limits) == ["p99_ms <= 250", "err_rate <= 0.01"] and one.is_feasible(1.0)
    status = played.status()
    assert (status.trials, status.round, status.running) == (12, 12, 0)
    assert len(status.information_gain) == 3 and status.calibration[0].metric == "cost"
    assert status.incumbent == incumbent and len(status.penalties) == 2
    assert status.recommendation is not None and status.recommendation == played.recommendation()
    assert rpol.create_study(SPEC, name="fresh").status().recommendation is None


@pytest.mark.parametrize(("limit", "sign"), [("p99_ms <= 250", 1.0), ("p99_ms >= 250", -1.0)])
def test_predictions_are_in_the_units_of_the_metrics(limit: str, sign: float) -> None:
    study = rpol.create_study(SPEC, objective="maximize cost", constraints=[limit, "err_rate <= 0.01"], seed=2)
    for i in range(24):
        trial = study.ask_for({"ttl_s": 10.0 + 150 * i, "shards": 16, "codec": "lz4"})
        study.tell(trial, {"cost": 500 - i, "p99_ms": (85 + 0.1 * float(trial["ttl_s"]), 0.5), "err_rate": 0.001})
    study.ask()
    for ttl in (400.0, 1600.0, 2600.0):
        at = study.predict({"ttl_s": ttl, "shards": 16, "codec": "lz4"})
        assert at is not None
        p99, truth = at.limits[limit], 85 + 0.1 * ttl
        assert p99.metric == "p99_ms" and p99.mean == pytest.approx(truth, abs=20)
        assert (p99.within > 0.9) == (sign * (250 - truth) > 0) and (p99.within < 0.1) == (sign * (250 - truth) < 0)
        assert at.objective.mean == pytest.approx(500 - (ttl - 10) / 150, abs=3)
        assert at.limits["err_rate <= 0.01"].mean == pytest.approx(0.001, abs=0.002)
        assert at.within == pytest.approx(p99.within * at.limits["err_rate <= 0.01"].within)
        assert at.is_feasible() == (p99.within >= 0.5)


def test_a_limit_relative_to_the_baseline_is_predicted_once_that_is_known() -> None:
    known = {"ttl_s": 60.0, "shards": 8, "codec": "lz4"}
    study = rpol.create_study(SPEC, constraints=["p99_ms <= 1.5 * baseline"], baseline={"params": known})
    for _ in range(8):
        trial = study.ask()
        study.tell(trial, {"cost": float(trial["ttl_s"]), "p99_ms": 200.0})
    study.ask()
    at = study.predict(known)
    assert at is not None and at.limits["p99_ms <= 1.5 * baseline"].mean == pytest.approx(200, abs=10)


def test_the_recommendation_was_measured_and_says_what_to_expect(played: rpol.Study) -> None:
    recommended = played.recommendation()
    assert recommended is not None and recommended.params == played.incumbent()
    same = [trial for trial in played.trials if trial.params == recommended.params]
    assert len(same) == recommended.measurements >= 1 and recommended.confidence == 0.9
    assert recommended.standing in ("confirmed", "early", "closest")
    assert recommended.objective is not None and recommended.objective.metric == "cost"
    assert recommended.objective.mean == pytest.approx(same[0].metrics["cost"], rel=0.3)
    assert recommended.objective.noise > 0 and recommended.objective.deviation > 0
    assert list(recommended.limits) == ["p99_ms <= 250", "err_rate <= 0.01"]
    p99 = recommended.limits["p99_ms <= 250"]
    assert p99.expected is not None and p99.expected.metric == "p99_ms" and 0 <= p99.next_within <= 1
    assert 0 <= recommended.mean_within <= min(limit.mean_within for limit in recommended.limits.values()) + 1e-12
    words = str(recommended)
    assert words.startswith("run ttl_s=") and "p99_ms <= 250" in words and "Recommendation(params=" in repr(recommended)


def test_nothing_is_recommended_before_anything_was_measured() -> None:
    known = {"ttl_s": 60.0, "shards": 8, "codec": "lz4"}
    study = rpol.create_study(SPEC, baseline={"params": known})
    assert study.recommendation() is None and study.incumbent() == known
    study.tell(study.ask(), {"cost": 1.0, "p99_ms": 200.0, "err_rate": 0.0})
    recommended = study.recommendation()
    assert recommended is not None and recommended.standing == "baseline" and recommended.params == known


def test_nothing_is_believed_before_the_first_ask(study: rpol.Study) -> None:
    assert study.predict({"ttl_s": 60.0, "shards": 8, "codec": "lz4"}) is None
    assert study.best_trial is None and study.trials == []
    assert study.best_params is None and study.best_value is None


def test_several_handles_on_one_store(tmp_path: Path) -> None:
    one = rpol.create_study(SPEC, storage=f"sqlite:///{tmp_path / 'a.db'}")
    two = rpol.load_study("cache", tmp_path / "a.db")
    assert [one.ask().number, two.ask().number, one.ask().number] == [0, 1, 2]
    two.tell(0, {"cost": 1.0})
    assert one.trial(0).metrics == {"cost": 1.0} and len(two.trials) == 3


def test_frames(played: rpol.Study) -> None:
    frame = played.trials_dataframe()
    assert list(frame["number"]) == list(range(12)) and set(frame["state"]) == {"complete"}
    assert list(frame["cost"]) == [trial.metrics["cost"] for trial in played.trials]
    assert list(frame["p99_ms.sem"]) == [4.0] * 12
    assert frame["violation of p99_ms <= 250"].min() == 0.0
    twins = rpol.create_study(name="a", objective="x", params={"x": rpol.Float(0, 1), "state": rpol.Bool()})
    twins.tell(twins.ask(), {"x": 0.5})
    assert {"params.x", "metrics.x", "params.state", "state"} <= set(twins.trials_dataframe().columns)


def test_the_log_is_json(played: rpol.Study) -> None:
    log = played.log()
    assert log[0]["event"] == "created" and json.loads(json.dumps(log)) == log
    assert measured(played.trial(0))["cost"] == log[-1]["metrics"]["cost"] or log[-1]["number"] == 11
