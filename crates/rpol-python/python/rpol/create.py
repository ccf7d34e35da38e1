"""Beginning a study, and finding one again."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from . import _rpol
from ._internal.checks import text
from ._internal.storage import address
from .params import Param
from .spec import Spec, SpecLike
from .study import Study


def create_study(
    spec: SpecLike | None = None,
    *,
    storage: str | os.PathLike[str] | None = None,
    load_if_exists: bool = False,
    name: str | None = None,
    direction: str | None = None,
    objective: str | Mapping[str, Any] | None = None,
    params: Mapping[str, Param | Mapping[str, Any]] | None = None,
    constraints: Sequence[str | Mapping[str, Any]] | None = None,
    seed: int | None = None,
    horizon: int | None = None,
    baseline: Mapping[str, Any] | None = None,
    risk: float | None = None,
    caution: float | None = None,
    algorithm: str | None = None,
    **fields: Any,
) -> Study:
    """Begins a study.

    The definition is ``spec`` (a dict, the text of a TOML or JSON file, or the path of one), keywords, or both: keywords
    replace fields. Every field of a study's file is a keyword (``rpol schema`` and :meth:`Spec.schema` list them). Without
    ``storage`` the study lives in memory; ``"sqlite:///cache.db"`` or a path keeps it. With ``load_if_exists`` a study of the
    same name and definition is gone on with.

    >>> import rpol
    >>> study = rpol.create_study(name="cache", direction="minimize", objective="cost", constraints=["p99_ms <= 250"],
    ...                           params={"ttl_s": rpol.Float(1, 3600, log=True)})
    >>> trial = study.ask()
    >>> study.tell(trial, {"cost": 0.42, "p99_ms": (243.0, 4.0)})
    True
    """
    given = {
        "name": name,
        "direction": direction,
        "objective": objective,
        "params": params,
        "constraints": constraints,
        "seed": seed,
        "horizon": horizon,
        "baseline": baseline,
        "risk": risk,
        "caution": caution,
        "algorithm": algorithm,
        **fields,
    }
    whole = Spec(spec, **{field: value for field, value in given.items() if value is not None})
    place = None if storage is None else address(storage)
    return Study(_rpol.NativeStudy.create(whole.to_json(), place, bool(load_if_exists)), place)


def load_study(name: str, storage: str | os.PathLike[str]) -> Study:
    """The study of that name in a store."""
    place = address(storage)
    return Study(_rpol.NativeStudy.load(text("name", name), place), place)
