"""The examples render on their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from conftest import ROOT


def rendered(script: str, page: Path, *arguments: str) -> str:
    """What the script says; its page must have pictures and refer to nothing outside."""
    command = [sys.executable, "-B", str(ROOT / "examples/python" / script), str(page), *arguments]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") >= 2 and "src=" not in text and "href=\"http" not in text
    return said


def test_the_quickstart(tmp_path: Path) -> None:
    said = rendered("quickstart.py", tmp_path / "a.html")
    assert said.startswith("run ttl_s=") and "p99_ms <= 250: kept by" in said and "on the way there" in said
