"""Each side of a comparison is started as its own commit says, and a difference is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.bench import assembly
from springbench.bench.assembly import BenchOptions, build_sides
from springbench.compare import sides
from springbench.compare.sides import RequestedSide, commit_side, started_differently
from springbench.host.shell import RealShell
from springbench.matrix.rows import Matrix
from springbench.paths import MATRIX, MATRIX_PLACE
from springbench.plan.plan import Filters, Plan, make_plan
from springbench.results.comparison import SideInfo
from tests.compare.test_sides import TOOLS
from tests.repositories import Repository

TEXT = MATRIX.read_text(encoding="utf-8")
G1 = TEXT.replace('"-XX:+UseSerialGC"', '"-XX:+UseG1GC"')
HELLO = "boot4-tomcat-virtual-jvm/hello/64"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A clone whose work tree has the real matrix."""
    clone = Repository.create(tmp_path / "clone")
    monkeypatch.setattr(sides, "ROOT", clone.root)
    monkeypatch.setattr(sides, "MATRIX", clone.root / "bench" / "matrix.toml")
    return clone


def side(repository: Repository, text: str | None) -> RequestedSide:
    """A commit with that matrix; the work tree has the real one afterwards."""
    sha = repository.commit({"bench/matrix.toml": text} if text else {"README.md": ""})
    repository.commit({"bench/matrix.toml": TEXT})
    return commit_side("it", sha, RealShell())


def plan_of(matrix: Matrix, *only: str) -> Plan:
    return make_plan(matrix, "pr", Filters(only=only))


@pytest.mark.process
def test_a_commit_with_another_collector_is_started_with_it(
    repository: Repository, matrix: Matrix
) -> None:
    plan = plan_of(matrix, HELLO)
    base, head = side(repository, TEXT), side(repository, G1)
    assert base.rows is None
    variant = plan.cases[0].variant
    assert "-XX:+UseG1GC" not in base.variant_of(variant).runtime.start
    assert "-XX:+UseG1GC" in head.variant_of(variant).runtime.start
    assert head.variant_of(variant).id == variant.id
    [caution] = started_differently(plan, [base, head])
    assert caution.message == (
        "started differently, head with -XX:+UseG1GC, base with -XX:+UseSerialGC: "
        "boot4-tomcat-virtual-jvm"
    )


@pytest.mark.process
def test_a_commit_that_was_built_is_still_started_as_it_says(
    repository: Repository, matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[list[str]] = []
    monkeypatch.setattr(assembly, "ROOT", repository.root)
    monkeypatch.setattr(assembly, "build", lambda modules, *_: built.append(list(modules)))
    monkeypatch.setattr(assembly, "source_digest", str)
    plan = plan_of(matrix, HELLO)
    options = BenchOptions(plan, sides=(side(repository, G1).bench_side(plan),))
    [head] = build_sides(options, options.all_sides, TOOLS, RealShell())
    assert built == [["servers/boot4/tomcat"]]
    assert "-XX:+UseG1GC" in head.plan.cases[0].variant.runtime.start
    assert head.root != repository.root


@pytest.mark.process
def test_what_differs_is_reported_once_for_all_that_it_is_of(
    repository: Repository, matrix: Matrix
) -> None:
    head = side(repository, TEXT)
    properties = TEXT.replace(
        '"spring.threads.virtual.enabled" = "true"', '"spring.threads.virtual.enabled" = "no"'
    )
    assert properties != TEXT
    [caution] = started_differently(
        plan_of(matrix, "*-virtual-*"), [side(repository, properties), head]
    )
    assert "head with --spring.threads.virtual.enabled=true" in caution.message
    assert "base with --spring.threads.virtual.enabled=no" in caution.message
    assert "boot3-undertow-virtual-jvm" in caution.message


@pytest.mark.process
def test_another_matrix_that_is_asked_for_holds_for_both_sides(
    repository: Repository, tmp_path: Path
) -> None:
    sha = repository.commit({"bench/matrix.toml": G1})
    repository.commit({"bench/matrix.toml": TEXT})
    matrix_file = tmp_path / "matrix.toml"
    matrix_file.write_text(TEXT, encoding="utf-8")
    assert commit_side("it", sha, RealShell(), repository.root / MATRIX_PLACE).rows is not None
    assert commit_side("it", sha, RealShell(), matrix_file).rows is None


@pytest.mark.process
@pytest.mark.parametrize("text", [None, "this is no matrix", "schema = 999\n"])
def test_a_commit_without_a_matrix_that_is_read_today_is_started_as_the_clone_says(
    repository: Repository, matrix: Matrix, text: str | None
) -> None:
    plan = plan_of(matrix, HELLO)
    old = side(repository, text)
    assert old.rows is None
    assert list(started_differently(plan, [old, old])) == []


def test_a_server_that_a_commit_does_not_know_is_started_as_the_other_side_has_it(
    matrix: Matrix,
) -> None:
    variant = plan_of(matrix, HELLO).cases[0].variant
    before = matrix.model_copy(update={"servers": matrix.servers[1:]})
    older = RequestedSide(SideInfo(kind="commit", label="older"), rows=before)
    assert variant.server.id not in {server.id for server in before.servers}
    assert older.variant_of(variant) == variant


def test_two_variants_are_asked_for_since_they_differ(matrix: Matrix) -> None:
    plan = plan_of(matrix, HELLO)
    variants = [
        make_plan(matrix, "full", Filters(only=(f"boot4-tomcat-virtual-{runtime}/hello/64",)))
        .cases[0]
        .variant
        for runtime in ("jvm", "jvm-g1")
    ]
    requested_sides = [
        RequestedSide(SideInfo(kind="variant", label=variant.id), variant=variant)
        for variant in variants
    ]
    assert list(started_differently(plan, requested_sides)) == []
