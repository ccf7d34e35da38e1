"""A real study with four jobs and Optuna's SQLite storage, as its dashboard sees it."""

from __future__ import annotations

import optuna
import pytest
from optuna.trial import Trial, TrialState
from optuna_studies import SPACE, mirrored, over

from rpol.integrations.optuna import RpolSampler

TRIALS = 24


def hill(trial: Trial) -> float:
    """The optimum is 0.5, where a limit cuts through the slope. No order of the threads misses it."""
    x1, x2 = (trial.suggest_float(name, 0, 6) for name in SPACE)
    trial.set_user_attr("over", [x1 + x2 - 3])
    return (x1 - 2) ** 2 + (x2 - 2) ** 2


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> optuna.Study:
    place = tmp_path_factory.mktemp("optuna") / "study.db"
    study = optuna.create_study(
        sampler=RpolSampler(constraints_func=over), storage=f"sqlite:///{place}", study_name="hill"
    )
    study.optimize(hill, n_trials=TRIALS, n_jobs=4)
    return study


def test_four_jobs_find_the_optimum(study: optuna.Study) -> None:
    assert all(trial.state == TrialState.COMPLETE for trial in study.trials)
    assert 0.5 <= study.best_value < 0.6


def test_trials_at_once_are_seldom_the_same(study: optuna.Study) -> None:
    """Only while nothing is left of the allowance may a setting that is known to keep the limits be played twice at once."""
    settings = [tuple(trial.params.values()) for trial in study.trials]
    alike = [a for a, b in zip(settings, settings[1:]) if a == b]
    assert len(alike) <= TRIALS // 4


def test_the_books_are_those_of_the_trials(study: optuna.Study) -> None:
    study.ask(SPACE)
    account = mirrored(study).ledger["c0"]
    spent = [max(trial.user_attrs["over"][0], 0) for trial in study.trials[:TRIALS]]
    assert account.observed == TRIALS
    assert account.total == pytest.approx(sum(spent))


def test_the_dashboard_shows_the_constraints(study: optuna.Study) -> None:
    loaded = optuna.load_study(study_name="hill", storage=study._storage)
    for trial in loaded.trials[:TRIALS]:
        assert list(trial.system_attrs["constraints"]) == trial.user_attrs["over"]


def test_the_dashboards_own_data_has_them(study: optuna.Study) -> None:
    serializer = pytest.importorskip("optuna_dashboard._serializer")
    assert study._study_id is not None
    shown = serializer.serialize_frozen_trial(study._study_id, study.trials[0], {})
    assert shown["constraints"] == study.trials[0].user_attrs["over"]
