"""What a notebook shows."""

from __future__ import annotations

import html.parser

import pytest

import rpol

HOSTILE = "<img src=x onerror=alert(1)>"


class Strict(html.parser.HTMLParser):
    """Notes the tags; every one that opens must close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attributes: object) -> None:
        self.open.append(tag)
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def tables(shown: object) -> str:
    """The HTML of an object, which must be tables and nothing else."""
    text: str = shown._repr_html_()  # type: ignore[attr-defined]
    assert Strict(text).seen <= {"table", "tr", "th", "td"}, text
    return text


def test_a_study_shows_what_to_run_and_its_limits(played: rpol.Study) -> None:
    text, recommended = tables(played), played.recommendation()
    assert recommended is not None and tables(recommended) in text and recommended.standing in text
    assert recommended.objective is not None and f"{recommended.objective.mean:.4g}" in text
    assert "cache" in text and "p99_ms &lt;= 250" in text and "in memory" in text
    assert tables(rpol.create_study(name="empty", objective="y", params={"x": rpol.Float(0, 1)}))


def test_a_trial_and_a_ledger(played: rpol.Study) -> None:
    text = tables(played.trial(0))
    assert "complete" in text and "+- 4" in text and ("every limit kept" in text) == bool(played.trial(0).feasible)
    played.fail(played.ask(), HOSTILE)
    assert "&lt;img" in tables(played.trial(12)) and "limit" not in tables(played.trial(12))
    assert "not known" in tables(played.ask())
    assert tables(played.ledger).count("<tr>") == 3
    assert tables(played.predict(played.trial(0).params)).count("<tr>") == 4


def test_everything_is_escaped() -> None:
    params = {"x": rpol.Float(0, 1), HOSTILE: rpol.Categorical([f"{HOSTILE}\u202e"])}
    study = rpol.create_study(name=HOSTILE, objective="y", params=params)
    study.tell(study.ask(), {"y": 1.0})
    text = tables(study)
    assert "<img" not in text and "&lt;img" in text and "\u202e" not in text


def test_nothing_is_an_object_at_an_address(played: rpol.Study) -> None:
    shown = [played, played.spec, played.trial(0), played.ledger, played.ledger["p99_ms"], played.status(), played.plot]
    shown += [played.recommendation(), played.plot.history(), played.predict(played.trial(0).params), rpol.Kernel.rbf([1.0])]
    shown += [rpol.GaussianProcess(rpol.Kernel.rbf([1.0])), *played.spec.params.values()]
    for each in shown:
        assert " object at 0x" not in repr(each), repr(each)


@pytest.mark.parametrize("name", ["history", "timeline"])
def test_the_pictures_are_listed(played: rpol.Study, name: str) -> None:
    assert name in repr(played.plot)
