"""`springbench profile`: where one case spends its CPU time, its memory or its waiting."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from springbench.analysis.profiles import heaviest, short_name
from springbench.bench.profilers import EVENT_WORDS, CaseProfile
from springbench.commands import options
from springbench.errors import HostError
from springbench.host.interrupts import ended_by_signals
from springbench.host.shell import RealShell
from springbench.matrix.load import load_matrix
from springbench.measure.profile import Event
from springbench.messages import show_messages
from springbench.paths import RESULTS, shown
from springbench.plan.plan import make_plan
from springbench.results.store import AGAIN, full_disk_reported
from springbench.run.profiling import ProfileRequest, profile_case

MOST_SHOWN = 10


def profile(
    case: Annotated[str, typer.Argument(help="A case id, or a glob that one case matches.")],
    event: Annotated[Event, typer.Option("--event", help="What is sampled.")] = Event.CPU,
    duration: Annotated[
        float, typer.Option("--duration", min=5, max=600, help="Seconds of recording.")
    ] = 20.0,
    profile_: options.ProfileOption = "quick",
    jars: Annotated[
        Path | None, typer.Option("--jars", help="A folder with the servers' jars.")
    ] = None,
    wait: options.WaitOption = 0.0,
    results: Annotated[Path, typer.Option("--results", help="Where the files go.")] = RESULTS,
    matrix: options.MatrixOption = options.DEFAULT_MATRIX,
) -> None:
    """Record one case, and say which methods it spends most in.

    With async-profiler; what is no JVM with perf, CPU time alone. No number of it counts: the
    profiler costs time of its own. The flame graph is one file of HTML that opens from disk.

    Example: `springbench profile boot4-tomcat-virtual-jvm/hello/64 --event alloc`
    """
    filters = options.filters([case], None, None, None)
    plan = make_plan(load_matrix(matrix), profile_, filters)
    request = ProfileRequest(plan, event, duration, jars, results)
    ended_by_signals()
    show_messages(typer.echo)
    host = options.host_to_measure_on(wait_s=wait, prepare=False)
    with full_disk_reported(results, AGAIN), host:
        profiled = profile_case(request, RealShell())
    _print(profiled, EVENT_WORDS[event])


def _print(profiled: CaseProfile, event_words: str) -> None:
    if not profiled.profile.stacks:
        raise HostError(f"nothing was sampled: there was no {event_words}")
    typer.echo(f"\nmost of the {event_words} was spent in")
    for frame, share in heaviest(profiled.profile, MOST_SHOWN):
        typer.echo(f"{100 * share:6.1f} %  {short_name(frame)}")
    if profiled.flame_graph:
        typer.echo(f"\nflame graph: {shown(profiled.flame_graph)}")
    else:
        typer.echo(f"\nno flame graph: {profiled.why_not}")
