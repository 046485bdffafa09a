"""A run goes onto the history branch of a remote, however many others publish at the same time."""

from __future__ import annotations

import logging
import random
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from springbench import units
from springbench.errors import HostError
from springbench.history.branch import Branch, opened
from springbench.history.charts import forget, keep_page
from springbench.history.comparisons import Added
from springbench.history.events import write_acknowledged
from springbench.history.files import INDEX, MANIFEST, Files
from springbench.history.manifest import claim, lay
from springbench.history.remote import Remote
from springbench.history.remote_git import RejectedError, UnreachableError
from springbench.history.squash import Squash
from springbench.history.update import add, add_with_evidence, expect_run, mended, rebuild
from springbench.host.shell import Shell
from springbench.results.acknowledged import Acknowledged
from springbench.results.published_comparison import PublishedComparison
from springbench.results.published_run import PublishedRun

logger = logging.getLogger(__name__)

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 20.0
GIVE_UP_AFTER_S = 600.0
# a remote that cannot be reached is not worth the patience that a busy one is
UNREACHABLE_ATTEMPTS = 4


@dataclass(frozen=True)
class Pushed:
    """How it went: whether anything had to change, and after how many attempts.

    `added` says what became of the comparisons.
    """

    changed: bool
    attempts: int
    added: Added = field(default_factory=Added)


def push_run(shell: Shell, remote: Remote, run: PublishedRun) -> Pushed:
    """Add a run to the branch, which is made when it is missing. Raises `HostError`."""
    return push_together(shell, remote, run, ())


def push_together(
    shell: Shell,
    remote: Remote,
    run: PublishedRun | None,
    comparisons: Sequence[PublishedComparison],
    acknowledged: Acknowledged | None = None,
    *,
    charts: bool = False,
    charts_page: bool = False,
) -> Pushed:
    """Add a run, comparisons or both, in one commit. Raises `HostError`.

    What is `acknowledged` goes with them. With `charts` the points that a run has in those of
    github-action-benchmark are taken out, with `charts_page` there is a page over these charts.
    Raises `ConfigurationError` for a folder of others.
    """
    added = Added()

    def change(branch: Branch) -> None:
        nonlocal added
        added = add_together(
            branch, run, comparisons, acknowledged, charts=charts, charts_page=charts_page
        )

    def expect(branch: Branch) -> None:
        if run:
            expect_run(branch, run)

    pushed = _push(shell, remote, change, _message(run, comparisons), expect)
    return Pushed(pushed.changed, pushed.attempts, added)


def add_together(
    files: Files,
    run: PublishedRun | None,
    comparisons: Sequence[PublishedComparison],
    acknowledged: Acknowledged | None,
    *,
    charts: bool = False,
    charts_page: bool = False,
) -> Added:
    """As `push_together`, without pushing."""

    def change() -> Added:
        if acknowledged:
            write_acknowledged(files, acknowledged)
        added = add_with_evidence(files, comparisons)
        if run:
            add(files, run)
        if run and charts:
            # what a re-run measures anew is no second point
            forget(files, run.id)
        if charts_page:
            keep_page(files)
        return added

    return mended(files, change)


def push_rebuild(shell: Shell, remote: Remote) -> Pushed:
    """Make the derived files of the branch anew. Raises `HostError`, `ConfigurationError`."""
    return _push(shell, remote, rebuild, "Rebuild the derived files of the history")


def push_site(shell: Shell, remote: Remote, site: Mapping[str, bytes]) -> Pushed:
    """Put a built site, by path, beside `data/`, in the place of the last one.

    Raises `HostError`, and `ConfigurationError` where files of others are in its way.
    """

    def change(branch: Branch) -> None:
        for line in lay(branch, site):
            logger.info(line)

    return _push(shell, remote, change, "Deploy the dashboard")


def push_squash(shell: Shell, remote: Remote, *, force: bool = False) -> Pushed:
    """Leave one commit of the branch; with `force` also where others have files on it.

    Raises `HostError`, `ConfigurationError` for no history or files of others.
    """
    with tempfile.TemporaryDirectory(prefix="springbench-squash-") as folder:
        squash = Squash(shell, Path(folder), remote, force=force)
        squash.open()
        return _until_taken(remote, squash.squash)


def _message(run: PublishedRun | None, comparisons: Sequence[PublishedComparison]) -> str:
    what = [f"run {run.id}"] if run else []
    if len(comparisons) == 1:
        what.append(f"comparison {comparisons[0].id}")
    elif comparisons:
        what.append(units.counted(len(comparisons), "comparison"))
    return f"Publish {' and '.join(what)}"


def _push(
    shell: Shell,
    remote: Remote,
    change: Callable[[Branch], object],
    message: str,
    expect: Callable[[Branch], object] = lambda _: None,
) -> Pushed:
    """Change the branch; `expect` says beforehand what that reads, so that all comes at once."""
    with opened(shell, remote) as branch:

        def attempt() -> bool:
            branch.fetch()
            branch.expect([MANIFEST, INDEX])
            expect(branch)
            claim(branch)
            change(branch)
            return branch.push(message)

        return _until_taken(remote, attempt)


def _until_taken(remote: Remote, attempt: Callable[[], bool]) -> Pushed:
    """Try until the remote takes it; each attempt begins with what the remote holds then."""
    begin_s = time.monotonic()
    attempts = unreachable = 0
    while True:
        attempts += 1
        try:
            return Pushed(attempt(), attempts)
        except RejectedError as error:
            unreachable, reason, message = 0, "another publisher came first", str(error)
        except UnreachableError as error:
            unreachable, reason = unreachable + 1, str(error)
            message = reason
            if unreachable == UNREACHABLE_ATTEMPTS:
                raise
        wait_s = backoff_s(attempts)
        if time.monotonic() + wait_s > begin_s + GIVE_UP_AFTER_S:
            raise HostError(
                f"--push: branch {remote.branch} was taken by others {attempts} times; "
                f"publish again, nothing was lost; the last time: {message}"
            )
        logger.info(f"{reason}; again in {wait_s:.1f} s")
        time.sleep(wait_s)


def backoff_s(attempt: int) -> float:
    """Exponential, with full jitter: publishers that collided do not collide again."""
    longest_s = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** min(attempt, 20))
    return random.uniform(FIRST_WAIT_S / 2, longest_s)  # noqa: S311 - no secret
