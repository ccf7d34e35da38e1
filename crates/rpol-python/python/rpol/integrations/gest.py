"""rpol as a generator of gest-api, the standard of Xopt, libEnsemble and Optimas."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import rpol

from ._axis import Axis, Choice, Real
from ._limit import at_least, at_most, between
from ._measured import remember, settle
from ._refusal import refused, require
from ._space import Space

require("gest_api", "gest")

from gest_api.generator import Generator  # noqa: E402
from gest_api.vocs import (  # noqa: E402
    VOCS,
    BoundsConstraint,
    ContextualVariable,
    ContinuousVariable,
    DiscreteVariable,
    GreaterThanConstraint,
    LessThanConstraint,
    MaximizeObjective,
    MinimizeObjective,
)

Point = dict[str, Any]
OWN = "a point of your own"


class RpolGenerator(Generator):
    """One objective, any number of constraints, continuous and discrete variables.

    Points that were suggested come back with their ``_id``, early, late or never; points without one are history. An
    output that is NaN was not measured: what else the point measured counts. ``settings`` are further fields of a
    study's definition, such as ``risk``, and ``storage``.

    >>> from gest_api.vocs import VOCS
    >>> vocs = VOCS(
    ...     variables={"x": [0.0, 1.0]}, objectives={"f": "MAXIMIZE"}, constraints={"c": ["LESS_THAN", 0.5]}
    ... )
    >>> generator = RpolGenerator(vocs)
    >>> for _ in range(4):
    ...     points = generator.suggest(2)
    ...     generator.ingest([point | {"f": point["x"], "c": point["x"] ** 2} for point in points])
    >>> len(generator.study.trials)
    8
    """

    returns_id = True

    def __init__(self, vocs: VOCS, *, batch: int = 1, **settings: Any) -> None:
        """A generator for ``vocs``; ``batch`` is how many points ``suggest()`` gives."""
        super().__init__(vocs)
        #: What is searched over and measured.
        self.vocs = vocs
        self._batch = batch
        self._space = Space(_axes(vocs))
        self._constants = {name: constant.value for name, constant in vocs.constants.items()}
        self._outputs: list[str] = list(vocs.output_names)
        self._needed: list[str] = [*vocs.objective_names, *vocs.constraint_names]
        self._suggested: dict[int, Point] = {}
        objective, kind = next(iter(vocs.objectives.items()))
        #: The study underneath: ledger, best trial, plots.
        self.study = rpol.create_study(
            **{"name": "gest", **self._space.settings(settings)},
            objective=objective,
            direction="minimize" if isinstance(kind, MinimizeObjective) else "maximize",
            params=self._space.params,
            constraints=_expressions(vocs),
            track=[name for name in vocs.observable_names if name not in self._needed],
        )

    def _validate_vocs(self, vocs: VOCS) -> None:
        if not vocs.variables:
            raise refused("variables", "there are 0: VOCS must define at least one variable")
        if not vocs.objectives:
            raise refused("objectives", "there are 0: VOCS must define at least one objective")
        if len(vocs.objectives) > 1:
            count = len(vocs.objectives)
            raise refused("objectives", f"there are {count}: keep one, make the others constraints")
        for name, objective in vocs.objectives.items():
            if not isinstance(objective, (MinimizeObjective, MaximizeObjective)):
                kind = type(objective).__name__
                raise refused(f"objectives.{name}", f"{kind} is not known: use MINIMIZE or MAXIMIZE")
        # Both refuse what they do not know.
        _axes(vocs)
        _expressions(vocs)

    def suggest(self, num_points: int | None = None) -> list[Point]:
        """Points to evaluate, each with its ``_id``; later ones account for earlier ones as pending."""
        trials = self.study.ask_many(self._batch if num_points is None else num_points)
        self._suggested.update({trial.number: dict(trial.params) for trial in trials})
        return [
            self._space.outward(trial.params) | self._constants | {"_id": trial.number}
            for trial in trials
        ]

    def ingest(self, results: list[Point]) -> None:
        """Takes in what was measured, once names, identifiers and settings of all the points are found to be right."""
        for number, setting, outputs in [self._checked(point) for point in results]:
            if number is None:
                remember(self.study, setting, outputs, self._needed)
            else:
                settle(self.study, number, outputs, self._needed)

    def finalize(self) -> None:
        """Nothing is outstanding: every result was taken in when it came."""

    def _checked(self, point: Point) -> tuple[int | None, Point, Point]:
        absent = [name for name in [*self._space.params, *self._outputs] if name not in point]
        if absent:
            raise refused(absent[0], f"is missing in {point!r}: a result has every variable and output")
        setting = self._space.inward(point)
        number = point.get("_id")
        if number is not None:
            number = self._asked(number, setting)
        return number, setting, {name: point[name] for name in self._outputs}

    def _asked(self, number: Any, setting: Point) -> int:
        if number not in self._suggested:
            raise refused("_id", f"{number!r} was not suggested here: leave it out for {OWN}")
        if self._suggested[number] != setting:
            found = f"point {number} was suggested as {self._suggested[number]}, not as {setting}"
            raise refused("_id", f"{found}: leave it out for {OWN}")
        # Tables make 3.0 of 3.
        return int(number)


def _axes(vocs: VOCS) -> dict[str, Axis]:
    return {name: _axis(name, variable) for name, variable in vocs.variables.items()}


def _axis(name: str, variable: Any) -> Axis:
    if isinstance(variable, ContextualVariable):
        raise refused(f"variables.{name}", "a contextual variable is not searched over: leave it out")
    if isinstance(variable, ContinuousVariable):
        return Real(*variable.domain)
    if isinstance(variable, DiscreteVariable):
        return _discrete(variable.values)
    kind = type(variable).__name__
    raise refused(f"variables.{name}", f"{kind} is not known: give bounds or a set of values")


def _discrete(values: Iterable[Any]) -> Choice:
    """Numbers have an order, other values none; a set has none either, so they are sorted."""
    values = list(values)
    if all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values):
        return Choice(sorted(values), levels=True)
    return Choice(sorted(values, key=repr))


def _expressions(vocs: VOCS) -> list[str]:
    return [limit for item in vocs.constraints.items() for limit in _limits(*item)]


def _limits(name: str, constraint: Any) -> list[str]:
    if isinstance(constraint, LessThanConstraint):
        return [at_most(name, constraint.value)]
    if isinstance(constraint, GreaterThanConstraint):
        return [at_least(name, constraint.value)]
    if isinstance(constraint, BoundsConstraint):
        return between(name, *constraint.range)
    kind = type(constraint).__name__
    raise refused(f"constraints.{name}", f"{kind} is not known: use LESS_THAN, GREATER_THAN or BOUNDS")
