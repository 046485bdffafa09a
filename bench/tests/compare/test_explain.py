"""Which regressions are looked into, and that a profile that fails costs nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from springbench.compare.explain import MOST_EXPLAINED, NO_JAVA, Explaining
from springbench.compare.groups import variant_pairs as variant_pairs_of
from springbench.compare.sides import RequestedSide
from springbench.errors import HostError
from springbench.host.tools.find import NO_JDK, Tool
from springbench.matrix.load import parse_matrix
from springbench.matrix.rows import Matrix
from springbench.plan.plan import make_plan
from springbench.results.comparison import FindingRecord, SideInfo
from springbench.run.tools import Tools
from tests.comparisons import finding
from tests.fakes import FakeShell
from tests.measure.testbeds import testbed
from tests.schedulers import variant_pairs

CPU = {"metric": "cpu_per_request_s", "unit": "s", "better": "lower"}
ALLOCATED = {"metric": "allocated_bytes_per_request", "unit": "bytes", "better": "lower"}
HELLO = "boot4-tomcat-virtual-jvm/hello/64"
PAY = "boot4-tomcat-virtual-jvm/pay/1000"


@pytest.fixture
def explaining(matrix: Matrix, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Explaining:
    def none(*_: Any) -> None:
        raise HostError("Maven did not bring it")

    monkeypatch.setattr("springbench.compare.explain.provide_profiler", none)
    tools = Tools(NO_JDK, Tool("wrk", Path("wrk"), "4"), None)
    return Explaining(variant_pairs(matrix), tools, FakeShell(), tmp_path, print)


@pytest.mark.parametrize(
    ("findings", "explained"),
    [
        ([finding("regression", 0.8, case=HELLO)], [(HELLO, "cpu")]),
        (
            [finding("regression", 0.8, case=HELLO), finding("regression", 1.3, case=HELLO, **CPU)],
            [(HELLO, "cpu")],
        ),
        ([finding("regression", 1.3, case=PAY, **ALLOCATED)], [(PAY, "alloc")]),
        # what waits for a limit has no CPU time to show
        ([finding("regression", 0.5, case=PAY)], []),
        ([finding("suspected", 0.5, case=HELLO)], []),
        ([finding("improvement", 1.5, case=HELLO)], []),
        ([finding("regression", 1.5, case=HELLO, metric="startup_s", better="lower")], []),
        ([], []),
    ],
)
def test_what_a_profile_can_explain_is_looked_into_once(
    explaining: Explaining, findings: list[FindingRecord], explained: list[tuple[str, str]]
) -> None:
    found = explaining.explain(findings)
    assert [(each.case, each.event) for each in found] == explained
    assert all(each.text == "no profile: Maven did not bring it" for each in found)
    assert all(each.file is None for each in found)


def test_the_greatest_come_first_and_not_all_of_them(explaining: Explaining) -> None:
    servers = ("jetty", "tomcat", "netty")
    models = {"netty": "reactive"}
    findings = [
        finding(
            "regression",
            0.9 - 0.1 * at,
            case=f"boot4-{server}-{models.get(server, 'virtual')}-jvm/hello/64",
        )
        for at, server in enumerate(servers)
    ]
    found = explaining.explain(findings)
    assert len(found) == MOST_EXPLAINED
    assert found[0].case == "boot4-netty-reactive-jvm/hello/64"


def test_a_command_is_not_profiled_and_nothing_is_fetched_for_it(
    explaining: Explaining, tmp_path: Path
) -> None:
    text = 'command = ["./serve", "{port}"]\n[[routes]]\npath = "/"\n'
    plan = make_plan(parse_matrix(text, folder=tmp_path), "pr")
    sides = [RequestedSide(SideInfo(kind="jars", label=name)) for name in ("base", "head")]
    bed = testbed(tmp_path, FakeShell())
    own = replace(explaining, groups=variant_pairs_of(plan, sides, [bed, bed]))
    [told] = own.explain([finding("regression", 0.8, case=plan.cases[0].id)])
    assert told.text == NO_JAVA
