"""release and check-release, against a bare repository, and a `gh` that says its arguments."""

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
# `api` answers what the --jq of its caller would make of GitHub's answer
GH = f"""#!{sys.executable}
import json, os, sys
if sys.argv[1] == "api":
    assert os.environ["GH_TOKEN"] == "of-the-job"
    sys.stdout.write(os.environ.get("CHECKS", "success\\n"))
    sys.exit()
print(json.dumps([*sys.argv[1:], open(sys.argv[sys.argv.index("--notes-file") + 1]).read()]
    if "create" in sys.argv else sys.argv[1:]))
sys.exit("view" in sys.argv and "RELEASED" not in os.environ)
"""


@pytest.fixture
def clone(tmp_path: Path) -> Repository:
    git("init", "--quiet", "--bare", "--initial-branch=main", str(tmp_path / "origin"))
    new_clone = Repository.create(tmp_path / "clone")
    new_clone.git("remote", "add", "origin", str(tmp_path / "origin"))
    version(new_clone, "1.2.3", CHANGELOG)
    new_clone.git("push", "--quiet", "origin", "HEAD:refs/heads/main")
    return new_clone


def version(clone: Repository, number: str, changelog: str | None = None) -> str:
    """The commit that has this version, with its tag pushed."""
    package = {"bench/springbench/__init__.py": f'"""x"""\n\n__version__ = "{number}"\n'}
    wheel = {f"dist/springbench-{number}.whl": ""}
    notes = changelog or f"# Changelog\n\n## {number} - 2026-12-01\n\n- new\n"
    sha = clone.commit({"CHANGELOG.md": notes, **wheel, **package})
    clone.git("tag", f"v{number}")
    clone.git("push", "--quiet", "origin", f"v{number}")
    return sha


def release(
    clone: Repository, tag: str, name: str = "release/release", **more: str
) -> subprocess.CompletedProcess[str]:
    folder = clone.root.parent
    (folder / "gh").write_text(GH)
    (folder / "gh").chmod(0o755)
    config = folder / "gitconfig"
    config.write_text(f'[url "{(folder / "origin").as_uri()}"]\n\tinsteadOf = {ADDRESS}\n')
    return script(
        f"{name}.sh",
        cwd=clone.root,
        PATH=f"{folder}:{os.environ['PATH']}",
        GIT_CONFIG_GLOBAL=config,
        TAG=tag,
        FILES="dist",
        NOTES=folder / "notes.md",
        DEFAULT_BRANCH="main",
        CHECK="all green",
        TOKEN="of-the-job",  # noqa: S106
        GITHUB_SERVER_URL="https://github.com",
        GITHUB_REPOSITORY="octo/bench",
        GITHUB_STEP_SUMMARY=folder / "summary",
        **more,
    )


def at(clone: Repository, tag: str) -> str:
    """The commit that the tag names in the repository."""
    return git("-C", str(clone.root.parent / "origin"), "rev-parse", f"{tag}^{{commit}}")


def created(done: subprocess.CompletedProcess[str]) -> list[str]:
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    [create] = [line for line in lines if "create" in line]
    return list(create)


def test_a_release_has_the_notes_of_its_version_and_moves_the_major_tag(clone: Repository) -> None:
    create = created(release(clone, "v1.2.3"))
    assert create[:3] == ["release", "create", "v1.2.3"]
    assert "--latest=true" in create
    assert create[-2:] == ["dist/springbench-1.2.3.whl", "### Added\n\n- what `users` notice\n\n"]
    assert at(clone, "v1") == clone.git("rev-parse", "HEAD")


def test_a_release_that_is_there_is_left_as_it_is(clone: Repository) -> None:
    assert release(clone, "v1.2.3").returncode == 0
    done = release(clone, "v1.2.3", RELEASED="yes")
    assert done.returncode == 0, done.stderr
    assert '"create"' not in done.stdout
    assert at(clone, "v1") == clone.git("rev-parse", "HEAD")


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        # a re-run, a backport, and what sorts otherwise as text
        ("1.3.0", "1.2.3"),
        ("1.2.4", "1.2.3"),
        ("1.10.0", "1.9.0"),
        ("1.2.10", "1.2.9"),
    ],
)
def test_an_older_version_moves_nothing_and_says_so(
    clone: Repository, newer: str, older: str
) -> None:
    newest = version(clone, newer)
    assert release(clone, f"v{newer}").returncode == 0
    if older != "1.2.3":
        version(clone, older)
    clone.git("checkout", "--quiet", f"v{older}")
    done = release(clone, f"v{older}")
    assert "--latest=false" in created(done)
    words = f"v1 stays where it is: v{older} is not its newest version, v{newer} is"
    assert words in done.stdout
    assert words in (clone.root.parent / "summary").read_text(encoding="utf-8")
    assert at(clone, "v1") == newest


