"""Servers that are warm, at constant rates: their records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass

from springbench.errors import CaseError
from springbench.host.cpus import CpuCounts
from springbench.limits import MAX_STEAL_RATIO
from springbench.matrix.profiles import CAPACITY_PERCENTS, CapacityPercent
from springbench.measure.instability import compilation_has_settled, taken_ratio
from springbench.measure.interleave import rotated
from springbench.measure.load.driver import Driver, OpenRun
from springbench.measure.load.open_schedule import Schedule
from springbench.measure.load.timeline import mean_rate
from springbench.plan.cases import RATE_WARM_UP, Case, at_rate
from springbench.results.records import ConstantRateRecord, RateFlaw

# beyond these a load does not count
LEAST_ACHIEVED_RATIO = 0.99
MAX_LOAD_CPU_RATIO = 0.80
# of a load that only warms, with and without CPUs of the compilers' own
WARMING_WINDOW_S = 2.5
# the last samples of a load may fall behind its end
EDGE_S = 0.5


@dataclass(frozen=True)
class RatedProcess:
    """A process that is loaded at constant rates, and where its records go."""

    driver: Driver
    keep: Callable[[ConstantRateRecord], None]
    failed: Callable[[str, CaseError], None]
    """Receives the path of what is missing in a record, and why; may raise `CaseError`."""
    running: Callable[[], AbstractContextManager[None]] = nullcontext
    """The time in which it runs, and no other process."""

    @contextmanager
    def attempt(self, case: Case, turn: int, phase: str, path: str) -> Iterator[None]:
        """A load of it, whose failure is that of `path`."""
        self.driver.testbed.observer.phase(case, turn, phase)
        with self.running():
            try:
                yield
            except CaseError as error:
                self.failed(path, error)


def measure_at_rates(
    processes: Sequence[RatedProcess], case: Case, capacity_rps: float, turn: int
) -> None:
    """Load each process at each rate that the case asks for: percentages of `capacity_rps`.

    Which process is first rotates by `turn`. A load that fails affects neither the others nor what
    was measured before; a process whose warm-up fails has no rates.
    """
    warm: list[RatedProcess] = []
    for process in rotated(processes, turn):
        if not case.warms_for_rates:
            warm.append(process)
            continue
        with process.attempt(case, turn, RATE_WARM_UP, "constant_rates"):
            _warm_up(process.driver, case, capacity_rps)
            warm.append(process)
    for number, percent in enumerate(case.rates):
        # those that are warm are in the order of this turn already
        for process in rotated(warm, number):
            with process.attempt(case, turn, at_rate(percent), f"constant_rates.{percent}"):
                process.keep(measure_at_rate(process.driver, case, percent, capacity_rps))


def _warm_up(driver: Driver, case: Case, capacity_rps: float) -> None:
    """A load like those that follow, whose requests have other headers than those of warm-up.

    Compilers have CPUs of their own in nearly all of it. Raises `CaseError` as below.
    """
    schedule = _schedule(case, capacity_rps * max(CAPACITY_PERCENTS) / 100, WARMING_WINDOW_S)
    longer = schedule._replace(lead_s=schedule.duration_s, window_s=WARMING_WINDOW_S)
    _drive(driver, case, "rate-warm-up", longer)


def measure_at_rate(
    driver: Driver, case: Case, percent: CapacityPercent, capacity_rps: float
) -> ConstantRateRecord:
    """Load the server at that percentage of `capacity_rps`, after what has warmed it.

    Raises `CaseError` as `Driver.drive_open` does.
    """
    schedule = _schedule(case, capacity_rps * percent / 100, case.rate_window_s)
    run = _drive(driver, case, f"rate-{percent}", schedule)
    delay_s = case.workload.delay_s
    return rate_record(percent, schedule, run, driver.testbed.cpus.counts, delay_s)


def _schedule(case: Case, rate_rps: float, window_s: float) -> Schedule:
    delay_s = case.workload.delay_s
    return Schedule.plan(max(1.0, round(rate_rps)), case.connections, delay_s, window_s)


def _drive(driver: Driver, case: Case, name: str, schedule: Schedule) -> OpenRun:
    delay_s = case.workload.delay_s
    return driver.drive_open(name, case.templates, case.connections, schedule, delay_s)


def rate_record(
    percent: CapacityPercent,
    schedule: Schedule,
    driven: OpenRun,
    cpus: CpuCounts,
    delay_s: float = 0.0,
) -> ConstantRateRecord:
    """The record of a load, with what speaks against it. Requests wait `delay_s` by design."""
    window, timeline = driven.window, driven.timeline
    begin_s, end_s = schedule.lead_s, schedule.duration_s - EDGE_S

    def used(field: str) -> float | None:
        return mean_rate(timeline.points(field), begin_s, end_s)

    server_cpu, load_cpu = used("server_cpu_s"), used("load_cpu_s")
    answering_cpu = server_cpu - (used("compiler_cpu_s") or 0.0) if server_cpu else None
    achieved_rps = window.achieved_rps
    record = ConstantRateRecord(
        capacity_percent=percent,
        offered_rps=schedule.rate_rps,
        window_s=schedule.window_s,
        achieved_rps=achieved_rps,
        requests=window.requests,
        unanswered=driven.unanswered,
        error_ratio=window.failed / window.requests if window.requests else 1.0,
        lateness_p99_s=window.lateness_p99_s,
        cpu_per_request_s=answering_cpu / achieved_rps if answering_cpu and achieved_rps else None,
        server_cpu_ratio=server_cpu / cpus.server if server_cpu and cpus.server else None,
        load_cpu_ratio=None if load_cpu is None else load_cpu / cpus.load,
        steal_ratio=taken_ratio(timeline, "stolen_s", begin_s, end_s, cpus.used),
        slow=window.slow(delay_s),
        histogram=window.histogram(),
    )
    for name, value in window.latency_figures().items():
        setattr(record, f"latency_{name}_s", value)
    rested = compilation_has_settled(timeline, begin_s, end_s, cpus.server, waits=True)
    record.flaws = _flaws(record, compiling=not rested)
    return record


def _flaws(record: ConstantRateRecord, *, compiling: bool) -> list[RateFlaw]:
    """Why its figures do not count."""
    speaks_against: dict[RateFlaw, bool] = {
        "behind": record.achieved_rps < LEAST_ACHIEVED_RATIO * record.offered_rps,
        "unanswered": record.unanswered > 0,
        "load-generator": (record.load_cpu_ratio or 0.0) >= MAX_LOAD_CPU_RATIO,
        "compiling": compiling,
        "stolen": (record.steal_ratio or 0.0) > MAX_STEAL_RATIO,
    }
    return [flaw for flaw, found in speaks_against.items() if found]
