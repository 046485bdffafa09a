"""Where things stand in a clone."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench import paths


def test_the_clone_is_found_from_the_package() -> None:
    assert paths.MATRIX.is_file()
    assert (paths.ROOT / "pom.xml").is_file()


def test_a_path_below_is_shown_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert paths.shown(tmp_path / "results" / "run.json") == "results/run.json"
    assert paths.shown(tmp_path.parent / "elsewhere") == str(tmp_path.parent / "elsewhere")
