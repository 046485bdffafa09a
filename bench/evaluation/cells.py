"""Which workloads run on which servers, models and protocols: each is asked and loaded shortly.

    python -m evaluation.cells
    python -m evaluation.cells --only '*-jetty-*' --part 2 --of 2

A cell runs where every request of the workload is answered as it must be, and a load of a second
has no answer that failed. It prints a row for each workload, then what does not run, and why.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from springbench.bench.assembly import BenchOptions, open_bench
from springbench.errors import CaseError
from springbench.host.interrupts import ended_by_signals
from springbench.host.shell import RealShell
from springbench.matrix.load import load_matrix
from springbench.matrix.profiles import Load, Profile
from springbench.matrix.rows import Matrix
from springbench.matrix.servers import HTTP1
from springbench.measure.fork import measure_start
from springbench.measure.load.driver import Driver
from springbench.measure.load.h2load import refusal
from springbench.measure.server.command import Start
from springbench.measure.server.process import started
from springbench.measure.testbed import Testbed
from springbench.measure.warmup import ROUTE_CEILING_S
from springbench.messages import show_messages
from springbench.paths import MATRIX
from springbench.plan.cases import Case
from springbench.plan.plan import Filters, make_plan
from springbench.report.markdown import table_lines
from springbench.results.records import ForkRecord

CONNECTIONS = 8
LOAD_S = 1.0


@dataclass(frozen=True)
class Cell:
    """A case, and why it does not run; empty where it does."""

    case: Case
    reason: str = ""

    @property
    def workload(self) -> str:
        """Without its protocol, which is part of the id of a workload elsewhere."""
        return self.case.workload.id.removesuffix(f"-{self.case.protocol.id}")


def main(
    only: Annotated[list[str] | None, typer.Option(help="Cases; all if left out.")] = None,
    part: Annotated[int, typer.Option(min=1, help="Which share of the processes.")] = 1,
    of: Annotated[int, typer.Option(min=1, help="How many shares.")] = 1,
) -> None:
    """Ask each workload of each server, model and protocol, on the newest line that has it."""
    ended_by_signals()
    show_messages(typer.echo)
    matrix = load_matrix(MATRIX)
    plan = make_plan(with_every_cell(matrix), "cells", Filters(only=tuple(only or ())))
    refused = [
        Cell(case, reason)
        for case in plan.cases
        if case.protocol.is_http2 and (reason := refusal(case.templates))
    ]
    refused_ids = {cell.case.id for cell in refused}
    left = [case for case in plan.cases if case.id not in refused_ids]
    processes: dict[object, list[Case]] = {}
    for case in left:
        processes.setdefault(case.process, []).append(case)
    share = list(processes.values())[part - 1 :: of]
    cells = [] if part > 1 else refused
    chosen = replace(plan, cases=tuple(case for cases in share for case in cases))
    with (
        tempfile.TemporaryDirectory() as raw,
        open_bench(BenchOptions(chosen), RealShell()) as bench,
    ):
        [testbed] = bench.start(Path(raw).resolve())
        for number, cases in enumerate(share, 1):
            found = list(ask(testbed, cases))
            failed = sum(bool(cell.reason) for cell in found)
            name = f"{cases[0].variant.id}, {cases[0].protocol.description}"
            typer.echo(f"{number} of {len(share)}: {name}: {len(found)} asked, {failed} failed")
            cells += found
    typer.echo()
    typer.echo("\n".join(rows(matrix, cells)))


def with_every_cell(matrix: Matrix) -> Matrix:
    """The matrix with a profile `cells` of all workloads and mixes over all protocols."""
    protocols = (HTTP1.id, *(protocol.id for protocol in matrix.protocols))
    loads = tuple(
        Load(
            workload=name,
            connections=(CONNECTIONS,),
            boots="newest",
            runtimes=("jvm",),
            protocols=protocols,
            # as long as it must be; the load is shorter
            window_s=60.0,
        )
        for name in _names(matrix)
    )
    profile = Profile(id="cells", description="each workload everywhere", loads=loads)
    return matrix.model_copy(update={"profiles": (profile,)})


def ask(testbed: Testbed, cases: Sequence[Case]) -> Iterator[Cell]:
    """Each of these, which one process can answer."""
    first, asked = cases[0], 0
    testbed = testbed.for_variant(first.variant)
    folder = testbed.raw_folder(first, 0)
    try:
        with started(testbed, Start.of(first), folder) as server:
            driver = Driver(testbed, server, folder)
            measure_start(first, ForkRecord(fork=0, status="ok"), driver)
            for case in cases:
                asked += 1
                yield Cell(
                    case, _failure(case, replace(driver, folder=testbed.raw_folder(case, 0)))
                )
    except CaseError as error:
        yield from (Cell(case, str(error)) for case in cases[asked:])


def _failure(case: Case, driver: Driver) -> str:
    delay_s = case.workload.delay_s
    try:
        driver.server.check_routes(case.templates, ROUTE_CEILING_S + delay_s)
        driven = driver.drive("cell", case.templates, case.connections, LOAD_S + 1.5 * delay_s)
    except CaseError as error:
        return str(error)
    if not driven.summary.requests:
        return "no request was answered"
    return f"{driven.summary.errors}" if driven.summary.error_ratio else ""


def rows(matrix: Matrix, cells: Sequence[Cell]) -> list[str]:
    """Per workload and protocol, how many of the cells run; then the others."""
    protocols = [HTTP1.id, *(protocol.id for protocol in matrix.protocols)]
    asked = Counter((cell.workload, cell.case.protocol.id) for cell in cells)
    running = Counter((cell.workload, cell.case.protocol.id) for cell in cells if not cell.reason)
    table = [
        [name, *(_of(running[name, p], asked[name, p]) for p in protocols)]
        for name in _names(matrix)
        if any(asked[name, p] for p in protocols)
    ]
    others: dict[str, list[str]] = {}
    for cell in cells:
        if cell.reason:
            others.setdefault(cell.reason, []).append(cell.case.id)
    lines = table_lines(["workload", *protocols], table, {"workload"})
    lines += ["", f"{sum(running.values())} of {len(cells)} run."]
    lines += [f"- {reason}: {', '.join(cases)}" for reason, cases in others.items()]
    return lines


def _names(matrix: Matrix) -> list[str]:
    return [
        *(workload.id for workload in matrix.workloads),
        *(mix.id for mix in matrix.mixes),
    ]


def _of(running: int, asked: int) -> str:
    return f"{running} of {asked}" if asked else "–"


if __name__ == "__main__":
    typer.run(main)
