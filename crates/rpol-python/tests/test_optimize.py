"""The loop: workers, failures, Ctrl-C, other processes."""

from __future__ import annotations

import copy
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from conftest import SPEC, measured

import rpol
from rpol import optimize


def test_rounds_are_made(study: rpol.Study) -> None:
    study.optimize(measured, rounds=5)
    study.optimize(measured, rounds=2)
    assert [trial.state for trial in study.trials] == ["complete"] * 7


@pytest.mark.parametrize("workers", [1, 3])
def test_callbacks_hear_of_each_trial_that_has_ended(study: rpol.Study, workers: int) -> None:
    ended: list[tuple[rpol.Study, int, str]] = []
    more: list[int] = []
    callbacks = [
        lambda study, trial: ended.append((study, trial.number, trial.state)),
        lambda study, trial: more.append(trial.number),
    ]
    study.optimize(measured, rounds=5, workers=workers, callbacks=callbacks)
    assert sorted(number for _, number, _ in ended) == sorted(more) == [0, 1, 2, 3, 4]
    assert all(heard is study and state == "complete" for heard, _, state in ended)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_exception_of_a_callback_ends_the_run(study: rpol.Study, workers: int) -> None:
    def callback(study: rpol.Study, trial: rpol.Trial) -> None:
        raise OSError("no disk")

    with pytest.raises(OSError, match="no disk"):
        study.optimize(measured, rounds=50, workers=workers, callbacks=[callback])
    assert len(study.trials) <= 4 and {trial.state for trial in study.trials} == {"complete"}


@pytest.mark.parametrize("workers", [1, 2])
def test_stop_ends_the_run_after_the_trials_under_way(study: rpol.Study, workers: int) -> None:
    study.stop()  # nothing is under way

    def function(trial: rpol.Trial) -> dict[str, float | tuple[float, float]]:
        if trial.number == 3:
            study.stop()
        return measured(trial)

    study.optimize(function, rounds=50, workers=workers)
    assert 4 <= len(study.trials) <= 6 and {trial.state for trial in study.trials} == {"complete"}
    study.optimize(measured, rounds=1)
    assert study.trials[-1].state == "complete", "the next run is another one"


def test_a_timeout_begins_no_new_trial(study: rpol.Study) -> None:
    def function(trial: rpol.Trial) -> dict[str, float | tuple[float, float]]:
        time.sleep(0.2)
        return measured(trial)

    began = time.monotonic()
    study.optimize(function, timeout=0.5)
    assert 2 <= len(study.trials) <= 4 and time.monotonic() - began < 10
    assert {trial.state for trial in study.trials} == {"complete"}
    before = len(study.trials)
    study.optimize(function, rounds=3, timeout=0)
    assert len(study.trials) == before
    for timeout in (-1, float("nan"), "1 min", True):
        with pytest.raises(rpol.RpolError, match="timeout"):
            study.optimize(function, timeout=timeout)  # type: ignore[arg-type]


def test_without_rounds_a_run_ends_at_the_horizon() -> None:
    study = rpol.create_study(SPEC, horizon=4)
    study.tell(study.ask(), measured(study.trial(0)))
    for _ in range(2):
        study.optimize(measured)
        assert len(study.trials) == 4


@pytest.mark.parametrize("storage", [None, "a.db"])
def test_what_is_enqueued_is_tried_next(storage: str | None, tmp_path: Path) -> None:
    study = rpol.create_study(SPEC, storage=tmp_path / storage if storage else None)
    known = [{"ttl_s": float(ttl), "shards": 8, "codec": "lz4"} for ttl in (60, 120, 180)]
    for params in known:
        study.enqueue(params)
    assert study.trials == [], "nothing is opened before it is asked for"
    assert [trial.params for trial in study.ask_many(2)] == known[:2]
    study.optimize(measured, rounds=2)
    assert study.trial(2).params == known[2] and study.trial(3).params not in known
    study.enqueue_trial(known[0])
    assert study.ask_many(2)[0].params == known[0] and len(study.trials) == 6


def test_what_is_enqueued_is_checked_at_once_and_copied_along(study: rpol.Study) -> None:
    for params, error in [
        ({"ttl_s": 60.0, "shards": 8}, rpol.RpolError),
        ({"ttl_s": 0.5, "shards": 8, "codec": "lz4"}, rpol.OutOfBoundsError),
        (3, rpol.WrongTypeError),
    ]:
        with pytest.raises(error):
            study.enqueue(params)  # type: ignore[arg-type]
    known = {"ttl_s": 60.0, "shards": 8, "codec": "lz4"}
    study.enqueue(known)
    with pytest.raises(rpol.InvalidSpecError, match="count"):
        study.ask_many(0)
    twin = copy.copy(study)
    assert twin.ask().params == study.ask().params == known


@pytest.mark.parametrize("returned", [{"cost": 1.0, "p99_ms": 2.0}, {}, {"cost": 1.0, "memory": 3.0}])
def test_a_missing_metric_fails_the_trial_by_name(study: rpol.Study, returned: dict[str, float]) -> None:
    with pytest.warns(UserWarning, match=r"metrics\.err_rate missing: return all of cost, p99_ms, err_rate$"):
        study.optimize(lambda trial: returned, rounds=1)
    trial = study.trial(0)
    assert trial.state == "fail" and "metrics.err_rate" in str(trial.reason)
    assert trial.metrics == returned, "what was measured is on record"


