"""Problems, experiments, pictures."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rpol


@pytest.mark.parametrize("name", rpol.problems.names())
def test_optima_are_what_they_say(name: str) -> None:
    problem = rpol.problems.get(name)
    f, g = problem.evaluate(problem.optimum)
    assert abs(float(f) - problem.best) <= 1e-6 * max(1.0, abs(problem.best)) and g.max() < 1e-5
    both = problem.evaluate([problem.optimum, problem.optimum])
    assert both.f.shape == (2,) and both.g.shape == (2, len(problem.metrics) - 1) and both.f[1] == f
    assert problem.source and name in repr(problem)


def test_a_study_on_a_problem() -> None:
    problem = rpol.problems.get("gardner1")
    study = rpol.create_study(problem.spec(rounds=8, seed=3))
    study.optimize(lambda trial: problem.measure(trial.params), rounds=3)
    trial = study.trial(0)
    f, _ = problem.evaluate([float(trial["x1"]), float(trial["x2"])])
    assert trial.metrics["reward"] == f


def test_an_experiment_is_a_matter_of_its_seeds() -> None:
    runs = rpol.run_experiment("gardner1", "rpol", rounds=8, seeds=[4, 9], workers=2)
    assert runs.x.shape == (2, 8, 2) and runs.regret.shape == (2, 8) and runs.g.shape == (2, 8, 1)
    alone = rpol.run_experiment("gardner1", "rpol", rounds=8, seeds=[9], workers=1)
    assert np.array_equal(alone.x[0], runs.x[1]) and not np.array_equal(runs.x[0], runs.x[1])
    problem = rpol.problems.get("gardner1")
    f, g = problem.evaluate(runs.x[0])
    assert np.array_equal(f, runs.f[0]) and np.array_equal(g, runs.g[0])
    assert np.array_equal(runs.regret, problem.best - runs.f)
    assert np.array_equal(runs.violation, np.maximum(runs.g, 0).sum(axis=2))


def test_the_paper_as_printed() -> None:
    runs = rpol.run_experiment("classical", "rpol-ucb", preset="printed", rounds=8, seeds=1)
    ours = rpol.run_experiment("classical", "rpol-ucb", rounds=8, seeds=1)
    assert (runs.penalties[0, :, 0] >= 1).all() and not np.array_equal(runs.x, ours.x)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"problem": "nobody"}, rpol.UnknownNameError),
        ({"algorithm": "nobody"}, rpol.UnknownNameError),
        ({"algorithm": "rpol@caution=7"}, rpol.RpolError),
        ({"problem": "gardner1", "preset": "printed"}, rpol.UnknownNameError),
        ({"algorithm": "nobody", "preset": "printed"}, rpol.UnknownNameError),
        ({"preset": "fast"}, rpol.InvalidSpecError),
        ({"noise": 0.1}, rpol.InvalidSpecError),
        ({"rounds": 0}, rpol.InvalidSpecError),
        ({"seeds": 0}, rpol.InvalidSpecError),
        ({"seeds": [-1]}, rpol.InvalidSpecError),
    ],
)
def test_experiments_that_are_none(given: dict[str, Any], error: type[rpol.RpolError]) -> None:
    with pytest.raises(error):
        rpol.run_experiment(**{"problem": "classical", "rounds": 4, **given})
    with pytest.raises(rpol.UnknownNameError, match="gardner1"):
        rpol.problems.get("nobody")
    with pytest.raises(rpol.WrongLengthError):
        rpol.problems.get("gardner1").evaluate([1.0])


def test_ctrl_c_ends_an_experiment() -> None:
    code = "import rpol; print('on', flush=True); rpol.run_experiment(rounds=100000, seeds=4)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline() == b"on\n"
        threading.Event().wait(0.5)
        process.send_signal(signal.SIGINT)
        try:
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert b"KeyboardInterrupt" in errors and b"panicked" not in errors


@pytest.mark.parametrize("kind", ["history", "violation", "penalty", "slice", "contour", "parallel", "delay", "timeline"])
def test_pictures(played: rpol.Study, kind: str) -> None:
    figure = getattr(played.plot, kind)()
    assert figure.svg.startswith("<svg") and figure._repr_html_() == figure.svg


def test_pictures_of_parameters_and_files(played: rpol.Study, tmp_path: Path) -> None:
    contour = played.plot.contour("shards", "ttl_s")
    assert contour.svg != played.plot.contour("ttl_s", "shards").svg
    assert contour._repr_png_().startswith(b"\x89PNG")
    assert contour.save(tmp_path / "a.svg").read_text() == contour.svg
    assert contour.save(tmp_path / "a.png").read_bytes() == contour.png()
    refused = [
        (lambda: played.plot.contour("shards", "codec"), rpol.UnknownNameError),
        (lambda: played.plot.contour("shards", "nobody"), rpol.UnknownNameError),
        (lambda: played.plot.contour("shards"), rpol.InvalidSpecError),
        (lambda: played.plot.contour("shards", "shards"), rpol.InvalidSpecError),
        (lambda: played.plot.slice("nobody"), rpol.UnknownNameError),
        (lambda: contour.save(tmp_path / "a.gif"), rpol.InvalidSpecError),
    ]
    for call, error in refused:
        with pytest.raises(error):
            call()
