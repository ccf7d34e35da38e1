"""Array-likes as arrays of floats, refused by name. NumPy is imported at first use: it takes most of a second's tenth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import NotFiniteError, WrongLengthError, WrongTypeError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def rows(field: str, value: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Points as the rows of a matrix."""
    found = _array(field, value)
    if found.ndim != 2:
        raise WrongLengthError(f"{field} has {found.ndim} axes: 2 are needed, a row a point")
    return found


def point(field: str, value: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """One point as the only row of a matrix."""
    found = _array(field, value)
    if found.ndim != 1:
        raise WrongLengthError(f"{field} has {found.ndim} axes: 1 is needed, a number a coordinate")
    return found[None, :]


def column(field: str, value: npt.ArrayLike, length: int) -> npt.NDArray[np.float64]:
    """So many numbers."""
    found = _array(field, value)
    if found.ndim != 1:
        raise WrongLengthError(f"{field} has {found.ndim} axes: 1 is needed, a number a point")
    if len(found) != length:
        raise WrongLengthError(f"{field} has {len(found)} entries: {length} are needed")
    return found


def _array(field: str, value: npt.ArrayLike) -> npt.NDArray[np.float64]:
    import numpy as np

    try:
        found = np.ascontiguousarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise WrongTypeError(f"{field} is no array of numbers: {error}") from error
    if not np.isfinite(found).all():
        bad = found[~np.isfinite(found)].flat[0]
        raise NotFiniteError(f"{field} has the entry {bad}: finite numbers are needed")
    return found.reshape(np.shape(value))
