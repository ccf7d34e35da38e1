"""Values of frameworks and what stands for them in rpol."""

from __future__ import annotations

from typing import Any

import pytest

from rpol.errors import InvalidSpecError
from rpol.integrations._axis import Axis, Choice, Real, Stepped
from rpol.integrations._limit import at_least, at_most, between
from rpol.integrations._space import Space


@pytest.mark.parametrize(
    ("axis", "values"),
    [
        (Real(-1, 2), [-1.0, 0.1, 2.0]),
        (Stepped(0, 10, step=0.1, offset=-0.3, whole=False), [-0.3 + k * 0.1 for k in range(11)]),
        (Stepped(1, 100, log=True), [1, 7, 100]),
        (Stepped(0, 3, step=4, offset=-2), [-2, 2, 6, 10]),
        (Choice([None, True, 1, 1.0, "1", (1, 2)]), [None, True, 1, 1.0, "1", (1, 2)]),
        (Choice([1, 2, 5], levels=True), [1, 2, 5]),
    ],
)
def test_every_value_comes_back_as_it_was(axis: Axis, values: list[Any]) -> None:
    there = [axis.inward(value) for value in values]
    back = [axis.outward(value) for value in there]
    assert [(value, type(value)) for value in back] == [(value, type(value)) for value in values]
    assert len(set(there)) == len(values)


@pytest.mark.parametrize(
    ("axis", "value"),
    [
        (Real(0, 1), 1.0000001),
        (Real(0, 1), float("nan")),
        (Real(0, 1), "a"),
        (Real(0, 1), None),
        (Stepped(0, 3, step=4, offset=-2), 14),
        (Stepped(1, 9), float("nan")),
        (Choice(["a", "b"]), "c"),
    ],
)
def test_what_is_not_in_the_space_is_refused_by_name(axis: Axis, value: Any) -> None:
    with pytest.raises(InvalidSpecError, match="^params.p: "):
        Space({"p": axis}).inward({"p": value})


def test_limits_of_any_metric() -> None:
    assert at_most("p99", 250) == "'p99' <= 250.0"
    assert at_least("it's", 1e-9) == "'it''s' >= 1e-09"
    assert between("c", float("-inf"), 2) == ["'c' <= 2.0"]
    assert between("c", 1, 2) == ["'c' >= 1.0", "'c' <= 2.0"]
