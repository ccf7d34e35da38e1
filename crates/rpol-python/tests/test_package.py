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
    code = {test.name: "".join(example.source for example in test.examples) for test in found}
    yours = "from typing import Any\nfunction: Any = None\n"
    code |= {page: yours + "\n".join(blocks(page)) for page in PAGES}
    for i, (name, text) in enumerate(code.items()):
        (tmp_path / f"example_{i}.py").write_text(f"# {name}\n{text}")
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


PAGES = ["README.md", "docs/python.md"]


def blocks(page: str) -> list[str]:
    """The examples of a page, which follow one after another."""
    found = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    assert found
    return found


@pytest.mark.parametrize("page", PAGES)
def test_the_pages_say_what_works(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"function": measured}
    for block in blocks(page):
        exec(block.replace("rounds=200", "rounds=6"), names)


def test_the_tables_name_what_is_there() -> None:
    rows = [line.split("|")[1:3] for line in (ROOT / "docs/python.md").read_text().splitlines() if line[:9] == "| `study."]
    calls = {name for row in rows for name in re.findall(r"`(?:study\.)?(?:plot\.)?([a-z_]+)", row[0])}
    assert len(calls) > 20
    assert [name for name in calls if not hasattr(rpol.Study, name) and not hasattr(rpol.plot.Plots, name)] == []
    account = next(row[1] for row in rows if "ledger" in row[0])
    fields = re.findall(r"`\.(\w+)`", account)
    assert len(fields) > 5 and all(field in rpol.Account.__dataclass_fields__ for field in fields)


def test_the_table_of_a_recommendation_is_complete() -> None:
    section = (ROOT / "docs/python.md").read_text(encoding="utf-8").split("## What to run\n")[1].split("\n## ")[0]
    named = set(re.findall(r"`\.(\w+)", section))
    whole = [rpol.Recommendation, rpol.LimitOutlook, rpol.Expectation]
    fields = {name for each in whole for name in each.__dataclass_fields__}
    assert named <= fields and fields - named == {"confidence", "metric", "words"}


def test_it_is_typed_and_documented() -> None:
    folder = Path(rpol.__file__).parent
    assert (folder / "py.typed").exists() and (folder / "_rpol.pyi").exists()
    assert rpol.__version__ == importlib.metadata.version("rpol")
    for name in rpol.__all__:
        assert name == "__version__" or getattr(rpol, name).__doc__, name
