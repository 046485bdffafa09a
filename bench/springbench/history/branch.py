"""A folder of a branch of a remote, changed without a clone: only what is read is brought here.

A change is one commit, pushed in one step: whoever looks sees the branch as it was or as it is.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from springbench.errors import ConfigurationError
from springbench.history.files import DATA, MANIFEST, PACKED, encoded, holds, read_text
from springbench.history.remote_git import RemoteGit
from springbench.untrusted import one_line

# what one command line safely holds
_BATCH = 500
# modes of git for entries that are no regular files
_KINDS = {"120000": "a symbolic link", "160000": "a submodule"}


@dataclass
class Branch(RemoteGit):
    """`Files` of the folder that `remote` names. `tip` is the commit that they are of.

    Only regular files are files here. A link or a submodule is never brought here, so that nothing
    is read or written through one.
    """

    tip: str | None = None
    # by their paths from the branch's top: the blobs of files, and what else there is
    _listed: dict[str, str] = field(default_factory=dict)
    _irregular: dict[str, str] = field(default_factory=dict)
    _folders: set[str] = field(default_factory=set)
    _changed: set[str] = field(default_factory=set)
    _partial: bool = False

    def fetch(self) -> None:
        """Take the newest state of the branch; changes that were not pushed are forgotten.

        Raises `ConfigurationError` as `check`, `HostError` where the remote cannot be asked.
        """
        self.fetch_all()
        self.check()

    def fetch_all(self) -> None:
        """The same of a branch that may be of others. Raises `HostError`."""
        for entry in self.folder.iterdir():
            if entry.name != ".git":
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        self._changed, self._listed, self._irregular, self.tip = set(), {}, {}, None
        fetched = self._fetch_tip("blob:none")
        if fetched is None:
            self._git("read-tree", "--empty")
        else:
            self.tip, self._partial = fetched
            self._git("read-tree", self.tip)
            self._list()
        self._folders = {
            str(above) for path in self.everything() for above in PurePosixPath(path).parents
        }

    def check(self) -> None:
        """Raises `ConfigurationError` where something else stands where springbench has files.

        A link or a submodule, which would have to be followed, or a file in a folder's place.
        """
        data = f"{DATA}/"
        inside = [path for path in self._irregular if path.startswith(self.remote.at(data))]
        found = [self.obstacle(data), self.obstacle(MANIFEST)]
        found += [f"{path} is {self._irregular[path]}" for path in inside]
        if obstacle := next(filter(None, found), None):
            raise self._refused(obstacle)

    def read(self, path: str) -> str | None:
        name = self.remote.at(path)
        file = self._file(name)
        if name not in self._changed and name in self._listed and not file.exists():
            self.expect([path])
        return read_text(path, file)

    def write(self, path: str, text: str) -> None:
        # another zlib packs the same text into other bytes, which would be a change to git
        if path.endswith(PACKED) and holds(self, path, text):
            return
        self.write_bytes(path, encoded(path, text))

    def write_bytes(self, path: str, data: bytes) -> None:
        """Make or replace a file. Raises `ConfigurationError` where something stands in its way."""
        if obstacle := self.obstacle(path):
            raise self._refused(obstacle)
        name = self.remote.at(path)
        file = self._file(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        self._changed.add(name)

    def delete(self, path: str) -> None:
        name = self.remote.at(path)
        self._file(name).unlink(missing_ok=True)
        self._changed.add(name)

    def names(self, folder: str) -> list[str]:
        return sorted(rest for rest in self._below(f"{folder}/") if "/" not in rest)

    def folders(self, folder: str) -> list[str]:
        return sorted({rest.split("/")[0] for rest in self._below(f"{folder}/") if "/" in rest})

    def expect(self, paths: Iterable[str]) -> None:
        """Bring these files, as far as the branch has them, in one transfer."""
        wanted = [
            name
            for name in map(self.remote.at, paths)
            if name in self._listed
            and name not in self._changed
            and not (self.folder / name).exists()
        ]
        for batch in _batches(wanted):
            if self._partial:
                self._fetch("--filter=blob:none", objects=[self._listed[name] for name in batch])
            self._git("checkout-index", "--quiet", "--", *batch)

    def blob(self, path: str) -> str | None:
        """Id of the file's content as it was fetched; None where there is no regular file."""
        return self._listed.get(self.remote.at(path))

    def entries(self) -> list[str]:
        """What the folder had when it was fetched, links and submodules too, in order."""
        top = self.remote.at("")
        return [path.removeprefix(top) for path in self.everything() if path.startswith(top)]

    def everything(self) -> list[str]:
        """The same of the whole branch, by paths from its top."""
        return sorted((*self._listed, *self._irregular))

    def obstacle(self, path: str) -> str | None:
        """What stands where a file is to be, or where its folder is; None where nothing does.

        Of what was fetched. A path that ends with a slash is a folder's.
        """
        name = PurePosixPath(self.remote.at(path))
        above = [str(each) for each in name.parents]
        for each in (*above, str(name)):
            if kind := self._irregular.get(each):
                return f"{each} is {kind}"
        for each in (*above, str(name)) if path.endswith("/") else above:
            if each in self._listed and each not in self._deleted():
                return f"{each} is a file"
        if not path.endswith("/") and str(name) in self._folders and self._holds_others(name):
            return f"{name} is a folder"
        return None

    def push(self, message: str) -> bool:
        """Commit what was changed, and push. Returns whether there was anything to push.

        Raises `RejectedError` when the remote has moved on; `UnreachableError` or `RefusedError`.
        """
        # first what goes: a file may take the place of a folder, or a folder that of a file
        deleted = self._deleted()
        for names in (deleted, self._changed - deleted):
            for batch in _batches(sorted(names)):
                self._git("update-index", "--add", "--remove", "--", *batch)
        tree = self._git("write-tree", "--missing-ok").strip()
        if self.tip and tree == self._git("rev-parse", f"{self.tip}^{{tree}}").strip():
            return False
        parents = ["-p", self.tip] if self.tip else []
        self._push(self._git("commit-tree", tree, *parents, "-m", message).strip())
        return True

    def _list(self) -> None:
        for line in self._git("ls-files", "--stage", "-z").split("\0"):
            if line:
                facts, path = line.split("\t", 1)
                mode, blob, _ = facts.split()
                if kind := _KINDS.get(mode):
                    self._irregular[path] = kind
                else:
                    self._listed[path] = blob

    def _below(self, folder: str) -> list[str]:
        prefix = self.remote.at(folder)
        paths = ({*self._listed} | self._changed) - self._deleted()
        return [path.removeprefix(prefix) for path in paths if path.startswith(prefix)]

    def _holds_others(self, folder: PurePosixPath) -> bool:
        """Whether anything is left in a folder of the branch."""
        left = ({*self._listed} - self._deleted()) | self._irregular.keys()
        return any(path.startswith(f"{folder}/") for path in left)

    def _deleted(self) -> set[str]:
        return {path for path in self._changed if not (self.folder / path).exists()}

    def _file(self, name: str) -> Path:
        """Where a file of the branch lies here: inside, and not among git's own."""
        path = PurePosixPath(name)
        if path.is_absolute() or {"..", ".git"} & {part.lower() for part in path.parts}:
            raise ConfigurationError(f"{one_line(name)}: no path of a file on a branch")
        return self.folder / path

    def _refused(self, obstacle: str) -> ConfigurationError:
        return ConfigurationError(
            f"{self.remote.place}: {one_line(obstacle)}, where springbench has a file of its own; "
            "it follows no link and replaces nothing of others: remove that, or give springbench "
            "another folder with --path (in a workflow `path:`)"
        )


def _batches(items: Sequence[str]) -> list[Sequence[str]]:
    return [items[start : start + _BATCH] for start in range(0, len(items), _BATCH)]
