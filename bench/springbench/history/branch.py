"""A branch of a remote, changed without a clone of it: only what is read is brought here.

A change is one commit, pushed in one step: whoever looks sees the branch as it was or as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from springbench.history.files import holds
from springbench.history.packing import PACKED, encoded, read_text
from springbench.history.remote_git import RemoteGit

# what one command line safely holds
_BATCH = 500


@dataclass
class Branch(RemoteGit):
    """`Files` of the branch. `tip` is the commit that they are of."""

    tip: str | None = None
    _listed: dict[str, str] = field(default_factory=dict)
    _changed: set[str] = field(default_factory=set)
    _partial: bool = False

    def fetch(self) -> None:
        """Take the newest state of the branch; changes that were not pushed are forgotten."""
        for path in self._changed:
            (self.folder / path).unlink(missing_ok=True)
        for path in self._listed:
            (self.folder / path).unlink(missing_ok=True)
        self._changed, self._listed, self.tip = set(), {}, None
        fetched = self._fetch_tip("blob:none")
        if fetched is None:
            self._git("read-tree", "--empty")
            return
        self.tip, self._partial = fetched
        self._git("read-tree", self.tip)
        for line in self._git("ls-files", "--stage", "-z").split("\0"):
            if line:
                facts, path = line.split("\t", 1)
                self._listed[path] = facts.split()[1]

    def read(self, path: str) -> str | None:
        file = self.folder / path
        if path not in self._changed and path in self._listed and not file.exists():
            self.expect([path])
        return read_text(path, file)

    def write(self, path: str, text: str) -> None:
        # another zlib packs the same text into other bytes, which would be a change to git
        if path.endswith(PACKED) and holds(self, path, text):
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
        self._push(self._git("commit-tree", tree, *parents, "-m", message).strip())
        return True

    def _below(self, folder: str) -> list[str]:
        prefix = f"{folder}/"
        gone = {path for path in self._changed if not (self.folder / path).exists()}
        paths = ({*self._listed} | self._changed) - gone
        return [path.removeprefix(prefix) for path in paths if path.startswith(prefix)]


def _batches(items: Sequence[str]) -> list[Sequence[str]]:
    return [items[start : start + _BATCH] for start in range(0, len(items), _BATCH)]
