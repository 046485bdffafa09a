"""release, against a bare repository, and a `gh` that says its arguments."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repositories import Repository
from tests.workflows.actions.scripts import script
from tests.workflows.local_github import git

ADDRESS = "https://github.com/octo/bench"
CHANGELOG = """\
# Changelog

## Unreleased

- later

## 1.2.3 - 2026-11-23

### Added

- what `users` notice

## 1.2.2 - 2026-11-01

- before
"""
GH = f"""#!{sys.executable}
import json, os, sys
print(json.dumps([*sys.argv[1:], open(sys.argv[sys.argv.index("--notes-file") + 1]).read()]
    if "create" in sys.argv else sys.argv[1:]))
sys.exit("view" in sys.argv and "RELEASED" not in os.environ)
"""


@pytest.fixture
def clone(tmp_path: Path) -> Repository:
    git("init", "--quiet", "--bare", str(tmp_path / "origin"))
    made = Repository.create(tmp_path / "clone")
    package = {"bench/springbench/__init__.py": '"""x"""\n\n__version__ = "1.2.3"\n'}
    made.commit({"CHANGELOG.md": CHANGELOG, "dist/springbench-1.2.3.whl": "", **package})
    return made


def release(
    clone: Repository, tag: str, name: str = "release", **more: str
) -> subprocess.CompletedProcess[str]:
    folder = clone.root.parent
    (folder / "gh").write_text(GH)
    (folder / "gh").chmod(0o755)
    config = folder / "gitconfig"
    config.write_text(f'[url "{(folder / "origin").as_uri()}"]\n\tinsteadOf = {ADDRESS}\n')
    return script(
        f"release/{name}.sh",
        cwd=clone.root,
        PATH=f"{folder}:{os.environ['PATH']}",
        GIT_CONFIG_GLOBAL=config,
        TAG=tag,
        FILES="dist",
        NOTES=folder / "notes.md",
        TOKEN="none",  # noqa: S106
        GITHUB_SERVER_URL="https://github.com",
        GITHUB_REPOSITORY="octo/bench",
        **more,
    )


def test_a_release_has_the_notes_of_its_version_and_moves_the_major_tag(clone: Repository) -> None:
    done = release(clone, "v1.2.3")
    assert done.returncode == 0, done.stderr
    [create] = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    assert create[:3] == ["release", "create", "v1.2.3"]
    assert create[-2:] == ["dist/springbench-1.2.3.whl", "### Added\n\n- what `users` notice\n\n"]
    origin = str(clone.root.parent / "origin")
    assert git("-C", origin, "rev-parse", "v1") == clone.git("rev-parse", "HEAD")


def test_a_release_that_is_there_is_left_and_its_tag_moves_on(clone: Repository) -> None:
    assert release(clone, "v1.2.3").returncode == 0
    clone.commit({"more": ""})
    done = release(clone, "v1.2.3", RELEASED="yes")
    assert done.returncode == 0, done.stderr
    assert '"create"' not in done.stdout
    origin = str(clone.root.parent / "origin")
    assert git("-C", origin, "rev-parse", "v1") == clone.git("rev-parse", "HEAD")


@pytest.mark.parametrize("name", ["release", "notes"])
@pytest.mark.parametrize(
    ("tag", "changelog", "said"),
    [
        ("v1.2.4", CHANGELOG, "has version '1.2.3'; allowed: v1.2.3"),
        ("1.2.3", CHANGELOG, "allowed: v1.2.3"),
        ("v1.2.3", "# Changelog\n\n## Unreleased\n\n- later\n", "has nothing under '## 1.2.3'"),
        ("v1.2.3", "## 1.2.3\n\n## 1.2.2\n\n- before\n", "has nothing under '## 1.2.3'"),
    ],
)
def test_a_tag_that_is_no_version_is_refused(
    clone: Repository, name: str, tag: str, changelog: str, said: str
) -> None:
    (clone.root / "CHANGELOG.md").write_text(changelog, encoding="utf-8")
    done = release(clone, tag, name)
    assert done.returncode == 2
    assert f"::error::{said}" in done.stdout or said in done.stdout
    assert "create" not in done.stdout
    assert git("-C", str(clone.root.parent / "origin"), "tag") == ""
