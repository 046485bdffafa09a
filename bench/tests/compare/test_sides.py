"""What a person may compare, and the error message for anything else."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.bench import assembly
from springbench.bench.assembly import BenchOptions, build_sides
from springbench.bench.tools import Tools
from springbench.compare.sides import (
    RequestedSide,
    check_artifacts,
    find_variant,
    resolve,
)
from springbench.errors import ConfigurationError
from springbench.host import git
from springbench.host.shell import RealShell
from springbench.host.tools.find import Jdk, Tool
from springbench.matrix.load import parse_matrix
from springbench.matrix.rows import Matrix
from springbench.measure.testbed import artifact_of
from springbench.messages import show_messages
from springbench.plan.cases import every_variant
from springbench.plan.plan import Filters, make_plan
from springbench.results.comparison import SideInfo
from tests.fakes import FakeShell

TOOLS = Tools(
    Jdk(Path("/jdk-25"), "25.0.3", 25, "Somebody"),
    Tool("wrk", Path("/usr/bin/wrk"), "4.1.0"),
    Tool("maven", Path("/usr/bin/mvn"), "3.8.7"),
)


def test_a_folder_of_jars(tmp_path: Path, matrix: Matrix) -> None:
    (tmp_path / "boot4-tomcat.jar").touch()
    side = resolve(str(tmp_path), matrix, RealShell())
    assert (side.info.kind, side.jars) == ("jars", tmp_path)


def test_a_stored_run(tmp_path: Path, matrix: Matrix) -> None:
    (tmp_path / "run.json").touch()
    assert resolve(str(tmp_path), matrix, RealShell()).info.kind == "run"


def test_a_variant_of_the_matrix(matrix: Matrix) -> None:
    side = resolve("boot3-undertow-virtual-jvm", matrix, RealShell())
    assert side.info.kind == "variant"
    assert side.variant is not None
    assert side.variant.module == "servers/boot3/undertow"
    assert find_variant("boot4-undertow-virtual-jvm", matrix) is None


@pytest.mark.process
def test_a_commit(matrix: Matrix) -> None:
    side = resolve("HEAD", matrix, RealShell())
    assert side.info.kind == "commit"
    assert side.info.sha is not None
    assert len(side.info.sha) == 40
    assert side.info.sha[:12] in side.info.label
    # whoever publishes the comparison needs no clone to say what was compared
    assert side.info.message
    assert side.info.author
    assert side.info.time


@pytest.mark.process
@pytest.mark.parametrize("text", ["no-such-thing", "--output=/tmp/x", "", "HEAD~999999"])
def test_for_anything_else_the_message_has_what_is_allowed(text: str, matrix: Matrix) -> None:
    with pytest.raises(ConfigurationError, match="allowed: results/<run-id>, a folder"):
        resolve(text, matrix, RealShell())


def test_two_commits_with_the_same_sources_are_built_once(
    tmp_path: Path, matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = make_plan(matrix, "pr", Filters(("*-netty-*",)))
    texts = {"a" * 40: "class A {}", "b" * 40: "class A {}", "c" * 40: "class C {}"}
    built: list[Path] = []

    def check_out(sha: str, folder: Path, *_: object) -> None:
        (folder / "servers").mkdir(parents=True)
        (folder / "pom.xml").touch()
        (folder / "servers/A.java").write_text(texts[sha])

    monkeypatch.setattr(assembly, "ROOT", tmp_path)
    monkeypatch.setattr(git, "check_out", check_out)
    monkeypatch.setattr(assembly, "build", lambda modules, jdk, maven, root, *_: built.append(root))
    reported: list[str] = []
    show_messages(reported.append)
    sides = [
        RequestedSide(SideInfo(kind="commit", label=sha[:2], sha=sha)).bench_side(plan)
        for sha in texts
    ]
    options = BenchOptions(plan, sides=tuple(sides))
    roots = [side.root for side in build_sides(options, sides, TOOLS, FakeShell())]
    assert roots[0] == roots[1] != roots[2]
    assert built == [roots[0], roots[2]]
    assert reported == ["aa:", "bb: has the same sources, and is not built again", "cc:"]


SERVICE = '[[routes]]\npath = "/"\n'


@pytest.mark.parametrize("started", ['jar = "a-*.jar"', 'command = ["./serve", "{port}"]'])
def test_commits_say_nothing_of_a_service_that_lies_elsewhere(tmp_path: Path, started: str) -> None:
    """Those of this clone would both be the same file: "unchanged", whatever was changed."""
    matrix = parse_matrix(f"{started}\n{SERVICE}", "springbench.toml", tmp_path)
    with pytest.raises(ConfigurationError) as caught:
        resolve("HEAD", matrix, RealShell())
    [line] = str(caught.value).splitlines()
    assert "'HEAD' is no run folder" in line
    assert "--build './mvnw package', or build both, each in a folder of its own" in line
    variant = next(every_variant(matrix)).id
    assert resolve(variant, matrix, RealShell()).info.kind == "variant"


def test_a_folder_may_hold_the_file_of_a_command(tmp_path: Path) -> None:
    (tmp_path / "serve").touch()
    matrix = parse_matrix(f'command = ["./serve", "{{port}}"]\n{SERVICE}', folder=tmp_path)
    sides = []
    for name, program in (("base", "serve"), ("head", "another")):
        (tmp_path / name).mkdir()
        (tmp_path / name / program).touch()
        (tmp_path / name / "beside.jar").touch()
        sides.append(resolve(str(tmp_path / name), matrix, RealShell()))
    plan = make_plan(matrix, "pr")
    check_artifacts(sides[0], plan)
    with pytest.raises(ConfigurationError, match="head: holds no serve, which both sides start"):
        check_artifacts(sides[1], plan)
    with pytest.raises(ConfigurationError, match="no folder with a jar or a checkout"):
        (tmp_path / "empty").mkdir()
        resolve(str(tmp_path / "empty"), matrix, RealShell())


@pytest.mark.parametrize("started", ["target/orders-*.jar", "app.jar", "**/app-*.jar"])
def test_two_jars_of_any_name_are_two_sides(tmp_path: Path, started: str) -> None:
    text = f'jar = "{started}"\n[[routes]]\npath = "/"\n'
    matrix = parse_matrix(text, "springbench.toml", tmp_path)
    plan = make_plan(matrix, "pr")
    for name in ("old.jar", "new-2.0.jar"):
        (tmp_path / name).write_text(name, encoding="utf-8")
        side = resolve(str(tmp_path / name), matrix, RealShell(), tmp_path / "springbench.toml")
        assert side.info.kind == "jars"
        [variant, *_] = [case.variant for case in side.started_plan(plan).cases]
        assert artifact_of(variant, tmp_path, side.jars).read_text(encoding="utf-8") == name
