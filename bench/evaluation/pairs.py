"""Measures pairs of identical builds, so that rules can be tried on them.

    python -m evaluation.pairs --jars jars --pairs 6 --to c1
    python -m evaluation.pairs --jars jars --pairs 6 --to all --compilers all
    python -m evaluation.rules --recorded all --start-s 60

The loads are those of the profile `pr`. `--compilers first` stops the JVM at C1 after a warm-up of
three seconds; `all` lets every compiler work until it rests. Every pair goes through every load.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from evaluation.recorded import load_s
from evaluation.workbench import workbench
from springbench import __version__
from springbench.contenders import Side
from springbench.contest import bouts
from springbench.duel import Bout, measure_bout
from springbench.matrix import load_matrix
from springbench.measure.records import PairRecord
from springbench.paths import MATRIX
from springbench.plan import Filters, make_plan
from springbench.prepare import Host, Tools
from springbench.results.comparison import Comparison, ComparisonInfo, SideInfo
from springbench.results.model import ToolsInfo
from springbench.results.store import write_atomically

FIRST_ONLY = ("-XX:TieredStopAtLevel=1",)


class Compilers(StrEnum):
    """Which of the JVM's compilers work."""

    FIRST = "first"
    ALL = "all"


def main(
    jars: Annotated[Path, typer.Option(help="The folder with the servers' jars.")],
    to: Annotated[Path, typer.Option(help="The folder for the pairs.")],
    pairs: Annotated[int, typer.Option(help="Pairs of fresh processes for each server.")] = 6,
    compilers: Annotated[Compilers, typer.Option(help="Which compilers work.")] = Compilers.ALL,
    only: Annotated[list[str] | None, typer.Option(help="Cases of the profile pr.")] = None,
) -> None:
    """Write `comparison.json` after each pair, and print how long pairs took."""
    to.mkdir(parents=True, exist_ok=True)
    plan = make_plan(load_matrix(MATRIX), "pr", Filters(only=tuple(only or ())))
    with tempfile.TemporaryDirectory() as raw:
        bench, host, tools = workbench(jars, Path(raw))
        sides = [Side(SideInfo(kind="jars", label="build A"), jars=bench.jars)] * 2
        options = FIRST_ONLY if compilers is Compilers.FIRST else ()
        contests = [
            replace(bout, java_options=options) for bout in bouts(plan, sides, [bench, bench])
        ]
        kept = _new(plan.profile, host, tools)
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


def _new(profile: str, host: Host, tools: Tools) -> Comparison:
    now = datetime.now(UTC)
    side = SideInfo(kind="jars", label="build A")
    return Comparison(
        comparison=ComparisonInfo(
            id=f"{now:%Y%m%dT%H%M%SZ}-pairs",
            started_at=now.isoformat(timespec="seconds"),
            profile=profile,
            budget_s=0.0,
        ),
        base=side,
        head=side,
        host=host.info(tools.jdk),
        tools=ToolsInfo(jdk=tools.jdk.version, wrk=tools.wrk.version, springbench=__version__),
        warnings=list(host.warnings()),
    )


if __name__ == "__main__":
    typer.run(main)
