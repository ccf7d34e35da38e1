"""Pictures of a study: those of ``rpol plot``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from . import _rpol
from ._internal.checks import number, text
from .errors import InvalidSpecError

if TYPE_CHECKING:
    from .study import Study


class Figure:
    """A picture; notebooks show it by themselves."""

    __slots__ = ("svg",)

    def __init__(self, svg: str) -> None:
        self.svg = svg
        """The picture as SVG text, which refers to nothing outside of it."""

    def png(self, scale: float = 2.0) -> bytes:
        """The picture in pixels, so many to an SVG unit, as a PNG file."""
        return _rpol.png(self.svg, number("scale", scale))

    def save(self, path: str | os.PathLike[str], scale: float = 2.0, *, force: bool = False) -> Path:
        """Writes a file that ends in ``.svg`` or ``.png``, whole or not at all.

        A file that rpol did not write is replaced only with ``force=True``, a store never.
        """
        file = Path(path)
        if file.suffix.lower() not in (".svg", ".png"):
            raise InvalidSpecError(f"path: cannot tell the format of {str(file)!r}: end it in .svg or .png")
        content = self.svg.encode() if file.suffix.lower() == ".svg" else self.png(scale)
        _rpol.write_file(str(file), content, bool(force))
        return file

    def __repr__(self) -> str:
        return f"<rpol.Figure: SVG of {len(self.svg)} characters>"

    def _repr_html_(self) -> str:
        return self.svg

    def _repr_png_(self) -> bytes:
        return self.png()


class Plots:
    """The pictures of a study: ``study.plot.history()``."""

    __slots__ = ("_study",)

    def __init__(self, study: Study) -> None:
        self._study = study

    def history(self) -> Figure:
        """Objective of each trial, and the best so far."""
        return self._drawn("history")

    def violation(self) -> Figure:
        """Cumulative violation against the budgets."""
        return self._drawn("violation")

    def penalty(self) -> Figure:
        """Multipliers over the rounds."""
        return self._drawn("penalty")

    def slice(self, *params: str) -> Figure:
        """The models along each parameter, or along those named."""
        return self._drawn("slice", *params)

    def contour(self, a: str | None = None, b: str | None = None) -> Figure:
        """The models over two parameters; left out, over the two that matter most."""
        params = [name for name in (a, b) if name is not None]
        if len(set(params)) == 1:
            raise InvalidSpecError(f"params: {params[0]!r} alone makes no contour: give two names, or none")
        return self._drawn("contour", *params)

    def parallel(self) -> Figure:
        """Every trial across all parameters."""
        return self._drawn("parallel")

    def delay(self) -> Figure:
        """Delays of results."""
        return self._drawn("delay")

    def timeline(self) -> Figure:
        """When each trial ran."""
        return self._drawn("timeline")

    def __repr__(self) -> str:
        kinds = [name for name in vars(type(self)) if not name.startswith("_")]
        return f"<pictures of {self._study.name!r}: {', '.join(kinds)}>"

    def _drawn(self, kind: str, *params: str) -> Figure:
        return Figure(self._study._native.picture(kind, [text("parameter", name) for name in params]))
