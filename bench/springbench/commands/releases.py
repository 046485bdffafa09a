"""`springbench releases`: what each release of Spring Boot costs, as a history of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from springbench.build.maven import build
from springbench.build.released import released_versions
from springbench.commands import options
from springbench.errors import BuildError, ConfigurationError, ExitCode
from springbench.history.series import read_series
from springbench.host.interrupts import ended_by_signals
from springbench.host.shell import RealShell, Shell
from springbench.matrix.load import load_matrix
from springbench.matrix.rows import Matrix
from springbench.paths import RESULTS, ROOT, shown
from springbench.plan.plan import Filters, Plan, make_plan
from springbench.releases.confirm import Checking
from springbench.releases.jars import build_release
from springbench.releases.place import Place
from springbench.releases.release import Release, Releases, as_commits
from springbench.releases.rounds import Ready, measure
from springbench.releases.versions import chosen, parse_span
from springbench.report.console import console
from springbench.report.event_console import count_line, print_events
from springbench.report.releases import ReleasePoint, missing_lines, print_releases
from springbench.report.sanitise import one_line
from springbench.results.store import full_disk_told
from springbench.run.execute import teller
from springbench.run.tools import Tools, find_tools

PROFILE = "releases"


def releases(
    versions: Annotated[
        list[str],
        typer.Argument(
            metavar="RELEASES...", help="`4.0.3`, `3.5.0..3.5.16`, or `4.0.0..` for all since then."
        ),
    ],
    profile: options.ProfileOption = PROFILE,
    only: options.OnlyOption = None,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, max=50, help="How often each release is measured.")
    ] = 3,
    confirm_minutes: Annotated[
        int,
        typer.Option(
            "--confirm-minutes",
            min=0,
            max=1440,
            help="Minutes in 24 hours for comparing releases that a step lies between; 0: none.",
        ),
    ] = 60,
    sources: Annotated[
        str, typer.Option("--sources", help="The commit whose servers are built.")
    ] = "HEAD",
    history: Annotated[
        Path, typer.Option("--history", help="The folder of the history, and of its runs.")
    ] = RESULTS / "releases",
    list_: Annotated[
        bool, typer.Option("--list", help="Say what would be measured, and for how long.")
    ] = False,
    wait: options.WaitOption = 0.0,
    prepare_host: options.PrepareHostOption = False,
    matrix: options.MatrixOption = options.DEFAULT_MATRIX,
) -> None:
    """Measure releases of Spring Boot with the same servers, and find where they became slower.

    Example: `springbench releases 3.5.0.. --only '*-virtual-*' --rounds 5`

    The same command again goes on where it ended. Exits with 0 when all was measured, 4 when a
    case failed, 5 when no release could be built, 130 after Ctrl-C.
    """
    spans = [parse_span(text) for text in versions]
    rows, shell, out = load_matrix(matrix), RealShell(), console()
    say = teller(out)
    plan = _without_images(make_plan(rows, profile, Filters(tuple(only or ()))))
    tools = find_tools(with_maven=True)
    if tools.maven is None:
        raise ConfigurationError("Maven is missing")
    wanted = chosen(spans, released_versions(tools.jdk, tools.maven, shell))
    found = as_commits(wanted, rows, sources, ROOT, shell)
    _announce(found, plan, rounds, out)
    if list_ or not found.known:
        raise typer.Exit(ExitCode.OK if found.known else ExitCode.USAGE)
    ended_by_signals()
    # what is started from there may have another working directory
    place = Place(history.resolve(), say)
    host = options.host_to_measure_on(wait_s=wait, prepare=prepare_host, say=say)
    with full_disk_told(history, "run the same command again"), host:
        ready, missing = _built(found, plan, rows, tools, shell, place)
        code = measure(ready, rounds, place, out)
        if code != ExitCode.INTERRUPTED and confirm_minutes:
            known = [each.release for each in ready]
            checking = Checking(place, known, rows, 60.0 * confirm_minutes, shell)
            checking.check()
            code = ExitCode.INTERRUPTED if checking.interrupted else code
    _tell(place, missing, out)
    if code == ExitCode.INTERRUPTED:
        say("interrupted; the same command goes on")
    if code:
        raise typer.Exit(code)


def _without_images(plan: Plan) -> Plan:
    """Raises `ConfigurationError` where something is prepared: that reads the clone's own sources,
    and so another version."""
    for case in plan.cases:
        runtime = case.variant.runtime
        if runtime.prepare or runtime.train or runtime.is_native:
            raise ConfigurationError(
                f"--profile {plan.profile}: {case.id} runs on {runtime.id}, which is prepared from "
                "the sources of this clone; releases are measured on runtimes that start the jar, "
                "such as jvm: leave it out with --only"
            )
    return plan


def _announce(found: Releases, plan: Plan, rounds: int, out: Console) -> None:
    for release in found.known:
        count = len(_cases_of(plan, release))
        out.print(f"{release.name}  {release.sha[:12]}  {count} cases", markup=False)
    for line in missing_lines(found.missing):
        out.print(line, markup=False, soft_wrap=True)
    took_s = rounds * sum(
        case.forks * case.fork_estimate_s
        for each in found.known
        for case in plan.cases
        if case.variant.boot == each.line
    )
    hours = f"{took_s / 3600:.1f} hours" if took_s > 5400 else f"{took_s / 60:.0f} minutes"
    out.print(
        f"{len(found.known)} releases, {rounds} rounds: about {hours} of measuring, "
        "builds and comparisons not counted",
        markup=False,
    )


def _cases_of(plan: Plan, release: Release) -> tuple[str, ...]:
    return tuple(case.id for case in plan.cases if case.variant.boot == release.line)


def _built(
    found: Releases, plan: Plan, rows: Matrix, tools: Tools, shell: Shell, place: Place
) -> tuple[list[Ready], dict[str, str]]:
    """Releases of which a server could be built, and what could not. Raises `BuildError`."""
    if tools.maven is None:
        raise ConfigurationError("Maven is missing")
    # the slow upstream and the canary's server are the clone's own, the same for all
    build([], tools.jdk, tools.maven, ROOT, shell, place.say)
    ready, missing = [], dict(found.missing)
    for release in found.known:
        ids = _cases_of(plan, release)
        if not ids:
            missing[str(release.version)] = f"the profile has no case of {release.line}"
            continue
        whole = make_plan(rows, plan.profile, Filters(ids))
        made = build_release(release, whole, tools, shell, place.say)
        missing |= {f"{release.version}, {module}": why for module, why in made.missing.items()}
        kept = [c.id for c in whole.cases if c.variant.module not in made.missing]
        if kept:
            own = make_plan(rows, plan.profile, Filters(tuple(kept)))
            ready.append(Ready(release, own, made.jars, made.sources))
    for line in missing_lines(missing):
        place.say(line)
    if not ready:
        raise BuildError("no server could be built with any of these releases")
    return ready, missing


def _tell(place: Place, missing: Mapping[str, str], out: Console) -> None:
    index = place.index
    if index is None:
        return
    out.print()
    for series in read_series(place.files, index, lambda *_: True):
        points: dict[str, ReleasePoint] = {}
        for point in series.points:
            commit = point.entry.commit
            if commit is None:
                continue
            known = points.setdefault(commit.sha, ReleasePoint(commit, {}))
            values = dict(known.values)
            for name, (median, _, _) in point.values.items():
                if median is not None:
                    values[name] = [*values.get(name, ()), median]
            points[commit.sha] = ReleasePoint(commit, values)
        print_releases(series.row.case, list(points.values()), index.events, out)
    print_events(index.events, index.events, out)
    _say_all([count_line(index.events, index.events), *missing_lines(missing)], out)
    where = shown(place.path)
    _say_all([f"{where}; `make site HISTORY={where}` shows it in a browser"], out)


def _say_all(lines: Sequence[str], out: Console) -> None:
    for line in lines:
        if line:
            out.print(one_line(line), markup=False, soft_wrap=True)
