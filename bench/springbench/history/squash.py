"""A history branch becomes one commit of the same tree, without its files being brought here.

What is needed is the newest commit, the manifest, and the trees that tell whose files these are.
The push holds only while the branch is at the commit that was read: what others push in between is
fetched, and becomes part of the one commit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from springbench.errors import ConfigurationError
from springbench.history.files import DATA, INDEX, MANIFEST, RUNS
from springbench.history.manifest import NO_JEKYLL, some_of
from springbench.history.remote_git import PROMISES, RemoteGit
from springbench.results.manifest import Manifest
from springbench.untrusted import parse_model

_NO_TREES = "tree:0"
_TREE = "040000"
_REGULAR = ("100644", "100755")


@dataclass(frozen=True)
class _Entry:
    """What a tree of git holds under a name."""

    mode: str
    id: str


@dataclass
class Squash(RemoteGit):
    """Compaction of a branch. With `force` also of one that holds files of others."""

    force: bool = False
    _partial: bool = False

    def squash(self) -> bool:
        """Leave one commit. Returns whether there were more.

        Raises `ConfigurationError` for what is no history, or holds files of others;
        `RejectedError` when the remote has moved on; `UnreachableError` or `RefusedError`.
        """
        self._promise(keep=True)
        fetched = self._fetch_tip(_NO_TREES)
        if fetched is None:
            raise ConfigurationError(
                f"--squash-history: there is no branch {self.remote.branch}; --branch names the "
                "history's"
            )
        tip, self._partial = fetched
        root, has_past = self._read_commit(tip)
        foreign_files = list(self._foreign_files(root))
        if not has_past:
            return False
        if foreign_files and not self.force:
            raise ConfigurationError(
                f"--squash-history: branch {self.remote.branch} holds files that springbench did "
                f"not write, whose past would go too: {some_of(foreign_files)}. Nothing was "
                "changed; --force leaves one commit all the same"
            )
        message = f"Leave one commit of the history\n\nThe past before it ended with {tip}."
        commit = self._git("commit-tree", root, "-m", message).strip()
        # the remote has the tree; with promises git would bring all of it to find that out
        self._promise(keep=False)
        self._push(commit, f"--force-with-lease={self._ref}:{tip}")
        return True

    def _read_commit(self, commit: str) -> tuple[str, bool]:
        """Its tree, and whether it has parents, as it is stored: a shallow one shows none."""
        headers = self._git("cat-file", "commit", commit).split("\n\n")[0].splitlines()
        tree = next(line.removeprefix("tree ") for line in headers if line.startswith("tree "))
        return tree, any(line.startswith("parent ") for line in headers)

    def _foreign_files(self, root: str) -> Iterator[str]:
        """Names of what is not springbench's, folders with a slash behind them.

        Raises `ConfigurationError` for what is no history: the branch of the sources, named by a
        slip, would lose its whole past.
        """
        held, above = self._entries(root), ""
        for part in self.remote.path.split("/") if self.remote.path else ():
            folder = held.pop(part, None)
            yield from (_shown(above, name, entry) for name, entry in held.items())
            held, above = (
                self._entries(folder.id) if folder and folder.mode == _TREE else {},
                f"{above}{part}/",
            )
        data = held.pop(DATA, None)
        history = self._entries(data.id) if data and data.mode == _TREE else {}
        if not any(path.removeprefix(f"{DATA}/") in history for path in (INDEX, RUNS)):
            raise ConfigurationError(
                f"--squash-history: {self.remote.place} has neither {INDEX} nor {RUNS}, so it is "
                "no history; nothing was changed. --branch and --path name the history's"
            )
        if not self.remote.path:
            held.pop(NO_JEKYLL, None)
        files = self._manifest(held.pop(MANIFEST, None))
        yield from self._not_in(files, held, above, "")

    def _not_in(
        self, files: Mapping[str, str], held: Mapping[str, _Entry], above: str, below: str
    ) -> Iterator[str]:
        """What the manifest does not name, with that content, of a folder and its folders."""
        for name, entry in held.items():
            path = f"{below}{name}"
            if entry.mode == _TREE and any(file.startswith(f"{path}/") for file in files):
                yield from self._not_in(files, self._entries(entry.id), above, f"{path}/")
            elif entry.mode not in _REGULAR or files.get(path) != entry.id:
                yield _shown(above, path, entry)

    def _manifest(self, entry: _Entry | None) -> Mapping[str, str]:
        if entry is None or entry.mode not in _REGULAR:
            return {}
        if self._partial:
            self._fetch("--filter=blob:none", objects=[entry.id])
        try:
            return parse_model(self._git("cat-file", "blob", entry.id), Manifest).files
        except ValueError:
            return {}

    def _entries(self, tree: str) -> dict[str, _Entry]:
        """By name what is in a folder."""
        if self._partial:
            self._fetch(f"--filter={_NO_TREES}", objects=[tree])
        found: dict[str, _Entry] = {}
        for line in self._git("ls-tree", "-z", tree).split("\0"):
            if line:
                facts, name = line.split("\t", 1)
                mode, _, object_id = facts.split()
                found[name] = _Entry(mode, object_id)
        return found

    def _promise(self, *, keep: bool) -> None:
        for setting, value in PROMISES.items():
            key = f"remote.origin.{setting}"
            self._git("config", *((key, value) if keep else ("--unset", key)))


def _shown(above: str, name: str, entry: _Entry) -> str:
    return f"{above}{name}{'/' if entry.mode == _TREE else ''}"