def test_a_function_may_tell_a_metric_itself(study: rpol.Study) -> None:
    def function(trial: rpol.Trial) -> dict[str, float]:
        study.tell(trial, {"err_rate": 0.0})
        return {"cost": 1.0, "p99_ms": 2.0}

    study.optimize(function, rounds=1)
    assert study.trial(0).state == "complete"


def test_workers_work_at_once(study: rpol.Study) -> None:
    together = threading.Barrier(3, timeout=30)

    def function(trial: rpol.Trial) -> dict[str, float | tuple[float, float]]:
        together.wait()  # passes only when three trials are under way
        return measured(trial)

    study.optimize(function, rounds=6, workers=3)
    assert [trial.state for trial in study.trials] == ["complete"] * 6


@pytest.mark.filterwarnings("ignore:trial 4 failed")
@pytest.mark.parametrize("workers", [1, 3])
def test_exceptions_fail_the_trial_and_not_the_run(study: rpol.Study, workers: int) -> None:
    def function(trial: rpol.Trial) -> dict[str, float | tuple[float, float]]:
        if trial.number == 2:
            raise RuntimeError("no room")
        return {"nonsense": 1.0} if trial.number == 4 else measured(trial)

    with pytest.warns(UserWarning, match="trial 2 failed: RuntimeError: no room"):
        study.optimize(function, rounds=6, workers=workers)
    states = {trial.number: trial.state for trial in study.trials}
    assert states == {0: "complete", 1: "complete", 2: "fail", 3: "complete", 4: "fail", 5: "complete"}
    assert study.trial(2).reason == "RuntimeError: no room"
    assert "UnknownNameError" in str(study.trial(4).reason)


def test_a_number_is_the_objective() -> None:
    study = rpol.create_study(name="a", objective="y", params={"x": rpol.Float(0, 1)})
    study.optimize(lambda trial: float(trial["x"]), rounds=2)
    assert [trial.metrics["y"] for trial in study.trials] == [trial["x"] for trial in study.trials]


@pytest.mark.parametrize(("rounds", "workers"), [(0, 1), (1, 0), (True, 1), (1.5, 1)])
def test_nothing_to_do(study: rpol.Study, rounds: int, workers: int) -> None:
    with pytest.raises(rpol.InvalidSpecError, match="rounds|workers"):
        study.optimize(measured, rounds=rounds, workers=workers)


def test_ctrl_c_fails_the_trial_under_way(study: rpol.Study) -> None:
    def function(trial: rpol.Trial) -> dict[str, float | tuple[float, float]]:
        if trial.number == 2:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(10)
        return measured(trial)

    with pytest.raises(KeyboardInterrupt):
        study.optimize(function, rounds=9)
    assert [trial.state for trial in study.trials] == ["complete", "complete", "fail"]
    assert study.trial(2).reason == "interrupted: KeyboardInterrupt"


def test_ctrl_c_lets_threads_finish(study: rpol.Study) -> None:
    def function(trial: rpol.Trial) -> dict[str, float | tuple[float, float]]:
        if trial.number == 2:
            os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.2)
        return measured(trial)

    with pytest.raises(KeyboardInterrupt):
        study.optimize(function, rounds=50, workers=2)
    assert 3 <= len(study.trials) <= 5 and {trial.state for trial in study.trials} == {"complete"}


def test_what_a_dead_process_had_is_given_to_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dies = (
        "import os, rpol, rpol.optimize\n"
        "rpol.optimize.LEASE = 1\n"
        f"study = rpol.load_study('cache', {str(tmp_path / 'a.db')!r})\n"
        "study.optimize(lambda trial: os._exit(7), rounds=1)\n"
    )
    study = rpol.create_study(SPEC, storage=tmp_path / "a.db")
    assert subprocess.run([sys.executable, "-c", dies], check=False).returncode == 7
    assert study.trial(0).state in ("running", "stale")
    time.sleep(1.1)
    study.optimize(measured, rounds=1)
    assert [trial.state for trial in study.trials] == ["complete"]


def test_a_lease_is_renewed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optimize, "LEASE", 1)
    study = rpol.create_study(SPEC, storage=tmp_path / "a.db")

    def claims() -> int:
        return sum(entry["event"] == "claimed" for entry in study.log())

    def function(trial: rpol.Trial) -> dict[str, float | tuple[float, float]]:
        patience = 300
        while claims() < 3 and patience:
            time.sleep(0.1)
            patience -= 1
        assert patience, "nobody says that the trial is still worked at"
        return measured(trial)

    study.optimize(function, rounds=1)
    assert study.trial(0).state == "complete" and claims() >= 3


def test_a_bar_where_it_is_asked_for(
    study: rpol.Study, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rpol._internal.progress.PATIENCE", 0.0)
    study.optimize(measured, rounds=3, progress=True)
    assert "3/3" in capsys.readouterr().err
    study.optimize(measured, rounds=1)
    assert capsys.readouterr().err == "", "stderr is no terminal here"
