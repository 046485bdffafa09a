"""A table of injected changes: which a comparison finds, in which time, and what it says wrongly.

    python -m evaluation.injected_change.table OUT
    python -m evaluation.injected_change.table OUT --row lock --row garbage --times 5

Each row is a change of `python -m evaluation.injected_change`, compared live with the servers as
they are. What came out is added to OUT/outcomes.jsonl at once, so that hours of it may be parted:
rows go on where they stand, and the table is of all that is there. It measures for as long as
`--times` and the rows ask, about three minutes each.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from pydantic import BaseModel

from springbench.results.comparison import Comparison, FactRecord, FindingRecord

VIRTUAL = "boot4-tomcat-virtual-jvm/*"
BUDGET_S = 170
OUTCOMES = "outcomes.jsonl"
# what may show that a request costs more CPU time
BY_CPU = ("throughput_rps", "cpu_per_request_s", "methods")


@dataclass(frozen=True)
class Row:
    """A change: how it is injected, and the metrics that may tell it; none where none should."""

    name: str
    what: str
    options: tuple[str, ...]
    shown_by: tuple[str, ...] = ()
    compare: tuple[str, ...] = ()
    """Options of `springbench compare` beside those of every row."""
    variants: tuple[str, str] | None = None
    """In place of two folders of jars: what is started in another way."""


ROWS = (
    Row(
        "cap",
        "at most 100 of 1,000 requests at once",
        ("--change", "pay_at_once=100"),
        ("throughput_rps", "bottleneck"),
    ),
    Row("wait", "a wait 2 % longer", ("--change", "pay_us=20000"), ("throughput_rps",)),
    Row("errors", "one request in 5,000 fails", ("--change", "hello_fail_every=5000"), ("errors",)),
    Row(
        "rare",
        "one request in 50 two seconds slower",
        ("--change", "pay_slow_every=50", "--change", "pay_slow_ms=2000"),
        ("latency_p99_s", "throughput_rps"),
    ),
    *(
        Row(
            f"slow-{every}-{slow_ms}",
            f"one greeting in {every} {slow_ms} ms slower",
            ("--change", f"hello_slow_every={every}", "--change", f"hello_slow_ms={slow_ms}"),
            ("slow", "open_loop_50_latency_p99_s", "open_loop_50_latency_p999_s"),
        )
        for every in (50, 100, 500)
        for slow_ms in (10, 30, 100)
    ),
    Row("bytes", "an answer 20 bytes longer", ("--change", "hello_bytes=20"), ("answer_bytes",)),
    Row("kept", "100 MiB kept", ("--change", "hello_kept_bytes=10486"), ("memory_peak_bytes",)),
    Row(
        "lock",
        "a lock of 10 µs",
        ("--change", "hello_lock_ns=10000"),
        BY_CPU,
    ),
    *(
        Row(name, f"{percent} % more CPU", ("--hello-cpu", f"{1 + percent / 100}"), BY_CPU)
        for name, percent in (("cpu", 10), ("cpu-5", 5), ("cpu-3", 3), ("cpu-2", 2), ("cpu-1", 1))
    ),
    Row("filter", "3 % more CPU, by a filter", ("--filter-cpu", "1.03"), BY_CPU),
    Row("idle", "10 % more memory at idle", ("--idle-memory", "1.10"), ("memory_idle_bytes",)),
    Row("start", "1.5 s longer to start", ("--change", "start_ms=1500"), ("startup_s",)),
    Row(
        "garbage",
        "2 KiB more garbage a request",
        ("--change", "hello_garbage_bytes=2048"),
        ("allocated_bytes_per_request",),
    ),
    Row(
        "closed",
        "connections closed after each answer",
        ("--property", "server.tomcat.max-keep-alive-requests=1"),
        ("headers", *BY_CPU),
    ),
    Row(
        "log",
        "a log line a request",
        ("--change", "hello_log_lines=1"),
        # to a file it costs hardly any CPU
        (*BY_CPU, "allocated_bytes_per_request"),
    ),
    Row(
        "collector",
        "another collector: G1",
        (),
        (
            "collector",
            "throughput_rps",
            "cpu_per_request_s",
            "memory_idle_bytes",
            "memory_peak_bytes",
            "threads_max",
        ),
        variants=("boot4-tomcat-virtual-jvm", "boot4-tomcat-virtual-jvm-g1"),
    ),
    Row(
        "query",
        "one query more in db-jpa",
        ("--change", "queries=1"),
        ("queries", *BY_CPU),
        # its warm-up is that of a nightly run: more than three minutes a pair
        ("--profile", "database", "--only", "boot4-tomcat-virtual-jvm/db-jpa/*", "--budget", "720"),
    ),
    Row("same", "nothing: a refactoring", ()),
    Row(
        "default",
        "nothing, with every server and load of the default",
        (),
        compare=("--only", "*", "--budget", "600"),
    ),
    Row(
        "cache",
        "five times as many processors kept",
        ("--property", "server.tomcat.processor-cache=1000"),
    ),
)


class Outcome(BaseModel):
    """What one comparison came to. `wrong` is what it called worse and should not have."""

    row: str
    measured_s: float
    pairs: int
    found: list[str]
    suspected: list[str]
    wrong: list[str]


def main(
    out: Annotated[Path, typer.Argument(help="A folder for jars, comparisons and outcomes.")],
    rows: Annotated[
        list[str] | None, typer.Option("--row", help="Names of rows; all if left out.")
    ] = None,
    times: Annotated[int, typer.Option(help="Comparisons of each row, those there counted.")] = 1,
    only: Annotated[str, typer.Option(help="Cases that are compared.")] = VIRTUAL,
    budget: Annotated[int, typer.Option(help="Seconds of each comparison.")] = BUDGET_S,
    profile: Annotated[
        str, typer.Option(help="Of the matrix; releases-pairs has every compiler.")
    ] = "pr",
    hello_cost_us: Annotated[
        float | None, typer.Option(help="CPU of a request of hello here; as recorded if left out.")
    ] = None,
) -> None:
    """Compare each row until it was compared that often, then print all outcomes."""
    chosen = [row for row in ROWS if not rows or row.name in rows]
    if unknown := sorted(set(rows or ()) - {row.name for row in ROWS}):
        allowed = ", ".join(row.name for row in ROWS)
        raise SystemExit(f"--row {', '.join(unknown)}: no such row; allowed: {allowed}")
    out.mkdir(parents=True, exist_ok=True)
    cost = [] if hello_cost_us is None else ["--hello-cost-us", str(hello_cost_us)]
    _inject(out, Row("base", "", ()), cost)
    for number in range(times):
        for row in chosen:
            if sum(outcome.row == row.name for outcome in outcomes(out)) > number:
                continue
            if row.variants is None:
                _inject(out, row, cost)
            outcome = _outcome(row, _compare(out, row, only, budget, profile))
            with (out / OUTCOMES).open("a", encoding="utf-8") as file:
                file.write(outcome.model_dump_json() + "\n")
            typer.echo(f"{row.name}: {outcome.model_dump_json()}", err=True)
    for line in table(list(outcomes(out))):
        typer.echo(line)


def outcomes(out: Path) -> Iterator[Outcome]:
    """Those that are there, in the order of time."""
    file = out / OUTCOMES
    for line in file.read_text(encoding="utf-8").splitlines() if file.is_file() else ():
        yield Outcome.model_validate_json(line)


def table(found: Sequence[Outcome]) -> Iterator[str]:
    """A row of Markdown for each change that was compared."""
    yield "| change | compared | found | suspected | wrongly worse | pairs | seconds |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for row in ROWS:
        tries = [outcome for outcome in found if outcome.row == row.name]
        if not tries:
            continue
        sure = sum(bool(o.found) for o in tries) if row.shown_by else "–"
        guessed = sum(bool(o.suspected) and not o.found for o in tries) if row.shown_by else "–"
        wrong = sum(bool(o.wrong) for o in tries)
        pairs = _range([o.pairs for o in tries])
        seconds = _range([round(o.measured_s) for o in tries])
        yield f"| {row.what} | {len(tries)} | {sure} | {guessed} | {wrong} | {pairs} | {seconds} |"


def _range(values: Sequence[int]) -> str:
    low, high = min(values), max(values)
    return f"{low}" if low == high else f"{low} to {high}"


def _inject(out: Path, row: Row, cost: Sequence[str]) -> None:
    module = [sys.executable, "-m", "evaluation.injected_change", str(out)]
    subprocess.run([*module, "--name", row.name, *row.options, *cost], check=True)


def _compare(out: Path, row: Row, only: str, budget_s: int, profile: str) -> Comparison:
    results = out / "results" / f"{row.name}-{time.time_ns()}"
    command = [sys.executable, "-m", "springbench", "compare"]
    command += row.variants or (str(out / "base"), str(out / row.name))
    # a row that names its cases has these alone
    command += [] if "--only" in row.compare else ["--only", only]
    command += [] if "--profile" in row.compare else ["--profile", profile]
    command += ["--budget", str(budget_s), "--results", str(results)]
    command += ["--no-explain", "--json", *row.compare]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    return Comparison.model_validate(json.loads(done.stdout))


def _outcome(row: Row, comparison: Comparison) -> Outcome:
    """A fact that only its author can evaluate counts as reported, and as nothing wrong."""
    statements = comparison.statements
    worse = [statement for statement in statements if statement.verdict == "regression"]
    changed = [statement for statement in statements if statement.verdict == "changed"]
    suspected = [
        statement
        for statement in statements
        if statement.verdict == "suspected" and statement.is_worse
    ]
    return Outcome(
        row=row.name,
        measured_s=comparison.comparison.measured_s,
        pairs=max((len(pairs) for pairs in comparison.pairs.values()), default=0),
        found=[
            _words(statement)
            for statement in (*worse, *changed)
            if statement.metric in row.shown_by
        ],
        suspected=[
            _words(statement) for statement in suspected if statement.metric in row.shown_by
        ],
        # one cause may show in many metrics: only where there is none is a regression wrong
        wrong=[_words(statement) for statement in (*worse, *suspected)] if not row.shown_by else [],
    )


def _words(statement: FindingRecord | FactRecord) -> str:
    if isinstance(statement, FactRecord):
        return f"{statement.metric} {statement.base} → {statement.head}"
    change = 100 * (statement.ratio - 1)
    low, high = (100 * (edge - 1) for edge in (statement.low_ratio, statement.high_ratio))
    return f"{statement.metric} {change:+.1f} % [{low:+.1f}, {high:+.1f}]"


if __name__ == "__main__":
    typer.run(main)
