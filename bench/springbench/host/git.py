"""git: which commit is measured, what a name stands for, and other commits checked out."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from springbench.errors import ConfigurationError
from springbench.host.shell import Shell

# no text of a commit holds it
_SEPARATOR = "\0"
_TIMEOUT_S = 20.0
_CHECK_OUT_TIMEOUT_S = 120.0


@dataclass(frozen=True)
class CommitFacts:
    """A commit as git shows it: the first line of its message, its author, when it was made."""

    sha: str
    message: str
    author: str
    time: str


@dataclass(frozen=True)
class Commit(CommitFacts):
    """The checked-out commit; `dirty` when tracked files differ from it."""

    branch: str
    dirty: bool


@dataclass(frozen=True)
class FileOfCommit:
    """A file in a commit; `content` is the same where its content and its rights are."""

    path: str
    content: str


def head(root: Path, shell: Shell) -> Commit | None:
    """The commit that is checked out; None outside git or before the first commit."""
    facts = facts_of("HEAD", root, shell)
    if facts is None:
        return None
    return Commit(
        **asdict(facts),
        branch=_git(shell, root, "rev-parse", "--abbrev-ref", "HEAD") or "",
        dirty=bool(_git(shell, root, "status", "--porcelain", "--untracked-files=no")),
    )


def default_branch(root: Path, shell: Shell) -> str | None:
    """The branch that the repository's remote begins with; None where no clone has told it."""
    found = _git(shell, root, "symbolic-ref", "--quiet", "refs/remotes/origin/HEAD")
    return found.removeprefix("refs/remotes/origin/") if found else None


def remote_address(name: str, root: Path, shell: Shell) -> str | None:
    """Where a remote of the repository is; None where it has none of that name."""
    return _git(shell, root, "remote", "get-url", "--", name)


def setting_of(name: str, root: Path, shell: Shell) -> str | None:
    """A setting of git as it holds in the repository; None where it is not set."""
    return _git(shell, root, "config", "--get", name)


def facts_of(commit: str, root: Path, shell: Shell) -> CommitFacts | None:
    """What a commit of this repository says of itself; None where git has none of that id."""
    if commit.startswith("-"):
        return None
    shown = _git(shell, root, "log", "-1", "--format=%H%x00%s%x00%an%x00%cI", commit, "--")
    if not shown:
        return None
    sha, message, author, time = shown.split(_SEPARATOR)
    return CommitFacts(sha, message, author, time)


def address_of(remote: str, root: Path, shell: Shell, option: str = "--push") -> str:
    """Address of a remote of the checked-out repository; anything else is an address itself.

    Raises `ConfigurationError` for what is neither.
    """
    known = (_git(shell, root, "remote") or "").splitlines()
    if remote in known:
        return _git(shell, root, "remote", "get-url", "--", remote) or remote
    if remote.startswith("-") or not (":" in remote or "/" in remote):
        raise ConfigurationError(
            f"{option} {remote!r}: no remote of this repository and no address; "
            f"its remotes: {', '.join(known) or 'none'}"
        )
    # git runs elsewhere: a path must not depend on where
    return remote if ":" in remote else str(Path(remote).resolve())


def commit_of(name: str, root: Path, shell: Shell) -> str | None:
    """The id of the commit that a branch, a tag or a part of an id stands for; None for others."""
    if name.startswith("-"):
        return None
    # a job's checkout has the other branches only as those of its remote
    for ref in (name, f"refs/remotes/origin/{name}"):
        commit = f"{ref}^{{commit}}"
        if found := _git(shell, root, "rev-parse", "--verify", "--quiet", commit):
            return found
    return None


def is_ancestor(older: str, newer: str, root: Path, shell: Shell) -> bool:
    """Whether that commit is in the past of the other one; a commit is in its own."""
    return _git(shell, root, "merge-base", "--is-ancestor", older, newer) is not None


def common_ancestor(one: str, other: str, root: Path, shell: Shell) -> str | None:
    """The newest commit that both come from; None for unrelated ones."""
    return _git(shell, root, "merge-base", one, other)


def is_shallow(root: Path, shell: Shell) -> bool:
    """Whether the clone was made without all of the past."""
    return _git(shell, root, "rev-parse", "--is-shallow-repository") == "true"


def between(
    older: str, newer: str, root: Path, shell: Shell, paths: Sequence[str] = ()
) -> list[str]:
    """Commits that lead from one to the other along first parents, oldest first.

    The older one is in the past of each and not among them. With `paths` only those that touch one.
    Raises `ConfigurationError` where git cannot list them.
    """
    span, limits = f"{older}..{newer}", ("--", *paths) if paths else ()
    way = _listed(shell, root, "rev-list", "--first-parent", "--reverse", span, *limits)
    heirs = set(_listed(shell, root, "rev-list", "--ancestry-path", span))
    return [sha for sha in way if sha in heirs]


def files_of(sha: str, root: Path, shell: Shell, paths: Sequence[str] = ()) -> list[FileOfCommit]:
    """Files of a commit below some paths, or all. Names beyond ASCII are quoted as git does.

    Raises `ConfigurationError` where git cannot list them.
    """
    list_files = ("-c", "core.quotePath=true", "ls-tree", "-r", "--full-tree", sha)
    return [
        FileOfCommit(name.removeprefix('"'), content)
        for content, _, name in (
            line.partition("\t") for line in _listed(shell, root, *list_files, "--", *paths)
        )
    ]


def tracked(name: str, folder: Path, shell: Shell) -> list[tuple[Path, Path]]:
    """Every tracked file of that name in the repository of a folder: its top, the path below it."""
    top = _git(shell, folder, "rev-parse", "--show-toplevel")
    listed = _git(shell, folder, "ls-files", "-z", "--full-name", "--", f":(top,glob)**/{name}")
    found = sorted(set(filter(None, (listed or "").split("\0"))))
    return [(Path(top), Path(path)) for path in found] if top else []


def text_of(sha: str, path: str, root: Path, shell: Shell) -> str | None:
    """A file's text at that commit; None where it has none."""
    return _git(shell, root, "show", f"{sha}:{path}")


def _listed(shell: Shell, root: Path, *arguments: str) -> list[str]:
    found = _git(shell, root, *arguments, timeout_s=_CHECK_OUT_TIMEOUT_S)
    if found is None:
        # nothing must not be taken for no difference
        raise ConfigurationError(f"git could not answer: git {' '.join(arguments)}")
    return found.splitlines()


def check_out(sha: str, folder: Path, root: Path, shell: Shell) -> None:
    """Make `folder` a work tree of that commit; one that is there already stays.

    Raises `ConfigurationError` where git cannot.
    """
    if folder.is_dir():
        if _git(shell, folder, "rev-parse", "HEAD") == sha:
            return
        shutil.rmtree(folder)
    _git(shell, root, "worktree", "prune")
    add = ("worktree", "add", "--detach", str(folder), sha)
    if _git(shell, root, *add, timeout_s=_CHECK_OUT_TIMEOUT_S) is None:
        raise ConfigurationError(f"git could not check out {sha[:12]} in {folder}")


def _git(shell: Shell, root: Path, *arguments: str, timeout_s: float = _TIMEOUT_S) -> str | None:
    try:
        done = shell.run(["git", "-C", str(root), *arguments], timeout_s=timeout_s)
    except OSError:
        return None
    return done.stdout.strip() if done.code == 0 else None
