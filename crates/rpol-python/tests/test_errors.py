"""Every error has its exception, and a panic is one of them."""

from __future__ import annotations

import inspect
import re

import pytest
from conftest import ROOT, measured

import rpol
from rpol import errors


def test_every_kind_of_the_library_has_its_exception() -> None:
    source = (ROOT / "crates/rpol/src/error.rs").read_text()
    kinds = set(re.findall(r'=> "(\w+)",', source))
    assert len(kinds) >= 18
    for kind in kinds:
        assert issubclass(getattr(rpol, f"{kind}Error"), rpol.RpolError)


def test_every_exception_is_one_of_ours_and_documented() -> None:
    for name, found in inspect.getmembers(errors, inspect.isclass):
        assert issubclass(found, rpol.RpolError) and found.__doc__, name
        assert getattr(rpol, name) is found and name in rpol.__all__


def test_a_panic_is_an_internal_error_and_nothing_is_lost(study: rpol.Study) -> None:
    trial = study.ask()
    study.tell(trial, measured(trial))
    before = study.log()
    with pytest.raises(rpol.InternalError, match="as asked.*report"):
        study._native._break_down()
    assert study.log() == before
    assert study.ask().number == 1


def test_python_classes_of_the_same_mistake() -> None:
    assert issubclass(rpol.NotFiniteError, ValueError) and issubclass(rpol.WrongTypeError, TypeError)
    assert issubclass(rpol.UnknownTrialError, LookupError) and issubclass(rpol.StorageError, OSError)
