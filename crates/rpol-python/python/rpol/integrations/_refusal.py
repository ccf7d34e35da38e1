"""Errors of the adapters: the field, what stands there, and the remedy."""

from __future__ import annotations

import importlib

from ..errors import InvalidSpecError, NotInstalledError


def refused(field: str, problem: str) -> InvalidSpecError:
    """What a framework's definition says and rpol cannot do."""
    return InvalidSpecError(f"{field}: {problem}")


def require(package: str, extra: str) -> None:
    """Imports a framework, or says how to get it."""
    try:
        importlib.import_module(package)
    except ImportError as error:
        text = f"rpol.integrations.{extra} needs {package}: pip install 'rpol[{extra}]'"
        raise NotInstalledError(text) from error
