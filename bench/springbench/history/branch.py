"""A branch of a remote, changed without a clone of it: only what is read is brought here.

A change is one commit, pushed in one step: whoever looks sees the branch as it was or as it is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from springbench.errors import ConfigurationError, HostError
from springbench.history.packing import PACKED, decoded, encoded
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
_TIMEOUT_S = 600.0
# what one command line safely holds
_BATCH = 500


class RejectedError(Exception):
    """Another push came first: fetch, change and push again."""


class UnreachableError(HostError):
    """The remote did not do what was asked; git says why."""


@dataclass
class Branch:
    """The branch in an empty folder of its own. `tip` is the commit that the files are of."""

    shell: Shell
    folder: Path
    remote: str
    name: str
    tip: str | None = None
    _listed: dict[str, str] = field(default_factory=dict)
    _changed: set[str] = field(default_factory=set)
    _partial: bool = False

    def open(self) -> None:
        """Prepare the folder. Raises `ConfigurationError` for names that git does not allow."""
        if self._try("check-ref-format", "--branch", self.name).code or self.name.startswith("-"):
            raise ConfigurationError(
                f"--branch {self.name!r}: git allows no branch of that name; usual is gh-pages"
            )
        self._git("init", "--quiet")
        self._git("remote", "add", "--", "origin", self.remote)
        self._git("config", "remote.origin.promisor", "true")
        self._git("config", "remote.origin.partialclonefilter", "blob:none")

    def fetch(self) -> None:
        """Take the newest state of the branch; changes that were not pushed are forgotten."""
        for path in self._changed:
            (self.folder / path).unlink(missing_ok=True)
        for path in self._listed:
            (self.folder / path).unlink(missing_ok=True)
        self._changed, self._listed = set(), {}
        self.tip = self._fetched_tip()
        if self.tip is None:
            self._git("read-tree", "--empty")
            return
        self._git("read-tree", self.tip)
        for line in self._git("ls-files", "--stage", "-z").split("\0"):
            if line:
                facts, path = line.split("\t", 1)
                self._listed[path] = facts.split()[1]

    def read(self, path: str) -> str | None:
        file = self.folder / path
        if path not in self._changed and path in self._listed and not file.exists():
            self.expect([path])
        return decoded(path, file.read_bytes()) if file.is_file() else None

    def write(self, path: str, text: str) -> None:
        # another zlib packs the same text into other bytes, which would be a change to git
        if path.endswith(PACKED) and self.read(path) == text:
            return
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(encoded(path, text))
        self._changed.add(path)

    def delete(self, path: str) -> None:
        (self.folder / path).unlink(missing_ok=True)
        self._changed.add(path)

    def names(self, folder: str) -> list[str]:
        return sorted(rest for rest in self._below(folder) if "/" not in rest)

    def folders(self, folder: str) -> list[str]:
        return sorted({rest.split("/")[0] for rest in self._below(folder) if "/" in rest})

    def expect(self, paths: Iterable[str]) -> None:
        """Bring these files, as far as the branch has them, in one transfer."""
        wanted = [
            path
            for path in paths
            if path in self._listed
            and path not in self._changed
            and not (self.folder / path).exists()
        ]
        for batch in _batches(wanted):
            if self._partial:
                self._fetch("--filter=blob:none", objects=[self._listed[path] for path in batch])
            self._git("checkout-index", "--quiet", "--", *batch)

    def push(self, message: str) -> bool:
        """Commit what was changed, and push. Returns whether there was anything to push.

        Raises `RejectedError` when the remote has moved on, `UnreachableError` else.
        """
        for batch in _batches(sorted(self._changed)):
            self._git("update-index", "--add", "--remove", "--", *batch)
        tree = self._git("write-tree", "--missing-ok").strip()
        if self.tip and tree == self._git("rev-parse", f"{self.tip}^{{tree}}").strip():
            return False
        parents = ["-p", self.tip] if self.tip else []
        commit = self._git("commit-tree", tree, *parents, "-m", message).strip()
        pushed = self._try(
            "push", "--porcelain", "--no-verify", "origin", f"{commit}:refs/heads/{self.name}"
        )
        if pushed.code:
            self._refused(pushed)
        return True

    def _fetched_tip(self) -> str | None:
        listed = self._remote_git("ls-remote", "origin", f"refs/heads/{self.name}")
        if not listed.strip():
            return None
        ref = f"refs/remotes/origin/{self.name}"
        done = self._fetch(
            "--depth=1", "--filter=blob:none", objects=[f"+refs/heads/{self.name}:{ref}"]
        )
        self._partial = "filtering not recognized" not in done.stderr
        return self._git("rev-parse", ref).strip()

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

    def _refused(self, pushed: Completed) -> None:
        lines = [line for line in pushed.stdout.splitlines() if line.startswith("!")]
        if lines and not re.search(r"declined|protected|denied|not permitted|hook", lines[0]):
            raise RejectedError(lines[0])
        raise UnreachableError(self._told("push", pushed))

    def _below(self, folder: str) -> list[str]:
        prefix = f"{folder}/"
        gone = {path for path in self._changed if not (self.folder / path).exists()}
        paths = ({*self._listed} | self._changed) - gone
        return [path.removeprefix(prefix) for path in paths if path.startswith(prefix)]

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


def _batches(items: Sequence[str]) -> list[Sequence[str]]:
    return [items[start : start + _BATCH] for start in range(0, len(items), _BATCH)]
