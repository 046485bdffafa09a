"""deploy-site, against a bare repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.workflows.actions.scripts import BESIDE_PYTHON, script
from tests.workflows.local_github import git


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    origin = tmp_path / "octo" / "bench"
    git("init", "--quiet", "--bare", str(origin))
    return origin


def deploy(tmp_path: Path, origin: Path, path: str = "", **files: str) -> None:
    site = tmp_path / "dist"
    site.mkdir(exist_ok=True)
    for name, text in files.items():
        (site / f"{name}.html").write_text(text, encoding="utf-8")
    done = script(
        "deploy-site/deploy.sh",
        PATH=BESIDE_PYTHON,
        SITE=site,
        BRANCH="gh-pages",
        HISTORY_PATH=path,
        GITHUB_SERVER_URL=origin.parent.parent,
        GITHUB_REPOSITORY="octo/bench",
    )
    assert done.returncode == 0, done.stderr


def files(origin: Path) -> list[str]:
    return git("-C", str(origin), "ls-tree", "-r", "--name-only", "gh-pages").splitlines()


def test_the_branch_is_made_and_the_data_stays(tmp_path: Path, origin: Path) -> None:
    deploy(tmp_path, origin, index="one", old="gone soon")
    clone = tmp_path / "clone"
    git("clone", "--quiet", "--branch", "gh-pages", str(origin), str(clone))
    (clone / "data").mkdir()
    (clone / "data" / "index.json").write_text("{}", encoding="utf-8")
    git("-C", str(clone), "add", "--all")
    name = ("-c", "user.name=a", "-c", "user.email=a@example.invalid")
    git("-C", str(clone), *name, "commit", "--quiet", "--message", "a run")
    git("-C", str(clone), "push", "--quiet")
    (tmp_path / "dist" / "old.html").unlink()
    deploy(tmp_path, origin, index="two")
    assert files(origin) == [".nojekyll", "data/index.json", "index.html", "springbench.json"]
    assert git("-C", str(origin), "show", "gh-pages:index.html") == "two"


def test_the_same_site_again_is_no_commit(tmp_path: Path, origin: Path) -> None:
    deploy(tmp_path, origin, index="one")
    deploy(tmp_path, origin, index="one")
    assert git("-C", str(origin), "rev-list", "--count", "gh-pages") == "1"


def test_it_goes_below_the_folder_that_is_named(tmp_path: Path, origin: Path) -> None:
    deploy(tmp_path, origin, path="docs/bench", index="one")
    assert files(origin) == ["docs/bench/index.html", "docs/bench/springbench.json"]
