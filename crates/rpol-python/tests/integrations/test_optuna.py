"""What ``RpolSampler`` makes of the trials of a study."""

from __future__ import annotations

import multiprocessing
import pickle
from collections.abc import Iterator
from multiprocessing.queues import SimpleQueue
from typing import Any

import optuna
import pytest
from optuna.distributions import BaseDistribution, FloatDistribution
from optuna.trial import FrozenTrial, Trial, TrialState, create_trial

import rpol
from rpol.errors import InvalidSpecError
from rpol.integrations.optuna import RpolSampler

CLASSICAL = rpol.problems.get("classical")
SPACE: dict[str, BaseDistribution] = {
    "x1": FloatDistribution(0, 6),
    "x2": FloatDistribution(0, 6),
}


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    yield
    optuna.logging.set_verbosity(optuna.logging.INFO)


def classical(trial: Trial) -> float:
    setting = {name: trial.suggest_float(name, 0, 6) for name in CLASSICAL.params}
    measured = CLASSICAL.measure(setting)
    trial.set_user_attr("over", [measured["cost"]])
    return measured["reward"]


def over(trial: FrozenTrial) -> list[float]:
    found: list[float] = trial.user_attrs["over"]
    return found


def sampler(**settings: Any) -> RpolSampler:
    return RpolSampler(seed=3, constraints_func=over, **settings)


def study_of(sampler: RpolSampler, **where: Any) -> optuna.Study:
    return optuna.create_study(sampler=sampler, direction="maximize", **where)


def mirrored(study: optuna.Study) -> rpol.Study:
    """The study of rpol underneath."""
    assert isinstance(study.sampler, RpolSampler) and study.sampler._mirror is not None
    return study.sampler._mirror.study


def test_it_finds_the_optimum_of_the_classical_problem() -> None:
    study = study_of(sampler())
    study.optimize(classical, n_trials=60)
    assert CLASSICAL.best - study.best_value < 0.05
    assert mirrored(study).ledger["c0"].observed == 59, "all but the last, which nobody asked after"


def test_a_sampler_that_comes_late_decides_as_the_one_that_was_there() -> None:
    study = study_of(sampler())
    study.optimize(classical, n_trials=25)
    late = study_of(sampler())
    late.add_trials(study.trials)
    # Not to the bit: a setting that went through the unit cube may come back one rounding off.
    assert late.ask(SPACE).params == pytest.approx(study.ask(SPACE).params, abs=1e-6)


def test_pickling_forgets_nothing_but_the_mirror() -> None:
    study = study_of(sampler())
    study.optimize(classical, n_trials=8)
    late = study_of(pickle.loads(pickle.dumps(study.sampler)))
    late.add_trials(study.trials)
    assert late.ask(SPACE).params == pytest.approx(study.ask(SPACE).params, abs=1e-6)


def test_running_trials_are_pending() -> None:
    study = study_of(sampler())
    study.optimize(classical, n_trials=12)
    asked = [study.ask(SPACE).params for _ in range(5)]
    assert len({tuple(params.values()) for params in asked}) == 5
    running = [t for t in mirrored(study).trials if t.state == "running"]
    assert len(running) == 5


def test_a_trial_of_another_process_is_pending_before_it_has_its_parameters() -> None:
    storage = optuna.storages.InMemoryStorage()
    mine = study_of(sampler(), storage=storage, study_name="shared")
    mine.optimize(classical, n_trials=12)
    theirs = optuna.load_study(study_name="shared", storage=storage, sampler=sampler())
    begun = mine.ask()
    setting = mine.sampler.sample_relative(mine, _frozen(mine, begun), SPACE)
    assert _frozen(mine, begun).params == {}
    other = theirs.ask(SPACE)
    running = [t for t in mirrored(theirs).trials if t.state == "running"]
    assert {"x0": setting["x1"], "x1": setting["x2"]} in [t.params for t in running]
    assert other.params != setting


def _frozen(study: optuna.Study, trial: Trial) -> FrozenTrial:
    return study._storage.get_trial(trial._trial_id)


def _fed(*trials: FrozenTrial) -> list[rpol.Trial]:
    """What rpol makes of trials after a first complete one."""
    study = study_of(RpolSampler(seed=0))
    first = create_trial(params={"x1": 1, "x2": 1}, distributions=SPACE, value=0)
    study.add_trials([_with(first, {"constraints": [0.5]}), *trials])
    study.ask(SPACE)
    return mirrored(study).trials[1:-1]


def _with(trial: FrozenTrial, system_attrs: dict[str, Any]) -> FrozenTrial:
    trial.system_attrs = {**trial.system_attrs, **system_attrs}
    return trial


def _made(**fields: Any) -> FrozenTrial:
    constraints = fields.pop("constraints", [-1.0])
    given: dict[str, Any] = {"params": {"x1": 2.0, "x2": 3.0}, "distributions": SPACE, **fields}
    return _with(create_trial(**given), {"constraints": constraints})


