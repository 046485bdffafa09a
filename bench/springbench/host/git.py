"""git: which commit is measured, what a name stands for, other commits checked out, new commits.

Every command of git in the harness goes through `run`. What git cannot answer is a `GitError`, with
git's own words and a remedy; what it refuses is a `ConfigurationError`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from springbench.errors import ConfigurationError
from springbench.host.shell import Completed, Shell

# no text of a commit holds it
_SEPARATOR = "\0"
_TIMEOUT_S = 20.0
"""Of a command that looks something up."""
_LONG_TIMEOUT_S = 120.0
"""Of one that reads or writes many files."""
# git ends with it where it gives up
_FATAL = 128
# mode of a file that is not executed
_PLAIN_FILE = "100644"
# a clock that is off by more has no time to tell
_CLOCKS_APART_S = 86_400
# so many fit into one command
_MOST_NAMES = 500
# clocks of commits further back are not asked
_ANCESTORS = 1_000
# author of the commits that the harness makes; a person's name would say that they had made them
_NAME, _EMAIL = "springbench", "springbench@localhost"


class GitError(ConfigurationError):
    """There is a repository, and git cannot answer; the message has its words and a remedy."""


class GitMissingError(GitError):
    """There is no git that can be started."""


class GitTimeoutError(GitError):
    """git did not end in the time that it had."""


@dataclass(frozen=True)
class CommitFacts:
    """A commit as git shows it: the first line of its message, its author, when it was made.

    `time` is later than that of every ancestor, whatever the clocks of committers said.
    """

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
    """The commit that is checked out; None outside git or before the first commit.

    Raises `GitError` where there is a repository that git does not read.
    """
    facts = facts_of("HEAD", root, shell)
    if facts is None:
        if sha := _git(shell, root, "rev-parse", "--verify", "--quiet", "HEAD"):
            raise GitError(f"git does not read the commit {sha} that is checked out in {root}")
        return None
    return Commit(
        **asdict(facts),
        branch=_git(shell, root, "rev-parse", "--abbrev-ref", "HEAD") or "",
        dirty=bool(changed_files(root, shell)),
    )


def is_repository(root: Path, shell: Shell) -> bool:
    """Whether git keeps that folder. Raises `GitError` where it does and git does not read it."""
    return _git(shell, root, "rev-parse", "--git-dir") is not None


def top_of(folder: Path, shell: Shell) -> Path | None:
    """The top of the work tree that a folder lies in; None outside git."""
    found = _git(shell, folder, "rev-parse", "--show-toplevel")
    return Path(found) if found else None


def changed_files(root: Path, shell: Shell) -> list[str]:
    """Tracked files whose content is not the commit's, of submodules too; sorted.

    Rights and line ends are no content, and files that are not tracked do not count. What git was
    configured to take for unchanged is compared as the rest. Raises `GitError`.
    """
    top = Path(required(shell, root, "rev-parse", "--show-toplevel"))
    with tempfile.TemporaryDirectory(prefix="springbench-index-") as folder:
        env = _index_that_hides_nothing(top, Path(folder), shell)
        diff = ("-c", "core.fileMode=false", "diff", "-z", "--no-ext-diff", "--no-textconv",
                "--no-renames", "--ignore-submodules=dirty", "--ignore-cr-at-eol")  # fmt: skip
        ask = partial(required, shell, top, *diff, timeout_s=_LONG_TIMEOUT_S, env=env)
        counted = ask("--numstat", "HEAD", "--")
        # an empty file that has come or gone has no lines to count
        added_or_removed = ask("--name-only", "--diff-filter=ADT", "HEAD", "--")
    rows = (line.split("\t", 2) for line in _parts(counted))
    changed = {row[2] for row in rows if row[:2] != ["0", "0"]} | set(_parts(added_or_removed))
    for path, _ in _gitlinks(top, shell):
        if (top / path / ".git").exists():
            changed |= {f"{path}/{name}" for name in changed_files(top / path, shell)}
    return sorted(changed)


def _index_that_hides_nothing(top: Path, folder: Path, shell: Shell) -> Mapping[str, str]:
    """What makes git use a copy of the index without `assume-unchanged`, where that is set."""
    listed = _parts(required(shell, top, "ls-files", "-v", "-z"))
    hidden = [line[2:] for line in listed if line[0].islower()]
    if not hidden:
        return {}
    env = {"GIT_INDEX_FILE": str(folder / "index")}
    index = required(shell, top, "rev-parse", "--git-path", "index")
    shutil.copyfile(top / index, folder / "index")
    for first in range(0, len(hidden), _MOST_NAMES):
        names = hidden[first : first + _MOST_NAMES]
        required(shell, top, "update-index", "--no-assume-unchanged", "--", *names, env=env)
    return env


def _gitlinks(top: Path, shell: Shell) -> list[tuple[str, str]]:
    """Path and commit of each submodule, as the index of the work tree has them."""
    listed = _parts(required(shell, top, "ls-files", "--stage", "-z"))
    rows = (line.partition("\t") for line in listed if line.startswith("160000 "))
    return [(path, about.split(" ")[1]) for about, _, path in rows]


def default_branch(root: Path, shell: Shell) -> str:
    """The branch that a repository begins with: its remote's, else the one that is checked out,
    else what a new repository here begins with. Raises `GitError`."""
    remote = _git(shell, root, "symbolic-ref", "--quiet", "refs/remotes/origin/HEAD")
    if remote:
        return remote.removeprefix("refs/remotes/origin/")
    branch = _git(shell, root, "symbolic-ref", "--quiet", "HEAD")
    if branch:
        return branch.removeprefix("refs/heads/")
    return _git(shell, root, "config", "--get", "init.defaultBranch") or "main"


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
    show = ("-c", "log.showSignature=false", "log", "-1", "--encoding=UTF-8")
    shown = _git(shell, root, *show, "--format=%H%x00%s%x00%an%x00%cI%x00%ct", commit, "--")
    if not shown:
        return None
    sha, message, author, made_at, made_s = shown.split(_SEPARATOR)
    ordered_s = _time_after_ancestors(sha, root, shell)
    if ordered_s and str(ordered_s) != made_s:
        made_at = datetime.fromtimestamp(ordered_s, UTC).isoformat()
    return CommitFacts(sha, message, author, made_at)


def _time_after_ancestors(sha: str, root: Path, shell: Shell) -> int | None:
    """When a commit was made, in seconds since 1970, or a second after the last of its parents
    where a clock was off: as git's own commit graph corrects dates.

    Clocks in the future do not count. None where no clock does.
    """
    walk = ("rev-list", "--parents", "--timestamp", f"--max-count={_ANCESTORS}", sha)
    rows = [line.split(" ") for line in (_git(shell, root, *walk) or "").splitlines()]
    made_s = {row[1]: int(row[0]) for row in rows}
    parents = {row[1]: [parent for parent in row[2:] if parent in made_s] for row in rows}
    latest_s = time.time() + _CLOCKS_APART_S
    found: dict[str, int] = {}
    waiting = [sha] if sha in made_s else []
    while waiting:
        commit = waiting[-1]
        if unknown := [parent for parent in parents[commit] if parent not in found]:
            waiting += unknown
            continue
        own_s = made_s[commit] if made_s[commit] <= latest_s else 0
        after_s = (found[parent] + 1 for parent in parents[commit] if found[parent])
        found[waiting.pop()] = max(own_s, *after_s, 0)
    return found.get(sha) or None


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


def first_parents(sha: str, root: Path, shell: Shell) -> list[str]:
    """The newest commits of the line that a commit stands in, itself first."""
    line = ("rev-list", "--first-parent", f"--max-count={_ANCESTORS}", sha)
    return (_git(shell, root, *line) or "").splitlines()


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
    # nothing must not be taken for no difference
    return required(shell, root, *arguments, timeout_s=_LONG_TIMEOUT_S).splitlines()


def check_out(sha: str, folder: Path, root: Path, shell: Shell) -> None:
    """Make `folder` a work tree of that commit, with the submodules that `root` has, each as at
    that commit; one that is there already stays.

    Raises `ConfigurationError` where git cannot.
    """
    try:
        _add_work_tree(sha, folder, root, shell)
    except ConfigurationError:
        # half of it must not be taken for the whole next time
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _add_work_tree(sha: str, folder: Path, root: Path, shell: Shell) -> None:
    """A work tree of the clone in `root`, and in it one of each submodule's own clone: what is
    there needs no network and no rights of its own."""
    is_there = (folder / ".git").exists() and _git(shell, folder, "rev-parse", "HEAD") == sha
    if not is_there:
        shutil.rmtree(folder, ignore_errors=True)
        forget_work_trees(root, shell)
        if _git(shell, root, "cat-file", "-e", f"{sha}^{{commit}}") is None:
            # a submodule's clone may be older, or shallower, than what is asked for
            _git(shell, root, "fetch", "--quiet", "origin", sha, timeout_s=_LONG_TIMEOUT_S)
        add = ("worktree", "add", "--detach", str(folder), sha)
        required(shell, root, *add, timeout_s=_LONG_TIMEOUT_S)
    known = {path for path, _ in _gitlinks(root, shell)}
    for path, commit in _gitlinks(folder, shell):
        if (root / path / ".git").exists():
            _add_work_tree(commit, folder / path, root / path, shell)
        elif path not in known:
            # gone since; what the clone itself leaves out is left out here too
            update = ("submodule", "--quiet", "update", "--init", "--recursive", "--", path)
            required(shell, folder, *update, timeout_s=_LONG_TIMEOUT_S)


def lfs_pointers(folder: Path, shell: Shell) -> int:
    """How many files of a work tree are pointers of Git LFS, whose content was not fetched."""
    pattern = ("^version https://git-lfs", "--", ":(attr:filter=lfs)")
    return len((_git(shell, folder, "grep", "-lI", *pattern) or "").splitlines())


def forget_work_trees(root: Path, shell: Shell) -> None:
    """Let the repository forget work trees whose folders are gone."""
    _git(shell, root, "worktree", "prune")


def changed_at(commit: str, paths: Sequence[str], root: Path, shell: Shell) -> int:
    """When the newest commit that touches one of the paths was made, in seconds since 1970.

    Raises `ConfigurationError`, as all that follows.
    """
    touching = ("log", "-1", "--format=%ct", commit, "--", *paths)
    return int(required(shell, root, *touching, timeout_s=_LONG_TIMEOUT_S) or 0)


def tree_of(
    commit: str, paths: Sequence[str], texts: Mapping[str, str], root: Path, shell: Shell
) -> str:
    """A tree with these files and folders of a commit alone; `texts` take the place of files in it,
    by their paths. No work tree is touched."""
    with tempfile.TemporaryDirectory(prefix="springbench-tree-") as name:
        env = {"GIT_INDEX_FILE": str(Path(name) / "index")}
        ask = partial(required, shell, root, timeout_s=_LONG_TIMEOUT_S, env=env)
        for entry in _parts(ask("ls-tree", "--full-tree", "-z", commit, "--", *paths)):
            about, _, path = entry.partition("\t")
            mode, kind, content = about.split(" ")
            if kind == "tree":
                ask("read-tree", f"--prefix={path}/", content)
            else:
                ask("update-index", "--add", "--cacheinfo", f"{mode},{content},{path}")
        for path, text in texts.items():
            file = Path(name) / "content"
            file.write_bytes(text.encode())
            # as it stands: no filter of this host makes another file of it
            content = ask("hash-object", "-w", "--no-filters", str(file))
            ask("update-index", "--add", "--cacheinfo", f"{_PLAIN_FILE},{content},{path}")
        return ask("write-tree")


def commit_tree(tree: str, message: str, time_s: int, root: Path, shell: Shell) -> str:
    """The id of a commit without parents; the same tree, message and time make the same one."""
    facts = {"NAME": _NAME, "EMAIL": _EMAIL, "DATE": f"@{time_s} +0000"}
    by = {f"GIT_{role}_{fact}": facts[fact] for role in ("AUTHOR", "COMMITTER") for fact in facts}
    command = ("-c", "commit.gpgSign=false", "commit-tree", tree, "-m", message)
    return required(shell, root, *command, env=by)


def add_reference(commit: str, name: str, root: Path, shell: Shell) -> None:
    """Keep git from removing the commit, by a name in `refs/springbench/`, which is not pushed."""
    required(shell, root, "update-ref", f"refs/springbench/{name}", commit)


def _parts(text: str) -> list[str]:
    return [part for part in text.split(_SEPARATOR) if part]


def required(
    shell: Shell,
    root: Path,
    *arguments: str,
    timeout_s: float = _TIMEOUT_S,
    env: Mapping[str, str] | None = None,
) -> str:
    """What a command prints. Raises `ConfigurationError` with git's words where it fails."""
    done = _run(shell, root, *arguments, timeout_s=timeout_s, env=env)
    if done.code:
        _check_is_read(root, shell)
        raise ConfigurationError(f"git {' '.join(arguments)}: {_error_message(done)}")
    return done.stdout.rstrip("\n")


