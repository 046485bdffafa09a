"""Whether a reported window is what the process still does two minutes later.

    python -m evaluation.steady --jars jars
    python -m evaluation.steady --jars jars --only '*/hello/*' --quota 0.33
    python -m evaluation.steady --jars jars --competitors 2
    python -m evaluation.steady --matrix springbench.toml --profile quick --only '*/list/*'

Each case is measured as in a run. Then the same process goes on under the same load for two
minutes, and what it does at their end is held against the window that was reported. `--quota`
gives the server a third of its CPU, `--competitors` busy loops beside it on that CPU.

A host may slow down meanwhile. A fixed piece of work on the server's CPU within each of the two
windows tells how much, and by how much the process goes with it is fitted to each second in
between; and where the hypervisor took the CPU away in the later one, nothing can be
said.
"""

from __future__ import annotations

import math
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from evaluation.slowdown import Competitors, Quota, slowed
from springbench import units
from springbench.analysis.host_speed import Point, fit_speed, usual_of
from springbench.analysis.intervals import median_interval, pooled_spread
from springbench.bench.assembly import BenchOptions, open_bench
from springbench.errors import CaseError
from springbench.host.interrupts import ended_by_signals
from springbench.host.shell import RealShell
from springbench.limits import MAX_STEAL_RATIO
from springbench.matrix.load import load_matrix
from springbench.measure.fork import measure_start, measure_window, prepare
from springbench.measure.load.driver import Driven, Driver
from springbench.measure.load.timeline import Timeline
from springbench.measure.server.command import Start
from springbench.measure.server.process import started
from springbench.measure.testbed import Testbed
from springbench.measure.window import is_enough, load_record
from springbench.messages import show_messages
from springbench.paths import MATRIX
from springbench.plan.cases import Case
from springbench.plan.plan import Filters, make_plan
from springbench.results.records import BUSY_SERVER_RATIO, ForkRecord, LoadRecord

PROFILE = "nightly"
NEWEST = ("boot4-tomcat", "boot4-jetty", "boot3-undertow", "boot4-netty")
MODELS = ("platform", "virtual", "reactive")
WORKLOADS = ("hello/64", "json/64", "upstream/500", "db-*/500")
EVERY = tuple(f"{s}-{m}-jvm/{w}" for w in WORKLOADS for s in NEWEST for m in MODELS)
LATER_S = 120.0
# for so long a quiet moment is waited for in which the later window can be cut out
PATIENCE_S = 20.0
PIECE_S = 10.0
LOW, HIGH = 0.95, 1.05
HOLDS = "holds"


@dataclass(frozen=True)
class Compared:
    """One process: what was reported, and what it did later."""

    case: str
    window_after_s: float
    """From the start of the process."""
    reported: LoadRecord
    later: LoadRecord
    quota: float = 1.0
    """The share of its CPUs that it may have."""
    pieces: tuple[float, ...] = ()
    """What each ten seconds in between did, ÷ reported."""
    exponent: float = -1.0
    """By which its throughput goes with the time that the fixed work takes."""

    @property
    def ratio(self) -> float:
        return self.later.throughput_rps / self.reported.throughput_rps

    @property
    def host_ratio(self) -> float:
        """How fast the host was later, of what it was before; 1 where nothing tells."""
        before_s, later_s = self.reported.calibration_probe_s, self.later.calibration_probe_s
        return before_s / later_s if before_s and later_s else 1.0

    @property
    def on_one_host(self) -> float:
        """The ratio, had the host not changed; of a server that does not wait for anything."""
        full = BUSY_SERVER_RATIO * self.quota
        busy = (self.reported.server_cpu_ratio or 0.0) >= full
        return self.ratio * self.host_ratio**self.exponent if busy else self.ratio

    @property
    def verdict(self) -> str:
        if not self.reported.steady:
            return not_called_steady(self.reported)
        if (self.later.steal_ratio or 0.0) > MAX_STEAL_RATIO:
            return "cannot tell: the CPU was stolen later"
        if LOW <= self.ratio <= HIGH:
            return HOLDS
        if LOW <= self.on_one_host <= HIGH:
            return f"{HOLDS}: the host changed"
        # it does not hold all the same; but no later begin of the window would have been better
        to_and_fro = self.pieces and min(self.pieces) < 1 < max(self.pieces)
        return "does not hold" + (": it moves to and fro" if to_and_fro else "")


