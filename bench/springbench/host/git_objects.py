"""git: commits made beside all branches, from files of another; no work tree is touched."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from springbench.errors import ConfigurationError
from springbench.host.shell import Shell

_TIMEOUT_S = 60.0
# the commits are the tool's; a person's name would say that they had made them
_NAME, _EMAIL = "springbench", "springbench@localhost"


def text_of(commit: str, path: str, root: Path, shell: Shell) -> str:
    """A file of a commit. Raises `ConfigurationError` where it has none of that name."""
    return _git(shell, root, "show", f"{commit}:{path}")


def changed_at(commit: str, paths: Sequence[str], root: Path, shell: Shell) -> int:
    """When the newest commit that touches one of the paths was made, in seconds since 1970."""
    return int(_git(shell, root, "log", "-1", "--format=%ct", commit, "--", *paths) or 0)


def tree_of(
    commit: str, paths: Sequence[str], texts: Mapping[str, str], root: Path, shell: Shell
) -> str:
    """A tree with these files and folders of a commit alone; `texts` take the place of files that
    are named themselves."""
    with tempfile.TemporaryDirectory(prefix="springbench-tree-") as name:
        index = {"GIT_INDEX_FILE": str(Path(name) / "index")}
        listed = _git(shell, root, "ls-tree", "--full-tree", "-z", commit, "--", *paths)
        for entry in filter(None, listed.split("\0")):
            about, _, path = entry.partition("\t")
            mode, kind, id_ = about.split(" ")
            if kind == "tree":
                _git(shell, root, "read-tree", f"--prefix={path}/", id_, env=index)
                continue
            content = _blob(texts[path], Path(name), root, shell) if path in texts else id_
            add = ("update-index", "--add", "--cacheinfo", f"{mode},{content},{path}")
            _git(shell, root, *add, env=index)
        return _git(shell, root, "write-tree", env=index)


def commit_tree(tree: str, message: str, time_s: int, root: Path, shell: Shell) -> str:
    """The id of a commit without parents; the same tree, message and time make the same one."""
    when = f"@{time_s} +0000"
    by = {
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", _NAME), ("EMAIL", _EMAIL), ("DATE", when))
    }
    command = ("-c", "commit.gpgSign=false", "commit-tree", tree, "-m", message)
    return _git(shell, root, *command, env=by)


def keep(commit: str, name: str, root: Path, shell: Shell) -> None:
    """Keep git from tidying the commit away, under `refs/springbench/`, which no one pushes."""
    _git(shell, root, "update-ref", f"refs/springbench/{name}", commit)


def _blob(text: str, folder: Path, root: Path, shell: Shell) -> str:
    file = folder / "content"
    file.write_bytes(text.encode("utf-8"))
    # as it stands: no filter of this host makes another file of it
    return _git(shell, root, "hash-object", "-w", "--no-filters", str(file))


def _git(shell: Shell, root: Path, *arguments: str, env: Mapping[str, str] | None = None) -> str:
    try:
        done = shell.run(
            ["git", "-C", str(root), *arguments],
            env={**os.environ, **(env or {})},
            timeout_s=_TIMEOUT_S,
        )
    except OSError as error:
        raise ConfigurationError(f"git cannot be started: {error.strerror}") from error
    if done.code:
        raise ConfigurationError(f"git {arguments[0]}: {done.stderr.strip() or done.code}")
    return done.stdout.rstrip("\n")
