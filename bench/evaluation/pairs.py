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
from evaluation.workbench import workbench
from springbench.compare.live import bouts, new_comparison
from springbench.compare.scheduler import Bout, measure_bout
from springbench.compare.sides import Side
from springbench.matrix.load import load_matrix
from springbench.paths import MATRIX
from springbench.plan.plan import Filters, make_plan
from springbench.results.comparison import SideInfo
from springbench.results.records import PairRecord
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
    with tempfile.TemporaryDirectory() as raw:
        bench, host, tools = workbench(jars, Path(raw))
        sides = [Side(SideInfo(kind="jars", label="build A"), jars=bench.jars)] * 2
        contests = bouts(plan, sides, [bench, bench])
        if compilers is Compilers.ALL:
            contests = [replace(bout, java_options=()) for bout in contests]
        kept = new_comparison(plan, 0.0, host, tools, sides)
        extra_s = []
        for pair in range(pairs):
            for bout in contests:
                record, took_s = _timed(bout, pair)
                kept.pairs.setdefault(bout.variant, []).append(record)
                kept.comparison.measured_s += took_s
                write_atomically(to / "comparison.json", kept.model_dump_json(by_alias=True) + "\n")
                typer.echo(f"{bout.variant} pair {pair + 1}: {record.status}, {took_s:.0f} s")
                extra_s.append(took_s - load_s(bout))
    typer.echo(
        f"beside the loads of `pr` a pair took {statistics.fmean(extra_s):.1f} s (--start-s)"
    )


def _timed(bout: Bout, pair: int) -> tuple[PairRecord, float]:
    begin_s = time.monotonic()
    return measure_bout(bout, pair), time.monotonic() - begin_s


if __name__ == "__main__":
    typer.run(main)
