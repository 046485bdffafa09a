"""Measures what people reported in public, from the versions alone: seen or not, how much, why.

    python -m evaluation.replay --list
    python -m evaluation.replay header-walks jetty-threads-max
    python -m evaluation.replay --budget 300

`reports.toml` has the reports, with their sources. The servers are built twice, with the versions
before and after, and compared side by side with the full compiler, as `springbench compare` does.
Each outcome is written to `<id>.json` beside its comparison, and printed.

Exits with 0 when all that was asked for was measured, 2 for wrong use, 3 when this host lacks
something or cannot download it, 4 when a side failed, 5 when one does not build, 130 after Ctrl-C;
with the largest of all reports.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from evaluation.replay.outcome import Outcome, evaluate, not_measured, words
from evaluation.replay.reports import Report, Reports, load_reports
from springbench.bench.assembly import BuildCache
from springbench.commands import options
from springbench.compare.execute import compare_live
from springbench.errors import BuildError, ConfigurationError, ExitCode, HostError, SpringbenchError
from springbench.host.interrupts import ended_by_signals
from springbench.host.shell import RealShell, Shell
from springbench.matrix.load import load_matrix
from springbench.matrix.rows import Matrix
from springbench.messages import show_messages
from springbench.paths import MATRIX, RESULTS, shown
from springbench.releases.builds import reason_of
from springbench.results.store import full_disk_reported, write_atomically
from springbench.untrusted import one_line


def main(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="ID...", help="Reports; all if left out.")
    ] = None,
    list_: Annotated[
        bool, typer.Option("--list", help="Say what would be measured, and for how long.")
    ] = False,
    budget: Annotated[
        float | None,
        typer.Option("--budget", min=30, max=36000, help="Seconds for each, not its own."),
    ] = None,
    sources: Annotated[
        str, typer.Option("--sources", help="The commit whose servers are built.")
    ] = "HEAD",
    results: Annotated[
        Path, typer.Option("--results", help="Where outcomes and comparisons go.")
    ] = RESULTS / "replay",
    wait: options.WaitOption = 0.0,
) -> None:
    """Print what came of each report."""
    try:
        found, matrix = load_reports(), load_matrix(MATRIX)
        chosen = choose(found.reports, ids or [])
        if list_:
            for line in listing(found, chosen, matrix, budget):
                typer.echo(line)
            return
        ended_by_signals()
        show_messages(typer.echo)
        results = results.resolve()
        alone = options.host_to_measure_on(wait_s=wait, prepare=False)
        with full_disk_reported(results, "run the same command again"), alone:
            results.mkdir(parents=True, exist_ok=True)
            code = _replay(chosen, budget, Bench(found, matrix, sources, results, RealShell()))
    except SpringbenchError as error:
        for line in str(error).splitlines():
            typer.echo(f"replay: {line}", err=True)
        code = error.exit_code
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
    if code:
        raise typer.Exit(code)


def choose(reports: Sequence[Report], ids: Sequence[str]) -> list[Report]:
    """Those that are named, in the order of the file; all where none is.

    Raises `ConfigurationError` for a name that no report has.
    """
    known = [report.id for report in reports]
    for report_id in ids:
        if report_id not in known:
            near = difflib.get_close_matches(report_id, known, 3, 0.0)
            raise ConfigurationError(
                f"{report_id!r}: no such report; nearest: {', '.join(near)}; --list prints all"
            )
    return [report for report in reports if not ids or report.id in ids]


def listing(
    found: Reports, chosen: Sequence[Report], matrix: Matrix, budget_s: float | None
) -> Iterator[str]:
    """A row of Markdown for each report, and how long all take at most, without the builds."""
    yield "| id | source | before → after | reported | cases | minutes at most |"
    yield "| --- | --- | --- | --- | --- | ---: |"
    total_s = 0.0
    for report in chosen:
        try:
            cases = ", ".join(f"`{case.id}`" for case in found.plan(report, matrix).cases)
        except ConfigurationError as error:
            cases = f"none: {one_line(str(error))}"
        budget = budget_s or report.budget_s
        total_s += budget
        yield (
            f"| {report.id} | [{report.source}]({report.address}) "
            f"| {report.before.name} → {report.after.name} "
            f"| {report.direction}: {report.reported} | {cases} | {budget / 60:.0f} |"
        )
    yield f"\n{len(chosen)} reports, at most {total_s / 60:.0f} minutes of measuring"


def _replay(chosen: Sequence[Report], budget_s: float | None, bench: Bench) -> ExitCode:
    """Measure each; the largest code of all. What ends one of them does not affect the others."""
    code = ExitCode.OK
    for number, report in enumerate(chosen, start=1):
        typer.echo(f"\n{report.id}, {number} of {len(chosen)}: {report.reported}")
        outcome, ended = bench.measure(report, budget_s or report.budget_s)
        if ended == ExitCode.INTERRUPTED:
            return ended
        text = outcome.model_dump_json(indent=2) + "\n"
        write_atomically(bench.results / f"{report.id}.json", text)
        typer.echo(one_line(words(outcome)))
        code = max(code, ended)
    typer.echo(f"\n{shown(bench.results)}")
    return code


@dataclass(frozen=True)
class Bench:
    """What reports are measured with. `sources` names the commit whose servers are built."""

    reports: Reports
    matrix: Matrix
    sources: str
    results: Path
    shell: Shell
    built: BuildCache = field(default_factory=dict)

    def measure(self, report: Report, budget_s: float) -> tuple[Outcome, ExitCode]:
        """One report. What cannot be resolved, built or started is its outcome."""
        try:
            plan, before, after = self.reports.measurement(
                report, self.matrix, self.sources, self.shell
            )
            live = compare_live(
                [after, before] if report.is_head_before else [before, after],
                plan,
                budget_s,
                self.results / report.id,
                self.shell,
                explain=True,
                built=self.built,
            )
        except (BuildError, HostError) as error:
            return not_measured(report, reason_of(error)), error.exit_code
        except SpringbenchError as error:
            return not_measured(report, one_line(str(error))), error.exit_code
        if live.interrupted:
            return not_measured(report, "interrupted"), ExitCode.INTERRUPTED
        outcome = evaluate(report, live.comparison)
        outcome.comparison = str(live.folder.relative_to(self.results))
        return outcome, ExitCode.CASES_FAILED if live.failed else ExitCode.OK


if __name__ == "__main__":
    typer.run(main)
