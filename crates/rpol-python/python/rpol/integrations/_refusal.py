"""Errors of the adapters: the field, what stands there, and the remedy."""

from __future__ import annotations

import importlib

import rpol


def refused(field: str, problem: str) -> rpol.InvalidSpec:
    """What a framework's definition says and rpol cannot do."""
    return rpol.InvalidSpec(f"{field}: {problem}")


def require(package: str, extra: str) -> None:
    """Imports a framework, or says how to get it."""
    try:
        importlib.import_module(package)
    except ImportError as error:
        text = f"rpol.integrations.{extra} needs {package}: pip install 'rpol[{extra}]'"
        raise rpol.MissingPackage(text) from error
