"""Two checkouts of a service: each starts what lies in it, in the way that its own file says."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.compare.sides import RequestedSide, check_kinds, commits_between, resolve
from springbench.errors import ConfigurationError
from springbench.host.shell import RealShell
from springbench.matrix.load import load_matrix
from springbench.measure.testbed import artifact_of
from springbench.paths import ROOT
from springbench.plan.plan import Plan, make_plan
from tests.project.projects import write_jar
from tests.repositories import Repository

pytestmark = pytest.mark.process
ROUTE = '[[routes]]\npath = "/"\n'


def toml(started: str) -> str:
    return f"{started}\n{ROUTE}"


@pytest.fixture
def head(tmp_path: Path) -> Repository:
    repository = Repository.create(tmp_path / "head")
    repository.commit({"README.md": "", ".gitignore": "target/\n"}, "before the file")
    repository.commit({"springbench.toml": toml('jar = "target/a-*.jar"')}, "first")
    repository.commit({"springbench.toml": toml('jar = "target/b-*.jar"')}, "a <second>")
    return repository


def base_at(head: Repository, commit: str, *built: str) -> Path:
    folder = head.root.with_name(f"base-{commit.replace('~', '-')}")
    head.git("worktree", "add", "--quiet", "--detach", str(folder), commit)
    build(folder, *built)
    return folder


def build(folder: Path, *built: str) -> None:
    (folder / "target").mkdir()
    for name in built:
        write_jar(folder / "target" / name, main_class="" if "plain" in name else "shop.App")


def sides_of(base: Path, head: Path) -> tuple[list[RequestedSide], Plan]:
    file = head / "springbench.toml"
    matrix = load_matrix(file)
    sides = [resolve(str(folder), matrix, RealShell(), file) for folder in (base, head)]
    return sides, make_plan(matrix, "pr")


def started(side: RequestedSide, plan: Plan) -> Path:
    [case] = side.started_plan(plan).cases
    return artifact_of(case.variant, ROOT, side.jars)


def test_a_side_is_its_commit_whatever_its_texts_and_the_rights_of_its_files(
    head: Repository,
) -> None:
    build(head.root, "b-2.jar")
    sha = head.commit_bytes(b"gr\xfc\xdfe", b"M\xfcller")
    (head.root / "README.md").chmod(0o755)
    sides, _ = sides_of(base_at(head, "HEAD~1", "b-1.jar"), head.root)
    assert [side.info.kind for side in sides] == ["commit", "commit"]
    assert (sides[1].info.sha, sides[1].info.author) == (sha, "M\ufffdller")
    (head.root / "README.md").write_text("changed", encoding="utf-8")
    sides, _ = sides_of(head.root, head.root)
    assert {side.info.kind for side in sides} == {"jars"}


def test_each_side_starts_its_own_build(head: Repository) -> None:
    build(head.root, "b-2.jar")
    base = base_at(head, "HEAD~1", "a-1.jar", "a-1-plain.jar")
    sides, plan = sides_of(base, head.root)
    check_kinds(sides)
    assert [started(side, plan) for side in sides] == [
        base / "target/a-1.jar",
        head.root / "target/b-2.jar",
    ]
    homes = [side.started_plan(plan).cases[0].variant.server.run_in for side in sides]
    assert homes == [str(base), str(head.root)]
    # both are commits of one history: the dashboard takes the comparison
    assert [side.info.kind for side in sides] == ["commit", "commit"]
    assert [side.info.message for side in sides] == ["first", "a <second>"]
    assert commits_between(sides, plan, RealShell()) == 1


def test_a_base_from_before_the_file_starts_what_the_file_of_the_head_names(
    head: Repository,
) -> None:
    build(head.root, "b-2.jar")
    sides, plan = sides_of(base_at(head, "HEAD~2", "b-1.jar"), head.root)
    assert started(sides[0], plan).name == "b-1.jar"
    unbuilt = base_at(head, "HEAD~1")
    (unbuilt / "springbench.toml").unlink()
    with pytest.raises(ConfigurationError, match="no folder with a jar or a checkout that was"):
        sides_of(unbuilt, head.root)


def test_a_changed_checkout_is_no_commit(head: Repository) -> None:
    build(head.root, "b-2.jar")
    base = base_at(head, "HEAD~1", "a-1.jar")
    (base / "README.md").write_text("changed", encoding="utf-8")
    sides, plan = sides_of(base, head.root)
    assert [side.info.kind for side in sides] == ["jars", "commit"]
    assert sides[0].info.sha is None
    assert commits_between(sides, plan, RealShell()) is None


def test_a_file_of_a_command_at_the_top_is_no_folder_of_builds(tmp_path: Path) -> None:
    """Its process starts among its own sources, and not among those of the other side."""
    service = Repository.create(tmp_path / "head")
    for version in ("1", "2"):
        service.commit(
            {
                "app.py": version,
                "springbench.toml": toml('command = ["python3", "app.py", "{port}"]'),
            }
        )
    service.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "base"), "HEAD~1")
    sides, plan = sides_of(tmp_path / "base", service.root)
    assert [started(side, plan) for side in sides] == [
        tmp_path / "base/app.py",
        service.root / "app.py",
    ]


def test_sides_that_start_in_another_way_are_refused(head: Repository) -> None:
    build(head.root, "b-2.jar")
    base = base_at(head, "HEAD~1")
    (base / "serve").touch()
    (base / "springbench.toml").write_text(toml('command = ["./serve", "{port}"]'))
    sides, plan = sides_of(base, head.root)
    with pytest.raises(ConfigurationError, match="has no jvm with model own, which the other side"):
        sides[0].started_plan(plan)


def test_a_checkout_and_a_folder_of_jars_are_no_pair(head: Repository, tmp_path: Path) -> None:
    build(head.root, "b-2.jar")
    (tmp_path / "jars").mkdir()
    (tmp_path / "jars" / "b-1.jar").touch()
    sides, _ = sides_of(tmp_path / "jars", head.root)
    with pytest.raises(ConfigurationError, match="jars: the other side is a checkout"):
        check_kinds(sides)
