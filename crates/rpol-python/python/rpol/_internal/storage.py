"""Where studies are kept."""

from __future__ import annotations

import os
from pathlib import Path

from .. import _rpol


def address(storage: str | os.PathLike[str]) -> str:
    """The address of a store, absolute, so that it holds in another process too: of a path or of ``sqlite:///path.db``.

    >>> address("sqlite:////srv/cache.db")
    'sqlite:////srv/cache.db'
    """
    return "sqlite:///" + str(Path(_rpol.store_path(os.fspath(storage))).absolute())
