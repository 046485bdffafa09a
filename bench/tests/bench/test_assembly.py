"""The steps of opening a bench: in which order, and what ends before the next one begins."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from springbench.bench import assembly
from springbench.bench.assembly import Bench, BenchOptions, Side, open_bench
from springbench.bench.tools import Tools
from springbench.errors import BuildError, ConfigurationError, HostError
from springbench.host.cpus import affinity_restored
from springbench.host.tools.find import Jdk, Tool
from springbench.matrix.rows import Matrix
from springbench.measure.testbed import Testbed
from springbench.plan.cases import Variant
from springbench.plan.plan import Filters, Plan, make_plan
from tests.fakes import FakeShell
from tests.measure.testbeds import UNPINNED

TOOLS = Tools(
    Jdk(Path("/jdk-25"), "25.0.3", 25, "Somebody"),
    Tool("wrk", Path("/usr/bin/wrk"), "4.1.0"),
    Tool("maven", Path("/usr/bin/mvn"), "3.8.7"),
)
TOMCAT, NETTY = "boot4-tomcat-virtual-jvm/hello/64", "boot4-netty-reactive-jvm/hello/64"
# the facts of the host are read while this process may still use all CPUs, and AOT caches are
# trained on them; a server is trained beside what it needs; nothing is started before all that can
# be wrong was found; all that was started ends in the opposite order
ORDER = [
    "check options",
    "find tools",
    "check limits",
    "look for what cannot run",
    "build",
    "look for jars",
    "connect to the load host",
    "read the host",
    "start what servers need",
    "prepare",
    "yield",
    "pin the harness",
    "start the database",
    "start the slow upstream",
    "measure",
    "stop the slow upstream",
    "stop the database",
    "stop what servers need",
    "disconnect from the load host",
    "restore the CPUs",
]


class Steps:
    """Stands in for every step of `open_bench`, and notes when each was taken."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.taken: list[str] = []
        self.unavailable: dict[str, str] = {}
        self.missing: dict[str, str] = {}
        self.broken: dict[str, str] = {}
        self.host = SimpleNamespace(
            pin_harness=self._note("pin the harness"),
            memory_limit=SimpleNamespace(limit_bytes=1 << 30),
            other_memory_limits={},
            shortfall=lambda _: None,
            load_host=None,
            cpus=UNPINNED,
        )
        stand_ins: dict[str, Any] = {
            "free_port": self._note("check options"),
            "find_tools": self._note("find tools", TOOLS),
            "jdk_cautions": lambda _: [],
            "check_limits": self._note("check limits", []),
            "unavailable": self._note("look for what cannot run", self.unavailable),
            "build": self._note("build"),
            "find_jars": self._note("look for jars"),
            "missing_jars": lambda *_: self.missing,
            "affinity_restored": self._block(None, "restore the CPUs"),
            "connect": self._block(
                "connect to the load host", "disconnect from the load host", None
            ),
            "Host": SimpleNamespace(read=self._note("read the host", self.host)),
            "start_declared_services": self._block(
                "start what servers need", "stop what servers need", ()
            ),
            "with_prepared": self._prepare,
            "one_by_one_if_needed": lambda plan, *_: (plan, []),
            "cautions": lambda _: [],
            "Services": self._services,
        }
        for name, stand_in in stand_ins.items():
            monkeypatch.setattr(assembly, name, stand_in)

    def _note(self, name: str, answer: object = None) -> Callable[..., Any]:
        def step(*_: object, **__: object) -> object:
            self.taken.append(name)
            return answer

        return step

    def _block(self, begin: str | None, end: str, answer: object = None) -> Callable[..., Any]:
        @contextmanager
        def block(*_: object) -> Iterator[object]:
            if begin:
                self.taken.append(begin)
            yield answer
            self.taken.append(end)

        return block

    def _prepare(self, testbed: Testbed, variants: list[Variant], context: Any) -> Testbed:
        self.taken.append("prepare")
        for variant in variants:
            if why := self.broken.get(variant.id):
                if context.failures is None:
                    raise BuildError(why)
                context.failures[variant.id] = why
        return testbed

    def _services(self, stack: Any, *_: object) -> object:
        def start(name: str) -> Callable[..., None]:
            def step(*_: object, **__: object) -> None:
                stack.enter_context(self._block(f"start {name}", f"stop {name}")())

            return step

        return SimpleNamespace(
            start_database=start("the database"), start_upstream=start("the slow upstream")
        )


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Steps:
    return Steps(monkeypatch)


@pytest.fixture
def plan(matrix: Matrix) -> Plan:
    return make_plan(matrix, "quick", Filters((TOMCAT, NETTY)))


def opened(options: BenchOptions) -> Bench:
    with open_bench(options, FakeShell()) as bench:
        return bench


def test_the_steps_come_in_one_order(steps: Steps, plan: Plan, tmp_path: Path) -> None:
    with open_bench(BenchOptions(plan), FakeShell()) as bench:
        steps.taken.append("yield")
        [testbed] = bench.start(tmp_path)
        steps.taken.append("measure")
    assert steps.taken == ORDER
    assert testbed.raw == tmp_path
    assert bench.plan == plan


