"""A run of which nothing has been measured yet: its name, its commit, its tools."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from springbench import __version__
from springbench.build.boot_lines import versions_in
from springbench.build.manifest import boot_version
from springbench.errors import ConfigurationError
from springbench.host import git
from springbench.host.shell import Shell
from springbench.measure.artifact import artifact_of
from springbench.paths import ROOT
from springbench.plan.plan import Plan
from springbench.results.run import (
    DIRTY,
    NO_COMMIT,
    Caution,
    CommitInfo,
    FiltersInfo,
    Run,
    RunInfo,
    ToolsInfo,
)
from springbench.run.host import Host
from springbench.run.tools import Tools

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
        tools=ToolsInfo(
            jdk=tools.jdk.version,
            wrk=tools.wrk.version,
            oha=tools.oha.version if tools.oha else None,
            springbench=__version__,
            boots=boot_versions(plan, sources, jars),
        ),
        warnings=[*about_commit, *host.warnings()],
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
    """The version of each Spring Boot line of the plan: of the jars that were given, else of the
    sources, else of the jars where they lie."""
    given = _in_jars(plan, jars) if jars else {}
    return {**(_in_sources(plan, sources) or _in_jars(plan, None)), **given}


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
