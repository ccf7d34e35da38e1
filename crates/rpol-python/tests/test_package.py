"""What is installed."""

from __future__ import annotations

import doctest
import importlib
import importlib.metadata
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import rpol

MODULES = ["rpol", *(f"rpol.{found.name}" for found in pkgutil.iter_modules(rpol.__path__) if not found.ispkg)]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_the_documentation(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_import_is_light() -> None:
    code = "import rpol, sys; print(*(name for name in ('numpy', 'pandas', 'torch', 'scipy') if name in sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == ""


def test_numpy_is_all_it_needs() -> None:
    needed = importlib.metadata.requires("rpol") or []
    assert [each for each in needed if "extra ==" not in each] == ["numpy>=1.24"]


def test_it_is_typed_and_documented() -> None:
    folder = Path(rpol.__file__).parent
    assert (folder / "py.typed").exists() and (folder / "_rpol.pyi").exists()
    assert rpol.__version__ == importlib.metadata.version("rpol")
    for name in rpol.__all__:
        assert name == "__version__" or getattr(rpol, name).__doc__, name
