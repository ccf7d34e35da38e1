"""The answer: SciPy's ``OptimizeResult``, or the like of it."""

from __future__ import annotations

from typing import Any


class Result(dict[str, Any]):
    """A dict whose entries are attributes too, as ``scipy.optimize.OptimizeResult`` is one."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(name) from error


def result(**fields: Any) -> Result:
    """SciPy's own where it is installed, so that code which asks for the type is served."""
    try:
        from scipy.optimize import OptimizeResult
    except ImportError:
        return Result(fields)
    found: Result = OptimizeResult(fields)
    return found
