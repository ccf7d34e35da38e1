"""Where studies are kept."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import StorageError

SCHEME = "sqlite:///"


def address(storage: str | os.PathLike[str]) -> str:
    """The address of a store, absolute, so that it holds in another process too: of a path or of ``sqlite:///path.db``.

    >>> address("sqlite:////srv/cache.db")
    'sqlite:////srv/cache.db'
    """
    text = os.fspath(storage)
    path = text.removeprefix(SCHEME)
    if not path or "://" in path:
        raise StorageError(f"{text}: this is no address of a store: give sqlite:///path.db, or a path")
    return SCHEME + str(Path(path).absolute())
