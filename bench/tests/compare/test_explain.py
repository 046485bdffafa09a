"""Which regressions are explained, and that a failing profile does not affect the comparison."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from springbench.bench.tools import Tools
from springbench.compare.execute import MOST_RECORDED, Explainer
from springbench.compare.groups import variant_pairs as variant_pairs_of
from springbench.compare.sides import RequestedSide
from springbench.errors import CaseError, HostError
from springbench.host.tools.find import NO_JDK, Tool
from springbench.matrix.load import parse_matrix
from springbench.matrix.rows import Matrix
from springbench.measure.profile import Event, Perf, Recorded
from springbench.measure.testbed import Testbed
from springbench.plan.plan import make_plan
from springbench.results.comparison import FindingRecord, PairRecord, SideInfo, SideRecord
from springbench.results.stacks import StackTree
from tests.comparisons import comparison, finding
from tests.fakes import FakeShell
from tests.measure.testbeds import testbed
from tests.schedulers import variant_pairs

CPU = {"metric": "cpu_per_request_s", "unit": "s", "better": "lower"}
ALLOCATED = {"metric": "allocated_bytes_per_request", "unit": "bytes", "better": "lower"}
HELLO = "boot4-tomcat-virtual-jvm/hello/64"
PAY = "boot4-tomcat-virtual-jvm/pay/1000"


@pytest.fixture
def explaining(matrix: Matrix, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Explainer:
    def none(*_: Any) -> None:
        raise HostError("Maven did not bring it")

    monkeypatch.setattr("springbench.bench.profilers.provide_profiler", none)
    tools = Tools(replace(NO_JDK), Tool("wrk", Path("wrk"), "4"), None)
    return Explainer(variant_pairs(matrix), tools, FakeShell(), tmp_path)


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
    explaining: Explainer, findings: list[FindingRecord], explained: list[tuple[str, str]]
) -> None:
    found = explaining.explain(comparison(*findings))
    assert [(explanation.case, explanation.event) for explanation in found] == explained
    assert all(explanation.text == "no profile: Maven did not bring it" for explanation in found)
    assert all(explanation.file is None for explanation in found)


def test_the_greatest_come_first_and_not_all_of_them(explaining: Explainer) -> None:
    servers = ("jetty", "tomcat", "netty")
    models = {"netty": "reactive"}
    findings = [
        finding(
            "regression",
            0.9 - 0.1 * index,
            case=f"boot4-{server}-{models.get(server, 'virtual')}-jvm/hello/64",
        )
        for index, server in enumerate(servers)
    ]
    found = explaining.explain(comparison(*findings))
    assert len(found) == MOST_RECORDED
    assert found[0].case == "boot4-netty-reactive-jvm/hello/64"


def test_samples_of_the_pairs_explain_without_another_process(
    explaining: Explainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("no process is recorded")

    monkeypatch.setattr("springbench.compare.execute.record", refuse)
    serve, burn = ("org/Server.serve",), ("org/Server.serve", "app/Routes.burn")
    sides = {
        name: SideRecord(
            stacks={HELLO: {"cpu": StackTree.of([(serve, 1000 - samples), (burn, samples)])}}
        )
        for name, samples in (("base", 50), ("head", 80))
    }
    pair = PairRecord.model_validate({"pair": 0, "status": "ok", "sides": sides})
    compared = comparison(finding("regression", 0.97, case=HELLO))
    compared.pairs = {HELLO.split("/", maxsplit=1)[0]: [pair, pair, pair]}
    [explanation] = explaining.explain(compared)
    assert "Routes.burn (5.0 to 8.3)" in explanation.text
    assert explanation.text.endswith("no flame graph: Maven did not bring it")
    [file] = (explaining.folder / "raw" / "samples").glob("*-cpu-head.collapsed")
    assert "org/Server.serve;app/Routes.burn 240\n" in file.read_text()


def test_a_command_is_recorded_by_perf_and_nothing_is_fetched_for_it(
    explaining: Explainer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[tuple[str, Event]] = []

    def refuse(*arguments: Any) -> None:
        _, case, _, recorder, event, _ = arguments
        assert isinstance(recorder, Perf)
        calls.append((case.id, event))
        raise CaseError("perf is not here")

    monkeypatch.setattr("springbench.compare.execute.record", refuse)
    text = 'command = ["./serve", "{port}"]\n[[routes]]\npath = "/"\n'
    plan = make_plan(parse_matrix(text, folder=tmp_path), "pr")
    sides = [RequestedSide(SideInfo(kind="jars", label=name)) for name in ("base", "head")]
    bed = testbed(tmp_path, FakeShell())
    explainer = replace(
        explaining,
        tools=replace(explaining.tools, jdk=NO_JDK),
        groups=variant_pairs_of(plan, sides, [bed, bed]),
    )
    [explanation] = explainer.explain(comparison(finding("regression", 0.8, case=plan.cases[0].id)))
    assert calls == [(plan.cases[0].id, Event.CPU)]
    assert explanation.text == "no profile: perf is not here"


def test_without_java_the_methods_are_named_and_no_flame_graph_is_drawn(
    explaining: Explainer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def recorded(bed: Testbed, *_: Any) -> Recorded:
        file = tmp_path / f"{bed.raw.name}.collapsed"
        file.write_text(
            f"main;serve 200\nmain 1000\n"
            f"main;serve;order {900 if bed.raw.name == 'head' else 100}\n"
        )
        return Recorded(file, 1000)

    monkeypatch.setattr("springbench.compare.execute.record", recorded)
    explainer = replace(explaining, tools=replace(explaining.tools, jdk=NO_JDK))
    [explanation] = explainer.explain(comparison(finding("regression", 0.8, case=HELLO)))
    # async-profiler would be needed to record a JVM
    assert explanation.text.startswith("no profile: async-profiler takes a JDK")
    text = 'command = ["./serve", "{port}"]\n[[routes]]\npath = "/"\n'
    plan = make_plan(parse_matrix(text, folder=tmp_path), "pr")
    sides = [RequestedSide(SideInfo(kind="jars", label=name)) for name in ("base", "head")]
    bed = testbed(tmp_path, FakeShell())
    explainer = replace(explainer, groups=variant_pairs_of(plan, sides, [bed, bed]))
    [explanation] = explainer.explain(comparison(finding("regression", 0.8, case=plan.cases[0].id)))
    assert "order (7.7 to 69.2)" in explanation.text
    assert explanation.text.endswith("no flame graph: async-profiler takes a JDK, and none is here")
    assert explanation.file is None
