"""Measures releases in rounds: each release once, then each again, the second time backwards.

Forks of one release lie far apart in time. So neither a slow hour of the host nor a slow drift of
it makes a step between two releases.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console

from springbench.errors import ConfigurationError, ExitCode
from springbench.host.cpus import affinity_kept
from springbench.plan.countdown import Countdown, Step
from springbench.releases.place import Place
from springbench.releases.ready import Builds, Ready
from springbench.releases.release import Release
from springbench.results.run import Run
from springbench.results.store import RUN_FILE, load_run
from springbench.run.execute import Given, execute


@dataclass(frozen=True)
class Turn:
    """One release in one round."""

    release: Release
    round: int

    @property
    def run_id(self) -> str:
        return f"{self.release.version}-{self.release.sha[:8]}-{self.round}"


def turns(releases: Sequence[Release], rounds: int) -> Iterator[Turn]:
    """All of them, in the order of measuring."""
    for number in range(1, rounds + 1):
        for each in releases if number % 2 else reversed(releases):
            yield Turn(each, number)


def turns_left(releases: Sequence[Release], rounds: int, place: Place) -> list[Turn]:
    """Those that neither the history has nor the folder of its runs.

    What was measured and not published, since something ended it, is published now.
    """
    left = []
    for turn in turns(releases, rounds):
        if place.has_run(turn.run_id):
            continue
        if _is_finished(place, turn):
            place.add_run(place.runs / turn.run_id)
        else:
            left.append(turn)
    return left


def measure(
    left: Sequence[Turn], builds: Builds, rounds: int, place: Place, out: Console
) -> ExitCode:
    """Measure and publish. Returns the worst code of all runs."""
    code = ExitCode.OK
    can = [(turn, ready) for turn in left if (ready := builds.of(turn.release))]
    countdown = Countdown({turn: Step("run", ready.plan.estimate_s) for turn, ready in can})
    for number, (turn, ready) in enumerate(can, start=1):
        countdown.begin(turn)
        place.say(
            f"\n{turn.release.name}, round {turn.round} of {rounds}: {number} of {len(can)}, "
            f"{countdown.words()}"
        )
        ended = _measure(turn, ready, place, out)
        if ended == ExitCode.INTERRUPTED:
            return ended
        place.add_run(place.runs / turn.run_id)
        code = max(code, ended)
    return code


def _measure(turn: Turn, ready: Ready, place: Place, out: Console) -> ExitCode:
    folder, unfinished = place.runs / turn.run_id, _begun(place, turn)
    given = Given(
        jars=ready.jars,
        port=None,
        cpus=None,
        results=place.runs,
        resume=folder if unfinished else None,
        id=turn.run_id,
        sources=ready.sources,
        brief=True,
    )
    try:
        with affinity_kept():
            return ExitCode(execute(ready.plan, given, unfinished, out))
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
