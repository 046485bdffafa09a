"""Where things stand in a clone."""

from __future__ import annotations

import os
import subprocess
import sys
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


@pytest.mark.process
def test_commits_are_those_of_the_repository_that_a_person_stands_in(tmp_path: Path) -> None:
    """A service may be described in a folder of its repository, or by a workflow's inputs."""
    (tmp_path / "own" / ".git").mkdir(parents=True)
    (tmp_path / "own" / "orders").mkdir()
    (tmp_path / "elsewhere").mkdir()
    script = "from springbench.paths import REPOSITORY; print(REPOSITORY)"
    for folder, expected in (
        (tmp_path / "own", tmp_path / "own"),
        (tmp_path / "own" / "orders", tmp_path / "own"),
        (tmp_path / "elsewhere", paths.ROOT),
        (paths.ROOT / "bench", paths.ROOT),
    ):
        environment = {**os.environ, "PYTHONPATH": str(paths.ROOT / "bench")}
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == f"{expected}\n"
