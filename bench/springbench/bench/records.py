"""Records of a run and of a comparison of which nothing has been measured yet."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from springbench import __version__
from springbench.bench.environment import passed_variables, request_info
from springbench.bench.host import Host
from springbench.bench.tools import Tools
from springbench.build.availability import boot_version
from springbench.build.boot_lines import versions_in
from springbench.errors import ConfigurationError
from springbench.host import git
from springbench.host.shell import Shell
from springbench.measure.testbed import artifact_of
from springbench.paths import ROOT
from springbench.plan.cases import Case
from springbench.plan.plan import Plan
from springbench.results.comparison import Comparison, ComparisonInfo, SideInfo
from springbench.results.run import (
    DIRTY,
    NO_COMMIT,
    Caution,
    CommitInfo,
    FiltersInfo,
    HostInfo,
    Result,
    Run,
    RunInfo,
    ToolsInfo,
)

# so many changed files are named
_NAMED = 3


def new_run(
    run_id: str,
    plan: Plan,
    host: Host,
    tools: Tools,
    shell: Shell,
    sources: Path = ROOT,
    jars: Path | None = None,
) -> Run:
    """A run with nothing measured yet, of the commit that `sources` are of."""
    commit, about_commit = commit_of(sources, shell)
    return Run(
        run=run_info(run_id, plan),
        commit=commit,
        host=host.info(tools.jdk),
        tools=tools_info(tools, boot_versions(plan, sources, jars)),
        warnings=[*about_commit, *host.warnings()],
    )


def tools_info(tools: Tools, boots: Mapping[str, str] | None = None) -> ToolsInfo:
    """The versions of what measures; `boots` are those of Spring Boot by line."""
    return ToolsInfo(
        jdk=tools.jdk.version,
        jdks={release: jdk.version for release, jdk in sorted(tools.jdks.items())},
        wrk=tools.wrk.version,
        oha=tools.oha.version if tools.oha else None,
        h2load=tools.h2load.version if tools.h2load else None,
        springbench=__version__,
        boots=dict(boots or {}),
    )


def run_info(run_id: str, plan: Plan) -> RunInfo:
    """What a run of a plan that begins now is called, and why it is made."""
    return RunInfo(
        id=run_id,
        started_at=datetime.now(UTC).isoformat(timespec="seconds"),
        profile=plan.profile,
        plan_digest=plan.digest,
        filters=FiltersInfo.model_validate(asdict(plan.filters)),
        trigger=os.environ.get("GITHUB_EVENT_NAME", "manual"),
        estimate_s=plan.estimate_s,
    )


def commit_of(sources: Path, shell: Shell) -> tuple[CommitInfo | None, list[Caution]]:
    """The commit that these sources are of, if any, and what keeps the run from standing for it."""
    try:
        commit = git.head(sources, shell)
        changed = git.changed_files(sources, shell) if commit and commit.dirty else []
        is_unborn = commit is None and git.is_repository(sources, shell)
    except ConfigurationError as error:
        return None, [Caution(code=NO_COMMIT, message=f"the commit is not known: {error}")]
    if is_unborn:
        remedy = "commit the sources first"
        return None, [Caution(code=NO_COMMIT, message="nothing is committed yet", remedy=remedy)]
    if commit is None:
        return None, []
    return CommitInfo(**asdict(commit)), [_changed(commit, changed)] if changed else []


def _changed(commit: git.Commit, files: Sequence[str]) -> Caution:
    more = len(files) - _NAMED
    named = ", ".join(files[:_NAMED]) + (f" and {more} more" if more > 0 else "")
    return Caution(
        code=DIRTY,
        message=f"tracked files differ from commit {commit.sha[:12]}: {named}",
        remedy="commit or restore them and measure again: no history evaluates such a run",
    )


def boot_versions(plan: Plan, sources: Path = ROOT, jars: Path | None = None) -> dict[str, str]:
    """The version of each Spring Boot line of the plan: of the jars in `jars`, else of the
    sources, else of the jars where they lie."""
    jar_versions = _in_jars(plan, jars) if jars else {}
    return {**(_in_sources(plan, sources) or _in_jars(plan, None)), **jar_versions}


def _in_sources(plan: Plan, sources: Path) -> dict[str, str]:
    boots = dict.fromkeys(case.variant.boot for case in plan.cases)
    for root in dict.fromkeys((sources, ROOT)):
        try:
            versions = versions_in((root / "pom.xml").read_text(encoding="utf-8"))
        except OSError:
            continue
        if found := {boot: versions[boot] for boot in boots if boot in versions}:
            return found
    return {}


def _in_jars(plan: Plan, jars: Path | None) -> dict[str, str]:
    files = {case.variant.boot: artifact_of(case.variant, ROOT, jars) for case in plan.cases}
    return {boot: version for boot, jar in files.items() if (version := boot_version(jar))}


def new_run_id(profile: str, commit: CommitInfo | None, service: str | None = None) -> str:
    """Sorts by time, and says what it is: `20261121T093000Z-quick-1a2b3c4d`.

    That of a service has its name too: `20261121T093000Z-quick-orders-1a2b3c4d`.
    """
    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    parts = [now, profile, service, commit and commit.sha[:8]]
    return "-".join(part for part in parts if part)


def new_result(case: Case, status: str, reason: str | None = None) -> Result:
    """A result with the case's axes spelled out and nothing measured yet."""
    variant = case.variant
    return Result.model_validate(
        {
            "case": case.id,
            "boot": variant.boot,
            "server": variant.server.id,
            "model": variant.model.id,
            "runtime": variant.runtime_name,
            "workload": case.workload.id,
            "connections": case.connections,
            "theoretical_max_rps": case.theoretical_max_rps,
            "planned": {
                "forks": case.forks,
                "warmup_min_s": case.warmup_min_s,
                "warmup_max_s": case.warmup_max_s,
                "window_s": case.window_s,
                "java_options": _java_options([case]),
                "begin_over_s": case.begin_over_s,
                **passed_variables(variant),
                **request_info(case),
            },
            "status": status,
            "reason": reason,
        }
    )


def new_comparison(
    plan: Plan,
    budget_s: float,
    sides: Sequence[SideInfo],
    host: HostInfo,
    tools: ToolsInfo,
    warnings: Iterable[Caution],
) -> Comparison:
    """A comparison of base and head, in this order, that begins now."""
    now = datetime.now(UTC)
    named = (f"{now:%Y%m%dT%H%M%SZ}-compare", plan.profile, plan.service)
    base, head = sides
    return Comparison(
        comparison=ComparisonInfo(
            id="-".join(filter(None, named)),
            started_at=now.isoformat(timespec="seconds"),
            profile=plan.profile,
            java_options=_java_options(plan.cases),
            budget_s=budget_s,
        ),
        base=base,
        head=head,
        host=host,
        tools=tools,
        warnings=list(warnings),
    )


def _java_options(cases: Iterable[Case]) -> list[str]:
    """Those that the profile gives to what it starts with `java`: no image or program has them."""
    started = [case for case in cases if "{java}" in case.variant.runtime.start]
    return [*dict.fromkeys(option for case in started for option in case.java_options)]
