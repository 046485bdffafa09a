"""git in an empty folder of its own, beside a branch of a remote: the ground of all that pushes."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from springbench.errors import ConfigurationError, HostError
from springbench.host.shell import Completed, Shell

AUTHOR = {
    "GIT_AUTHOR_NAME": "springbench",
    "GIT_AUTHOR_EMAIL": "springbench@localhost",
    "GIT_COMMITTER_NAME": "springbench",
    "GIT_COMMITTER_EMAIL": "springbench@localhost",
}
# of a caller's own repository: they would lead git away from the one that is made here
_FOREIGN = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX")
_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.autocrlf=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "advice.detachedHead=false",
)
# with these git brings an object that it misses by itself, whenever it thinks that it needs it
PROMISES = {"promisor": "true", "partialclonefilter": "blob:none"}
_FORBIDDEN = re.compile(
    r"declined|protected|denied|not permitted|hook|\[remote rejected\] \(non-fast-forward"
)
_TIMEOUT_S = 600.0


class RejectedError(Exception):
    """Another push came first: fetch, change and push again."""


class UnreachableError(HostError):
    """The remote did not do what was asked; git says why."""


@dataclass
class RemoteGit:
    """A repository in an empty folder, that fetches from a branch and pushes to it."""

    shell: Shell
    folder: Path
    remote: str
    name: str

    def open(self) -> None:
        """Prepare the folder. Raises `ConfigurationError` for names that git does not allow."""
        if self._try("check-ref-format", "--branch", self.name).code or self.name.startswith("-"):
            raise ConfigurationError(
                f"--branch {self.name!r}: git allows no branch of that name; usual is gh-pages"
            )
        self._git("init", "--quiet")
        self._git("remote", "add", "--", "origin", self.remote)
        for setting, value in PROMISES.items():
            self._git("config", f"remote.origin.{setting}", value)

    @property
    def _ref(self) -> str:
        return f"refs/heads/{self.name}"

    def _fetch_tip(self, without: str) -> tuple[str, bool] | None:
        """Bring the newest commit of the branch, and whether it came without what was to be left.

        None where there is no such branch.
        """
        if not self._remote_git("ls-remote", "origin", self._ref).strip():
            return None
        here = f"refs/remotes/origin/{self.name}"
        done = self._fetch("--depth=1", f"--filter={without}", objects=[f"+{self._ref}:{here}"])
        return self._git("rev-parse", here).strip(), "filtering not recognized" not in done.stderr

    def _fetch(self, *options: str, objects: Sequence[str]) -> Completed:
        command = [
            "-c", "fetch.negotiationAlgorithm=noop",
            "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance",
            *options, "origin", *objects,
        ]  # fmt: skip
        done = self._try(*command)
        if done.code:
            raise UnreachableError(self._told("fetch", done))
        return done

    def _push(self, commit: str, *options: str) -> None:
        """Raises `RejectedError` when the remote has moved on, `UnreachableError` else."""
        pushed = self._try(
            "push", "--porcelain", "--no-verify", *options, "origin", f"{commit}:{self._ref}"
        )
        if not pushed.code:
            return
        lines = [line for line in pushed.stdout.splitlines() if line.startswith("!")]
        if lines and not _FORBIDDEN.search(lines[0]):
            raise RejectedError(lines[0])
        raise UnreachableError(self._told("push", pushed))

    def _remote_git(self, *arguments: str) -> str:
        done = self._try(*arguments)
        if done.code:
            raise UnreachableError(self._told(arguments[0], done))
        return done.stdout

    def _git(self, *arguments: str) -> str:
        done = self._try(*arguments)
        if done.code:
            raise HostError(self._told(arguments[0], done))
        return done.stdout

    def _try(self, *arguments: str) -> Completed:
        settings = [word for setting in _SETTINGS for word in ("-c", setting)]
        env = {name: value for name, value in os.environ.items() if name not in _FOREIGN}
        try:
            return self.shell.run(
                ["git", "-C", str(self.folder), *settings, *arguments],
                env={**env, **AUTHOR, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"},
                timeout_s=_TIMEOUT_S,
            )
        except FileNotFoundError as error:
            raise HostError("git is missing; `springbench doctor` says what installs it") from error

    def _told(self, action: str, done: Completed) -> str:
        """Words of git, in one line and without a password that the address may hold."""
        lines = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        said = re.sub(r"//[^/@\s]+@", "//…@", "; ".join(lines[:3]))
        return f"git {action} of branch {self.name} failed: {said}"
