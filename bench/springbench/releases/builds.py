"""Releases built to be measured: what of the plan each can start, and its jars, which are kept."""

from __future__ import annotations

import logging
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console

from springbench.bench.assembly import BenchOptions, work_tree
from springbench.bench.tools import Tools
from springbench.build.maven import build
from springbench.errors import BuildError, ConfigurationError, ExitCode, HostError
from springbench.host.shell import Shell
from springbench.host.tools.search import tools_dir
from springbench.matrix.rows import Matrix
from springbench.paths import ROOT
from springbench.plan.cases import Case
from springbench.plan.countdown import Countdown, Step
from springbench.plan.plan import Filters, Plan, make_plan
from springbench.releases.history import ReleaseHistory
from springbench.releases.release import Release
from springbench.report.event_console import missing_lines
from springbench.results.run import Run
from springbench.results.store import RUN_FILE, load_run
from springbench.run.execute import RunOptions, execute
from springbench.untrusted import one_line

logger = logging.getLogger(__name__)

_FIRST_LINES = 2
# group:artifact:type:version, with a classifier at times
_NOT_FOUND = re.compile(r"Could not find artifact ((?:[\w.-]+:){3,4}[\w.-]+)")


@dataclass(frozen=True)
class BuiltRelease:
    """What a release is measured with: cases of its line, its jars, the folder of its sources."""

    plan: Plan
    jars: Path
    sources: Path


def startable(plan: Plan) -> Plan:
    """The plan itself.

    Raises `ConfigurationError` where something is prepared before it starts: that reads the clone's
    own sources, and so another version.
    """
    for case in plan.cases:
        runtime = case.variant.runtime
        if runtime.prepare or runtime.train or runtime.is_native:
            raise ConfigurationError(
                f"--profile {plan.profile}: {case.id} runs on {runtime.id}, which is prepared from "
                "the sources of this clone; releases are measured on runtimes that start the jar, "
                "such as jvm: leave it out with --only"
            )
    return plan


def cases_of(release: Release, plan: Plan) -> tuple[Case, ...]:
    """The cases of its line."""
    return tuple(case for case in plan.cases if case.variant.boot == release.line)


@dataclass
class Builds:
    """Builds releases when they are needed, each once. `plan` has the cases of all lines."""

    plan: Plan
    matrix: Matrix
    tools: Tools
    shell: Shell
    missing: dict[str, str] = field(default_factory=dict)
    """What could not be built, and why."""
    _known: dict[str, BuiltRelease | None] = field(default_factory=dict)

    def build_all(self, releases: Sequence[Release]) -> None:
        """Build them before anything is measured, and report what cannot be built."""
        if not releases:
            return
        # the slow upstream is the clone's own, the same for all
        build([], self.tools.jdk, self.tools.builder, ROOT, self.shell)
        for release in releases:
            self.release(release)

    def check(self) -> None:
        """Raises `BuildError` where no server could be built with any release so far."""
        if self._known and not any(self._known.values()):
            reasons = "\n".join(missing_lines(self.missing))
            raise BuildError(f"no server could be built with any of these releases\n{reasons}")

    def release(self, release: Release) -> BuiltRelease | None:
        """What can be measured of a release; None where nothing of it could be built."""
        if release.sha not in self._known:
            self._known[release.sha] = self._build(release)
        return self._known[release.sha]

    def _build(self, release: Release) -> BuiltRelease | None:
        ids = tuple(case.id for case in cases_of(release, self.plan))
        if not ids:
            self.missing[str(release.version)] = f"the plan has no case of {release.line}"
            return None
        logger.info(f"{release.name}:")
        full_plan = make_plan(self.matrix, self.plan.profile, Filters(ids))
        sources = work_tree(release.sha, self.shell)
        failed = self._build_modules(full_plan.modules, sources)
        for module, why in failed.items():
            self.missing[f"{release.version}, {module}"] = why
            logger.info(f"{release.version}, {module}: {why}")
        built = [case for case in full_plan.cases if case.variant.module not in failed]
        if not built:
            return None
        jars = tools_dir(ROOT) / "releases" / release.sha[:12]
        jars.mkdir(parents=True, exist_ok=True)
        for variant in (case.variant for case in built):
            jar = sources / variant.module / variant.artifact
            if jar.is_file():
                _link(jar, jars / jar.name)
        plan = make_plan(self.matrix, self.plan.profile, Filters(tuple(case.id for case in built)))
        return BuiltRelease(plan, jars, sources)

    def _build_modules(self, modules: Sequence[str], sources: Path) -> dict[str, str]:
        """By Maven module: why it could not be built. The others are built."""

        def build_these(modules: Sequence[str]) -> None:
            build(modules, self.tools.jdk, self.tools.builder, sources, self.shell)

        try:
            build_these(modules)
        except (BuildError, HostError):
            failed = {}
            # one by one, to know which of them it is
            for module in modules:
                try:
                    build_these([module])
                except (BuildError, HostError) as error:
                    failed[module] = reason_of(error)
            return failed
        return {}


