"""Measures pairs of identical builds, so that rules can be tried on them.

    python -m evaluation.pairs --jars jars --only '*/hello/64' --compilers first --to first
    python -m evaluation.pairs --jars jars --only '*/hello/64' --compilers all --to all
    python -m evaluation.rules --recorded all --start-s 61.5

The loads are those of the profile `pr`, and so is `--compilers first`, which stops the JVM at C1;
`all` lets every compiler work until it rests. Every pair goes through every load.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from evaluation.recorded import load_s
from springbench.bench.assembly import BenchOptions, open_bench
from springbench.bench.records import new_comparison, tools_info
from springbench.compare.groups import VariantPairs, measure_group, variant_pairs
from springbench.compare.sides import RequestedSide
from springbench.host.shell import RealShell
from springbench.matrix.load import load_matrix
from springbench.messages import show_messages
from springbench.paths import MATRIX
from springbench.plan.plan import Filters, make_plan
from springbench.results.comparison import PairRecord, SideInfo
from springbench.results.store import write_atomically


class Compilers(StrEnum):
    """Which of the JVM's compilers work."""

    FIRST = "first"
    ALL = "all"


def main(
    jars: Annotated[Path, typer.Option(help="The folder with the servers' jars.")],
    to: Annotated[Path, typer.Option(help="The folder for the pairs.")],
    pairs: Annotated[int, typer.Option(help="Pairs of fresh processes for each server.")] = 6,
    compilers: Annotated[Compilers, typer.Option(help="Which compilers work.")] = Compilers.FIRST,
    only: Annotated[list[str] | None, typer.Option(help="Cases of the profile pr.")] = None,
) -> None:
    """Write `comparison.json` after each pair, and print how long pairs took."""
    to.mkdir(parents=True, exist_ok=True)
    plan = make_plan(load_matrix(MATRIX), "pr", Filters(only=tuple(only or ())))
    options = BenchOptions(plan, jars=jars.resolve(), samples=True)
    show_messages(typer.echo)
    with (
        tempfile.TemporaryDirectory() as raw,
        open_bench(options, RealShell()) as bench,
    ):
        [testbed] = bench.start(Path(raw))
        sides = [RequestedSide(SideInfo(kind="jars", label="build A"), jars=testbed.jars)] * 2
        groups = variant_pairs(plan, sides, [testbed, testbed])
        if compilers is Compilers.ALL:
            groups = [
                replace(group, setup=replace(group.setup, java_options=())) for group in groups
            ]
        comparison = new_comparison(
            plan,
            0.0,
            [side.info for side in sides],
            bench.host.info(bench.tools.jdk),
            tools_info(bench.tools),
            bench.host.warnings(),
        )
        extra_s = []
        for pair in range(pairs):
            for group in groups:
                record, took_s = _timed(group, pair)
                comparison.pairs.setdefault(group.variant, []).append(record)
                comparison.comparison.measured_s += took_s
                write_atomically(
                    to / "comparison.json", comparison.model_dump_json(by_alias=True) + "\n"
                )
                typer.echo(f"{group.variant} pair {pair + 1}: {record.status}, {took_s:.0f} s")
                extra_s.append(took_s - load_s(group))
    typer.echo(
        f"beside the loads of `pr` a pair took {statistics.fmean(extra_s):.1f} s (--start-s)"
    )


def _timed(group: VariantPairs, pair: int) -> tuple[PairRecord, float]:
    begin_s = time.monotonic()
    return measure_group(group, pair), time.monotonic() - begin_s


if __name__ == "__main__":
    typer.run(main)
