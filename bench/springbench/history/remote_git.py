"""git in an empty folder of its own, beside a branch of a remote: the ground of all that pushes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from springbench.errors import ConfigurationError, HostError
from springbench.history.remote import Remote
from springbench.host import git
from springbench.host.shell import Completed, Shell
from springbench.untrusted import clipped, one_line

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
    "gc.auto=0",
    "maintenance.auto=false",
    "advice.detachedHead=false",
    # the folder is gone afterwards: nothing in it waits for a disk
    "core.fsync=none",
)
# with these git brings an object that it misses by itself, whenever it thinks that it needs it
PROMISES = {"promisor": "true", "partialclonefilter": "blob:none"}
# of a fetch, whose messages are in English
_NO_BRANCH = re.compile(r"^fatal: couldn't find remote ref ", re.MULTILINE)
# of a refused push the flag and the reason, behind what was pushed where
_REFUSAL = re.compile(r"(?P<flag>\[[a-z ]+\]) \((?P<reason>.*)\)$")
# reasons of a remote that somebody else's push may have caused, and the words that say so: the
# branch moved, or was being moved, between the moment that git asked and the moment that it wrote
_LOCKING = re.compile(r"lock|failed to update ref|already exists|old value")
_MOVED = re.compile(
    r"is at \w+ but expected|missing but expected|already exists|File exists|old value"
    r"|failed to lock|lock failure",
    re.IGNORECASE,
)
# of a remote that broke down: it may take the next push
_BROKEN = re.compile(r"internal server error|failed to report status|timeout|timed out", re.I)
# of one that never let the push begin, and would not the next time
_FORBIDDEN = re.compile(
    r"returned error: (?!408|429)4\d\d|HTTP (?!408|429)4\d\d|[Pp]ermission .*denied"
    r"|[Aa]uthentication failed|could not read (Username|Password)"
)
# what git says after each failure, whatever it was
_EMPTY_WORDS = re.compile(r"error: failed to push some refs|(remote: *|To .*|Done)$")
_MOST_WORDS = 4
_MOST_CHARACTERS = 700
TIMEOUT_S = 600.0


class NoSuchBranchError(Exception):
    """The remote was asked, and has no such branch."""


class RejectedError(Exception):
    """Another push came first: fetch, change and push again."""


class UnreachableError(HostError):
    """The remote could not be asked; git says why. It may answer the next time."""


class RefusedError(HostError):
    """The remote will not do it, now or later; git says why."""


@dataclass
class RemoteGit:
    """A repository in an empty folder, that fetches from a branch and pushes to it."""

    shell: Shell
    folder: Path
    remote: Remote
    timeout_s: float = TIMEOUT_S
    environment: Mapping[str, str] = field(default_factory=dict)

    def open(self) -> None:
        """Prepare the folder. Raises `ConfigurationError` for names that git does not allow."""
        name = self.remote.branch
        if self._try("check-ref-format", "--branch", name).code or name.startswith("-"):
            raise ConfigurationError(
                f"--branch {name!r}: git allows no branch of that name; usual is gh-pages"
            )
        self._git("init", "--quiet", "--template=")
        self._git("remote", "add", "--", "origin", self.remote.address)
        for setting, value in PROMISES.items():
            self._git("config", f"remote.origin.{setting}", value)

    @property
    def _ref(self) -> str:
        return f"refs/heads/{self.remote.branch}"

    def _fetch_tip(self, without: str) -> tuple[str, bool] | None:
        """Bring the newest commit of the branch, and whether it came without what was to be left.

        None where there is no such branch.
        """
        local_ref = f"refs/remotes/origin/{self.remote.branch}"
        try:
            done = self._fetch(
                "--depth=1", f"--filter={without}", objects=[f"+{self._ref}:{local_ref}"]
            )
        except NoSuchBranchError:
            return None
        return self._git(
            "rev-parse", local_ref
        ).strip(), "filtering not recognized" not in done.stderr

    def _fetch(self, *options: str, objects: Sequence[str]) -> Completed:
        command = [
            "-c", "fetch.negotiationAlgorithm=noop",
            "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance",
            "--no-recurse-submodules", *options, "origin", *objects,
        ]  # fmt: skip
        done = self._try(*command)
        if done.code and _NO_BRANCH.search(done.stderr):
            raise NoSuchBranchError
        if done.code:
            raise self._failure("fetch", done)
        return done

    def _push(self, commit: str, *options: str) -> None:
        """Raises `RejectedError` when the remote has moved on.

        Else `UnreachableError`, or `RefusedError` for what the next push would be refused for too.
        """
        pushed = self._try(
            "push", "--porcelain", "--no-verify", *options, "origin", f"{commit}:{self._ref}"
        )
        if not pushed.code:
            return
        lines = (line for line in pushed.stdout.splitlines() if line.startswith("!"))
        refusal = _REFUSAL.search(next(lines, ""))
        if refusal is None:
            raise self._failure("push", pushed)
        message = self._message("push", pushed, f"{refusal['flag']} ({refusal['reason']})")
        if _is_race(refusal["flag"], refusal["reason"], pushed.stderr):
            raise RejectedError(message)
        kind = UnreachableError if _BROKEN.search(refusal["reason"]) else RefusedError
        raise kind(message)

    def _git(self, *arguments: str, stdin: Path | None = None, stdout: Path | None = None) -> str:
        done = self._try(*arguments, stdin=stdin, stdout=stdout)
        if done.code:
            raise HostError(self._message(arguments[0], done))
        return done.stdout

    def _try(
        self, *arguments: str, stdin: Path | None = None, stdout: Path | None = None
    ) -> Completed:
        settings = [word for setting in _SETTINGS for word in ("-c", setting)]
        try:
            return git.run(
                self.shell,
                self.folder,
                *settings,
                *arguments,
                timeout_s=self.timeout_s,
                env={**AUTHOR, **self.environment, "GIT_TERMINAL_PROMPT": "0"},
                without=_FOREIGN,
                stdin=stdin,
                stdout=stdout,
            )
        except git.GitMissingError as error:
            raise HostError("git is missing; `springbench doctor` says what installs it") from error
        except git.GitTimeoutError as error:
            words = Completed(1, "", f"no end after {self.timeout_s:.0f} s")
            raise UnreachableError(self._message(arguments[0], words)) from error

    def _failure(self, action: str, done: Completed) -> HostError:
        """What to raise of a remote that did not do what was asked."""
        kind = RefusedError if _FORBIDDEN.search(done.stderr) else UnreachableError
        return kind(self._message(action, done))

    def _message(self, action: str, done: Completed, first: str = "") -> str:
        """Words of git and of the remote, in one line.

        Without a password that the address may hold, and without what a terminal would obey.
        """
        lines = [first] if first else []
        lines += [
            line.rstrip()
            for line in (done.stderr + ("" if first else done.stdout)).splitlines()
            if line.strip() and not _EMPTY_WORDS.match(line)
        ]
        message = re.sub(r"//[^/@\s]+@", "//…@", "; ".join(lines[:_MOST_WORDS]))
        words = clipped(one_line(message), _MOST_CHARACTERS)
        return f"git {action} of {self.remote.place} failed: {words}"


def _is_race(flag: str, reason: str, words: str) -> bool:
    """Whether a push was refused because somebody else's came before it."""
    if flag == "[rejected]":
        return True  # by git here: the remote has what this push does not stand on
    return bool(_LOCKING.search(reason) and _MOVED.search(f"{reason}\n{words}"))
