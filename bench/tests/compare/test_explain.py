"""Which regressions are explained, and that a failing profile does not affect the comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from springbench.bench.tools import Tools
from springbench.compare.execute import Explainer
from springbench.compare.groups import variant_pairs as variant_pairs_of
from springbench.compare.sides import RequestedSide
from springbench.errors import HostError
from springbench.host.tools.find import NO_JDK, Tool
from springbench.matrix.load import parse_matrix
from springbench.matrix.rows import Matrix
from springbench.plan.plan import make_plan
from springbench.results.comparison import (
    Comparison,
    FindingRecord,
    PairRecord,
    SideInfo,
    SideRecord,
)
from springbench.results.stacks import StackTree
from tests.comparisons import comparison, finding
from tests.fakes import FakeShell
from tests.measure.testbeds import testbed
from tests.schedulers import variant_pairs

CPU = {"metric": "cpu_per_request_s", "unit": "s", "better": "lower"}
ALLOCATED = {"metric": "allocated_bytes_per_request", "unit": "bytes", "better": "lower"}
HELLO = "boot4-tomcat-virtual-jvm/hello/64"
JETTY = "boot4-jetty-virtual-jvm/hello/64"
NETTY = "boot4-netty-reactive-jvm/hello/64"
PAY = "boot4-tomcat-virtual-jvm/pay/1000"
SERVE, BURN = ("org/Server.serve",), ("org/Server.serve", "app/Routes.burn")


@pytest.fixture
def explaining(matrix: Matrix, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Explainer:
    def none(*_: Any) -> None:
        raise HostError("Maven did not bring it")

    monkeypatch.setattr("springbench.bench.profilers.provide_profiler", none)
    tools = Tools(replace(NO_JDK), Tool("wrk", Path("wrk"), "4"), None)
    return Explainer(variant_pairs(matrix), tools, FakeShell(), tmp_path)


def sampled(
    findings: Sequence[FindingRecord],
    cases: Sequence[str] = (HELLO, JETTY, NETTY),
    events: Sequence[str] = ("cpu", "alloc"),
) -> Comparison:
    """A comparison of three pairs in which `Routes.burn` costs head 3 % more."""
    compared = comparison(*findings)
    compared.pairs = {case.split("/", maxsplit=1)[0]: [_pair(case, events)] * 3 for case in cases}
    return compared


def _pair(case: str, events: Sequence[str]) -> PairRecord:
    sides = {}
    for name, samples in (("base", 50), ("head", 80)):
        tree = StackTree.of([(SERVE, 1000 - samples), (BURN, samples)])
        sides[name] = SideRecord.model_validate({"stacks": {case: dict.fromkeys(events, tree)}})
    return PairRecord.model_validate({"pair": 0, "status": "ok", "sides": sides})


@pytest.mark.parametrize(
    ("findings", "explained"),
    [
        ([finding("regression", 0.8, case=HELLO)], [(HELLO, "cpu")]),
        (
            [finding("regression", 0.8, case=HELLO), finding("regression", 1.3, case=HELLO, **CPU)],
            [(HELLO, "cpu")],
        ),
        ([finding("regression", 1.3, case=HELLO, **ALLOCATED)], [(HELLO, "alloc")]),
        # where requests wait nothing is sampled
        ([finding("regression", 0.5, case=PAY)], []),
        ([finding("regression", 1.3, case=PAY, **ALLOCATED)], []),
        ([finding("suspected", 0.5, case=HELLO)], []),
        ([finding("improvement", 1.5, case=HELLO)], []),
        ([finding("regression", 1.5, case=HELLO, metric="startup_s", better="lower")], []),
        ([], []),
    ],
)
def test_what_was_sampled_is_looked_into_once(
    explaining: Explainer, findings: list[FindingRecord], explained: list[tuple[str, str]]
) -> None:
    found = explaining.explain(sampled(findings))
    assert [(explanation.case, explanation.event) for explanation in found] == explained
    assert all("Routes.burn (5.0 to 8.3)" in explanation.text for explanation in found)
    # what cannot be drawn does not affect the rest
    assert all(
        explanation.text.endswith("no flame graph: Maven did not bring it") for explanation in found
    )
    assert all(explanation.file is None for explanation in found)


def test_the_greatest_come_first(explaining: Explainer) -> None:
    findings = [
        finding("regression", ratio, case=case)
        for ratio, case in ((0.9, JETTY), (0.7, NETTY), (0.8, HELLO))
    ]
    found = explaining.explain(sampled(findings))
    assert [explanation.case for explanation in found] == [NETTY, HELLO, JETTY]


def test_the_stacks_of_all_pairs_are_kept_for_other_tools(explaining: Explainer) -> None:
    explaining.explain(sampled([finding("regression", 0.97, case=HELLO)]))
    [file] = (explaining.folder / "raw" / "samples").glob("*-cpu-head.collapsed")
    assert "org/Server.serve;app/Routes.burn 240\n" in file.read_text()


def test_without_java_the_functions_of_a_command_are_named_and_nothing_is_drawn(
    explaining: Explainer, tmp_path: Path
) -> None:
    text = 'command = ["./serve", "{port}"]\n[[routes]]\npath = "/"\n'
    plan = make_plan(parse_matrix(text, folder=tmp_path), "pr")
    sides = [RequestedSide(SideInfo(kind="jars", label=name)) for name in ("base", "head")]
    bed = testbed(tmp_path, FakeShell())
    explainer = replace(
        explaining,
        tools=replace(explaining.tools, jdk=NO_JDK),
        groups=variant_pairs_of(plan, sides, [bed, bed]),
    )
    [case] = plan.cases
    compared = sampled([finding("regression", 0.8, case=case.id)], [case.id], ["cpu"])
    [explanation] = explainer.explain(compared)
    assert "Routes.burn (5.0 to 8.3)" in explanation.text
    assert explanation.text.endswith("no flame graph: async-profiler takes a JDK, and none is here")
    assert explanation.file is None
