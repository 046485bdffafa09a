"""A step runs again when something changed below its paths, and only then."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from digest import digest


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    (tmp_path / ".gitignore").write_text("target/\n")
    (tmp_path / "servers/a/target").mkdir(parents=True)
    (tmp_path / "servers/a/App.java").write_text("class App {}")
    (tmp_path / "README.md").write_text("other")
    return tmp_path


def test_what_does_not_matter_changes_nothing(clone: Path) -> None:
    before = digest(["servers"], clone)
    (clone / "README.md").write_text("changed")
    (clone / "servers/a/target/App.class").write_text("built")
    assert digest(["servers"], clone) == before


@pytest.mark.parametrize("change", ["content", "name", "gone", "new", "jdk"])
def test_what_matters_changes_it(clone: Path, change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = digest(["servers"], clone)
    file = clone / "servers/a/App.java"
    if change == "content":
        file.write_text("class App { }")
    elif change == "name":
        file.rename(file.with_name("Main.java"))
    elif change == "gone":
        file.unlink()
    elif change == "new":
        (clone / "servers/a/Other.java").touch()
    else:
        monkeypatch.setenv("JAVA_HOME", "/another")
    assert digest(["servers"], clone) != before