def _git(shell: Shell, root: Path, *arguments: str, timeout_s: float = _TIMEOUT_S) -> str | None:
    """What git prints, or None where its answer is no. Raises `GitError` where it has none."""
    done = _run(shell, root, *arguments, timeout_s=timeout_s)
    if done.code >= _FATAL:
        _check_is_read(root, shell)
    return None if done.code else done.stdout.rstrip("\n")


def _check_is_read(root: Path, shell: Shell) -> None:
    """Raises `GitError` where a repository lies there that git does not read."""
    place = root.absolute()
    found = next((at for at in (place, *place.parents) if os.path.lexists(at / ".git")), None)
    if found is None:
        return
    done = _run(shell, root, "rev-parse", "--git-dir")
    if not done.code:
        return
    if "safe.directory" in done.stderr:
        raise GitError(
            f"git does not trust {found}, which belongs to another user: "
            f"`git config --global --add safe.directory {found}`, or measure as the user who "
            "checked it out (in a job with `container:`, `options: --user`)"
        )
    raise GitError(f"git does not read the repository in {found}: {_error_message(done)}")


def _error_message(done: Completed) -> str:
    lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    return "; ".join(lines[:3]).removeprefix("fatal: ") or f"exit code {done.code}"


def _run(
    shell: Shell,
    root: Path,
    *arguments: str,
    timeout_s: float = _TIMEOUT_S,
    env: Mapping[str, str] | None = None,
) -> Completed:
    """Without git every answer is no: a folder that is no repository is measured without it."""
    try:
        return run(
            shell, root, "--no-optional-locks", *arguments, timeout_s=timeout_s, env=env or {}
        )
    except GitMissingError as error:
        return Completed(_FATAL, "", str(error))


def run(
    shell: Shell,
    root: Path,
    *arguments: str,
    timeout_s: float,
    env: Mapping[str, str],
    without: Sequence[str] = (),
    stdin: Path | None = None,
    stdout: Path | None = None,
) -> Completed:
    """A command of git in a folder, whatever its exit code. Messages are in English.

    `stdin` and `stdout` are files in the place of what is empty, and of what is returned.
    `env` is added to this process's environment, and variables `without` are left out of it. Raises
    `GitMissingError` or `GitTimeoutError`.
    """
    inherited = {name: value for name, value in os.environ.items() if name not in without}
    try:
        return shell.run(
            ["git", "-C", str(root), *arguments],
            env={**inherited, "LC_ALL": "C", **env},
            timeout_s=timeout_s,
            stdin=stdin,
            stdout=stdout,
        )
    except OSError as error:
        raise GitMissingError(f"git cannot be started: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        action = next((argument for argument in arguments if not argument.startswith("-")), "")
        raise GitTimeoutError(f"git {action} in {root} took longer than {timeout_s:g} s") from error
