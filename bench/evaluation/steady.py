"""Whether a reported window is what the process still does two minutes later.

    python -m evaluation.steady --jars jars --forks 8

Each fork of `hello` on Tomcat is measured as in the profile `quick`. Then the same process goes on
under the same load, and the end of that is compared with the window that would be reported.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from springbench.cases import Case
from springbench.host.shell import RealShell
from springbench.matrix import load_matrix
from springbench.measure.bench import Bench
from springbench.measure.command import Start
from springbench.measure.fork import measure_started
from springbench.measure.load import Driver
from springbench.measure.records import ForkRecord
from springbench.measure.server import started
from springbench.measure.timeline import mean_rate
from springbench.paths import MATRIX, ROOT
from springbench.plan import Filters, make_plan
from springbench.prepare import Host, find_tools

CASE = "boot4-tomcat-virtual-jvm/hello/64"
LATER_S = 120.0


def main(
    jars: Annotated[Path, typer.Option(help="The folder with the servers' jars.")],
    forks: Annotated[int, typer.Option(help="Fresh processes.")] = 8,
    case_id: Annotated[str, typer.Option("--case", help="A case of the profile quick.")] = CASE,
) -> None:
    """Print both throughputs of each fork, their ratio, and the spread over forks."""
    plan = make_plan(load_matrix(MATRIX), "quick", Filters(only=(case_id,)))
    (case,) = plan.cases
    with tempfile.TemporaryDirectory() as raw:
        bench = _bench(jars.resolve(), Path(raw))
        pairs = [_fork(bench, case, fork) for fork in range(forks)]
    reported, later = (list(values) for values in zip(*pairs, strict=True))
    ratios = [then / now for now, then in pairs]
    typer.echo(
        f"ratio later ÷ reported: median {statistics.median(ratios):.3f}, "
        f"{min(ratios):.3f} to {max(ratios):.3f}"
    )
    typer.echo(f"CV over forks: reported {_cv(reported):.1%}, later {_cv(later):.1%}")


def _bench(jars: Path, raw: Path) -> Bench:
    shell = RealShell()
    tools, host = find_tools(with_maven=False), Host.read(shell)
    host.pin_harness()
    return Bench(
        root=ROOT,
        raw=raw,
        java=tools.jdk.java,
        wrk=tools.wrk.path,
        shell=shell,
        cpus=host.cpus,
        jars=jars,
        enclosure=host.enclosure,
    )


def _fork(bench: Bench, case: Case, fork: int) -> tuple[float, float]:
    """Throughput of the reported window, and of an equally long one two minutes later."""
    folder = bench.raw_folder(case, fork)
    record = ForkRecord(fork=fork, status="ok")
    with started(bench, Start.of(case), folder) as server:
        driver = Driver(bench, server, folder)
        measure_started(bench, case, record, driver)
        if record.load is None or record.load.bytes_per_response is None:
            raise SystemExit(f"fork {fork} has no window")
        driven = driver.drive("later", case.workload.route, case.connections, LATER_S)
    begin_s, end_s = LATER_S - 1 - case.window_s, LATER_S - 1
    byte_rate = mean_rate(driven.timeline.points("read_bytes"), begin_s, end_s)
    if byte_rate is None:
        raise SystemExit("no timeline on this system")
    reported_rps = record.load.throughput_rps
    later_rps = byte_rate / record.load.bytes_per_response
    typer.echo(
        f"fork {fork}: reported {reported_rps:,.0f}/s after {record.load.warmup_s:.0f} s"
        f"{'' if record.load.steady else ' (not steady)'}, later {later_rps:,.0f}/s, "
        f"ratio {later_rps / reported_rps:.3f}"
    )
    return reported_rps, later_rps


def _cv(values: list[float]) -> float:
    return statistics.stdev(values) / statistics.fmean(values) if len(values) > 1 else 0.0


if __name__ == "__main__":
    typer.run(main)
