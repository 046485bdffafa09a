"""Which commits may be the culprit, over real repositories."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from springbench.bisect.begin import check_ends, find_candidates
from springbench.build.sources import MAVEN_SOURCES, Sources, sources_of
from springbench.errors import ConfigurationError
from springbench.host.shell import RealShell
from springbench.matrix.rows import Matrix
from springbench.plan.plan import make_plan
from tests.repositories import Repository

pytestmark = pytest.mark.process
SHELL = RealShell()
SOURCES = Sources(MAVEN_SOURCES, frozenset({"servers/boot4/jetty"}))


@pytest.fixture
def clone(tmp_path: Path) -> Repository:
    return Repository.create(tmp_path / "clone")


def candidates(clone: Repository, good: str, bad: str, sources: Sources = SOURCES) -> list[str]:
    found = find_candidates(good, bad, sources, SHELL, clone.root)
    return [commit.sha for commit in found.commits]


def test_commits_that_touch_nothing_of_the_build_are_passed_over(clone: Repository) -> None:
    good = clone.commit({"pom.xml": "1", "servers/A.java": "1"})
    clone.commit({"README.md": "words"})
    first = clone.commit({"servers/A.java": "2"})
    clone.commit({"servers/boot4/jetty/J.java": "another server's"})
    clone.commit()
    second = clone.commit({"pom.xml": "2"}, "the last | one\x1b[31m")
    bad = clone.commit({"site/page.ts": "words"})
    found = find_candidates(good, bad, SOURCES, SHELL, clone.root)
    assert [commit.sha for commit in found.commits] == [good, first, second]
    assert found.passed_over == 4
    assert found.commits[-1].message == "the last | one\x1b[31m"


def test_texts_and_names_of_any_bytes_end_no_bisection(clone: Repository) -> None:
    good = clone.commit({"servers/A.java": "1"})
    clone.commit_bytes(b"gr\xfc\xdfe", b"M\xfcller")
    (clone.root / "servers" / os.fsdecode(b"na\xefve.txt")).write_text("1", encoding="utf-8")
    bad = clone.commit_bytes(b"\xff\xfe", b"\x80")
    assert check_ends(good, bad, SHELL, clone.root) == (good, bad)
    assert candidates(clone, good, bad) == [good, bad]


def test_a_commit_that_brings_sources_back_has_the_same_again(clone: Repository) -> None:
    good = clone.commit({"servers/A.java": "1", "servers/ä.txt": "1"})
    clone.commit({"servers/A.java": "2"})
    bad = clone.commit({"servers/A.java": "1"})
    found = find_candidates(good, bad, SOURCES, SHELL, clone.root).commits
    assert len(found) == 3
    assert found[0].sources == found[2].sources != found[1].sources


def test_nothing_that_is_built_differs(clone: Repository) -> None:
    good = clone.commit({"servers/A.java": "1"})
    bad = clone.commit({"README.md": "words"})
    assert candidates(clone, good, bad) == [good]


def test_a_merge_stands_for_what_it_brings(clone: Repository) -> None:
    good = clone.commit({"servers/A.java": "1"})
    clone.git("checkout", "-q", "-b", "side")
    clone.commit({"servers/B.java": "1"})
    clone.commit({"servers/B.java": "2"})
    clone.git("checkout", "-q", "main")
    commit = clone.commit({"servers/A.java": "2"})
    clone.git("merge", "-q", "--no-ff", "-m", "a merge", "side")
    bad = clone.git("rev-parse", "HEAD")
    assert candidates(clone, good, bad) == [good, commit, bad]


def test_a_good_end_on_a_branch_that_was_merged(clone: Repository) -> None:
    """What lay on the main line beside it is no step from it."""
    clone.commit({"servers/A.java": "1"})
    clone.git("checkout", "-q", "-b", "side")
    good = clone.commit({"servers/B.java": "1"})
    clone.git("checkout", "-q", "main")
    clone.commit({"servers/A.java": "2"})
    clone.git("merge", "-q", "--no-ff", "-m", "a merge", "side")
    merge = clone.git("rev-parse", "HEAD")
    bad = clone.commit({"servers/A.java": "3"})
    assert candidates(clone, good, bad) == [good, merge, bad]


def test_of_what_nothing_builds_its_folder_counts(clone: Repository, matrix: Matrix) -> None:
    good = clone.commit({"own/server.py": "1", "servers/A.java": "1"})
    clone.commit({"servers/A.java": "2"})
    bad = clone.commit({"own/server.py": "2"})
    variant = make_plan(matrix, "pr").cases[0].variant

    def found(module: str) -> int:
        update = {"built_by": "nothing", "module": module}
        other_variant = replace(variant, server=variant.server.model_copy(update=update))
        return len(candidates(clone, good, bad, sources_of(other_variant, matrix)))

    assert found("own") == 2
    # where it is the whole clone, any file may count
    assert found(".") == 3


def test_a_server_is_not_built_from_its_neighbours(matrix: Matrix) -> None:
    variant = next(
        case.variant for case in make_plan(matrix, "pr").cases if case.variant.server.id == "tomcat"
    )
    sources = sources_of(variant, matrix)
    assert sources.have(f"{variant.module}/pom.xml")
    assert sources.have("servers/pom.xml")
    assert sources.have("pom.xml")
    assert not sources.have("servers/boot4/jetty/pom.xml")
    # a commit is started as its own matrix says
    assert sources.have("bench/matrix.toml")
    assert not sources.have("bench/pyproject.toml")


def refused(clone: Repository, good: str, bad: str) -> str:
    with pytest.raises(ConfigurationError) as raised:
        check_ends(good, bad, SHELL, clone.root)
    message = str(raised.value)
    assert "\n" not in message
    return message


def test_ends_that_nothing_lies_between(clone: Repository) -> None:
    first = clone.commit()
    clone.git("tag", "v1")
    second = clone.commit()
    assert check_ends("v1", "main", SHELL, clone.root) == (first, second)
    assert "are the same commit" in refused(clone, "v1", first[:10])
    assert "is older than GOOD 'main': name the older one first" in refused(clone, "main", "v1")
    for unknown in ("no-such", "--all", ""):
        assert f"BAD {unknown!r}: no commit of this repository" in refused(clone, "v1", unknown)
    assert refused(clone, "no-such", "v1").startswith("GOOD 'no-such'")


def test_of_branches_beside_each_other_the_message_says_where_they_part(clone: Repository) -> None:
    shared = clone.commit({"README.md": "1"})
    clone.git("checkout", "-q", "-b", "side")
    clone.commit({"side": "1"})
    clone.git("checkout", "-q", "main")
    clone.commit({"main": "1"})
    assert f"both come from {shared[:12]}, which may stand for GOOD" in refused(
        clone, "side", "main"
    )
    clone.git("checkout", "-q", "--orphan", "other")
    clone.commit()
    assert "they share no commit" in refused(clone, "other", "main")


def test_of_a_shallow_clone_the_message_says_how_to_get_the_rest(
    clone: Repository, tmp_path: Path
) -> None:
    first = clone.commit()
    clone.commit()
    clone.commit()
    address = clone.root.resolve().as_uri()
    shallow = Repository(tmp_path / "shallow")
    clone.git("clone", "--quiet", "--depth=1", address, str(shallow.root))
    assert "`git fetch --unshallow`" in refused(shallow, first, "main")
    shallow.git("fetch", "--quiet", "--depth=1", "origin", f"{first}:refs/heads/old")
    assert "`git fetch --unshallow`" in refused(shallow, "old", "main")
