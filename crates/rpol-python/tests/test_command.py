"""The command ``rpol`` that comes with the package."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import rpol

RPOL = Path(sys.executable).with_name("rpol")
posix = pytest.mark.skipif(sys.platform == "win32", reason="rpol run needs POSIX")


def study(folder: Path, code: str) -> Path:
    """A study whose command is a script of Python, which has the setting as ``x``."""
    script = folder / "measure.py"
    script.write_text(f"import sys\nx = float(sys.argv[1])\n{code}\n")
    file = folder / "tune.toml"
    file.write_text(
        'objective = "minimize y"\n'
        f'run.storage = "sqlite:///{folder / "a.db"}"\n'
        'params.x = { type = "float", low = 0, high = 1 }\n'
        f'run.command = {json.dumps([sys.executable, str(script), "{x}"])}\n'
    )
    return file


def ran(*arguments: object, **how: object) -> subprocess.CompletedProcess[str]:
    """What a command says, and how it ends."""
    words = [str(RPOL), *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, timeout=120, check=False, **how)  # type: ignore[call-overload, no-any-return]


def test_it_is_there_and_is_the_package() -> None:
    assert ran("--version").stdout == f"rpol {rpol.__version__}\n"
    as_module = subprocess.run([sys.executable, "-m", "rpol", "--version"], capture_output=True, text=True, check=True)
    assert as_module.stdout == f"rpol {rpol.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["nonsense"], 2, "nonsense"),
        (["best", "nobody", "--storage", "sqlite:///nowhere.db"], 2, "nowhere.db"),
        (["lab"], 2, "lab"),
        (["fsck", "--storage", "sqlite:///broken.db"], 1, "broken.db"),
        (["--help"], 0, ""),
    ],
)
def test_exit_codes_are_those_of_the_binary(
    arguments: list[str], code: int, words: str, tmp_path: Path
) -> None:
    (tmp_path / "broken.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    ended = ran(*arguments, cwd=tmp_path)
    assert ended.returncode == code and words in ended.stderr, ended
    assert bool(ended.stdout) == (code == 0) and "Traceback" not in ended.stderr


@posix
def test_a_run_and_its_study(tmp_path: Path) -> None:
    file = study(tmp_path, "print('{\"y\": %r}' % (x - 0.3) ** 2)")
    ended = ran("run", file, "--rounds", 6)
    assert ended.returncode == 0, ended.stderr
    trials = rpol.load_study("tune", tmp_path / "a.db").trials
    assert [trial.state for trial in trials] == ["complete"] * 6
    assert all(trial.metrics["y"] == (float(trial["x"]) - 0.3) ** 2 for trial in trials)


@pytest.mark.parametrize("storage", ["a.db", "sqlite:///a.db"])
def test_a_store_has_one_address_here_and_there(storage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rpol.create_study(name="one", objective="y", params={"x": rpol.Float(0, 1)}, storage=storage).ask()
    assert ran("trials", "one", "--storage", storage, "-f", "csv").stdout.count("running") == 1
    assert (tmp_path / "a.db").exists()


@posix
def test_ctrl_c_ends_a_run_and_its_child_and_the_next_goes_on(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    slow = f"import os, time\nif not os.path.exists({str(begun)!r}):\n"
    slow += f"    open({str(begun)!r}, 'w').write(str(os.getpid())); time.sleep(60)\nprint('{{\"y\": 1}}')"
    file = study(tmp_path, slow)
    with subprocess.Popen([RPOL, "run", file, "--rounds", "2"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) as run:
        wait_for(begun)
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=30)
    assert run.returncode == 130 and b"Traceback" not in said, said
    with pytest.raises(ProcessLookupError):
        os.kill(int(begun.read_text()), 0)
    assert ran("run", file, "--rounds", 2).returncode == 0
    assert [trial.state for trial in rpol.load_study("tune", tmp_path / "a.db").trials] == ["complete"] * 2


@posix
def test_ctrl_c_ends_what_does_not_listen_for_it() -> None:
    with subprocess.Popen([RPOL, "pipe"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as pipe:
        assert pipe.stdin is not None and pipe.stdout is not None
        pipe.stdin.write(b'{"status": {}}\n')
        pipe.stdin.flush()
        assert b"error" in pipe.stdout.readline()
        pipe.send_signal(signal.SIGINT)
        try:
            assert pipe.wait(timeout=10) == -signal.SIGINT
        finally:
            pipe.kill()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="it is read from /proc")
def test_a_child_ignores_no_signal_because_python_does(tmp_path: Path) -> None:
    file, status = study(tmp_path, ""), tmp_path / "status"
    shell = ["sh", "-c", f"cat /proc/$$/status > {status}; echo '{{{{\"y\": 1}}}}'"]
    text = file.read_text()
    file.write_text(text[: text.index("run.command")] + f"run.command = {json.dumps(shell)}\n")
    assert ran("run", file, "--rounds", 1).returncode == 0
    line = next(line for line in status.read_text().splitlines() if line.startswith("SigIgn:"))
    for number in (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):
        assert not int(line.split()[1], 16) >> (number - 1) & 1, number


@posix
def test_other_threads_run_meanwhile(tmp_path: Path) -> None:
    file = study(tmp_path, "import time; time.sleep(0.5); print('{\"y\": 1}')")
    words = ["rpol", "run", str(file), "--rounds", "2"]
    # In a process of its own: a run takes Ctrl-C for itself.
    code = f"""
import threading, time
from rpol import _rpol
thread = threading.Thread(target=_rpol.command, args=({words},))
thread.start()
turns = 0
while thread.is_alive():
    time.sleep(0.001)
    turns += 1
print("turns:", turns)
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120).stdout
    assert int(said.split("turns:")[1]) > 100, "the GIL was held"


def wait_for(file: Path) -> None:
    """Until something is in it."""
    for _ in range(600):
        if file.exists() and file.read_text():
            return
        time.sleep(0.05)
    raise AssertionError(f"{file} does not come")
