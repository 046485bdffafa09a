"""A run goes onto the history branch of a remote, however many others publish at the same time."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from springbench.errors import HostError
from springbench.history.acknowledged import write_acknowledged
from springbench.history.branch import Branch
from springbench.history.charts import forget
from springbench.history.comparisons import Added
from springbench.history.evidence import add_with_evidence
from springbench.history.files import Files
from springbench.history.remote_git import RejectedError, UnreachableError
from springbench.history.squash import Squash
from springbench.history.update import add, mended, rebuild
from springbench.host.shell import Shell
from springbench.results.acknowledged import Acknowledged
from springbench.results.published_comparison import PublishedComparison
from springbench.results.published_run import PublishedRun

NO_JEKYLL = ".nojekyll"
FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 20.0
GIVE_UP_AFTER_S = 600.0
# a remote that cannot be reached is not worth the patience that a busy one is
UNREACHABLE_ATTEMPTS = 4
Say = Callable[[str], None]


@dataclass(frozen=True)
class Remote:
    """Address of the history branch."""

    address: str
    branch: str = "gh-pages"


@dataclass(frozen=True)
class Pushed:
    """How it went: whether anything had to change, and after how many attempts.

    `added` says what became of the comparisons.
    """

    changed: bool
    attempts: int
    added: Added = field(default_factory=Added)


def push_run(shell: Shell, remote: Remote, run: PublishedRun, say: Say) -> Pushed:
    """Add a run to the branch, which is made when it is missing. Raises `HostError`."""
    return push_together(shell, remote, run, (), say)


def push_together(
    shell: Shell,
    remote: Remote,
    run: PublishedRun | None,
    comparisons: Sequence[PublishedComparison],
    say: Say,
    acknowledged: Acknowledged | None = None,
) -> Pushed:
    """Add a run, comparisons or both, in one commit. Raises `HostError`.

    What is `acknowledged` goes with them.
    """
    added = Added()

    def change(branch: Branch) -> None:
        nonlocal added
        added = add_together(branch, run, comparisons, acknowledged, say)

    pushed = _push(shell, remote, change, _message(run, comparisons), say)
    return Pushed(pushed.changed, pushed.attempts, added)


def add_together(
    files: Files,
    run: PublishedRun | None,
    comparisons: Sequence[PublishedComparison],
    acknowledged: Acknowledged | None,
    tell: Say,
) -> Added:
    """As `push_together`, without pushing."""

    def change() -> Added:
        if acknowledged:
            write_acknowledged(files, acknowledged)
        added = add_with_evidence(files, comparisons)
        if run:
            add(files, run)
            # what a re-run measures anew is no second point
            forget(files, run.id)
        return added

    return mended(files, change, tell)


def push_rebuild(shell: Shell, remote: Remote, say: Say) -> Pushed:
    """Make the derived files of the branch anew. Raises `HostError`."""
    return _push(
        shell, remote, partial(rebuild, tell=say), "Rebuild the derived files of the history", say
    )


def push_squash(shell: Shell, remote: Remote, say: Say) -> Pushed:
    """Leave one commit of the branch. Raises `HostError`, `ConfigurationError` for no history."""
    with tempfile.TemporaryDirectory(prefix="springbench-squash-") as folder:
        squash = Squash(shell, Path(folder), remote.address, remote.branch)
        squash.open()
        return _until_taken(remote, squash.squash, say)


def _message(run: PublishedRun | None, comparisons: Sequence[PublishedComparison]) -> str:
    what = [f"run {run.id}"] if run else []
    if len(comparisons) == 1:
        what.append(f"comparison {comparisons[0].id}")
    elif comparisons:
        what.append(f"{len(comparisons)} comparisons")
    return f"Publish {' and '.join(what)}"


def _push(
    shell: Shell,
    remote: Remote,
    change: Callable[[Branch], object],
    message: str,
    say: Say,
) -> Pushed:
    with tempfile.TemporaryDirectory(prefix="springbench-publish-") as folder:
        branch = Branch(shell, Path(folder), remote.address, remote.branch)
        branch.open()

        def attempt() -> bool:
            branch.fetch()
            change(branch)
            if branch.tip is None:
                branch.write(NO_JEKYLL, "")
            return branch.push(message)

        return _until_taken(remote, attempt, say)


def _until_taken(remote: Remote, attempt: Callable[[], bool], say: Say) -> Pushed:
    """Try until the remote takes it; each attempt begins with what the remote holds then."""
    begin_s = time.monotonic()
    attempts = unreachable = 0
    while True:
        attempts += 1
        try:
            return Pushed(attempt(), attempts)
        except RejectedError:
            unreachable, reason = 0, "another publisher came first"
        except UnreachableError as error:
            unreachable, reason = unreachable + 1, str(error)
            if unreachable == UNREACHABLE_ATTEMPTS:
                raise
        wait_s = backoff_s(attempts)
        if time.monotonic() + wait_s > begin_s + GIVE_UP_AFTER_S:
            raise HostError(
                f"--push: branch {remote.branch} was taken by others {attempts} times; "
                "publish again, nothing was lost"
            )
        say(f"{reason}; again in {wait_s:.1f} s")
        time.sleep(wait_s)


def backoff_s(attempt: int) -> float:
    """Exponential, with full jitter: publishers that collided do not collide again."""
    longest_s = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** min(attempt, 20))
    return random.uniform(FIRST_WAIT_S / 2, longest_s)  # noqa: S311 - no secret
