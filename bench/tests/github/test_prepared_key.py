"""AOT caches are kept under what they are made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from springbench.build.oha import FOLDER
from springbench.github.jobs import prepared_key
from springbench.github.step import OUTPUT
from springbench.host.facts.facts import HostFacts
from springbench.host.tools.find import Jdk
from springbench.matrix.rows import Matrix
from springbench.plan.plan import Filters, make_plan
from tests.conftest import Cli
from tests.github.test_jobs import sources

__all__ = ["sources"]

JDK = Jdk(Path("/jdk-25"), "25.0.3", 25, "Somebody")
FACTS = HostFacts(
    os="Debian",
    cpu_model="Some CPU",
    cores=2,
    physical_cores=1,
    memory_bytes=8 << 30,
    kernel="6.1.0-1",
    cpu_quota=None,
    governor=None,
    smt=None,
    turbo=None,
    virtualisation=None,
)


def key(
    matrix: Matrix,
    root: Path,
    only: str = "*",
    jdk: Jdk = JDK,
    facts: HostFacts = FACTS,
) -> str | None:
    plan = make_plan(matrix, "commit", Filters(only=(only,)))
    return prepared_key(plan, matrix, root, jdk, facts)


def test_a_commit_that_touches_no_server_trains_nothing(matrix: Matrix, sources: Path) -> None:
    before = key(matrix, sources)
    (sources / "README.md").write_text("other words", encoding="utf-8")
    assert key(matrix, sources) == before
    # both workloads are measured with the same caches
    assert key(matrix, sources, "*/hello/*") == key(matrix, sources, "*/pay/*") == before


def test_one_server_is_touched(matrix: Matrix, sources: Path) -> None:
    both = [key(matrix, sources, f"*-{name}-*") for name in ("tomcat", "jetty")]
    (sources / "servers/boot4/jetty/pom.xml").write_text("<project/>", encoding="utf-8")
    after = [key(matrix, sources, f"*-{name}-*") for name in ("tomcat", "jetty")]
    assert [a == b for a, b in zip(both, after, strict=True)] == [True, False]


CHANGES: dict[str, Callable[[Matrix, Path], str | None]] = {
    "jdk": lambda matrix, root: key(matrix, root, jdk=replace(JDK, version="25.0.4")),
    "its maker": lambda matrix, root: key(matrix, root, jdk=replace(JDK, vendor="Else")),
    "cpu": lambda matrix, root: key(matrix, root, facts=replace(FACTS, cpu_model="Other CPU")),
    "cores": lambda matrix, root: key(matrix, root, facts=replace(FACTS, cores=4)),
    "settings": lambda matrix, root: key(_trained_longer(matrix), root),
}


def _trained_longer(matrix: Matrix) -> Matrix:
    rows = [
        row.model_copy(update={"train_requests": {"/hello": 3000}}) if row.train else row
        for row in matrix.runtimes
    ]
    return matrix.model_copy(update={"runtimes": tuple(rows)})


@pytest.mark.parametrize("what", CHANGES)
def test_what_a_cache_depends_on_is_in_its_name(what: str, matrix: Matrix, sources: Path) -> None:
    assert CHANGES[what](matrix, sources) != key(matrix, sources)


def test_a_plan_without_such_a_runtime_keeps_nothing(matrix: Matrix, sources: Path) -> None:
    assert key(matrix, sources, "*-native/*") is None
    assert key(matrix, sources, "*-jvm/*") is None


@pytest.mark.process
def test_the_command_says_it_to_the_step(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(OUTPUT, str(tmp_path / "output"))
    monkeypatch.setattr("springbench.commands.plan.find_jdk", lambda: JDK)
    code, out, _ = cli("plan", "--prepared-key", "--profile", "commit")
    assert (code, out[:9], out.count("\n")) == (0, "prepared-", 1)
    assert cli("plan", "--prepared-key", "--profile", "quick")[:2] == (0, "")
    monkeypatch.setattr("springbench.commands.plan.find_jdk", lambda: None)
    assert cli("plan", "--prepared-key", "--profile", "commit")[:2] == (0, "")
    output = (tmp_path / "output").read_text(encoding="utf-8")
    assert output == f"key={out}oha=\nkey=\noha=\nkey=\noha=\n"


@pytest.mark.process
def test_oha_is_kept_where_a_constant_rate_is_asked_for(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(OUTPUT, str(tmp_path / "output"))
    assert cli("plan", "--prepared-key", "--profile", "latency")[0] == 0
    output = (tmp_path / "output").read_text(encoding="utf-8")
    assert f"\noha={FOLDER}\n" in f"\n{output}"