def not_called_steady(reported: LoadRecord) -> str:
    """That, and why."""
    return f"not called steady: {', '.join(reported.instability) or 'throughput still changed'}"


Jars = Annotated[Path, typer.Option(help="The folder with the servers' jars.")]
MatrixFile = Annotated[
    Path, typer.Option(help="Of the servers, or the springbench.toml of a service.")
]
Only = Annotated[list[str] | None, typer.Option(help="Cases; every server and model if left out.")]
ProfileId = Annotated[str, typer.Option(help="Whose warm-up and windows.")]
QuotaRatio = Annotated[float, typer.Option(help="Of the server's CPU, as a limit.")]


def main(
    jars: Jars | None = None,
    matrix: MatrixFile = MATRIX,
    only: Only = None,
    forks: Annotated[int, typer.Option(help="Fresh processes of each case.")] = 1,
    profile: ProfileId = PROFILE,
    quota: QuotaRatio = 1.0,
    competitors: Annotated[int, typer.Option(help="Busy loops on the server's CPU.")] = 0,
    keep: Annotated[Path | None, typer.Option(help="Where timelines and logs are kept.")] = None,
) -> None:
    """Print a row for each process, then how far they moved and how far apart they lie."""
    ended_by_signals()
    every = EVERY if matrix == MATRIX else ()
    filters = Filters(only=tuple(only or every), forks=forks)
    plan = make_plan(load_matrix(matrix), profile, filters)
    show_messages(typer.echo)
    with ExitStack() as stack:
        raw = keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        raw.mkdir(parents=True, exist_ok=True)
        options = BenchOptions(plan, jars=jars and jars.resolve())
        bench = stack.enter_context(open_bench(options, RealShell()))
        [testbed] = bench.start(raw.resolve())
        testbed = slowed(testbed, Quota(quota))
        stack.enter_context(Competitors(competitors, testbed.cpus.server).running())
        typer.echo(_HEADER)
        found = []
        for fork, case in plan.rounds():
            try:
                found.append(replace(_fork(testbed, case, fork), quota=quota))
            except CaseError as error:
                typer.echo(f"| {case.id} | failed: {error} |")
            else:
                typer.echo(_row(found[-1]))
    _print_summary(found)


def _fork(testbed: Testbed, case: Case, fork: int) -> Compared:
    """One process, measured as in a run and once more at the end of two minutes."""
    folder = testbed.raw_folder(case, fork)
    record = ForkRecord(fork=fork, status="ok")
    # asking for the heap starts a thread and a collection: nothing of that is wanted in between
    case = replace(case, heap_now=False)
    with started(testbed, Start.of(case), folder) as server:
        driver = Driver(testbed, server, folder)
        measure_start(case, record, driver)
        measure_window(case, record, driver, prepare(case, record, driver))
        if record.load is None:
            raise CaseError("it has no window")
        driven = _go_on(testbed, case, driver)
        later = load_record(case, 0.0, driven, testbed.cpus.counts, settled_from_s=LATER_S)
    startup_s = record.startup.first_200_s or 0.0
    pieces = tuple(pieces_of(driven.timeline, record.load.throughput_rps))
    after_s = startup_s + record.load.warmup_s
    exponent = fit_speed([list(seconds_of(driven.timeline))], usual_of("throughput_rps")).exponent
    return Compared(case.id, after_s, record.load, later, pieces=pieces, exponent=exponent)