def test_a_major_version_is_moved_by_its_own_versions_alone(clone: Repository) -> None:
    older = clone.git("rev-parse", "HEAD")
    newer = version(clone, "2.0.0")
    assert release(clone, "v2.0.0").returncode == 0
    clone.git("checkout", "--quiet", "v1.2.3")
    assert "--latest=false" in created(release(clone, "v1.2.3"))
    assert (at(clone, "v1"), at(clone, "v2")) == (older, newer)


def test_a_pre_release_neither_moves_it_nor_keeps_it_back(clone: Repository) -> None:
    stable = clone.git("rev-parse", "HEAD")
    assert release(clone, "v1.2.3").returncode == 0
    version(clone, "1.3.0-rc.1")
    done = release(clone, "v1.3.0-rc.1")
    assert "v1 stays where it is: v1.3.0-rc.1 is not its newest version, v1.2.3 is" in done.stdout
    assert at(clone, "v1") == stable
    patch = version(clone, "1.2.4")
    assert release(clone, "v1.2.4").returncode == 0
    assert at(clone, "v1") == patch
    final = version(clone, "1.3.0")
    assert release(clone, "v1.3.0").returncode == 0
    assert at(clone, "v1") == final


@pytest.mark.parametrize("name", ["release/release", "release/notes"])
@pytest.mark.parametrize(
    ("tag", "changelog", "message"),
    [
        ("v1.2.4", CHANGELOG, "has version '1.2.3'; allowed: v1.2.3"),
        ("1.2.3", CHANGELOG, "allowed: v1.2.3"),
        ("v1.2.3", "# Changelog\n\n## Unreleased\n\n- later\n", "has nothing under '## 1.2.3'"),
        ("v1.2.3", "## 1.2.3\n\n## 1.2.2\n\n- before\n", "has nothing under '## 1.2.3'"),
    ],
)
def test_a_tag_that_is_no_version_is_refused(
    clone: Repository, name: str, tag: str, changelog: str, message: str
) -> None:
    (clone.root / "CHANGELOG.md").write_text(changelog, encoding="utf-8")
    done = release(clone, tag, name)
    assert done.returncode == 2
    assert f"::error::{message}" in done.stdout or message in done.stdout
    assert "create" not in done.stdout
    assert git("-C", str(clone.root.parent / "origin"), "tag") == "v1.2.3"


def test_what_is_on_the_default_branch_and_green_may_be_released(clone: Repository) -> None:
    for is_newest in (True, False):
        done = release(clone, "v1.2.3", "check-release/check")
        assert (done.returncode, done.stderr) == (0, "")
        if is_newest:  # later commits make it no less a part of the branch
            clone.git("push", "--quiet", "origin", f"{clone.commit({'more': ''})}:refs/heads/main")
            clone.git("checkout", "--quiet", "v1.2.3")


def test_an_annotated_tag_is_of_its_commit(clone: Repository) -> None:
    clone.git("tag", "--force", "--annotate", "--message", "signed", "v1.2.3")
    clone.git("push", "--quiet", "--force", "origin", "v1.2.3")
    assert release(clone, "v1.2.3", "check-release/check").returncode == 0


@pytest.mark.parametrize(
    "checks", ["", "failure\n", "in_progress\n", "queued\nsuccess\n", "failure\nsuccess\n"]
)
def test_a_commit_that_ci_has_not_passed_is_refused(clone: Repository, checks: str) -> None:
    done = release(clone, "v1.2.3", "check-release/check", CHECKS=checks)
    assert done.returncode == 2
    shown = ",".join(checks.split()) or "not there"
    assert f"is {shown}, and must be success: wait for CI" in done.stdout


def test_a_tag_beside_the_default_branch_is_refused(clone: Repository) -> None:
    version(clone, "1.2.4")  # pushed as a tag, and to no branch
    done = release(clone, "v1.2.4", "check-release/check")
    assert done.returncode == 2
    assert "which is not on main: delete the tag" in done.stdout


def test_a_tag_that_was_moved_since_is_refused(clone: Repository) -> None:
    first = clone.git("rev-parse", "HEAD")
    clone.git("tag", "--force", "v1.2.3", clone.commit({"more": ""}))
    clone.git("push", "--quiet", "--force", "origin", "v1.2.3", "HEAD:refs/heads/main")
    clone.git("checkout", "--quiet", first)
    done = release(clone, "v1.2.3", "check-release/check")
    assert done.returncode == 2
    assert f"and this run is of {first}" in done.stdout
