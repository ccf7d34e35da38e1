"""What the tests share."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import rpol

ROOT = Path(__file__).parents[3]

# A shell that runs the tests in the background has them ignore Ctrl-C, and every child would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

SPEC: dict[str, Any] = {
    "name": "cache",
    "objective": "minimize cost",
    "constraints": ["p99_ms <= 250", "err_rate <= 0.01"],
    "track": ["memory"],
    "params": {
        "ttl_s": rpol.Float(1, 3600, log=True),
        "shards": rpol.Int(1, 64),
        "codec": rpol.Categorical(["lz4", "zstd"]),
    },
}


def measured(trial: rpol.Trial) -> dict[str, float | tuple[float, float]]:
    """A system that is quick to run."""
    ttl, shards = float(trial["ttl_s"]), float(trial["shards"])
    worse = 1.2 if trial["codec"] == "zstd" else 1.0
    return {
        "cost": worse * (900 / ttl**0.5 + shards),
        "p99_ms": (60 + 0.1 * ttl + 400 / shards, 4.0),
        "err_rate": 0.02 / shards,
    }


def refused(study: rpol.Study, error: type[rpol.RpolError], words: str, call: Callable[[], object]) -> None:
    """The error, its words, and that nothing changed."""
    before = study.log()
    with pytest.raises(error, match=words) as caught:
        call()
    assert isinstance(caught.value, rpol.RpolError)
    assert study.log() == before


@pytest.fixture
def study() -> rpol.Study:
    """A study in memory."""
    return rpol.create_study(SPEC)


@pytest.fixture
def played(study: rpol.Study) -> rpol.Study:
    """The same after twelve trials."""
    for _ in range(12):
        trial = study.ask()
        study.tell(trial, measured(trial))
    return study


@pytest.fixture
def pipe() -> Iterator[Callable[[dict[str, Any]], Any]]:
    """`rpol pipe`, built by the workspace: what the Rust library says to the same calls."""
    binary = Path(os.environ.get("RPOL_BINARY", ROOT / "target/debug/rpol"))
    assert binary.exists(), f"{binary} is missing: cargo build --package rpol-cli"
    with subprocess.Popen([binary, "pipe"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        stdin, stdout = process.stdin, process.stdout

        def say(request: dict[str, Any]) -> Any:
            stdin.write(json.dumps(request) + "\n")
            stdin.flush()
            answer = json.loads(stdout.readline())
            assert "error" not in answer, answer
            return answer

        yield say
        stdin.close()
