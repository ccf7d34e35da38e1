"""Pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

import rpol


@pytest.mark.parametrize("kind", ["history", "violation", "penalty", "slice", "contour", "parallel", "delay", "timeline"])
def test_pictures(played: rpol.Study, kind: str) -> None:
    figure = getattr(played.plot, kind)()
    assert figure.svg.startswith("<svg") and figure._repr_html_() == figure.svg


def test_pictures_of_parameters_and_files(played: rpol.Study, tmp_path: Path) -> None:
    contour = played.plot.contour("shards", "ttl_s")
    assert contour.svg != played.plot.contour("ttl_s", "shards").svg
    assert contour._repr_png_().startswith(b"\x89PNG")
    assert contour.save(tmp_path / "a.svg").read_text() == contour.svg
    assert contour.save(tmp_path / "a.png").read_bytes() == contour.png()
    refused = [
        (lambda: played.plot.contour("shards", "codec"), rpol.UnknownNameError),
        (lambda: played.plot.contour("shards", "nobody"), rpol.UnknownNameError),
        (lambda: played.plot.contour("shards"), rpol.InvalidSpecError),
        (lambda: played.plot.contour("shards", "shards"), rpol.InvalidSpecError),
        (lambda: played.plot.slice("nobody"), rpol.UnknownNameError),
        (lambda: contour.save(tmp_path / "a.gif"), rpol.InvalidSpecError),
    ]
    for call, error in refused:
        with pytest.raises(error):
            call()


def test_a_picture_replaces_only_pictures(played: rpol.Study, tmp_path: Path) -> None:
    history = played.plot.history()
    for name in ("a.svg", "a.png"):
        place = tmp_path / name
        assert history.save(history.save(place)) == place
        place.write_text("my notes")
        with pytest.raises(rpol.StorageError, match="rpol did not write it"):
            history.save(place)
        assert place.read_text() == "my notes"
        history.save(place, force=True)
        assert place.read_text(errors="replace") != "my notes"
    store = tmp_path / "store.svg"
    rpol.create_study(name="a", objective="minimize cost", params={"x": rpol.Float(0, 1)}, storage=str(store))
    before = store.read_bytes()
    with pytest.raises(rpol.StorageError, match="is a store"):
        history.save(store, force=True)
    assert store.read_bytes() == before
