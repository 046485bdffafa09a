"""`springbench deploy`, and the folder of the branch that other commands take too."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.matrix.rows import Matrix
from tests.conftest import Cli
from tests.history.histories import raw_run, stored_run
from tests.history.remotes import git, make_bare

pytestmark = pytest.mark.process


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A built dashboard."""
    folder = tmp_path / "dist"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<title>springbench</title>")
    (folder / "assets/a.js").write_text("1")
    return folder


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """An empty repository to push to."""
    return make_bare(tmp_path / "remote.git")


def test_a_dashboard_and_its_history_share_a_folder(
    tmp_path: Path, site: Path, bare: Path, matrix: Matrix, cli: Cli
) -> None:
    options = ("--branch", "pages", "--path", "docs/bench")
    for message in (
        "deployed 2 files to branch pages, folder docs/bench",
        "nothing has changed on",
    ):
        code, out, err = cli("deploy", site, "--push", bare, *options)
        assert (code, err) == (0, "")
        assert message in out
    folder = stored_run(tmp_path, raw_run(matrix, 7))
    code, out, _ = cli("publish", folder, "--push", bare, *options)
    assert (code, out) == (0, "pushed run-00007 on branch pages, folder docs/bench, attempt 1\n")
    names = git("-C", bare, "ls-tree", "-r", "--name-only", "pages").splitlines()
    assert all(name.startswith("docs/bench/") for name in names)
    for command in ("history", "confirmations"):
        assert cli(command, "--remote", bare, *options)[0] == 0
    code, _, err = cli("history", "--remote", bare, "--branch", "pages")
    assert code == 2
    assert f"branch pages of {bare}: there is no history" in err
    code, _, err = cli("history", "--remote", bare, "--branch", "pages", "--path", "docs")
    assert f"branch pages, folder docs of {bare}: there is no history" in err
    assert cli("publish", "--squash-history", "--push", bare, *options)[0] == 0
    assert git("-C", bare, "rev-list", "--count", "pages").strip() == "1"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("deploy", "SITE", "--push", "BARE", "--path", "../x"), "--path '../x': no folder of a"),
        (("deploy", "SITE", "--push", "BARE", "--branch", "a..b"), "--branch 'a..b': git allows"),
        (("deploy", ".", "--push", "BARE"), "no built dashboard: it has no index.html"),
        (("deploy", "SITE", "--push", "nowhere"), "no remote of this repository"),
        (("deploy", "SITE"), "Missing option '--push'"),
        (("publish", "SITE", "--history", "h", "--path", "x"), "--push REMOTE is missing"),
        (("history", "--history", "SITE", "--path", "x"), "--history SITE is one itself"),
        (("base", "HEAD", "--remote", "BARE", "--path", "/x"), "--path '/x': no folder of a"),
    ],
)
def test_mistakes_are_one_line(
    tmp_path: Path,
    site: Path,
    bare: Path,
    cli: Cli,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    paths = {"SITE": str(site), "BARE": str(bare)}
    code, _, err = cli(*(paths.get(word, word) for word in arguments))
    assert (code, err.count("\n")) == (2, 1), err
    assert words.replace("SITE", str(site)) in err
    assert git("-C", bare, "for-each-ref") == ""
