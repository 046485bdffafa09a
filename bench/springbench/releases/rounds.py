"""Measures releases in rounds: each release once, then each again, the second time backwards.

Forks of one release lie far apart in time. So neither a slow hour of the host nor a slow drift of
it makes a step between two releases.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console

from springbench.bench.assembly import BenchOptions
from springbench.errors import ConfigurationError, ExitCode
from springbench.plan.countdown import Countdown, Step
from springbench.releases.builds import Builds, BuiltRelease
from springbench.releases.history import ReleaseHistory
from springbench.releases.release import Release
from springbench.results.run import Run
from springbench.results.store import RUN_FILE, load_run
from springbench.run.execute import RunOptions, execute

logger = logging.getLogger(__name__)


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
        for each in releases if number % 2 else reversed(releases):
            yield PlannedRun(each, number)


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
