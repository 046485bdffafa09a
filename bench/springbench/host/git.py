"""Which commit is measured."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from springbench.errors import ConfigurationError
from springbench.host.shell import Shell

_SEPARATOR = "\x1f"
_TIMEOUT_S = 20.0


@dataclass(frozen=True)
class Commit:
    """The checked-out commit; `dirty` when tracked files differ from it."""

    sha: str
    message: str
    author: str
    time: str
    branch: str
    dirty: bool


def head(root: Path, shell: Shell) -> Commit | None:
    """The commit that is checked out; None outside git or before the first commit."""
    shown = _git(shell, root, "log", "-1", "--format=%H%x1f%s%x1f%an%x1f%cI")
    if shown is None:
        return None
    sha, message, author, time = shown.split(_SEPARATOR)
    return Commit(
        sha=sha,
        message=message,
        author=author,
        time=time,
        branch=_git(shell, root, "rev-parse", "--abbrev-ref", "HEAD") or "",
        dirty=bool(_git(shell, root, "status", "--porcelain", "--untracked-files=no")),
    )


def _git(shell: Shell, root: Path, *arguments: str) -> str | None:
    try:
        done = shell.run(["git", "-C", str(root), *arguments], timeout_s=_TIMEOUT_S)
    except OSError:
        return None
    return done.stdout.strip() if done.code == 0 else None


def address_of(remote: str, root: Path, shell: Shell) -> str:
    """Where a remote of the checked-out repository is; anything else is an address itself.

    Raises `ConfigurationError` for what is neither.
    """
    known = (_git(shell, root, "remote") or "").splitlines()
    if remote in known:
        return _git(shell, root, "remote", "get-url", "--", remote) or remote
    if remote.startswith("-") or not (":" in remote or "/" in remote):
        raise ConfigurationError(
            f"--push {remote!r}: no remote of this repository and no address; "
            f"its remotes: {', '.join(known) or 'none'}"
        )
    # git runs elsewhere: a path must not depend on where
    return remote if ":" in remote else str(Path(remote).resolve())
