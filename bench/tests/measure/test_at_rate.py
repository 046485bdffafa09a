"""A load at a constant rate: its record, what speaks against it, and what its failure costs."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from springbench.errors import CaseError
from springbench.host import environment
from springbench.host.cpus import CpuCounts
from springbench.host.shell import RealShell
from springbench.matrix.rows import Matrix
from springbench.measure import at_rate
from springbench.measure import fork as forks
from springbench.measure.at_rate import (
    RatedProcess,
    measure_at_rate,
    measure_at_rates,
    rate_record,
)
from springbench.measure.load import driver as drivers
from springbench.measure.load.driver import Driver, OpenRun
from springbench.measure.load.open_schedule import Answered, Schedule, Window, cut_window
from springbench.measure.load.timeline import Sample, Timeline
from springbench.measure.server.process import ServerProcess
from springbench.measure.testbed import NullObserver
from springbench.plan.cases import Case
from springbench.results.records import ForkRecord
from tests.measure.load.test_open_schedule import simulate
from tests.measure.testbeds import testbed
from tests.samples import case as quick_case
from tests.samples import load

FAKE = Path(__file__).parents[1] / "services" / "fake_oha.py"
HELLO = "boot4-tomcat-virtual-jvm/hello/64"
ONE_CPU = CpuCounts(1, used=2)
SCHEDULE = Schedule.plan(500.0, 50, delay_s=0.0, window_s=4.0)


@pytest.fixture
def case(matrix: Matrix) -> Case:
    return replace(quick_case(matrix, HELLO), rate_window_s=0.5, rates=(50, 80))


@pytest.fixture
def driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Driver]:
    """A server that only lives, and a stand-in for oha."""
    program = tmp_path / "oha"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} {FAKE} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(environment, "OF_THE_HOST", (*environment.OF_THE_HOST, "FAKE_OHA"))
    monkeypatch.setenv("FAKE_OHA", "fine")
    monkeypatch.setattr(drivers, "OVERTIME_S", 0.5)
    shell = RealShell()
    with (tmp_path / "server.log").open("wb") as output:
        child = shell.start(["sleep", "60"], stdout=output)
    try:
        parts = replace(testbed(tmp_path, shell), oha=program)
        yield Driver(parts, ServerProcess(child, 1, time.perf_counter()), tmp_path)
    finally:
        child.stop()


def at(
    window: Window, *, load_cpus: float = 0.3, unanswered: int = 0, compiling: float = 0.0
) -> OpenRun:
    samples = tuple(
        Sample(
            index / 4,
            0,
            server_cpu_s=0.5 * index / 4,
            load_cpu_s=load_cpus * index / 4,
            compiler_cpu_s=compiling * index / 4,
        )
        for index in range(40)
    )
    return OpenRun(window, unanswered, Timeline(samples))


def window(took_s: float = 0.01) -> Window:
    return cut_window(simulate(SCHEDULE, took_s), SCHEDULE, 50)


def test_a_record_has_latencies_costs_and_shares_of_cpus() -> None:
    record = rate_record(50, SCHEDULE, at(window()), ONE_CPU)
    assert record.counts
    assert record.offered_rps == 500
    assert record.latency_p50_s == pytest.approx(0.01)
    assert record.latency_p999_s == pytest.approx(0.01)
    assert record.cpu_per_request_s == pytest.approx(0.5 / 500, rel=0.01)
    assert record.load_cpu_ratio == pytest.approx(0.3)
    assert record.error_ratio == 0
    assert record.histogram


@pytest.mark.parametrize(
    ("driven", "flaws"),
    [
        (at(window(0.15)), ["behind"]),
        (at(window(), load_cpus=0.81), ["load-generator"]),
        (at(window(), unanswered=1), ["unanswered"]),
        (at(window(), compiling=0.1), ["compiling"]),
        (at(window(0.15), load_cpus=0.9), ["behind", "load-generator"]),
    ],
)
def test_what_speaks_against_a_load(driven: OpenRun, flaws: list[str]) -> None:
    assert rate_record(50, SCHEDULE, driven, ONE_CPU).flaws == flaws


def test_nothing_answered_is_no_zero() -> None:
    answered = simulate(SCHEDULE, 0.01)
    none = Answered.of(answered.sent_s[:0], answered.ended_s[:0], answered.status[:0])
    record = rate_record(50, SCHEDULE, at(cut_window(none, SCHEDULE, 50)), ONE_CPU)
    assert (record.requests, record.error_ratio, record.latency_p50_s) == (0, 1.0, None)
    assert record.flaws == ["behind"]


@pytest.mark.process
def test_a_load_keeps_its_timeline_and_not_its_list(driver: Driver, case: Case) -> None:
    record = measure_at_rate(driver, case, 50, 2000.0)
    assert (record.offered_rps, record.unanswered) == (1000, 0)
    assert record.latency_p99_s == pytest.approx(0.01)
    assert (driver.folder / "rate-50.json").is_file()
    assert not list(driver.folder.glob("*.csv"))


@pytest.mark.process
@pytest.mark.parametrize(
    ("behaviour", "why"), [("fails", "ended with code 1"), ("silent", "wrote no list")]
)
def test_a_generator_that_fails_says_where_to_look(
    driver: Driver, case: Case, monkeypatch: pytest.MonkeyPatch, behaviour: str, why: str
) -> None:
    monkeypatch.setenv("FAKE_OHA", behaviour)
    with pytest.raises(CaseError, match=why + r".*rate-50\.txt may say why"):
        measure_at_rate(driver, case, 50, 2000.0)


@pytest.mark.process
def test_a_server_that_does_not_answer_in_time_is_not_waited_for(
    driver: Driver, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_OHA", "hangs")
    record = measure_at_rate(driver, case, 50, 2000.0)
    assert record.unanswered > 0
    assert "unanswered" in record.flaws


@pytest.mark.process
def test_a_rate_that_fails_costs_neither_the_window_nor_the_other_rate(
    driver: Driver, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(driver: Driver, case: Case, percent: int, capacity_rps: float) -> object:
        if percent == 50:
            raise CaseError("oha ended with code 1")
        return measure_at_rate(driver, case, 80, capacity_rps)

    monkeypatch.setattr(at_rate, "measure_at_rate", failing)
    record = ForkRecord(fork=0, status="ok", load=load(1000.0))
    forks.measure_rates(case, record, driver, 2000.0)
    assert [at.capacity_percent for at in record.constant_rates] == [80]
    # of the first fork's capacity, not of its own
    assert record.constant_rates[0].offered_rps == 1600
    assert record.missing == {"constant_rates.50": "oha ended with code 1"}
    assert record.status == "ok"


@pytest.mark.process
def test_without_oha_that_is_what_is_missing(driver: Driver, case: Case) -> None:
    record = ForkRecord(fork=0, status="ok", load=load(1000.0))
    without = replace(driver, testbed=replace(driver.testbed, oha=None))
    forks.measure_rates(case, record, without, None)
    assert "oha" in record.missing["constant_rates"]
    assert not record.constant_rates


@pytest.mark.parametrize(
    ("turn", "order"),
    [(0, "base head, head base"), (1, "head base, base head"), (2, "base head, head base")],
)
def test_who_is_first_changes_with_each_rate_and_each_turn(
    case: Case, monkeypatch: pytest.MonkeyPatch, turn: int, order: str
) -> None:
    seen: list[str] = []

    def named(name: str) -> RatedProcess:
        driver = cast(
            "Driver", SimpleNamespace(name=name, testbed=SimpleNamespace(observer=NullObserver()))
        )
        return RatedProcess(driver, keep=lambda _: None, failed=lambda *_: None)

    monkeypatch.setattr(at_rate, "_warm_up", lambda *_: None)
    monkeypatch.setattr(at_rate, "measure_at_rate", lambda driver, *_: seen.append(driver.name))
    measure_at_rates([named("base"), named("head")], case, 2000.0, turn)
    assert " ".join(seen) == order.replace(",", "")
