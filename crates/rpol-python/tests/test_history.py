"""Many trials from a table."""

from __future__ import annotations

import warnings
from typing import Any

import pandas
import pytest
from conftest import SPEC, refused

import rpol

ROW = {"ttl_s": 60.0, "shards": 8, "codec": "lz4", "cost": 1.5, "p99_ms": 240.0, "err_rate": 0.0}


def test_a_table_of_another_study_comes_over(played: rpol.Study) -> None:
    frame, study = played.trials_dataframe(), rpol.create_study(SPEC)
    assert study.add_trials(frame) == list(range(12))
    for old, new in zip(played.trials, study.trials, strict=True):
        assert (new.params, new.metrics, new.errors) == (old.params, old.metrics, old.errors)
    assert study.ledger["p99_ms"].observed == 0, "history is off the books"


def test_the_same_rows_again_change_nothing(study: rpol.Study) -> None:
    twice = [ROW, {**ROW, "cost": 1.6}, ROW]
    assert study.add_trials(pandas.DataFrame(twice)) == [0, 1, 2], "a setting may be measured twice alike"
    before = study.log()
    assert study.add_trials(pandas.DataFrame(twice)) == [] and study.log() == before
    assert study.add_trials([ROW, ROW, ROW]) == [3], "two were there"
    study.void(3)
    assert study.add_trials([ROW, ROW, ROW]) == [4], "what was voided is not there"


def test_empty_cells_are_not_measured(study: rpol.Study) -> None:
    rows = pandas.DataFrame([{**ROW, "memory": 5.0}, {**ROW, "p99_ms": None, "shards": 9}])
    study.add_trials(rows)
    assert study.trial(0).metrics["memory"] == 5.0
    assert study.trial(1).metrics == {"cost": 1.5, "err_rate": 0.0} and study.trial(1).feasible is None
    holes = pandas.DataFrame({**{name: [value] for name, value in ROW.items()}, "memory": [pandas.NA]})
    assert "memory" not in study.trial(study.add_trials(holes.assign(cost=9.0))[0]).metrics
    floats = pandas.DataFrame([ROW, {**ROW, "shards": None}])
    refused(study, rpol.RpolError, r"row 1: params\.shards", lambda: study.add_trials(floats))


def test_a_metric_without_a_column_is_said(study: rpol.Study) -> None:
    with pytest.warns(UserWarning, match="no column has p99_ms, err_rate: taken as not measured"):
        study.add_trials([{"ttl_s": 60.0, "shards": 8, "codec": "lz4", "cost": 1.5}])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        study.add_trials([ROW])  # memory is only tracked


def test_unfinished_trials_are_left_out(played: rpol.Study) -> None:
    played.fail(played.ask(), "crashed")
    played.ask()
    assert rpol.create_study(SPEC).add_trials(played.trials_dataframe()) == list(range(12))


def test_an_error_names_the_row_of_the_table(study: rpol.Study) -> None:
    rows = [{**ROW, "state": "running"}, {**ROW, "state": "complete", "ttl_s": -1.0}]
    refused(study, rpol.OutOfBoundsError, "^row 1: ", lambda: study.add_trials(rows))


def test_clashing_names() -> None:
    study = rpol.create_study(name="a", objective="x", params={"x": rpol.Float(0, 1), "state": rpol.Bool()})
    study.tell(study.ask(), {"x": 0.5})
    other = rpol.create_study(study.spec)
    other.add_trials(study.trials_dataframe())
    assert other.trial(0).params == study.trial(0).params and other.trial(0).metrics == {"x": 0.5}


@pytest.mark.parametrize(
    ("rows", "error", "words"),
    [
        ([{**ROW, "colour": 1}], rpol.UnknownNameError, "'colour': known are ttl_s.*ignore_extra"),
        ([{name: ROW[name] for name in ("ttl_s", "cost")}], rpol.MissingError, r"params\.shards"),
        ([ROW, {**ROW, "cost": "1.5"}], rpol.WrongTypeError, r"row 1: metrics\.cost"),
        ([ROW, {**ROW, "ttl_s": -1.0}], rpol.OutOfBoundsError, "row 1: "),
        ([ROW, 3], rpol.WrongTypeError, "row 1: 3"),
    ],
)
def test_all_or_nothing(study: rpol.Study, rows: list[Any], error: type[rpol.RpolError], words: str) -> None:
    refused(study, error, words, lambda: study.add_trials(rows))


def test_extra_columns_may_be_ignored(study: rpol.Study) -> None:
    assert study.add_trials([{**ROW, "colour": 1}], ignore_extra=True) == [0]
    assert rpol.create_study(SPEC).add_trials([]) == []
