"""Measures releases in rounds: each release once, then each again, the second time backwards.

Forks of one release lie far apart in time. So neither a slow hour of the host nor a slow drift of
it makes a step between two releases.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from springbench.errors import ConfigurationError, ExitCode
from springbench.plan.plan import Plan
from springbench.releases.place import Place
from springbench.releases.release import Release
from springbench.results.run import Run
from springbench.results.store import RUN_FILE, load_run
from springbench.run.execute import Given, execute


@dataclass(frozen=True)
class Ready:
    """A release that is built: the cases of its line, its jars, and the folder of its sources."""

    release: Release
    plan: Plan
    jars: Path
    sources: Path


@dataclass(frozen=True)
class Turn:
    """One release in one round."""

    ready: Ready
    round: int

    @property
    def run_id(self) -> str:
        release = self.ready.release
        return f"{release.version}-{release.sha[:8]}-{self.round}"


def turns(ready: Sequence[Ready], rounds: int) -> Iterator[Turn]:
    """All of them, in the order of measuring."""
    for number in range(1, rounds + 1):
        for each in ready if number % 2 else reversed(ready):
            yield Turn(each, number)


def measure(ready: Sequence[Ready], rounds: int, place: Place, out: Console) -> ExitCode:
    """Measure and publish what is not there yet. Returns the worst code of all runs."""
    code = ExitCode.OK
    left = [turn for turn in turns(ready, rounds) if not _is_finished(place, turn)]
    # those that ended before they were published, too
    for turn in turns(ready, rounds):
        if turn not in left and not place.has_run(turn.run_id):
            place.add_run(place.runs / turn.run_id)
    for number, turn in enumerate(left, start=1):
        place.say(
            f"\n{turn.ready.release.name}, round {turn.round} of {rounds}: {number} of {len(left)}"
        )
        ended = _measure(turn, place, out)
        if ended == ExitCode.INTERRUPTED:
            return ended
        place.add_run(place.runs / turn.run_id)
        code = max(code, ended)
    return code


def _measure(turn: Turn, place: Place, out: Console) -> ExitCode:
    folder, unfinished = place.runs / turn.run_id, _begun(place, turn)
    given = Given(
        jars=turn.ready.jars,
        port=None,
        cpus=None,
        results=place.runs,
        resume=folder if unfinished else None,
        id=turn.run_id,
        sources=turn.ready.sources,
        brief=True,
    )
    try:
        return ExitCode(execute(turn.ready.plan, given, unfinished, out))
    except ConfigurationError as error:
        if unfinished is None:
            raise
        raise ConfigurationError(f"{error}; without {folder} it is measured anew") from error


def _begun(place: Place, turn: Turn) -> Run | None:
    folder = place.runs / turn.run_id
    return load_run(folder) if (folder / RUN_FILE).is_file() else None


def _is_finished(place: Place, turn: Turn) -> bool:
    run = _begun(place, turn)
    return run is not None and run.run.finished_at is not None and not run.run.interrupted
