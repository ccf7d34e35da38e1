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
