"""A run under way: the order, what is saved when, and what an interruption leaves."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from springbench.analysis.assess import assess
from springbench.errors import ExitCode
from springbench.matrix.rows import Matrix
from springbench.measure.fork import Round
from springbench.plan.cases import Case
from springbench.plan.plan import Filters, Plan, make_plan
from springbench.results.records import ForkRecord
from springbench.results.run import INTERRUPTED, Result, Run
from springbench.results.store import RunFolder, load_run
from springbench.run.scheduler import LiveForks, RunScheduler
from tests.fakes import FakeShell
from tests.measure.testbeds import testbed
from tests.samples import empty_run, failed_fork, fork

Measure = Callable[[Case, int], ForkRecord]


@pytest.fixture
def plan(matrix: Matrix) -> Plan:
    """Three cases with two forks each."""
    only = ("*-tomcat-virtual-*/hello/*", "*-tomcat-virtual-*/pay/*", "*-netty-*/pay/*")
    return make_plan(matrix, "quick", Filters(only, forks=2))


@pytest.fixture
def scheduler(tmp_path: Path, plan: Plan) -> RunScheduler:
    folder = RunFolder.create(tmp_path / "results", "one")
    return live(tmp_path, plan, folder, empty_run())


def live(tmp_path: Path, plan: Plan, folder: RunFolder, run: Run) -> RunScheduler:
    return RunScheduler(plan, LiveForks(testbed(tmp_path, FakeShell()), plan, run), folder, run)


def measuring(monkeypatch: pytest.MonkeyPatch, measure: Measure) -> list[tuple[str, int]]:
    """Let every fork be measured by `measure`; returns what was asked for, as it grows."""
    requested_forks: list[tuple[str, int]] = []

    class Measured(Round):
        def measure(self, groups: Sequence[Sequence[Case]]) -> None:
            [[case]] = groups
            requested_forks.append((case.id, self.fork))
            self.done(case, measure(case, self.fork))

    monkeypatch.setattr("springbench.run.scheduler.Round", Measured)
    return requested_forks


def ids(plan: Plan) -> list[str]:
    return [case.id for case in plan.cases]


def test_every_fork_is_measured_in_rounds_and_saved(
    scheduler: RunScheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored: list[int] = []

    def measure(case: Case, number: int) -> ForkRecord:
        # what is on the disk while this fork is measured
        stored.append(sum(len(r.forks) for r in load_run(scheduler.folder.path).results))
        return fork(number, 990.0)

    requested_forks = measuring(monkeypatch, measure)
    assert scheduler.execute() is ExitCode.OK
    assert requested_forks == [(case, number) for number in (0, 1) for case in ids(scheduler.plan)]
    assert stored == [0, 1, 2, 3, 4, 5]

    run = load_run(scheduler.folder.path)
    assert run == scheduler.run
    assert [result.case for result in run.results] == ids(scheduler.plan)
    assert {result.summary["throughput_rps"].n for result in run.results} == {2}
    assert run.run.finished_at is not None


def test_a_failed_case_does_not_stop_the_others(
    scheduler: RunScheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = scheduler.plan.cases[0].id
    requested_forks = measuring(
        monkeypatch,
        lambda case, n: failed_fork(n, "boom") if case.id == first else fork(n, 990.0),
    )
    assert scheduler.execute() is ExitCode.CASES_FAILED
    assert len(requested_forks) == 6
    assert [result.status for result in scheduler.run.results] == ["failed", "ok", "ok"]


@pytest.mark.parametrize("at", range(6))
def test_ctrl_c_loses_nothing_that_was_measured(
    scheduler: RunScheduler, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    def measure(_: Case, number: int) -> ForkRecord:
        if len(requested_forks) == at + 1:
            raise KeyboardInterrupt
        return fork(number, 990.0)

    requested_forks = measuring(monkeypatch, measure)
    assert scheduler.execute() is ExitCode.INTERRUPTED

    run = load_run(scheduler.folder.path)
    assert sum(len(result.forks) for result in run.results) == at
    assert [result.case for result in run.results] == ids(scheduler.plan)
    for index, result in enumerate(run.results):
        measured = index < at
        assert result.status == ("ok" if measured else "skipped")
        assert result.reason == (None if measured else INTERRUPTED)
    assert run.run.finished_at is not None


def test_a_fork_that_was_kept_is_counted_even_if_ctrl_c_came_in_between(
    scheduler: RunScheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    measuring(monkeypatch, lambda _, number: fork(number, 990.0))
    first = iter([True])

    def interrupted(result: Result, case: Case, server_cpus: int, load_host: object) -> Result:
        if next(first, False):
            raise KeyboardInterrupt
        return assess(result, case, server_cpus)

    monkeypatch.setattr("springbench.run.scheduler.assess", interrupted)
    assert scheduler.execute() is ExitCode.INTERRUPTED
    first_result = load_run(scheduler.folder.path).results[0]
    assert len(first_result.forks) == 1
    assert first_result.summary["throughput_rps"].median == 990.0


def test_what_was_measured_is_not_measured_again(
    scheduler: RunScheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    measuring(monkeypatch, lambda _, number: fork(number, 990.0))
    scheduler.execute()
    requested_forks = measuring(monkeypatch, lambda _, number: fork(number, 1.0))
    again = replace(scheduler, run=load_run(scheduler.folder.path))
    assert again.execute() is ExitCode.OK
    assert requested_forks == []
    assert again.run.results == scheduler.run.results


def test_a_cap_is_that_of_the_cpus_which_the_server_has(
    tmp_path: Path, matrix: Matrix, scheduler: RunScheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = make_plan(matrix, "quick", Filters(("*-undertow-platform-*/pay/*",)))
    scheduler = live(tmp_path, plan, scheduler.folder, empty_run())
    # not pinned: two CPUs, 16 worker threads
    measuring(monkeypatch, lambda _, number: fork(number, 16.0))
    scheduler.execute()
    [result] = scheduler.run.results
    assert result.bottleneck is not None
    assert result.bottleneck.label == "thread cap: 16 at once (server.undertow.threads.worker)"


def test_variants_are_measured_in_rounds_and_only_what_is_missing(
    tmp_path: Path, matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    requested_rounds: list[tuple[int, list[list[str]]]] = []

    class Measured(Round):
        def measure(self, groups: Sequence[Sequence[Case]]) -> None:
            requested_rounds.append((self.fork, [[case.id for case in group] for group in groups]))
            for group in groups:
                for case in group:
                    self.done(case, fork(self.fork, 990.0))

    monkeypatch.setattr("springbench.run.scheduler.Round", Measured)
    only = ("*-tomcat-virtual-*", "*-netty-*")
    plan = make_plan(matrix, "quick", Filters(only))
    folder = RunFolder.create(tmp_path / "results", "one")
    scheduler = live(tmp_path, plan, folder, empty_run())
    tomcat, netty = "boot4-tomcat-virtual-jvm", "boot4-netty-reactive-jvm"
    assert scheduler.execute() is ExitCode.OK
    assert requested_rounds == [
        (
            0,
            [
                [f"{tomcat}/hello/64", f"{tomcat}/pay/1000"],
                [f"{netty}/hello/64", f"{netty}/pay/1000"],
            ],
        ),
        (1, [[f"{tomcat}/hello/64"], [f"{netty}/hello/64"]]),
    ]
    requested_rounds.clear()
    run = load_run(folder.path)
    for result in run.results:
        result.forks = result.forks[:1] if "hello" in result.case else []
    again = live(tmp_path, plan, folder, run)
    assert again.execute() is ExitCode.OK
    assert requested_rounds == [
        (0, [[f"{tomcat}/pay/1000"], [f"{netty}/pay/1000"]]),
        (1, [[f"{tomcat}/hello/64"], [f"{netty}/hello/64"]]),
    ]


class Hours:
    """Rounds of made-up servers on a host that takes its time; counts seconds."""

    def __init__(self, plan: Plan, slowness: float, rates_rps: dict[str, float]) -> None:
        self.plan, self.slowness, self.rates_rps = plan, slowness, rates_rps
        self.now_s = 0.0
        self.rounds: list[list[str]] = []

    def __call__(self) -> float:
        return self.now_s

    def measure(
        self,
        groups: Sequence[Sequence[Case]],
        number: int,
        keep: Callable[[Case, ForkRecord], None],
        until_s: float = math.inf,
    ) -> None:
        assert until_s == (self.plan.limit_s if number else math.inf)
        self.rounds.append([case.id for group in groups for case in group])
        for group in groups:
            for case in group:
                # a host's second round was seen to take so much longer than its first
                slowness = self.slowness * (1.12 if number else 1.0)
                self.now_s += slowness * self.plan.cost_s(number, case)
                keep(case, fork(number, self.rates_rps[case.variant.id]))


@pytest.mark.parametrize(
    ("slowness", "second"),
    [
        # all of them, then all but who differs most, then the two nearest, then none
        (1.0, ["tomcat-virtual", "jetty-virtual", "netty-reactive", "tomcat-platform"]),
        (1.1, ["tomcat-virtual", "jetty-virtual", "netty-reactive"]),
        (1.2, ["jetty-virtual", "netty-reactive"]),
        (1.5, []),
    ],
)
def test_a_profile_ends_in_time_with_the_servers_whose_order_is_least_known(
    tmp_path: Path, matrix: Matrix, slowness: float, second: list[str]
) -> None:
    rates_rps = {
        "boot4-tomcat-virtual-jvm": 38_000.0,
        "boot4-jetty-virtual-jvm": 50_000.0,
        "boot4-netty-reactive-jvm": 51_000.0,
        "boot4-tomcat-platform-jvm": 20_000.0,
    }
    only = tuple(f"*-{name}-*/hello/*" for name in ("tomcat", "netty", "jetty-virtual"))
    chosen = make_plan(matrix, "quick", Filters(only))
    limit_s = 1.1 * chosen.estimate_s
    plan = replace(chosen, limit_s=limit_s)
    clock = Hours(plan, slowness, rates_rps)
    scheduler = live(tmp_path, plan, RunFolder.create(tmp_path / "results", "one"), empty_run())
    scheduler.source, scheduler.clock = clock, clock
    assert scheduler.execute() is ExitCode.OK
    rounds = [*clock.rounds, []][:2]
    assert sorted(rounds[0]) == sorted(case.id for case in plan.cases)
    assert sorted(rounds[1]) == sorted(f"boot4-{name}-jvm/hello/64" for name in second)
    assert clock.now_s <= limit_s or not second
    cautions = [warning for warning in scheduler.run.warnings if warning.code == "out-of-time"]
    assert len(cautions) == (len(second) < 4)
    for caution in cautions:
        assert f"{slowness:.2f} times as long as planned" in caution.message
        assert caution.remedy is not None
        assert "--forks 2" in caution.remedy


def test_a_server_that_is_measured_alone_gets_its_second_process(
    tmp_path: Path, matrix: Matrix
) -> None:
    plan = make_plan(matrix, "quick", Filters(("*-tomcat-virtual-*/hello/*",)))
    clock = Hours(plan, 1.0, {"boot4-tomcat-virtual-jvm": 38_000.0})
    scheduler = live(tmp_path, plan, RunFolder.create(tmp_path / "results", "one"), empty_run())
    scheduler.source, scheduler.clock = clock, clock
    assert scheduler.execute() is ExitCode.OK
    assert len(clock.rounds) == 2
    assert not [caution for caution in scheduler.run.warnings if caution.code == "out-of-time"]


def test_whoever_says_how_much_to_measure_gets_it(matrix: Matrix) -> None:
    assert make_plan(matrix, "quick").limit_s == 480
    assert make_plan(matrix, "quick", Filters(forks=2)).limit_s is None
    assert make_plan(matrix, "quick", Filters(window_s=10)).limit_s is None
