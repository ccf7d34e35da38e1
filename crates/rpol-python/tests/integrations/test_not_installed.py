"""An adapter without its framework says how to get it."""

from __future__ import annotations

import importlib
import sys

import pytest

from rpol.errors import NotInstalledError


@pytest.mark.parametrize(
    ("module", "package"), [("optuna", "optuna"), ("gest", "gest_api"), ("ray", "ray.tune")]
)
def test_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, module: str, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    for name in [name for name in sys.modules if name.startswith(f"rpol.integrations.{module}")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(NotInstalledError, match=rf"pip install 'rpol\[{module}\]'") as caught:
        importlib.import_module(f"rpol.integrations.{module}")
    assert isinstance(caught.value, ImportError)
