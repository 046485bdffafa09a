"""A run goes onto the history branch of a remote, however many others publish at the same time."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from springbench.errors import HostError
from springbench.history.branch import Branch, RejectedError, UnreachableError
from springbench.history.charts import forget
from springbench.history.update import add, rebuild
from springbench.host.shell import Shell
from springbench.results.history import PublishedRun

NO_JEKYLL = ".nojekyll"
FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 20.0
GIVE_UP_AFTER_S = 600.0
# a remote that cannot be reached is not worth the patience that a busy one is
UNREACHABLE_ATTEMPTS = 4


@dataclass(frozen=True)
class Remote:
    """Address of the history branch."""

    address: str
    branch: str = "gh-pages"


@dataclass(frozen=True)
class Pushed:
    """How it went: whether anything had to change, and after how many attempts."""

    changed: bool
    attempts: int


def push_run(shell: Shell, remote: Remote, run: PublishedRun, say: Callable[[str], None]) -> Pushed:
    """Add a run to the branch, which is made when it is missing. Raises `HostError`."""

    def change(branch: Branch) -> None:
        add(branch, run)
        # what a re-run measures anew is no second point
        forget(branch, run.id)

    return _push(shell, remote, change, f"Publish run {run.id}", say)


def push_rebuild(shell: Shell, remote: Remote, say: Callable[[str], None]) -> Pushed:
    """Make the derived files of the branch anew. Raises `HostError`."""
    return _push(
        shell, remote, partial(rebuild, tell=say), "Rebuild the derived files of the history", say
    )


def _push(
    shell: Shell,
    remote: Remote,
    change: Callable[[Branch], object],
    message: str,
    say: Callable[[str], None],
) -> Pushed:
    begin_s = time.monotonic()
    attempts = unreachable = 0
    with tempfile.TemporaryDirectory(prefix="springbench-publish-") as folder:
        branch = Branch(shell, Path(folder), remote.address, remote.branch)
        branch.open()
        while True:
            attempts += 1
            try:
                branch.fetch()
                change(branch)
                if branch.tip is None:
                    branch.write(NO_JEKYLL, "")
                return Pushed(branch.push(message), attempts)
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
