"""Whether what interleaved servers did is what the same processes do two minutes later.

    python -m evaluation.steady_interleaved --jars jars --only '*/hello/64'
    python -m evaluation.steady_interleaved --jars jars --only '*/json/64' --quota 0.33

`evaluation.steady` holds a process against itself, and cannot tell a server that changed from a
host that did. Here all processes of a load are up at once, as `quick` has them. They take turns,
each is loaded alone for two minutes, and they take turns again. What the host did to all of them
cancels: a server is held against the middle one of the others. Three of them at least, or a change
of one is the other's as well.

A host need not do the same to all programs. With `--control` a server is held against a process of
the same build that has been loaded for two minutes before: what the host does to that very code
cancels too. It takes a second process of each case, and twice the time.

    python -m evaluation.steady_interleaved --jars jars --only '*/json/64' --control
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from evaluation.slowdown import SHORT_PERIOD_US, Quota, slowed
from evaluation.steady import (
    EVERY,
    HIGH,
    HOLDS,
    LATER_S,
    LOW,
    PROFILE,
    Jars,
    Only,
    ProfileId,
    QuotaRatio,
    not_called_steady,
)
from springbench import units
from springbench.bench.assembly import BenchOptions, open_bench
from springbench.errors import CaseError
from springbench.host.interrupts import ended_by_signals
from springbench.host.ports import free_port
from springbench.host.shell import RealShell
from springbench.matrix.load import load_matrix
from springbench.measure.fork import Entry, Process, interleave, measure_start, prepare
from springbench.measure.load.driver import Driver
from springbench.measure.server.command import Start
from springbench.measure.server.process import started
from springbench.measure.testbed import Testbed
from springbench.messages import show_messages
from springbench.paths import MATRIX
from springbench.plan.cases import Case
from springbench.plan.plan import Filters, make_plan
from springbench.results.records import ForkRecord, LoadRecord

LEAST_SERVERS = 3
# one process, and its control
CONTROLLED = 2


@dataclass(frozen=True)
class Interleaved:
    """One process among others: what was reported, and what it did later."""

    case: str
    reported: LoadRecord
    later: LoadRecord

    @property
    def ratio(self) -> float:
        """As it came, with what the host did."""
        return self.later.throughput_rps / self.reported.throughput_rps


def ratio_to_others(found: Sequence[Interleaved], index: int) -> float:
    """Later ÷ reported of one, against the middle one of the others."""
    other_ratios = [one.ratio for number, one in enumerate(found) if number != index]
    return found[index].ratio / statistics.median(other_ratios)


def verdict(found: Sequence[Interleaved], index: int, least: int = LEAST_SERVERS) -> str:
    """What can be said of one of them. A control knows that it is not the one that changed."""
    one = found[index]
    if not one.reported.steady:
        return not_called_steady(one.reported)
    if len(found) < least:
        return f"cannot tell: {least} servers are needed"
    disturbed = [cause for cause in ("stolen", "disturbed") if cause in one.later.instability]
    if disturbed:
        return f"cannot tell: later the host was {disturbed[0]}"
    return HOLDS if LOW <= ratio_to_others(found, index) <= HIGH else "does not hold"


def main(
    jars: Jars,
    only: Only = None,
    forks: Annotated[int, typer.Option(help="Rounds of fresh processes.")] = 1,
    profile: ProfileId = PROFILE,
    quota: QuotaRatio = 1.0,
    control: Annotated[
        bool, typer.Option("--control", help="Against a settled process of the same build.")
    ] = False,
) -> None:
    """Print a row for each process of each load that takes turns."""
    ended_by_signals()
    plan = make_plan(load_matrix(MATRIX), profile, Filters(only=tuple(only or EVERY), forks=forks))
    cases = [case for case in plan.cases if case.can_pause]
    loads = dict.fromkeys(case.load for case in cases)
    show_messages(typer.echo)
    with ExitStack() as stack:
        raw = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        options = BenchOptions(plan, jars=jars.resolve())
        bench = stack.enter_context(open_bench(options, RealShell()))
        [testbed] = bench.start(raw.resolve())
        testbed = slowed(testbed, Quota(quota, SHORT_PERIOD_US))
        typer.echo(_HEADER)
        for fork in range(forks):
            if control:
                for case in cases:
                    _print(_beside_control(testbed, case, fork), CONTROLLED)
            else:
                for load in loads:
                    _print(_round(testbed, [case for case in cases if case.load == load], fork))


def _round(testbed: Testbed, cases: Sequence[Case], fork: int) -> list[Interleaved]:
    """All processes of one load: turns, two minutes of load for each, turns."""
    with ExitStack() as stack:
        entries = []
        for case in cases:
            try:
                entries.append(_warm(stack, testbed, case, fork))
            except CaseError as error:
                typer.echo(f"| `{case.id}` | failed: {error} |")
        return _compared(entries, entries)


def _beside_control(testbed: Testbed, case: Case, fork: int) -> list[Interleaved]:
    """A process, and then one that had its two minutes before the first turns."""
    with ExitStack() as stack:
        try:
            settled = _warm(stack, testbed, case, CONTROLLED * fork + 1)
            _go_on(settled)
            fresh = _warm(stack, testbed, case, CONTROLLED * fork)
        except CaseError as error:
            typer.echo(f"| `{case.id}` | failed: {error} |")
            return []
        return _compared([fresh, settled], [fresh])


def _compared(entries: Sequence[Entry], changing: Sequence[Entry]) -> list[Interleaved]:
    """Turns of all, two minutes of load for those that may change, turns of all."""
    entries = _turns(entries)
    before = [entry.record.load for entry in entries]
    for entry in changing:
        if entry in entries:
            _go_on(entry)
    again = [entry._replace(record=entry.record.model_copy(deep=True)) for entry in entries]
    living = _turns(again)
    return [
        Interleaved(entry.case.id, reported, entry.record.load)
        for entry, reported in zip(again, before, strict=True)
        if entry in living and reported and entry.record.load
    ]


def _warm(stack: ExitStack, testbed: Testbed, case: Case, fork: int) -> Entry:
    """A process that is warm, and paused."""
    # asking for the heap starts a thread and a collection: nothing of that is wanted in between
    case = replace(case, heap_now=False)
    testbed = replace(testbed, port=free_port())
    folder, record = testbed.raw_folder(case, fork), ForkRecord(fork=fork, status="ok")
    driver = Driver(testbed, stack.enter_context(started(testbed, Start.of(case), folder)), folder)
    measure_start(case, record, driver)
    warmup = prepare(case, record, driver)
    driver.server.compilers.restore_affinity(testbed.cpus.server)
    driver.server.pause()
    process = Process(driver, [case], record, stack, alone=False)
    return Entry(process, case, record, driver, warmup)


def _turns(entries: Sequence[Entry]) -> list[Entry]:
    """Those that lived to see the end of their turns, which their records have then."""
    _log_progress(f"{len(entries)} interleaved")
    failures = interleave(entries[0].driver.testbed, entries) if entries else {}
    for case, error in failures.items():
        typer.echo(f"| `{case}` | failed: {error} |")
    return [entry for entry in entries if entry.case.id not in failures]


def _go_on(entry: Entry) -> None:
    """Two minutes of the same load, while the others are paused."""
    case = entry.case
    _log_progress(f"{case.id}: {units.seconds(LATER_S)} more")
    with entry.driver.server.resumed():
        entry.driver.drive("later", case.templates, case.connections, LATER_S)


def _log_progress(what: str) -> None:
    typer.echo(what, err=True)


_HEADER = (
    "| case | reported | compilers | later | later ÷ reported | among the others | |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: | --- |"
)


def _print(found: Sequence[Interleaved], least: int = LEAST_SERVERS) -> None:
    for index, one in enumerate(found[:1] if least == CONTROLLED else found):
        among = f"{ratio_to_others(found, index):.3f}" if len(found) >= least else "–"
        typer.echo(
            f"| `{one.case}` | {units.rate(one.reported.throughput_rps)}/s "
            f"| {units.share(one.reported.compiler_cpu_ratio)} "
            f"| {units.rate(one.later.throughput_rps)}/s | {one.ratio:.3f} | {among} "
            f"| {verdict(found, index, least)} |"
        )


if __name__ == "__main__":
    typer.run(main)
