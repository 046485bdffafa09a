"""Measures releases in rounds: each release once, then each again, the second time backwards.

Forks of one release lie far apart in time. So neither a slow hour of the host nor a slow drift of
it makes a step between two releases.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console

from springbench.bench.assembly import BenchOptions
from springbench.errors import ConfigurationError, ExitCode
from springbench.plan.countdown import Countdown, Step
from springbench.releases.builds import Builds, Ready
from springbench.releases.history import ReleaseHistory
from springbench.releases.release import Release
from springbench.results.run import Run
from springbench.results.store import RUN_FILE, load_run
from springbench.run.execute import RunOptions, execute


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


def runs_left(releases: Sequence[Release], rounds: int, place: ReleaseHistory) -> list[PlannedRun]:
    """Those that neither the history has nor the folder of its runs.

    What was measured and not published, since something ended it, is published now.
    """
    left = []
    for planned in planned_runs(releases, rounds):
        if place.has_run(planned.run_id):
            continue
        if _is_finished(place, planned):
            place.add_run(place.runs / planned.run_id)
        else:
            left.append(planned)
    return left


def measure(
    left: Sequence[PlannedRun], builds: Builds, rounds: int, place: ReleaseHistory, out: Console
) -> ExitCode:
    """Measure and publish. Returns the worst code of all runs."""
    code = ExitCode.OK
    can = [(planned, ready) for planned in left if (ready := builds.of(planned.release))]
    countdown = Countdown({planned: Step("run", ready.plan.estimate_s) for planned, ready in can})
    for number, (planned, ready) in enumerate(can, start=1):
        countdown.begin(planned)
        place.say(
            f"\n{planned.release.name}, round {planned.round} of {rounds}: {number} of {len(can)}, "
            f"{countdown.words()}"
        )
        ended = _measure(planned, ready, place, out)
        if ended == ExitCode.INTERRUPTED:
            return ended
        place.add_run(place.runs / planned.run_id)
        code = max(code, ended)
    return code


def _measure(planned: PlannedRun, ready: Ready, place: ReleaseHistory, out: Console) -> ExitCode:
    folder, unfinished = place.runs / planned.run_id, _begun(place, planned)
    run_options = RunOptions(
        results=place.runs,
        resume=folder if unfinished else None,
        id=planned.run_id,
        sources=ready.sources,
        brief=True,
    )
    bench_options = BenchOptions(ready.plan, jars=ready.jars)
    try:
        return ExitCode(execute(bench_options, run_options, unfinished, out))
    except ConfigurationError as error:
        if unfinished is None:
            raise
        raise ConfigurationError(f"{error}; without {folder} it is measured anew") from error


def _begun(place: ReleaseHistory, planned: PlannedRun) -> Run | None:
    folder = place.runs / planned.run_id
    return load_run(folder) if (folder / RUN_FILE).is_file() else None


def _is_finished(place: ReleaseHistory, planned: PlannedRun) -> bool:
    run = _begun(place, planned)
    return run is not None and run.run.finished_at is not None and not run.run.interrupted
