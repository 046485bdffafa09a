from __future__ import annotations

from pathlib import Path

import pytest

from springbench.errors import ConfigurationError
from springbench.host.git import facts_of
from springbench.host.shell import RealShell
from springbench.matrix.rows import Matrix
from springbench.releases.release import Releases, Version, commit_releases
from tests.repositories import Repository

pytestmark = pytest.mark.process

POM = "<boot4.version>4.0.7</boot4.version>\n<boot3.version>3.5.16</boot3.version>\n"
OLD, NEW = Version(3, 5, 2), Version(4, 0, 3)


@pytest.fixture
def clone(tmp_path: Path) -> Repository:
    new_clone = Repository.create(tmp_path / "clone")
    new_clone.commit({"pom.xml": POM, "servers/a/A.java": "class A {}", "README.md": "words"})
    return new_clone


def commits(
    clone: Repository, matrix: Matrix, *versions: Version, sources: str = "HEAD"
) -> Releases:
    return commit_releases(versions, matrix, sources, clone.root, RealShell())


def test_a_release_is_the_servers_with_that_version(clone: Repository, matrix: Matrix) -> None:
    old, new = commits(clone, matrix, OLD, NEW).known
    assert (old.line, new.line) == ("boot3", "boot4")
    pom = clone.git("show", f"{new.sha}:pom.xml")
    assert "<boot4.version>4.0.3<" in pom
    assert "<boot3.version>3.5.16<" in pom
    assert clone.git("ls-tree", "-r", "--name-only", new.sha) == "pom.xml\nservers/a/A.java"
    assert clone.git("show", f"{old.sha}:pom.xml").startswith(POM.splitlines()[0])


def test_a_release_with_another_version_of_a_library(clone: Repository, matrix: Matrix) -> None:
    servers = "<dependencyManagement><dependencies></dependencies></dependencyManagement>"
    clone.commit({"servers/pom.xml": servers})

    def with_library(pom: str) -> str:
        return pom.replace("<dependencies>", "<dependencies><version>7.1.0</version>")

    shell = RealShell()
    [plain] = commits(clone, matrix, NEW).known
    [other] = commit_releases(
        [NEW], matrix, "HEAD", clone.root, shell, ("hikaricp 7.1.0",), with_library
    ).known
    assert other.name == "Spring Boot 4.0.3, hikaricp 7.1.0"
    assert clone.git("show", f"{plain.sha}:servers/pom.xml") == servers
    assert "<version>7.1.0<" in clone.git("show", f"{other.sha}:servers/pom.xml")
    names = ("pom.xml", "servers/a/A.java", "servers/pom.xml")
    assert clone.git("ls-tree", "-r", "--name-only", other.sha) == "\n".join(names)
    # neither takes the other's name, which keeps it
    ref_shas = clone.git(
        "for-each-ref", "--format=%(objectname)", "refs/springbench/releases"
    ).split()
    assert {plain.sha, other.sha} <= set(ref_shas)


def test_branches_index_and_work_tree_stay_as_they_were(clone: Repository, matrix: Matrix) -> None:
    (clone.root / "servers/a/A.java").write_text("class A { int changed; }")
    before = clone.git("status", "--porcelain"), clone.git("for-each-ref", "refs/heads")
    [release] = commits(clone, matrix, NEW).known
    assert (clone.git("status", "--porcelain"), clone.git("for-each-ref", "refs/heads")) == before
    assert "changed" not in clone.git("show", f"{release.sha}:servers/a/A.java")


def test_the_same_servers_make_the_same_commit(clone: Repository, matrix: Matrix) -> None:
    first = commits(clone, matrix, OLD, NEW).known
    clone.commit({"README.md": "other words"})
    assert commits(clone, matrix, NEW).known == first[1:]
    clone.commit({"servers/a/A.java": "class A { int more; }"})
    assert commits(clone, matrix, NEW).known != first[1:]
    assert commits(clone, matrix, NEW, sources="HEAD~1").known == first[1:]


def test_a_history_orders_them_by_version(clone: Repository, matrix: Matrix) -> None:
    versions = [Version(4, 0, 9), Version(4, 0, 10), Version(4, 1, 0), OLD]
    releases = commits(clone, matrix, *versions).known
    times = {
        release.version: facts_of(release.sha, clone.root, RealShell()) for release in releases
    }
    ordered = sorted(versions, key=lambda version: facts.time if (facts := times[version]) else "")
    assert ordered == sorted(versions)
    assert {facts.message for facts in times.values() if facts} >= {"Spring Boot 4.0.10"}
    assert {facts.author for facts in times.values() if facts} == {"springbench"}


def test_a_line_that_nothing_builds_is_named(clone: Repository, matrix: Matrix) -> None:
    found = commits(clone, matrix, Version(2, 7, 18), NEW)
    assert [str(release.version) for release in found.known] == ["4.0.3"]
    assert found.missing == {
        "2.7.18": "no server of matrix.toml is of Spring Boot 2; there are lines of 3, 4"
    }


def test_sources_that_are_not_there(clone: Repository, matrix: Matrix) -> None:
    with pytest.raises(ConfigurationError, match=r"--sources 'nowhere': no commit"):
        commits(clone, matrix, NEW, sources="nowhere")
    clone.git("rm", "--quiet", "pom.xml")
    clone.commit()
    with pytest.raises(ConfigurationError, match=r"pom\.xml"):
        commits(clone, matrix, NEW)