@pytest.mark.parametrize("last", ORDER[: ORDER.index("yield")])
def test_a_step_that_fails_ends_what_was_started_before(
    steps: Steps, plan: Plan, monkeypatch: pytest.MonkeyPatch, last: str
) -> None:
    """Nothing after it is tried: no service is started for what cannot be measured."""

    class Failing(list[str]):
        def append(self, name: str) -> None:
            super().append(name)
            if name == last:
                raise HostError(name)

    steps.taken = Failing()
    with pytest.raises(HostError, match=last):
        opened(BenchOptions(plan))
    begun = [name for name in steps.taken if name in ORDER[: ORDER.index("yield")]]
    assert begun == ORDER[: ORDER.index(last) + 1]
    assert "start the database" not in steps.taken


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="nothing is pinned here")
def test_each_bench_may_divide_all_cpus(
    steps: Steps, plan: Plan, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each keeps the harness off the server's CPUs, as of a bisection, and does not leave it so."""
    before = os.sched_getaffinity(0)
    monkeypatch.setattr(assembly, "affinity_restored", affinity_restored)
    steps.host.pin_harness = lambda: os.sched_setaffinity(0, {min(before)})
    for _ in range(2):
        with open_bench(BenchOptions(plan), FakeShell()) as bench:
            assert os.sched_getaffinity(0) == before
            bench.start(tmp_path)
            assert os.sched_getaffinity(0) == {min(before)}
    assert os.sched_getaffinity(0) == before


def test_each_side_is_prepared_and_gets_the_same_services(
    steps: Steps, plan: Plan, tmp_path: Path
) -> None:
    folders = [tmp_path / "base", tmp_path / "head"]
    sides = tuple(Side(plan, jars=folder, is_built=True) for folder in folders)
    with open_bench(BenchOptions(plan, sides, jars=folders[0]), FakeShell()) as bench:
        testbeds = bench.start(tmp_path / "raw")
    assert [testbed.jars for testbed in testbeds] == folders
    assert steps.taken.count("prepare") == 2
    assert steps.taken.count("start the database") == 1
    assert "build" not in steps.taken


def test_what_cannot_be_measured_is_left_out_with_its_reason_or_ends_everything(
    steps: Steps, plan: Plan
) -> None:
    steps.unavailable[TOMCAT] = "needs GraalVM"
    bench = opened(BenchOptions(plan, partial=True))
    assert bench.skipped == {TOMCAT: "needs GraalVM"}
    assert [case.id for case in bench.plan.cases] == [NETTY]
    with pytest.raises(HostError, match=r"^needs GraalVM$"):
        opened(BenchOptions(plan))
    steps.unavailable[NETTY] = "needs GraalVM"
    with pytest.raises(HostError, match=r"^needs GraalVM$"):
        opened(BenchOptions(plan, partial=True))


def test_a_step_that_the_host_cannot_take_is_left_out(steps: Steps, plan: Plan) -> None:
    tomcat, netty = (next(c for c in plan.cases if c.id == name) for name in (TOMCAT, NETTY))
    large = replace(tomcat, variant=tomcat.variant.set_to(cpus="64"))
    ladder = replace(plan, cases=(large, netty))
    steps.host.shortfall = lambda variant: "cpus 64: the server has 1" * bool(variant.settings.cpus)
    bench = opened(BenchOptions(ladder, partial=True))
    assert bench.skipped == {large.id: "cpus 64: the server has 1"}
    assert [case.id for case in bench.plan.cases] == [NETTY]
    with pytest.raises(HostError, match=r"^cpus 64: the server has 1$"):
        opened(BenchOptions(ladder))
    with pytest.raises(HostError, match=r"^cpus 64: the server has 1$"):
        opened(BenchOptions(replace(plan, cases=(large,)), partial=True))


def test_what_cannot_be_prepared_fails_or_ends_everything(steps: Steps, plan: Plan) -> None:
    steps.broken["boot4-tomcat-virtual-jvm"] = "training failed\nthe port is taken\nmore"
    bench = opened(BenchOptions(plan, partial=True))
    assert bench.failed == {TOMCAT: "training failed the port is taken"}
    assert [case.id for case in bench.plan.cases] == [NETTY]
    with pytest.raises(BuildError, match=r"^training failed"):
        opened(BenchOptions(plan))
    only = replace(plan, cases=tuple(case for case in plan.cases if case.id == TOMCAT))
    with pytest.raises(BuildError, match=r"^training failed\nthe port is taken\nmore$"):
        opened(BenchOptions(only, partial=True))


def test_a_server_whose_jar_is_missing_fails_where_the_others_are_wanted(
    steps: Steps, plan: Plan, tmp_path: Path
) -> None:
    steps.missing[TOMCAT] = "boot4-tomcat.jar"
    bench = opened(BenchOptions(plan, jars=tmp_path, keep_going=True))
    assert bench.failed == {TOMCAT: "boot4-tomcat.jar is not there: its build has failed"}
    assert [case.id for case in bench.plan.cases] == [NETTY]


def test_the_self_check_builds_its_target_though_no_case_needs_it(
    steps: Steps, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    built: list[list[str]] = []
    monkeypatch.setattr(assembly, "build", lambda modules, *_: built.append(list(modules)))
    jar = tmp_path / "slow-upstream.jar"
    monkeypatch.setattr(assembly, "upstream_jar", lambda _: jar)
    options = BenchOptions(Plan("selfcheck", ()), canary="required", connections=5000)
    with pytest.raises(ConfigurationError, match=r"not there: slow-upstream\.jar$"):
        opened(options)
    assert built == [["servers/slow-upstream"]]
    jar.touch()
    assert opened(options).target_jar == jar
    # a run measures it where it can
    built.clear()
    opened(replace(options, canary="no"))
    assert built == []


def test_one_limit_for_all_is_refused_where_the_cases_name_their_own(
    monkeypatch: pytest.MonkeyPatch, matrix: Matrix
) -> None:
    steps = Steps(monkeypatch)
    plan = make_plan(matrix, "memory")
    options = BenchOptions(plan, memory_bytes=2 << 30)
    with (
        pytest.raises(ConfigurationError, match=r"^--memory: the profile measures memory limits"),
        open_bench(options, FakeShell()),
    ):
        pass
    assert steps.taken == []
