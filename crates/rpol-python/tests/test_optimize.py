"""The loop: workers, failures, Ctrl-C, other processes."""

from __future__ import annotations

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
    ended: list[int] = []
    study.optimize(measured, rounds=5, callback=lambda trial: ended.append(trial.number))
    study.optimize(measured, rounds=2)
    assert [trial.state for trial in study.trials] == ["complete"] * 7 and ended == [0, 1, 2, 3, 4]


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
