"""Whether what is measured depends on how the compilers had their way while the server warmed up.

    python -m evaluation.warming --jars jars --pairs 3

Two processes of one variant, side by side as in `compare`: the compilers of base stay on the CPU
that they share with the requests, those of head have one of their own. Both are warm when their
JIT compilation has settled. Then they are interleaved, and their throughput is compared.
"""

from __future__ import annotations

import math
import statistics
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from springbench import units
from springbench.bench.assembly import BenchOptions, open_bench
from springbench.host.cpus import CpuPartition
from springbench.host.shell import RealShell
from springbench.matrix.load import load_matrix
from springbench.measure.pair import SIDES, PairSetup, Schedule, SideSetup, measure_pair
from springbench.messages import show_messages
from springbench.paths import MATRIX
from springbench.plan.plan import Filters, make_plan
from springbench.results.comparison import SideName

CASES = ("boot4-tomcat-virtual-jvm/hello/64", "boot4-jetty-platform-jvm/hello/64")
BURSTS, BURST_S = 8, 1.0


@dataclass(frozen=True)
class Sharing(CpuPartition):
    """The same CPUs, of which compilers get the server's alone."""

    @property
    def outside_server(self) -> frozenset[int]:
        return self.server


def main(
    jars: Annotated[Path, typer.Option(help="The folder with the servers' jars.")],
    pairs: Annotated[int, typer.Option(help="Pairs of fresh processes for each case.")] = 3,
    only: Annotated[list[str] | None, typer.Option(help="Cases of the profile quick.")] = None,
) -> None:
    """Print the ratio of each pair, own CPU ÷ shared, and their mean."""
    plan = make_plan(load_matrix(MATRIX), "quick", Filters(only=tuple(only or CASES)))
    options = BenchOptions(plan, jars=jars.resolve())
    show_messages(typer.echo)
    with (
        tempfile.TemporaryDirectory() as raw,
        open_bench(options, RealShell()) as bench,
    ):
        [testbed] = bench.start(Path(raw))
        cpus = bench.host.cpus
        sharing = Sharing(cpus.server, cpus.load, cpus.upstream, separate=cpus.separate)
        for case in plan.cases:
            setups: dict[SideName, SideSetup] = {
                "base": SideSetup(replace(testbed, cpus=sharing), case.variant),
                "head": SideSetup(testbed, case.variant),
            }
            schedule = Schedule(case, BURSTS, BURST_S)
            logs = []
            for pair in range(pairs):
                setup = PairSetup(case.variant.id, setups, case.connections)
                record = measure_pair(setup, [schedule], pair)
                if record.status != "ok":
                    typer.echo(f"{case.id}: {record.reason}")
                    continue
                base, head = (record.sides[name].bursts[case.id] for name in SIDES)
                ratios = [
                    math.log(separate.throughput_rps / shared.throughput_rps)
                    for shared, separate in zip(base, head, strict=True)
                ]
                logs.append(statistics.median(ratios))
                typer.echo(f"{case.id} pair {pair}: {math.exp(logs[-1]):.3f}")
            if len(logs) > 1:
                error = statistics.stdev(logs) / math.sqrt(len(logs))
                typer.echo(
                    f"{case.id}: {math.exp(statistics.fmean(logs)):.3f} ± {units.share(error)}"
                )


if __name__ == "__main__":
    typer.run(main)
