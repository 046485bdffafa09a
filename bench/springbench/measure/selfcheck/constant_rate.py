"""How far off latencies at a constant rate are: a known target, with and without a stall."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from springbench.matrix.templates import get
from springbench.measure.at_rate import EDGE_S
from springbench.measure.load.driver import Driver
from springbench.measure.load.open_schedule import Schedule
from springbench.measure.load.timeline import mean_rate
from springbench.measure.selfcheck.selfcheck import STALL_AT, Stall, Target, target_driver
from springbench.measure.testbed import Testbed
from springbench.plan.cases import RAMP_S


@dataclass(frozen=True)
class RateTarget:
    """A target, asked for half of what its connections could carry."""

    target: Target

    @property
    def rate_rps(self) -> float:
        return self.target.known_rps / 2

    @property
    def name(self) -> str:
        return f"{self.rate_rps:,.0f}/s, {self.target.name}"


@dataclass(frozen=True)
class RateChecked:
    """What was reported of a target whose latency is known; times in seconds.

    `late_p99_s` is how late the target was by its own clock: the truth of p99 is its delay and
    that. wrk's figures are of the same target under the same stall.
    """

    rate_target: RateTarget
    achieved_ratio: float
    load_cpu_ratio: float | None
    p50_s: float
    p99_s: float
    max_s: float
    late_p99_s: float
    stalled_s: float
    wrk_p99_s: float | None = None

    @property
    def p50_error_s(self) -> float:
        return self.p50_s - self.rate_target.target.delay_s

    @property
    def p99_error_s(self) -> float:
        """Without a stall: with one p99 depends on how many requests it held up."""
        return self.p99_s - self.rate_target.target.delay_s - self.late_p99_s

    @property
    def stall_found_s(self) -> float:
        """How much the slowest answer took beyond the delay."""
        return self.max_s - self.rate_target.target.delay_s


def check_at_rate(
    testbed: Testbed, jar: Path, rate_target: RateTarget, window_s: float
) -> RateChecked:
    """Measure one target at its rate. Raises `CaseError` as the drivers do."""
    target = rate_target.target
    schedule = Schedule.plan(rate_target.rate_rps, target.connections, target.delay_s, window_s)
    folder = f"rate-{target.delay_ms}ms-{target.connections}-{target.stall_s:g}"
    with target_driver(testbed, jar, target, folder) as (driver, upstream):
        stall = Stall(upstream.running, schedule.lead_s + STALL_AT * window_s, target.stall_s)
        upstream.reset()
        driven = driver.drive_open(
            "rate", [get("/")], target.connections, schedule, target.delay_s, each_tick=stall
        )
        stats = upstream.stats()
        wrk_p99_s = None
        if stall.for_s:
            wrk_p99_s = _wrk_p99_s(driver, rate_target, window_s, replace(stall))
    figures = driven.window.latency_figures()
    load_cpu = mean_rate(
        driven.timeline.points("load_cpu_s"), schedule.lead_s, schedule.duration_s - EDGE_S
    )
    return RateChecked(
        rate_target,
        achieved_ratio=driven.window.achieved_rps / schedule.rate_rps,
        load_cpu_ratio=None if load_cpu is None else load_cpu / testbed.cpus.counts.load,
        p50_s=figures.get("p50", 0.0),
        p99_s=figures.get("p99", 0.0),
        max_s=figures.get("max", 0.0),
        late_p99_s=float(stats["lateness_p99_ms"]) / 1000,
        stalled_s=stall.lasted_s,
        wrk_p99_s=wrk_p99_s,
    )


def _wrk_p99_s(
    driver: Driver, rate_target: RateTarget, window_s: float, stall: Stall
) -> float | None:
    """What wrk tells of the same stall: its clients do not ask while they wait."""
    stall.at_s = RAMP_S + STALL_AT * window_s
    driven = driver.drive(
        "load",
        [get("/")],
        rate_target.target.connections,
        RAMP_S + window_s,
        enough=stall.of_timeline,
    )
    return driven.summary.latency_s.p99 if driven.summary.requests else None
