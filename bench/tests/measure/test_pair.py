"""Sides of a pair: a window that the host disturbed, and both at constant rates."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from springbench.bench.tools import Tools
from springbench.errors import CaseError
from springbench.host import environment
from springbench.matrix.rows import Matrix
from springbench.measure import pair as pairs
from springbench.measure.pair import RunningSide, capacity_of, measure_rates, measure_window
from springbench.plan.cases import Case
from springbench.results.comparison import BurstRecord, PairRecord, SideRecord
from springbench.results.records import Instability, LoadRecord
from tests.conftest import left_behind
from tests.measure.test_at_rate import FAKE
from tests.samples import case as case_of
from tests.samples import load
from tests.test_integration import upstreams


def burst(throughput_rps: float) -> BurstRecord:
    return BurstRecord(
        throughput_rps=throughput_rps, cpu_per_request_s=None, error_ratio=0, load_cpu_ratio=None
    )


@pytest.fixture
def case(matrix: Matrix) -> Case:
    hello = case_of(matrix, "boot4-tomcat-virtual-jvm/hello/8")
    return replace(hello, rates=(50, 80), rate_window_s=0.5)


@pytest.fixture
def sides(
    tmp_path: Path, tools: Tools, jars: Path, case: Case, monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[RunningSide]]:
    """Base has shown 100 answers a second, head 50."""
    monkeypatch.setattr(environment, "OF_THE_HOST", (*environment.OF_THE_HOST, "FAKE_OHA"))
    monkeypatch.setenv("FAKE_OHA", "fine")
    generator = tmp_path / "oha"
    generator.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{FAKE}" "$@"\n', encoding="ascii")
    generator.chmod(0o755)
    with ExitStack() as stack:
        both = upstreams(stack, tmp_path, tools, jars)
        for side, rate in zip(both, (100.0, 50.0), strict=True):
            parts = replace(side.driver.testbed, oha=generator)
            side.driver = replace(side.driver, testbed=parts)
            side.record.bursts[case.id] = [burst(rate)]
        yield both
    assert left_behind() == []


@pytest.mark.system
@pytest.mark.timeout(300)
def test_both_get_the_same_rates_by_what_base_can(sides: list[RunningSide], case: Case) -> None:
    measure_rates(sides, case, 0)
    for side in sides:
        found = side.record.constant_rates[case.id]
        assert [(at.capacity_percent, at.offered_rps) for at in found] == [(50, 50), (80, 80)]
        assert all(at.latency_p99_s for at in found)


@pytest.mark.system
@pytest.mark.timeout(300)
def test_a_generator_that_fails_costs_only_the_rates(
    sides: list[RunningSide], case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_OHA", "fails")
    measure_rates(sides, case, 0)
    assert [side.record.constant_rates for side in sides] == [{}, {}]
    assert sides[0].pair.failed_side is None


@pytest.mark.system
@pytest.mark.timeout(300)
def test_a_side_that_dies_is_attributed(sides: list[RunningSide], case: Case) -> None:
    sides[1].driver.server.running.signal(signal.SIGKILL)
    sides[1].driver.server.running.wait(5)
    with pytest.raises(CaseError, match="exited with code -9"):
        measure_rates(sides, case, 0)
    assert sides[1].pair.failed_side == "head"


@pytest.mark.system
def test_without_a_generator_or_a_load_there_are_no_rates(
    sides: list[RunningSide], case: Case
) -> None:
    base = sides[0]
    base.record.bursts.clear()
    measure_rates(sides, case, 0)
    assert base.record.constant_rates == {}


def test_a_capacity_is_the_middle_of_what_was_shown(case: Case) -> None:
    assert capacity_of(SideRecord(), case) is None
    bursts = {case.id: [burst(rate) for rate in (90.0, 300.0, 100.0)]}
    assert capacity_of(SideRecord(bursts=bursts), case) == 100
    assert capacity_of(SideRecord(windows={case.id: [load(99.0)]}), case) == 99


def window(
    rps: float, stolen: float, background: float = 0.0, *instability: Instability
) -> LoadRecord:
    return load(
        rps, steal_ratio=stolen, background_cpu_ratio=background, instability=list(instability)
    )


class Server:
    """One that is asked for nothing but its route."""

    def __init__(self) -> None:
        self.drained = 0

    def check_routes(self, *_: object) -> None:
        self.drained += 1

    def resumed(self) -> AbstractContextManager[None]:
        return nullcontext()


@pytest.mark.parametrize(
    ("windows", "counts", "measured"),
    [
        # its cause is what counts: not that it is slower, nor that it was compiling
        ([window(900, 0.0), window(1000, 0.0)], 900, 1),
        ([window(900, 0.01, 0.05, "compiling"), window(1000, 0.0)], 900, 1),
        ([window(900, 0.3, 0.0, "stolen"), window(800, 0.0)], 800, 2),
        ([window(900, 0.0, 0.4, "disturbed"), window(1000, 0.3, 0.4, "stolen")], 900, 2),
    ],
)
@pytest.mark.parametrize("last", [True, False])
def test_of_a_disturbed_window_and_another_the_one_that_lost_less_counts(
    windows: list[LoadRecord],
    counts: float,
    measured: int,
    last: bool,
    matrix: Matrix,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case = case_of(matrix, "boot4-tomcat-virtual-jvm/pay/1000")
    server = Server()
    record = SideRecord()
    pair = PairRecord(pair=0, status="ok", sides={"base": record})
    side = RunningSide(cast(Any, SimpleNamespace(server=server)), "base", record, pair)
    names: list[str] = []

    def next_window(_: object, __: object, name: str) -> LoadRecord:
        names.append(name)
        return windows[len(names) - 1]

    monkeypatch.setattr(pairs, "_window", next_window)
    measure_window(side, case, 0, last=last)
    [found] = record.windows[case.id]
    assert found.throughput_rps == counts
    # each has a file of its own
    assert len(set(names)) == measured
    # what is queued must not meet the next load, of which there is none after the last
    assert server.drained == measured - last
