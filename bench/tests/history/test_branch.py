"""A branch as files: what is written is what comes back, byte for byte, whatever its name."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from springbench.errors import HostError
from springbench.history.branch import opened
from springbench.host.shell import RealShell
from tests.history.remotes import IDENTITY, commits, git, remote

pytestmark = pytest.mark.process
NAMES = (
    "a b.json",
    'quo"te.json',
    "back\\slash.json",
    "line\nend.json",
    "ümlaut/x.json",
    "-n.json",
)
BYTES = b"\r\n\0\xff text \r\n"


def test_any_name_and_any_bytes_come_back(bare: Path) -> None:
    with opened(RealShell(), remote(bare)) as branch:
        branch.fetch()
        for name in NAMES:
            branch.write_bytes(f"data/{name}", BYTES + name.encode())
        assert branch.push("all")
    for name in NAMES:
        command = ["git", "-C", str(bare), "show", f"gh-pages:data/{name}"]
        assert subprocess.run(command, check=True, capture_output=True).stdout == (
            BYTES + name.encode()
        )
    with opened(RealShell(), remote(bare)) as branch:
        branch.fetch()
        assert set(branch.entries()) == {f"data/{name}" for name in NAMES}


def test_what_was_written_is_read_until_it_is_forgotten(bare: Path) -> None:
    with opened(RealShell(), remote(bare)) as branch:
        branch.fetch()
        branch.write("data/a.json", "one\n")
        branch.write("data/b.json.gz", "two\n")
        branch.push("first")
        branch.fetch()
        branch.write("data/a.json", "three\n")
        branch.delete("data/b.json.gz")
        assert (branch.read("data/a.json"), branch.read("data/b.json.gz")) == ("three\n", None)
        assert branch.names("data") == ["a.json"]
        branch.fetch()
        branch.expect(["data/a.json", "data/b.json.gz", "data/none.json"])
        assert (branch.read("data/a.json"), branch.read("data/b.json.gz")) == ("one\n", "two\n")
        assert branch.read("data/none.json") is None


def test_files_of_equal_content_do_not_stand_in_the_way_of_others(bare: Path) -> None:
    texts = {"data/a": "same\n", "data/b": "one\n", "data/c": "same\n", "data/d": "another\n"}
    with opened(RealShell(), remote(bare)) as branch:
        branch.fetch()
        for path, text in texts.items():
            branch.write(path, text)
        branch.push("first")
        branch.fetch()
        branch.expect(["data/a", "data/b"])
        branch.expect(["data/c", "data/d"])
        assert branch.read("data/d") == "another\n"
        assert {path: branch.read(path) for path in texts} == texts


def test_a_file_takes_the_place_of_a_folder_and_back(bare: Path) -> None:
    with opened(RealShell(), remote(bare)) as branch:
        steps = (("data/x/y.json", ""), ("data/x", "data/x/y.json"), ("data/x/y.json", "data/x"))
        for added, removed in steps:
            branch.fetch()
            if removed:
                branch.delete(removed)
            branch.write(added, f"{added}\n")
            assert branch.push(added)
            branch.fetch()
            assert branch.entries() == [added]


def test_what_is_written_as_it_was_is_no_change(bare: Path) -> None:
    with opened(RealShell(), remote(bare)) as branch:
        for _ in range(2):
            branch.fetch()
            branch.write("data/a.json", "one\n")
            branch.delete("data/none.json")
            changed = branch.push("again")
    assert not changed
    assert commits(bare) == 1


def test_a_transfer_that_fails_is_told_to_whoever_reads(bare: Path, tmp_path: Path) -> None:
    with opened(RealShell(), remote(bare)) as branch:
        branch.fetch()
        branch.write("data/a.json", "one\n")
        branch.push("first")
    with opened(RealShell(), remote(bare)) as branch:
        branch.fetch()
        bare.rename(tmp_path / "elsewhere.git")
        branch.expect(["data/a.json"])
        with pytest.raises(HostError, match="fetch of branch gh-pages failed"):
            branch.read("data/a.json")


def test_no_line_end_and_no_filter_of_the_branch_changes_a_byte(bare: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    git("clone", "--quiet", bare, clone)
    (clone / ".gitattributes").write_text("* text eol=crlf\n*.json filter=none ident\n")
    git("-C", clone, "checkout", "--quiet", "-b", "gh-pages")
    git("-C", clone, "add", ".")
    git("-C", clone, *IDENTITY, "commit", "--quiet", "-m", "attributes")
    git("-C", clone, "push", "--quiet", "origin", "gh-pages")
    with opened(RealShell(), remote(bare)) as branch:
        branch.fetch()
        branch.write("data/a.json", "$Id$\r\n\n")
        branch.push("a")
        branch.fetch()
        assert branch.read("data/a.json") == "$Id$\r\n\n"
