"""Pickles, copies, threads, forks."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import SPEC, measured

import rpol


def test_a_study_in_memory_takes_its_log_along(played: rpol.Study) -> None:
    for twin in (pickle.loads(pickle.dumps(played)), copy.copy(played), copy.deepcopy(played)):
        assert twin.log() == played.log() and twin.spec == played.spec
        assert twin.ask().params == copy.deepcopy(played).ask().params
    assert len(played.trials) == 12, "copies go their own way"


def test_a_stored_study_takes_its_address_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    study = rpol.create_study(SPEC, storage="a.db")
    pickled = pickle.dumps(study)
    monkeypatch.chdir("/")
    twin: rpol.Study = pickle.loads(pickled)
    twin.ask()
    assert twin.storage == study.storage and len(study.trials) == 1


def test_small_things_pickle(played: rpol.Study) -> None:
    things: list[Any] = [played.trial(3), played.spec, *SPEC["params"].values(), rpol.Bool(), played.ledger["p99_ms"]]
    things += [played.status(), played.recommendation(), rpol.Kernel.matern52([0.3]).scaled(2.0), played.predict(played.trial(0).params)]
    for thing in things:
        assert pickle.loads(pickle.dumps(thing)) == thing == copy.deepcopy(thing)
    error = pickle.loads(pickle.dumps(rpol.NotFiniteError("cost is nan")))
    assert isinstance(error, rpol.NotFiniteError) and str(error) == "cost is nan"


def test_a_gaussian_process_pickles() -> None:
    x = np.random.default_rng(0).random((30, 2))
    gp = rpol.GaussianProcess(rpol.Kernel.matern52([0.3, 0.3])).fit(x, x[:, 0])
    for twin in (pickle.loads(pickle.dumps(gp)), copy.deepcopy(gp), copy.copy(gp)):
        assert np.array_equal(twin.predict(x), gp.predict(x))
    assert pickle.loads(pickle.dumps(rpol.GaussianProcess(gp.kernel))).kernel == gp.kernel


def test_threads_share_a_study(study: rpol.Study) -> None:
    def work() -> None:
        for _ in range(5):
            trial = study.ask()
            study.tell(trial, measured(trial))
            study.trials, study.ledger, study.incumbent()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads), "a deadlock"
    assert [trial.state for trial in study.trials] == ["complete"] * 20


def test_other_threads_run_meanwhile() -> None:
    x = np.random.default_rng(0).random((400, 3))
    gp, begun = rpol.GaussianProcess(rpol.Kernel.matern52([1.0] * 3)), threading.Event()

    def work() -> None:
        begun.set()
        gp.fit(x, x[:, 0])

    thread = threading.Thread(target=work)
    thread.start()
    begun.wait()
    turns = 0
    while thread.is_alive():
        time.sleep(0.001)
        turns += 1
    assert turns > 20, "the GIL was held"


def in_a_fork(call: Any) -> str:
    """What a forked child says of it: the error's name, or that there was none."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            call()
            said = "no error"
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
        os.write(writing, said.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return said


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_is_refused(study: rpol.Study, tmp_path: Path) -> None:
    stored = rpol.create_study(SPEC, storage=tmp_path / "a.db")
    for own in (study, stored):
        said = in_a_fork(own.ask)
        assert said.startswith("ForkError") and "spawn" in said, said
    said = in_a_fork(lambda: rpol.load_study("cache", tmp_path / "a.db"))
    assert said.startswith("ForkError") and "SQLite" in said, said
    assert in_a_fork(lambda: rpol.create_study(SPEC).ask()) == "no error", "memory is safe"
    assert stored.ask().number == 0


def ask_in_a_worker(study: rpol.Study) -> int:
    """For a process of its own."""
    return study.ask().number


def test_a_spawned_worker_gets_the_study(tmp_path: Path) -> None:
    study = rpol.create_study(SPEC, storage=tmp_path / "a.db")
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        numbers = pool.map(ask_in_a_worker, [study] * 4)
    assert sorted(numbers) == [0, 1, 2, 3]
