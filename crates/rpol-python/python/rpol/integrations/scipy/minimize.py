"""The loop around a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import rpol
from numpy.typing import ArrayLike

from .._measured import settle
from .._refusal import refused
from .box import Box, Vector
from .limits import Limits
from .result import Result, result

OBJECTIVE = "fun"


def minimize_constrained(
    fun: Callable[..., Any],
    bounds: Any,
    constraints: Any = (),
    *,
    args: tuple[Any, ...] = (),
    x0: ArrayLike | None = None,
    rounds: int = 100,
    integrality: Sequence[bool] | None = None,
    callback: Callable[[Result], object] | None = None,
    storage: str | None = None,
    **settings: Any,
) -> Result:
    """Minimises ``fun(x, *args)`` over a box, and minds what every violation of a constraint costs on the way.

    ``bounds`` are pairs or a ``Bounds``; ``constraints`` one or a list of ``NonlinearConstraint``, ``LinearConstraint``
    or ``{"type": "ineq", "fun": ...}``. All functions may be noisy. The first point is ``x0``, else the middle of the
    box. A value that is NaN or infinite was not measured; an exception ends the call. ``callback`` gets the result so
    far and ends the search by ``StopIteration``; ``storage`` keeps the study. ``settings`` are further fields of its
    definition: ``seed``, ``risk``, ...

    The result has ``x`` and ``fun`` of the best point that kept every constraint as measured (of the least excess where
    there is none, and ``success`` is false), ``incumbent``, the point to use when measurements are noisy (``None`` while no
    point is sure enough to keep them), ``violation``, what was on the books of each constraint in the end, ``nfev`` and
    ``study``.

    >>> result = minimize_constrained(
    ...     lambda x: x[0] + x[1], [(0, 1), (0, 1)], {"type": "ineq", "fun": lambda x: x[0] * x[1] - 0.1}, rounds=25
    ... )
    >>> bool(result.success and 0.63 < result.fun < 0.8)
    True
    """
    if rounds < 1:
        raise refused("rounds", f"{rounds}: give 1 or more")
    box, limits = Box(bounds, integrality), Limits(constraints)
    spec = rpol.Spec(
        **{"name": "minimize_constrained", **settings},
        direction="minimize",
        objective=OBJECTIVE,
        params=box.space.params,
    )
    setting = box.setting(box.middle() if x0 is None else x0)
    first = box.point(setting)
    measured = limits.first(first) | {OBJECTIVE: _number(fun(first, *args))}
    study = rpol.create_study(spec, constraints=limits.expressions, storage=storage)
    search = _Search(study, box, limits)
    search.note(study.ask_for(setting), first, measured)
    for _ in range(rounds - 1):
        if callback is not None and _stops(callback, search.result()):
            return search.result("stopped by the callback")
        trial = study.ask()
        x = box.point(trial.params)
        search.note(trial, x, limits.values(x) | {OBJECTIVE: _number(fun(x, *args))})
    return search.result()


class _Search:
    """What was evaluated so far."""

    def __init__(self, study: rpol.Study, box: Box, limits: Limits) -> None:
        self._study, self._box, self._limits = study, box, limits
        self._points: list[tuple[float, float, Vector]] = []

    def note(self, trial: rpol.Trial, x: Vector, measured: dict[str, float]) -> None:
        """Takes in an evaluation."""
        settle(self._study, trial.number, measured, [OBJECTIVE, *self._limits.names])
        value = measured[OBJECTIVE]
        excess = self._limits.excess(measured) if np.isfinite(value) else np.inf
        self._points.append((excess, value, x))

    def result(self, ending: str = "all rounds are played") -> Result:
        """The answer as it stands."""
        excess, value, x = min(self._points, key=lambda point: point[:2])
        found = self._study.recommendation()
        usable = None if found is None or found.standing == "closest" else found.params
        return result(
            x=x,
            fun=value,
            success=excess == 0,
            message=ending if excess == 0 else f"{ending}; no point kept every constraint",
            nfev=len(self._points),
            maxcv=excess,
            incumbent=None if usable is None else self._box.point(usable),
            violation=self._violation(),
            study=self._study,
        )

    def _violation(self) -> dict[str, float]:
        """A two-sided limit is two constraints on one metric."""
        accounts = self._study.ledger.values()
        names = self._limits.names
        return {name: sum(a.total for a in accounts if a.metric == name) for name in names}


def _stops(callback: Callable[[Result], object], so_far: Result) -> bool:
    try:
        callback(so_far)
    except StopIteration:
        return True
    return False


def _number(value: Any) -> float:
    found = np.asarray(value, dtype=float)
    if found.size != 1:
        raise refused(OBJECTIVE, f"returned {found.size} numbers: one is needed")
    return float(found.item())
