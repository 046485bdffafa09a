"""`springbench bisect`: the commit between two that made a metric worse."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from springbench.commands import options
from springbench.compare.bisect import Bisection, BisectState, Measured, load_state
from springbench.compare.live import compare_live
from springbench.compare.sides import resolve
from springbench.errors import ConfigurationError, ExitCode
from springbench.host import git
from springbench.host.interrupts import ended_by_signals
from springbench.host.shell import RealShell, Shell
from springbench.matrix.load import load_matrix
from springbench.matrix.rows import Matrix
from springbench.paths import RESULTS, ROOT, shown
from springbench.plan.plan import Filters, Plan, make_plan
from springbench.results.store import AGAIN, full_disk_told

# what a build of the servers reads; the harness that measures is the one that runs
BUILT_FROM = ("pom.xml", "servers", ".mvn")


def bisect(
    good: Annotated[str, typer.Argument(help="A commit before the change.")],
    bad: Annotated[str, typer.Argument(help="A later one that has it.")],
    case: Annotated[str, typer.Option("--case", help="The case that shows it.")],
    metric: Annotated[str, typer.Option("--metric", help="Which metric.")] = "throughput_rps",
    profile: options.ProfileOption = "pr",
    budget: Annotated[
        float, typer.Option("--budget", min=30, max=36000, help="Seconds of measuring in all.")
    ] = 3600,
    step_budget: Annotated[
        float,
        typer.Option("--step-budget", min=30, max=36000, help="Seconds for one comparison."),
    ] = 300,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FOLDER", help="Go on with this bisection.")
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="Print JSON instead of words.")] = False,
    wait: options.WaitOption = 0.0,
    prepare_host: options.PrepareHostOption = False,
    results: Annotated[Path, typer.Option("--results", help="Where its folder goes.")] = RESULTS,
    matrix: options.MatrixOption = options.DEFAULT_MATRIX,
) -> None:
    """Find the commit between GOOD and BAD that changed a metric, by comparisons in pairs.

    Example: `springbench bisect v1.2 HEAD --case boot4-tomcat-virtual-jvm/hello/64`

    Both ends are measured first. Commits that change nothing that a build reads are passed over.
    Where noise does not let a range be split, the range is the answer.
    """
    rows, shell = load_matrix(matrix), RealShell()
    plan = _plan(rows, profile, case)
    state = load_state(resume) if resume else _new_state(good, bad, case, metric, shell)
    _check_same(state, good, bad, case, metric, shell)
    folder = resume or results / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-bisect"
    ended_by_signals()

    def say(line: str) -> None:
        typer.echo(line, err=json_)

    def measure(base: str, head: str, budget_s: float) -> Measured:
        sides = [resolve(each, rows, shell) for each in (base, head)]
        live = compare_live(sides, plan, budget_s, folder, shell, say)
        if live.interrupted:
            say(f"springbench bisect … --resume {shown(folder)} goes on")
            raise typer.Exit(ExitCode.INTERRUPTED)
        info, findings = live.comparison.comparison, live.comparison.findings
        found = [each for each in findings if (each.case, each.metric) == (case, state.metric)]
        if findings and not found:
            known = ", ".join(each.metric for each in findings if each.case == case)
            raise ConfigurationError(f"--metric {state.metric}: {case} has none; it has: {known}")
        return Measured(info.id, info.measured_s, found[0] if found else None)

    host = options.host_to_measure_on(wait_s=wait, prepare=prepare_host, say=say)
    with full_disk_told(results, AGAIN), host:
        folder.mkdir(parents=True, exist_ok=True)
        ended = Bisection(state, folder, measure, budget, step_budget, say).run()
    if json_:
        typer.echo(ended.model_dump_json(by_alias=True, indent=2))
    else:
        typer.echo(_told(ended, shell))


def _plan(matrix: Matrix, profile: str, case: str) -> Plan:
    plan = make_plan(matrix, profile, Filters(only=(case,)))
    if [each.id for each in plan.cases] != [case]:
        raise ConfigurationError(
            f"--case {case}: no such case of the profile {profile}; "
            f"`springbench plan --profile {profile}` lists them"
        )
    return plan


def _new_state(good: str, bad: str, case: str, metric: str, shell: Shell) -> BisectState:
    first, last = _commit("GOOD", good, shell), _commit("BAD", bad, shell)
    if first == last:
        raise ConfigurationError(f"{good} and {bad} are one commit, {first[:12]}; name two")
    if git.is_ancestor(last, first, ROOT, shell):
        raise ConfigurationError(f"{bad} comes before {good}: name the older one first")
    if not git.is_ancestor(first, last, ROOT, shell):
        raise ConfigurationError(
            f"{good} is not in the past of {bad}: name a commit that {bad} was built on "
            "(in a shallow clone: git fetch --unshallow)"
        )
    commits = git.commits_between(first, last, BUILT_FROM, ROOT, shell)
    if not commits:
        raise ConfigurationError(
            f"no commit between {good} and {bad} changes what a build of the servers reads "
            f"({', '.join(BUILT_FROM)}): they are the same servers"
        )
    # what follows the last of them is built alike
    return BisectState(good=first, bad=last, case=case, metric=metric, commits=commits)


def _commit(name: str, text: str, shell: Shell) -> str:
    if sha := git.commit_of(text, ROOT, shell):
        return sha
    raise ConfigurationError(
        f"{name} {text!r} is no commit of this repository; allowed is what git resolves "
        "(in a shallow clone: git fetch --unshallow)"
    )


def _check_same(
    state: BisectState, good: str, bad: str, case: str, metric: str, shell: Shell
) -> None:
    ends = _commit("GOOD", good, shell), _commit("BAD", bad, shell)
    if (state.good, state.bad, state.case, state.metric) != (*ends, case, metric):
        raise ConfigurationError(
            f"--resume: that bisection is of {state.metric} of {state.case} between "
            f"{state.good[:12]} and {state.bad[:12]}; name the same"
        )


def _told(state: BisectState, shell: Shell) -> str:
    if state.outcome == "no change":
        return (
            f"{state.metric} of {state.case} is not found to differ between {state.good[:12]} and "
            f"{state.bad[:12]}: nothing to bisect (the pairs are in `springbench report`)"
        )
    lines = []
    for sha in state.culprits:
        facts = git.facts_of(sha, ROOT, shell)
        lines.append(f"  {sha[:12]} {facts.message if facts else ''}".rstrip())
    spent = f"{len(state.comparisons)} comparisons, {state.measured_s:.0f} s of measuring"
    if state.outcome == "commit":
        return f"the first commit with the change ({spent}):\n{lines[0]}"
    return f"the change is in one of these {len(lines)}; they were not told apart ({spent}):\n" + (
        "\n".join(lines)
    )
