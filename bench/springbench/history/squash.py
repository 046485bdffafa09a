"""A history branch becomes one commit of the same tree, without its files being brought here.

What is needed is the newest commit, and the two trees that tell a history from anything else. The
push holds only while the branch is at the commit that was read: what others push in between is
fetched, and becomes part of the one commit.
"""

from __future__ import annotations

from dataclasses import dataclass

from springbench.errors import ConfigurationError
from springbench.history.files import DATA, INDEX, RUNS
from springbench.history.remote_git import PROMISES, RemoteGit

_NO_TREES = "tree:0"


@dataclass
class Squash(RemoteGit):
    """Compaction of a branch."""

    _partial: bool = False

    def squash(self) -> bool:
        """Leave one commit. Returns whether there were more.

        Raises `ConfigurationError` for what is no history, `RejectedError` when the remote has
        moved on, `UnreachableError` else.
        """
        self._promise(kept=True)
        fetched = self._fetch_tip(_NO_TREES)
        if fetched is None:
            raise ConfigurationError(
                f"--squash-history: there is no branch {self.name}; --branch names the history's"
            )
        tip, self._partial = fetched
        tree, has_past = self._read_commit(tip)
        self._check_is_history(tree)
        if not has_past:
            return False
        message = f"Leave one commit of the history\n\nThe past before it ended with {tip}."
        commit = self._git("commit-tree", tree, "-m", message).strip()
        # the remote has the tree; with promises git would bring all of it to find that out
        self._promise(kept=False)
        self._push(commit, f"--force-with-lease={self._ref}:{tip}")
        return True

    def _read_commit(self, commit: str) -> tuple[str, bool]:
        """Its tree, and whether it has parents, as it is stored: a shallow one shows none."""
        headers = self._git("cat-file", "commit", commit).split("\n\n")[0].splitlines()
        tree = next(line.removeprefix("tree ") for line in headers if line.startswith("tree "))
        return tree, any(line.startswith("parent ") for line in headers)

    def _check_is_history(self, root: str) -> None:
        """The branch of the sources, named by a slip, would lose its whole past."""
        data = self._entries(root).get(DATA)
        held = self._entries(data) if data else {}
        if not any(path.removeprefix(f"{DATA}/") in held for path in (INDEX, RUNS)):
            raise ConfigurationError(
                f"--squash-history: branch {self.name} has neither {INDEX} nor {RUNS}, so it is no "
                "history; nothing was changed. --branch names the history's"
            )

    def _entries(self, tree: str) -> dict[str, str | None]:
        """By name the ids of the folders in a folder; None for what is a file."""
        if self._partial:
            self._fetch(f"--filter={_NO_TREES}", objects=[tree])
        found: dict[str, str | None] = {}
        for line in self._git("ls-tree", "-z", tree).split("\0"):
            if line:
                facts, name = line.split("\t", 1)
                _, kind, object_id = facts.split()
                found[name] = object_id if kind == "tree" else None
        return found

    def _promise(self, *, kept: bool) -> None:
        for setting, value in PROMISES.items():
            key = f"remote.origin.{setting}"
            self._git("config", *((key, value) if kept else ("--unset", key)))
