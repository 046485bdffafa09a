"""A branch that others have files on: not a byte of theirs changes, no link is followed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from springbench.commands.deploy import read_site
from springbench.errors import ConfigurationError
from springbench.history import push as pushing
from springbench.history.branch import Branch
from springbench.history.push import (
    push_rebuild,
    push_run,
    push_site,
    push_squash,
    push_together,
)
from springbench.history.reading import branch_to_read
from springbench.history.remote import Remote
from springbench.host.shell import RealShell
from springbench.matrix.rows import Matrix
from springbench.messages import show_messages
from tests.history.histories import published, rebuilt
from tests.history.remotes import IDENTITY, checked_out, commits, git

pytestmark = pytest.mark.process
SHELL = RealShell()
DOCS = {
    "CNAME": b"docs.example.org\n",
    "index.html": b"<h1>Orders</h1>\r\n",
    "docs/guide.md": b"---\ntitle: Guide\n---\n",
    "javadoc/index-all.html": b"\xff\xfe not UTF-8",
    "benchmarks/data.js": b"window.BENCHMARK_DATA = {}",
    # another tool's, in a folder of that name
    "data/index.json": b'{"schema": 2, "pages": []}',
    "version.txt": b"3.1\n",
}
DASHBOARD = {
    "index.html": b"<title>springbench</title>",
    "assets/a-1.js": b"1",
    "version.txt": b"1",
}


class Clone:
    """A clone of somebody who puts other files on the branch."""

    def __init__(self, bare: Path, folder: Path) -> None:
        self.folder = folder
        git("clone", "--quiet", bare, folder)
        if git("-C", bare, "branch", "--list", "gh-pages"):
            git("-C", folder, "checkout", "--quiet", "gh-pages")
        else:
            git("-C", folder, "checkout", "--quiet", "--orphan", "gh-pages")

    def push(
        self, files: dict[str, bytes | None], *, then: Callable[[], object] | None = None
    ) -> None:
        git("-C", self.folder, "pull", "--quiet", "origin", "gh-pages") if commits_of(
            self
        ) else None
        for name, data in files.items():
            file = self.folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            if data is None:
                file.unlink()
            else:
                file.write_bytes(data)
        if then:
            then()
        git("-C", self.folder, "add", "--all")
        git("-C", self.folder, *IDENTITY, "commit", "--quiet", "-m", "theirs")
        git("-C", self.folder, "push", "--quiet", "origin", "gh-pages")


def commits_of(clone: Clone) -> int:
    return len(git("-C", clone.folder, "ls-remote", "origin", "gh-pages").splitlines())


@pytest.fixture
def docs(bare: Path, tmp_path: Path) -> Clone:
    """A branch that holds a documentation site."""
    clone = Clone(bare, tmp_path / "docs")
    clone.push({**DOCS})
    return clone


def remote(bare: Path, path: str = "", branch: str = "gh-pages") -> Remote:
    return Remote(bare.as_uri(), branch, path)


def tree(bare: Path, without: str = "springbench/") -> list[str]:
    """Mode, blob and path of every file of the branch that does not lie below that folder."""
    listed = git("-C", bare, "-c", "core.quotePath=true", "ls-tree", "-r", "gh-pages").splitlines()
    return [line for line in listed if not line.partition("\t")[2].startswith(without)]


def names(bare: Path, below: str = "") -> list[str]:
    listed = git("-C", bare, "ls-tree", "-r", "--name-only", "gh-pages").splitlines()
    return [name.removeprefix(below) for name in listed if name.startswith(below)]


def content(bare: Path, name: str) -> str:
    return git("-C", bare, "show", f"gh-pages:{name}")


def test_a_branch_of_others_is_refused_with_what_it_holds_and_the_remedy(
    bare: Path, docs: Clone, matrix: Matrix
) -> None:
    before = git("-C", bare, "rev-parse", "gh-pages")
    changes: list[Callable[[], object]] = [
        lambda: push_run(SHELL, remote(bare), published(matrix, 1)),
        lambda: push_site(SHELL, remote(bare), DASHBOARD),
        lambda: push_rebuild(SHELL, remote(bare)),
        lambda: push_run(SHELL, remote(bare, "docs"), published(matrix, 1)),
    ]
    for change in changes:
        with pytest.raises(ConfigurationError) as caught:
            change()
        assert "\n" not in str(caught.value)
        assert "holds files that springbench did not write: " in str(caught.value)
        assert "(in a workflow `path: springbench`)" in str(caught.value)
    assert "did not write: guide.md. Nothing was changed" in str(caught.value)
    with pytest.raises(
        ConfigurationError, match=r"CNAME, benchmarks/, data/, docs/, index\.html and"
    ):
        changes[0]()
    assert git("-C", bare, "rev-parse", "gh-pages") == before


def test_below_a_folder_all_of_it_lives_beside_them(
    bare: Path, docs: Clone, matrix: Matrix, tmp_path: Path
) -> None:
    before = tree(bare)
    target = remote(bare, "springbench")
    for number in (1, 2):
        push_run(SHELL, target, published(matrix, number))
        push_site(SHELL, target, DASHBOARD)
    assert tree(bare) == before
    clone = tmp_path / "clone"
    git("clone", "--quiet", "--branch", "gh-pages", bare, clone)
    assert rebuilt(clone / "springbench", tmp_path / "fresh")["data/index.json"]
    assert {*DASHBOARD, "springbench.json"} <= {*names(bare, "springbench/")}
    # Jekyll, which may make the other pages, looks for it at the top
    assert ".nojekyll" not in names(bare)
    with branch_to_read(SHELL, target) as files:
        assert len(files.names("data/runs")) == 2
    # in a folder of its own, nothing there is refused
    assert not push_rebuild(SHELL, target).changed


def test_the_next_dashboard_takes_the_place_of_the_last_and_of_nothing_else(
    bare: Path, docs: Clone
) -> None:
    target = remote(bare, "springbench")
    push_site(SHELL, target, DASHBOARD)
    docs.push(
        {"springbench/robots.txt": b"later", "springbench/assets/own.css": b"", "CNAME": b"b"}
    )
    before = tree(bare)
    push_site(SHELL, target, {"index.html": b"2", "assets/a-2.js": b"2"})
    assert names(bare, "springbench/") == [
        *("assets/a-2.js", "assets/own.css", "index.html", "robots.txt", "springbench.json"),
    ]
    assert tree(bare) == before
    assert not push_site(SHELL, target, {"index.html": b"2", "assets/a-2.js": b"2"}).changed


def test_a_file_that_others_changed_is_neither_replaced_nor_removed(
    bare: Path, tmp_path: Path
) -> None:
    push_site(SHELL, remote(bare), DASHBOARD)
    other = Clone(bare, tmp_path / "other")
    other.push({"index.html": b"theirs", "assets/a-1.js": b"theirs"})
    before = git("-C", bare, "rev-parse", "gh-pages")
    with pytest.raises(
        ConfigurationError, match=r"not what springbench wrote there: index\.html\."
    ):
        push_site(
            SHELL,
            remote(bare),
            {**DASHBOARD, "assets/a-2.js": b"2"} | {"assets/a-1.js": b"theirs"},
        )
    assert git("-C", bare, "rev-parse", "gh-pages") == before
    messages: list[str] = []
    show_messages(messages.append)
    push_site(SHELL, remote(bare), {"index.html": b"theirs"})
    assert messages == ["assets/a-1.js: was changed by others since it was written; it stays"]
    assert content(bare, "assets/a-1.js") == "theirs"
    assert "version.txt" not in names(bare)


def test_neither_attributes_nor_filters_of_the_branch_change_a_byte(
    bare: Path, docs: Clone, matrix: Matrix, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "gitconfig"
    config.write_text(
        '[filter "lfs"]\n\tclean = echo a pointer\n\tsmudge = echo a pointer\n\trequired = true\n'
    )
    attributes = b"* text eol=crlf ident\n*.gz filter=lfs\n*.json filter=lfs\n"
    docs.push({".gitattributes": attributes})
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    before, target = tree(bare), remote(bare, "springbench")
    site = {"index.html": b"$Id$\n\r\n", "a.json": b"{}\n"}
    for number in (1, 2):
        push_run(SHELL, target, published(matrix, number))
        push_site(SHELL, target, site)
    assert tree(bare) == before
    monkeypatch.delenv("GIT_CONFIG_GLOBAL")
    with branch_to_read(SHELL, target) as files:
        assert json.loads(files.read("data/index.json") or "")["runs_total"] == 2
        assert files.read("index.html") == "$Id$\n\r\n"


def test_names_that_are_no_text_links_and_submodules_of_others_stay(
    bare: Path, docs: Clone, matrix: Matrix
) -> None:
    def more() -> None:
        name = os.fsencode(docs.folder) + b"/caf\xe9" + b"\xe9" * 200
        with open(name, "wb") as file:  # noqa: PTH123 - a name of bytes
            file.write(b"latin-1")
        (docs.folder / "latest").symlink_to("docs")
        (docs.folder / 'a "quoted"\tname').write_text("x")
        head = git("-C", docs.folder, "rev-parse", "HEAD").strip()
        git("-C", docs.folder, "update-index", "--add", "--cacheinfo", f"160000,{head},theme")
        (docs.folder / "theme").mkdir()

    docs.push({}, then=more)
    before = tree(bare)
    assert any(line.startswith("160000") for line in before)
    push_run(SHELL, remote(bare, "springbench"), published(matrix, 1))
    push_site(SHELL, remote(bare, "springbench"), DASHBOARD)
    assert tree(bare) == before


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("", "data"),
        ("bench/of/orders", "data"),
        ("", "data/acknowledged.json"),
        ("bench/of/orders", "data/index.json"),
        ("", "data/runs"),
        ("bench/of/orders", "data/runs/run-00002.json.gz"),
        ("", "data/series/other"),
        ("bench/of/orders", "springbench.json"),
    ],
)
def test_no_link_is_followed(
    bare: Path, matrix: Matrix, tmp_path: Path, name: str, path: str
) -> None:
    target, outside = remote(bare, path), tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("kept")
    push_run(SHELL, target, published(matrix, 1))
    other = Clone(bare, tmp_path / "other")
    link_path = other.folder / path / name

    def link() -> None:
        git("-C", other.folder, "rm", "-r", "--quiet", "--ignore-unmatch", link_path)
        link_path.parent.mkdir(parents=True, exist_ok=True)
        link_path.symlink_to(outside if "." not in link_path.name else outside / "kept")

    other.push({}, then=link)
    changes: list[Callable[[], object]] = [
        lambda: push_run(SHELL, target, published(matrix, 2)),
        lambda: push_site(SHELL, target, DASHBOARD),
        lambda: branch_to_read(SHELL, target).__enter__(),
    ]
    for change in changes:
        with pytest.raises(ConfigurationError) as caught:
            change()
        assert f"{target.at(name)} is a symbolic link" in str(caught.value)
    assert commits(bare) == 2
    assert [entry.name for entry in outside.iterdir()] == ["kept"]
    assert (outside / "kept").read_text() == "kept"


@pytest.mark.parametrize("path", ["a-link", "a-link/below", "a-file", "a-file/below", "a-module"])
def test_a_folder_that_is_none_is_refused(
    bare: Path, docs: Clone, matrix: Matrix, tmp_path: Path, path: str
) -> None:
    def more() -> None:
        (docs.folder / "a-link").symlink_to(tmp_path)
        head = git("-C", docs.folder, "rev-parse", "HEAD").strip()
        git("-C", docs.folder, "update-index", "--add", "--cacheinfo", f"160000,{head},a-module")
        (docs.folder / "a-module").mkdir()

    docs.push({"a-file": b""}, then=more)
    kind = {"a-link": "a symbolic link", "a-file": "a file", "a-module": "a submodule"}
    top = path.partition("/")[0]
    with pytest.raises(ConfigurationError, match=f"{top} is {kind[top]}"):
        push_run(SHELL, remote(bare, path), published(matrix, 1))
    assert commits(bare) == 2


def test_a_dashboard_is_not_written_through_a_link_or_over_a_folder(
    bare: Path, tmp_path: Path
) -> None:
    push_site(SHELL, remote(bare), {"index.html": b"1"})
    other = Clone(bare, tmp_path / "other")
    other.push({"b.js/inner": b""}, then=lambda: (other.folder / "a").symlink_to(tmp_path))
    for site, message in (
        ({"a/x.js": b""}, "a is a symbolic link"),
        ({"b.js": b""}, "b.js is a folder"),
    ):
        with pytest.raises(ConfigurationError, match=message):
            push_site(SHELL, remote(bare), {"index.html": b"2", **site})
    assert not (tmp_path / "x.js").exists()
    # a folder of ours that becomes a file
    push_site(SHELL, remote(bare), {"index.html": b"1", "c/d": b""})
    push_site(SHELL, remote(bare), {"index.html": b"1", "c": b"now"})
    assert content(bare, "c") == "now"


@pytest.mark.parametrize("text", ["", "{}", '{"name": "another tool"}', '{"schema": 7}', "\xff"])
def test_a_manifest_of_another_tool_is_no_permission(
    bare: Path, tmp_path: Path, matrix: Matrix, text: str
) -> None:
    files: dict[str, bytes | None] = {"springbench.json": text.encode("latin-1"), "index.html": b""}
    Clone(bare, tmp_path / "other").push(files)
    before = git("-C", bare, "rev-parse", "gh-pages")
    with pytest.raises(ConfigurationError, match=r"springbench\.json"):
        push_run(SHELL, remote(bare), published(matrix, 1))
    assert git("-C", bare, "rev-parse", "gh-pages") == before


def test_names_in_a_manifest_reach_no_file_outside_of_the_folder(
    bare: Path, docs: Clone, tmp_path: Path
) -> None:
    target, outside = remote(bare, "springbench"), tmp_path / "outside"
    push_site(SHELL, target, DASHBOARD)
    outside.write_text("kept")
    blob = git("-C", bare, "rev-parse", "gh-pages:CNAME").strip()
    listed = {"../CNAME": blob, str(outside): blob, "../../.git/config": blob}
    docs.push({"springbench/springbench.json": json.dumps({"schema": 1, "files": listed}).encode()})
    before = tree(bare)
    push_site(SHELL, target, {"a.html": b""})
    assert tree(bare) == before
    assert outside.read_text() == "kept"


def test_compaction_of_a_branch_with_others_needs_force(
    bare: Path, docs: Clone, matrix: Matrix
) -> None:
    target = remote(bare, "springbench")
    push_run(SHELL, target, published(matrix, 1))
    push_site(SHELL, target, DASHBOARD)
    docs.push({"springbench/assets/own.css": b""})
    before = git("-C", bare, "ls-tree", "-r", "gh-pages")
    with pytest.raises(ConfigurationError) as caught:
        push_squash(SHELL, target)
    assert "CNAME, benchmarks/, data/, docs/, index.html and 3 more" in str(caught.value)
    assert commits(bare) == 4
    assert push_squash(SHELL, target, force=True).changed
    assert (commits(bare), git("-C", bare, "ls-tree", "-r", "gh-pages")) == (1, before)


def test_compaction_of_its_own_branch_needs_none(
    bare: Path, matrix: Matrix, tmp_path: Path
) -> None:
    push_run(SHELL, remote(bare), published(matrix, 1))
    push_site(SHELL, remote(bare), DASHBOARD)
    assert push_squash(SHELL, remote(bare)).changed
    assert commits(bare) == 1
    Clone(bare, tmp_path / "other").push({"assets/own.css": b"", "version.txt": b"theirs"})
    with pytest.raises(
        ConfigurationError, match=r"go too: assets/own\.css, version\.txt\. Nothing"
    ):
        push_squash(SHELL, remote(bare))


def test_the_top_of_a_branch_that_is_made_here_has_no_jekyll(bare: Path, tmp_path: Path) -> None:
    push_site(SHELL, remote(bare), DASHBOARD)
    assert checked_out(bare, tmp_path / "clone") == {}
    assert ".nojekyll" in names(bare)
    manifest = json.loads(content(bare, "springbench.json"))
    hashed = git("-C", bare, "rev-parse", "gh-pages:index.html").strip()
    assert (manifest["schema"], manifest["files"]["index.html"]) == (1, hashed)


@pytest.mark.parametrize(
    "path",
    [
        "..",
        "../x",
        "a/../b",
        "/a",
        "a/",
        "a//b",
        ".git",
        "a/.GIT/b",
        "-x",
        "a b",
        "a\\b",
        "ä",
        "~",
        "x" * 201,
    ],
)
def test_a_path_that_is_no_folder_is_refused(path: str) -> None:
    with pytest.raises(ConfigurationError, match="no folder of a branch; allowed: ") as caught:
        Remote("somewhere", "gh-pages", path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("data/index.json", "no dashboard has a file of that name"),
        ("springbench.json", "no dashboard has a file of that name"),
        ("assets/.git/config", "no dashboard has a file of that name"),
        ("link", "neither a file nor a folder"),
        ("", "it has no index.html"),
    ],
)
def test_a_folder_that_is_no_dashboard_is_refused(tmp_path: Path, name: str, message: str) -> None:
    if name:
        (tmp_path / "index.html").touch()
    if name == "link":
        (tmp_path / name).symlink_to("/etc/hostname")
    elif name:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    with pytest.raises(ConfigurationError, match=message):
        read_site(tmp_path)


def test_what_others_push_meanwhile_stays(
    bare: Path, docs: Clone, matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    push, later = Branch.push, [b"2", b"1"]
    monkeypatch.setattr(pushing, "backoff_s", lambda attempts: 0.0)

    def late(branch: Branch, message: str) -> bool:
        if later:
            docs.push({"docs/guide.md": later.pop()})
        return push(branch, message)

    monkeypatch.setattr(Branch, "push", late)
    pushed = push_site(SHELL, remote(bare, "springbench"), DASHBOARD)
    assert (pushed.changed, pushed.attempts) == (True, 3)
    assert content(bare, "docs/guide.md") == "2"
    assert commits(bare) == 4


def test_charts_of_another_benchmark_are_changed_by_who_feeds_them_alone(
    bare: Path, matrix: Matrix, tmp_path: Path
) -> None:
    run, target = published(matrix, 1), remote(bare)
    push_run(SHELL, target, run)
    point = {"commit": {}, "benches": [{"name": "theirs", "extra": f"run {run.id}"}]}
    text = f"window.BENCHMARK_DATA = {json.dumps({'entries': {'theirs': [point]}})}"
    Clone(bare, tmp_path / "other").push({"dev/bench/data.js": text.encode()})
    push_run(SHELL, target, published(matrix, 1, hello=1000.0))
    assert content(bare, "dev/bench/data.js") == text
    push_together(SHELL, target, run, (), charts=True)
    assert run.id not in content(bare, "dev/bench/data.js")