def _link(built: Path, link: Path) -> None:
    """The same file under another name: a release's jars are large, and there are many."""
    link.unlink(missing_ok=True)
    try:
        os.link(built, link)
    except OSError:
        shutil.copy2(built, link)


def reason_of(error: BuildError | HostError) -> str:
    """The part of an error that says most: the artifact that is not published, if that is it."""
    if found := _NOT_FOUND.search(str(error)):
        return f"{found[1]} is not published"
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return one_line(" ".join(lines[:_FIRST_LINES]))


# --- Measures releases in rounds: each release once, then each again, the second time backwards ---
# Forks of one release lie far apart in time. So neither a slow hour of the host nor a slow drift of
# it makes a step between two releases.


@dataclass(frozen=True)
class PlannedRun:
    """One release in one round."""

    release: Release
    round: int

    @property
    def run_id(self) -> str:
        return f"{self.release.version}-{self.release.sha[:8]}-{self.round}"


def planned_runs(releases: Sequence[Release], rounds: int) -> Iterator[PlannedRun]:
    """All of them, in the order of measuring."""
    for number in range(1, rounds + 1):
        for release in releases if number % 2 else reversed(releases):
            yield PlannedRun(release, number)


def runs_left(
    releases: Sequence[Release], rounds: int, history: ReleaseHistory
) -> list[PlannedRun]:
    """Those that neither the history has nor the folder of its runs.

    What was measured and not published, since something ended it, is published now.
    """
    left = []
    for planned in planned_runs(releases, rounds):
        if history.has_run(planned.run_id):
            continue
        if _is_finished(history, planned):
            history.add_run(history.runs / planned.run_id)
        else:
            left.append(planned)
    return left


def measure(
    left: Sequence[PlannedRun], builds: Builds, rounds: int, history: ReleaseHistory, out: Console
) -> ExitCode:
    """Measure and publish. Returns the worst code of all runs."""
    code = ExitCode.OK
    can = [(planned, ready) for planned in left if (ready := builds.release(planned.release))]
    countdown = Countdown({planned: Step("run", ready.plan.estimate_s) for planned, ready in can})
    for number, (planned, ready) in enumerate(can, start=1):
        countdown.begin(planned)
        logger.info(
            f"\n{planned.release.name}, round {planned.round} of {rounds}: {number} of {len(can)}, "
            f"{countdown.words()}"
        )
        ended = _measure(planned, ready, history, out)
        if ended == ExitCode.INTERRUPTED:
            return ended
        history.add_run(history.runs / planned.run_id)
        code = max(code, ended)
    return code


def _measure(
    planned: PlannedRun, built: BuiltRelease, history: ReleaseHistory, out: Console
) -> ExitCode:
    folder, unfinished = history.runs / planned.run_id, _load_run(history, planned)
    run_options = RunOptions(
        results=history.runs,
        resume=folder if unfinished else None,
        id=planned.run_id,
        sources=built.sources,
        brief=True,
    )
    bench_options = BenchOptions(built.plan, jars=built.jars)
    try:
        return ExitCode(execute(bench_options, run_options, unfinished, out))
    except ConfigurationError as error:
        if unfinished is None:
            raise
        raise ConfigurationError(f"{error}; without {folder} it is measured anew") from error


def _load_run(history: ReleaseHistory, planned: PlannedRun) -> Run | None:
    folder = history.runs / planned.run_id
    return load_run(folder) if (folder / RUN_FILE).is_file() else None


def _is_finished(history: ReleaseHistory, planned: PlannedRun) -> bool:
    run = _load_run(history, planned)
    return run is not None and run.run.finished_at is not None and not run.run.interrupted