def test_a_failed_trial_is_a_round_without_a_result() -> None:
    (trial,) = _fed(_made(state=TrialState.FAIL, constraints=None))
    assert (trial.state, trial.metrics) == ("fail", {})


def test_a_pruned_trial_tells_its_constraints_and_not_its_value() -> None:
    pruned = _made(state=TrialState.PRUNED, value=7.0, intermediate_values={0: 7.0})
    (trial,) = _fed(pruned)
    assert (trial.state, trial.metrics) == ("fail", {"c0": -1.0})


@pytest.mark.parametrize("value", [float("inf"), float("-inf")])
def test_an_infinite_value_is_unknown(value: float) -> None:
    (trial,) = _fed(_made(value=value))
    assert (trial.state, trial.metrics) == ("fail", {"c0": -1.0})
    (trial,) = _fed(_made(value=1.0, constraints=[value]))
    assert (trial.state, trial.metrics, trial.feasible) == ("fail", {"objective": 1.0}, None)


def test_a_trial_without_constraints_is_never_feasible() -> None:
    (trial,) = _fed(_made(value=1.0, constraints=None))
    assert (trial.state, trial.metrics, trial.feasible) == ("fail", {"objective": 1.0}, None)


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


def test_constraints_may_come_later() -> None:
    study = optuna.create_study(sampler=RpolSampler(seed=0))
    study.add_trial(create_trial(params={"x1": 1, "x2": 1}, distributions=SPACE, value=0))
    study.ask(SPACE)
    assert len(mirrored(study).ledger) == 0
    study.add_trial(_made(value=1.0, constraints=[0.25, -1.0]))
    study.ask(SPACE)
    assert mirrored(study).ledger["c0"].total == 0.25
    assert len(mirrored(study).ledger) == 2


@pytest.mark.skipif(not hasattr(Trial, "set_constraint"), reason="Optuna 5")
def test_named_constraints_of_optuna_5() -> None:
    def objective(trial: Any) -> float:
        x: float = trial.suggest_float("x", 0, 1)
        trial.set_constraint("p99 over", x - 0.5)
        return x

    study = optuna.create_study(sampler=RpolSampler(seed=0), direction="maximize")
    study.optimize(objective, n_trials=15)
    assert 0.45 < study.best_value <= 0.5
    assert mirrored(study).ledger["c0"].observed == 14


def test_one_sampler_may_serve_two_studies() -> None:
    shared = sampler()
    studies = [study_of(shared) for _ in range(2)]
    for study in studies * 2:
        study.optimize(classical, n_trials=4)
    assert len(mirrored(studies[1]).trials) == 8


def test_parameters_that_come_and_go_are_mentioned_once() -> None:
    def objective(trial: Trial) -> float:
        x = trial.suggest_float("x", 0, 1)
        return x if x < 0.5 else x + trial.suggest_float("rare", 0, 1)

    study = optuna.create_study(sampler=RpolSampler(seed=0), direction="maximize")
    with pytest.warns(UserWarning, match="^rare: .*RandomSampler chooses it") as seen:
        study.optimize(objective, n_trials=12)
    assert len([each for each in seen if "chooses it" in str(each.message)]) == 1


def test_reseeding_changes_the_decisions() -> None:
    settings = []
    for _ in range(2):
        study = study_of(sampler())
        study.sampler.reseed_rng()
        study.add_trial(_made(value=1.0))
        settings.append(tuple(study.ask(SPACE).params.values()))
    assert settings[0] != settings[1]


def test_reseeding_leaves_the_mirror_in_use() -> None:
    study = study_of(sampler())
    study.optimize(classical, n_trials=3)
    before = mirrored(study)
    study.sampler.reseed_rng()
    study.optimize(classical, n_trials=1)
    assert mirrored(study) is before


def _ask_and_answer(study: optuna.Study, answers: SimpleQueue[dict[str, Any]]) -> None:
    answers.put(study.ask(SPACE).params)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_worker_goes_on() -> None:
    study = study_of(sampler())
    study.optimize(classical, n_trials=10)
    fork = multiprocessing.get_context("fork")
    answers: SimpleQueue[dict[str, Any]] = fork.SimpleQueue()
    worker = fork.Process(target=_ask_and_answer, args=(study, answers))
    worker.start()
    worker.join(timeout=60)
    assert worker.exitcode == 0
    assert answers.get() == pytest.approx(study.ask(SPACE).params, abs=1e-6)


def test_a_wrong_setting_is_refused_at_once() -> None:
    with pytest.raises(InvalidSpecError, match="^caution"):
        RpolSampler(caution=7)
    with pytest.raises(InvalidSpecError, match="surprise"):
        RpolSampler(surprise=True)


def test_several_objectives_are_refused_with_a_remedy() -> None:
    study = optuna.create_study(directions=["minimize", "maximize"], sampler=RpolSampler())
    with pytest.raises(InvalidSpecError, match="2 objectives: rpol has one; make the others constraints"):
        study.ask(SPACE)
