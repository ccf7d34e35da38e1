"""Arguments that are not what they should be, refused by name."""

from __future__ import annotations

import math
from typing import Any

from ..errors import InvalidSpecError, NotFiniteError, WrongTypeError


def whole(field: str, value: Any, least: int = 0, most: int = 2**63 - 1) -> int:
    """A whole number within bounds."""
    try:
        number = None if isinstance(value, bool) else value.__index__()
    except (AttributeError, TypeError):
        number = None
    if number is None or not least <= number <= most:
        raise InvalidSpecError(f"{field}: {value!r} is not usable: give a whole number from {least} on")
    return int(number)


def text(field: str, value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise WrongTypeError(f"{field} is {value!r}: a text is needed")
    return value


def number(field: str, value: Any) -> float:
    """A finite number."""
    try:
        found = None if isinstance(value, (bool, str)) else float(value)
    except (TypeError, ValueError, OverflowError):
        found = None
    if found is None:
        raise WrongTypeError(f"{field} is {value!r}: a number is needed")
    if not math.isfinite(found):
        raise NotFiniteError(f"{field} is {found}: a finite number is needed")
    return found
