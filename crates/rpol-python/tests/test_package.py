"""What is installed."""

from __future__ import annotations

import doctest
import importlib
import importlib.metadata
import pkgutil
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, measured

import rpol

MODULES = ["rpol", *(f"rpol.{found.name}" for found in pkgutil.iter_modules(rpol.__path__) if not found.ispkg)]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_the_documentation(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_examples_are_typed(tmp_path: Path) -> None:
    """Every example passes ``mypy --strict``, each in a file of its own, as one would paste it."""
    finder, modules = doctest.DocTestFinder(), [importlib.import_module(name) for name in MODULES]
    found = [test for module in modules for test in finder.find(module) if test.examples]
    assert len(found) > 10
    for i, test in enumerate(found):
        code = "".join(example.source for example in test.examples)
        (tmp_path / f"example_{i}.py").write_text(f"# {test.name}\n{code}")
    mypy = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(tmp_path)]
    typed = subprocess.run(mypy, capture_output=True, text=True, cwd=ROOT, check=False)
    assert typed.returncode == 0, typed.stdout


def test_the_import_is_light() -> None:
    heavy = ("numpy", "pandas", "torch", "scipy", "optuna", "gest_api", "ray")
    code = f"import rpol, sys; print(*(name for name in {heavy} if name in sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == ""


def test_numpy_is_all_it_needs() -> None:
    needed = importlib.metadata.requires("rpol") or []
    assert [each for each in needed if "extra ==" not in each] == ["numpy>=1.24"]


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_the_pages_say_what_works(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    names: dict[str, Any] = {"function": measured}
    for block in blocks:
        exec(block.replace("rounds=200", "rounds=6"), names)


def test_it_is_typed_and_documented() -> None:
    folder = Path(rpol.__file__).parent
    assert (folder / "py.typed").exists() and (folder / "_rpol.pyi").exists()
    assert rpol.__version__ == importlib.metadata.version("rpol")
    for name in rpol.__all__:
        assert name == "__version__" or getattr(rpol, name).__doc__, name