def pieces_of(timeline: Timeline, before_rps: float) -> Iterator[float]:
    """What was asked in each `PIECE_S` of a load ÷ what was a second before."""
    points = timeline.points("requests")
    begin_s, begin = points[0] if points else (0.0, 0.0)
    for at_s, requests in points:
        if at_s - begin_s >= PIECE_S and before_rps:
            yield (requests - begin) / (at_s - begin_s) / before_rps
            begin_s, begin = at_s, requests


def seconds_of(timeline: Timeline) -> Iterator[Point]:
    """What was asked in each second, and how long the fixed work took then."""
    points = timeline.points("requests")
    begin_s, begin = points[0] if points else (0.0, 0.0)
    for at_s, requests in points:
        if at_s - begin_s >= 1.0:
            probe_s = timeline.harmonic_mean("calibration_probe_s", begin_s, at_s)
            if probe_s and requests > begin:
                rate_rps = (requests - begin) / (at_s - begin_s)
                yield Point(math.log(rate_rps), math.log(probe_s))
            begin_s, begin = at_s, requests


def _go_on(testbed: Testbed, case: Case, driver: Driver) -> Driven:
    """Two minutes more, and until a window behind them can be cut out."""
    last_s = LATER_S + PATIENCE_S + case.window_s + case.workload.delay_s

    def enough(timeline: Timeline) -> bool:
        now_s = timeline.samples[-1].at_s if timeline.samples else 0.0
        return now_s >= last_s or is_enough(case, timeline, testbed.cpus.counts, LATER_S)

    return driver.drive(
        "later",
        case.templates,
        case.connections,
        last_s + 1,
        enough=enough,
        begin_over_s=case.begin_over_s,
    )


_HEADER = (
    "| case | window after | reported | compilers | later | later ÷ reported | host later ÷ before "
    "| exponent | on one host | each 10 s ÷ reported | |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |"
)


def _row(found: Compared) -> str:
    reported, later = found.reported, found.later
    return (
        f"| `{found.case}` | {units.seconds(found.window_after_s)} "
        f"| {units.rate(reported.throughput_rps)}/s "
        f"| {units.share(reported.compiler_cpu_ratio)} | {units.rate(later.throughput_rps)}/s "
        f"| {found.ratio:.3f} | {found.host_ratio:.2f} | {found.exponent:.1f} "
        f"| {found.on_one_host:.3f} "
        f"| {_range(found.pieces)} | {found.verdict} |"
    )


def _range(values: Sequence[float]) -> str:
    return f"{min(values):.2f} to {max(values):.2f}" if values else "–"


def _print_summary(found: Sequence[Compared]) -> None:
    called = [one for one in found if one.reported.steady]
    decided = [one for one in called if not one.verdict.startswith("cannot")]
    holding = sum(one.verdict.startswith(HOLDS) for one in decided)
    typer.echo(
        f"\n{len(called)} of {len(found)} windows were called steady; {holding} of the "
        f"{len(decided)} that can be determined lie within {LOW} to {HIGH}"
    )
    if decided:
        ratios = [one.ratio for one in decided]
        typer.echo(
            f"later ÷ reported: median {statistics.median(ratios):.3f}, "
            f"{min(ratios):.3f} to {max(ratios):.3f}"
        )
    by_case = {
        case: [one.ratio for one in found if one.case == case]
        for case in dict.fromkeys(one.case for one in found)
    }
    pooled = pooled_spread(by_case.values())
    for case, ratios in by_case.items():
        if len(ratios) > 1:
            among = median_interval(ratios, pooled)
            typer.echo(
                f"{case}: later ÷ reported {among.middle:.2f} [{among.low:.2f}, {among.high:.2f}] "
                f"over {len(ratios)} processes"
            )
    for case in dict.fromkeys(one.case for one in called):
        values = [one.reported.throughput_rps for one in called if one.case == case]
        if len(values) > 1:
            cv = statistics.stdev(values) / statistics.fmean(values)
            typer.echo(f"{case}: CV over {len(values)} forks {cv:.1%}")


if __name__ == "__main__":
    typer.run(main)
