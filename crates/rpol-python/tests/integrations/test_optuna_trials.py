"""What ``RpolSampler`` makes of trials of every kind."""

from __future__ import annotations

from typing import Any

import optuna
import pytest
from optuna.distributions import FloatDistribution
from optuna.trial import FrozenTrial, Trial, TrialState, create_trial
from optuna_studies import SPACE, classical, made, mirrored, sampler, study_of, with_attributes

import rpol
from rpol.integrations._axis import Stepped
from rpol.integrations.optuna import RpolSampler
from rpol.integrations.optuna.space import axis as converted


def _fed(*trials: FrozenTrial) -> list[rpol.Trial]:
    """What rpol makes of trials after a first complete one."""
    study = study_of(RpolSampler(seed=0))
    first = create_trial(params={"x1": 1, "x2": 1}, distributions=SPACE, value=0)
    study.add_trials([with_attributes(first, {"constraints": [0.5]}), *trials])
    study.ask(SPACE)
    return mirrored(study).trials[1:-1]


def test_a_failed_trial_is_a_round_without_a_result() -> None:
    (trial,) = _fed(made(state=TrialState.FAIL, constraints=None))
    assert (trial.state, trial.metrics) == ("fail", {})


def test_a_pruned_trial_tells_its_constraints_and_not_its_value() -> None:
    pruned = made(state=TrialState.PRUNED, value=7.0, intermediate_values={0: 7.0})
    (trial,) = _fed(pruned)
    assert (trial.state, trial.metrics) == ("fail", {"c0": -1.0})


@pytest.mark.parametrize("value", [float("inf"), float("-inf")])
def test_an_infinite_value_is_unknown(value: float) -> None:
    (trial,) = _fed(made(value=value))
    assert (trial.state, trial.metrics) == ("fail", {"c0": -1.0})
    (trial,) = _fed(made(value=1.0, constraints=[value]))
    assert (trial.state, trial.metrics, trial.feasible) == ("fail", {"objective": 1.0}, False)


def test_a_trial_without_constraints_is_never_feasible() -> None:
    (trial,) = _fed(made(value=1.0, constraints=None))
    assert (trial.state, trial.metrics, trial.feasible) == ("fail", {"objective": 1.0}, False)


def test_an_enqueued_setting_is_the_one_that_counts() -> None:
    study = study_of(sampler())
    study.optimize(classical, n_trials=4)
    study.enqueue_trial({"x1": 4.7, "x2": 1.3})
    study.enqueue_trial({"x1": 5.0})
    study.optimize(classical, n_trials=3)
    played = [t.params for t in mirrored(study).trials if t.state == "complete"]
    assert {"x0": 4.7, "x1": 1.3} in played
    assert [t.params for t in study.trials[:6]] == [{"x1": p["x0"], "x2": p["x1"]} for p in played]


@pytest.mark.filterwarnings("ignore:Fixed parameter")
def test_an_enqueued_setting_out_of_range_is_left_out() -> None:
    study = study_of(sampler())
    study.enqueue_trial({"x1": 7.0, "x2": 1.0})
    study.optimize(classical, n_trials=4)
    assert study.trials[0].params["x1"] == 7.0
    assert len(mirrored(study).trials) == 3


def test_choices_and_names_may_be_anything() -> None:
    choices = [None, True, 1, 1.5, "1", "a\x00b"]

    def objective(trial: Trial) -> float:
        found = trial.suggest_categorical("", choices)
        assert any(found is choice for choice in choices)
        return float(trial.suggest_int("X", 0, 8, step=4) + trial.suggest_float("x", 0.1, 0.7, step=0.2))

    study = optuna.create_study(sampler=RpolSampler(seed=0))
    study.optimize(objective, n_trials=20)
    assert study.best_value == pytest.approx(0.1)


@pytest.mark.parametrize(
    "steps", [(-10.2, 10.2, 0.1), (0.1, 0.7, 0.2), (0, 0.9, 0.3), (-0.3, 0.3, 0.1), (1e-3, 1, 1e-3)]
)
def test_no_step_leads_out_of_the_range(steps: tuple[float, float, float]) -> None:
    distribution = FloatDistribution(steps[0], steps[1], step=steps[2])
    axis = converted("x", distribution)
    assert isinstance(axis, Stepped)
    for k in range(axis.first, axis.last + 1):
        assert distribution._contains(axis.outward(k)) and axis.inward(axis.outward(k)) == k


def test_constraints_may_come_later() -> None:
    study = optuna.create_study(sampler=RpolSampler(seed=0))
    study.add_trial(create_trial(params={"x1": 1, "x2": 1}, distributions=SPACE, value=0))
    study.ask(SPACE)
    assert len(mirrored(study).ledger) == 0
    study.add_trial(made(value=1.0, constraints=[0.25, -1.0]))
    study.ask(SPACE)
    account = mirrored(study).ledger["c0"]
    assert (account.violations, account.observed, account.total - account.by_failures) == (1, 1, 0.25)
    assert account.failed == 1, "the trial without constraints"
    assert len(mirrored(study).ledger) == 2


@pytest.mark.skipif(not hasattr(Trial, "set_constraint"), reason="Optuna 5")
def test_named_constraints_of_optuna_5() -> None:
    def objective(trial: Any) -> float:
        x: float = trial.suggest_float("x", 0, 1)
        trial.set_constraint("p99 over", x - 0.5)
        return x

    study = optuna.create_study(sampler=RpolSampler(seed=0), direction="maximize")
    study.optimize(objective, n_trials=15)
    assert 0.4 < study.best_value <= 0.5
    assert mirrored(study).ledger["c0"].observed == 14
