"""How ``RpolSampler`` decides, alone and beside others."""

from __future__ import annotations

import multiprocessing
import pickle
from multiprocessing.queues import SimpleQueue
from typing import Any

import optuna
import pytest
from classical import BEST
from optuna.trial import FrozenTrial, Trial
from optuna_studies import SPACE, classical, made, mirrored, sampler, study_of

from rpol.errors import InvalidSpecError
from rpol.integrations.optuna import RpolSampler


def test_it_finds_the_optimum_of_the_classical_problem() -> None:
    study = study_of(sampler())
    study.optimize(classical, n_trials=60)
    assert BEST - study.best_value < 0.2
    assert mirrored(study).ledger["c0"].observed == 59, "all but the last, which nobody asked after"


def test_a_sampler_that_comes_late_decides_as_the_one_that_was_there() -> None:
    # Without a promise: what was charged to an allowance is no part of a history.
    study = study_of(sampler(policy={"type": "cautious"}))
    study.optimize(classical, n_trials=25)
    late = study_of(sampler(policy={"type": "cautious"}))
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
    # A setting that is known to keep the limits may be played twice at once.
    assert len({tuple(params.values()) for params in asked}) >= 3
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
        study.add_trial(made(value=1.0))
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
    with pytest.raises(InvalidSpecError, match="^baseline: a sampler has none.*enqueue_trial"):
        RpolSampler(baseline={"params": {"x1": 1}})
    with pytest.raises(InvalidSpecError, match="surprise"):
        RpolSampler(surprise=True)


def test_several_objectives_are_refused_with_a_remedy() -> None:
    study = optuna.create_study(directions=["minimize", "maximize"], sampler=RpolSampler())
    with pytest.raises(InvalidSpecError, match="2 objectives: rpol has one; make the others constraints"):
        study.ask(SPACE)
