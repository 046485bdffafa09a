"""A folder of a branch of a remote, changed without a clone: only what is read is brought here.

Nothing is checked out: git's objects are read and made as they are, so that no line end and no
filter changes a byte on its way. A change is one commit, pushed in one step: whoever looks sees the
branch as it was or as it is.
"""

from __future__ import annotations

import errno
import hashlib
import itertools
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

from springbench.errors import ConfigurationError
from springbench.history.files import DATA, MANIFEST, PACKED, encoded, holds, read_text
from springbench.history.remote import Remote
from springbench.history.remote_git import AUTHOR, TIMEOUT_S, RemoteGit
from springbench.host.shell import Shell
from springbench.untrusted import MAX_BYTES, one_line

# so many files come at once, while those that came before are read
_TRANSFER = 50
# the remote takes one CPU for each, to compress what others have pushed
_TRANSFERS_AT_ONCE = 2
# modes of git for entries that are no regular files
_KINDS = {"120000": "a symbolic link", "160000": "a submodule"}
# where a commit is made: no branch of anybody's
_NEXT_REF = "refs/springbench/next"
_WRITTEN = "written"


class Piece(NamedTuple):
    """The bytes of a file, in one that holds many."""

    file: Path
    begin: int
    length: int

    def read(self) -> bytes:
        """Raises `OSError` where it is too long for anything of springbench's."""
        if self.length > MAX_BYTES:
            raise OSError(errno.EFBIG, f"longer than {MAX_BYTES >> 20} MiB")
        with self.file.open("rb") as stream:
            stream.seek(self.begin)
            return stream.read(self.length)


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
    # contents that are here, and those that the next commit changes: None of what it removes
    _contents: dict[str, Piece] = field(default_factory=dict)
    _changed: dict[str, Piece | None] = field(default_factory=dict)
    _partial: bool = False
    # files that are on their way, each with its transfer
    _coming: dict[str, Future[None]] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=itertools.count)
    _transfers: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(_TRANSFERS_AT_ONCE)
    )

    def fetch(self) -> None:
        """Take the newest state of the branch; changes that were not pushed are forgotten.

        Raises `ConfigurationError` as `check`, `HostError` where the remote cannot be asked.
        """
        self.fetch_all()
        self.check()

    def fetch_all(self) -> None:
        """The same of a branch that may be of others. Raises `HostError`."""
        self._settle()
        for entry in self.folder.iterdir():
            if entry.name != ".git":
                entry.unlink()
        self._contents, self._changed, self._listed, self._irregular = {}, {}, {}, {}
        self.tip = None
        if fetched := self._fetch_tip("blob:none"):
            self.tip, self._partial = fetched
            self._list(self.tip)
        self._folders = _folders_of(self.everything())

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
        if name not in self._changed and name in self._listed:
            self.expect([path])
            self._arrive(name)
        piece = self._changed.get(name) if name in self._changed else self._contents.get(name)
        return read_text(path, piece.read) if piece else None

    def write(self, path: str, text: str) -> None:
        # another zlib packs the same text into other bytes, which would be a change to git
        if path.endswith(PACKED) and holds(self, path, text):
            return
        self.write_bytes(path, encoded(path, text))

    def write_bytes(self, path: str, data: bytes) -> None:
        """Make or replace a file. Raises `ConfigurationError` where something stands in its way."""
        if obstacle := self.obstacle(path):
            raise self._refused(obstacle)
        name = self._checked(self.remote.at(path))
        if self._listed.get(name) == blob_id(data):
            # as it was: nothing to push
            self._changed.pop(name, None)
            if name not in self._contents:
                self._contents[name] = self._append(data)
        else:
            self._changed[name] = self._append(data)

    def delete(self, path: str) -> None:
        self._changed[self._checked(self.remote.at(path))] = None

    def names(self, folder: str) -> list[str]:
        return sorted(path for path in self._below(f"{folder}/") if "/" not in path)

    def folders(self, folder: str) -> list[str]:
        return sorted({path.split("/")[0] for path in self._below(f"{folder}/") if "/" in path})

    def expect(self, paths: Iterable[str]) -> None:
        """Bring these files, as far as the branch has them, in few transfers.

        Whoever reads one waits for it: what fails is raised there.
        """
        names = [
            name
            for name in map(self.remote.at, paths)
            if name in self._listed
            and name not in self._changed
            and name not in self._coming
            and name not in self._contents
        ]
        for start in range(0, len(names), _TRANSFER):
            batch = names[start : start + _TRANSFER]
            self._coming |= dict.fromkeys(batch, self._transfers.submit(self._bring, batch))

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
        above = [str(parent) for parent in name.parents]
        for candidate in (*above, str(name)):
            if kind := self._irregular.get(candidate):
                return f"{candidate} is {kind}"
        for candidate in (*above, str(name)) if path.endswith("/") else above:
            if candidate in self._listed and candidate not in self._deleted():
                return f"{candidate} is a file"
        if not path.endswith("/") and str(name) in self._folders and self._holds_others(name):
            return f"{name} is a folder"
        return None

    def push(self, message: str) -> bool:
        """Commit what was changed, and push. Returns whether there was anything to push.

        Raises `RejectedError` when the remote has moved on; `UnreachableError` or `RefusedError`.
        """
        self._settle()
        stream = self.folder / "commit"
        with stream.open("wb") as out:
            self._write_commit(out, message)
        # fast-import makes one file of all that is new, where others make one of each
        options = ("--quiet", "--force", "--depth=0", "--date-format=now")
        self._git("-c", "pack.compression=1", "fast-import", *options, stdin=stream)
        stream.unlink()
        trees = (f"{commit}^{{tree}}" for commit in (_NEXT_REF, self.tip or _NEXT_REF))
        commit, tree, before = self._git("rev-parse", _NEXT_REF, *trees).split()
        if self.tip and tree == before:
            return False
        self._push(commit)
        return True

    def close(self) -> None:
        """Let nothing come any more."""
        self._transfers.shutdown(cancel_futures=True)

    def _write_commit(self, out: IO[bytes], message: str) -> None:
        """What fast-import reads: the commit, then what goes, then what comes. A file may take the
        place of a folder, or a folder that of a file."""
        data = message.encode()
        author = f"{AUTHOR['GIT_COMMITTER_NAME']} <{AUTHOR['GIT_COMMITTER_EMAIL']}>"
        out.write(f"commit {_NEXT_REF}\ncommitter {author} now\ndata {len(data)}\n".encode() + data)
        out.write(f"\nfrom {self.tip}\n".encode() if self.tip else b"\n")
        for name in sorted(self._deleted()):
            out.write(f"D {_quoted(name)}\n".encode())
        for name, piece in sorted(self._changed.items()):
            if piece:
                out.write(f"M 100644 inline {_quoted(name)}\ndata {piece.length}\n".encode())
                out.write(piece.read() + b"\n")

    def _bring(self, names: Sequence[str]) -> None:
        blobs = [self._listed[name] for name in names]
        if self._partial:
            self._fetch("--filter=blob:none", objects=blobs)
        number = next(self._numbers)
        request, found = self.folder / f"wanted-{number}", self.folder / f"found-{number}"
        request.write_text("\n".join(blobs), encoding="ascii")
        self._git("cat-file", "--batch", stdin=request, stdout=found)
        with found.open("rb") as stream:
            for name in names:
                # <id> blob <bytes>, the content, and the end of a line
                *_, length = stream.readline().split()
                self._contents[name] = Piece(found, stream.tell(), int(length))
                stream.seek(int(length) + 1, 1)

    def _append(self, data: bytes) -> Piece:
        file = self.folder / _WRITTEN
        with file.open("ab") as stream:
            stream.write(data)
            return Piece(file, stream.tell() - len(data), len(data))

    def _arrive(self, name: str) -> None:
        """Wait for a file that is on its way. Raises `HostError` where it did not come."""
        if transfer := self._coming.pop(name, None):
            transfer.result()

    def _settle(self) -> None:
        """Wait until nothing is on its way. What failed is asked for again when it is read."""
        coming, self._coming = self._coming, {}
        for transfer in coming.values():
            transfer.exception()

    def _list(self, commit: str) -> None:
        for line in self._git("ls-tree", "-r", "-z", "--full-tree", commit).split("\0"):
            if line:
                facts, path = line.split("\t", 1)
                mode, _, blob = facts.split()
                if kind := _KINDS.get(mode):
                    self._irregular[path] = kind
                else:
                    self._listed[path] = blob

    def _below(self, folder: str) -> list[str]:
        prefix = self.remote.at(folder)
        below = [path for path in self._listed if path.startswith(prefix)]
        below += [path for path in self._changed if path.startswith(prefix)]
        deleted = self._deleted()
        return [path.removeprefix(prefix) for path in {*below} - deleted]

    def _holds_others(self, folder: PurePosixPath) -> bool:
        """Whether anything is left in a folder of the branch."""
        left = ({*self._listed} - self._deleted()) | self._irregular.keys()
        return any(path.startswith(f"{folder}/") for path in left)

    def _deleted(self) -> set[str]:
        return {path for path, piece in self._changed.items() if piece is None}

    def _checked(self, name: str) -> str:
        """The path of a file that may be on a branch: inside, and not among git's own."""
        path = PurePosixPath(name)
        if path.is_absolute() or {"..", ".git"} & {part.lower() for part in path.parts}:
            raise ConfigurationError(f"{one_line(name)}: no path of a file on a branch")
        return name

    def _refused(self, obstacle: str) -> ConfigurationError:
        return ConfigurationError(
            f"{self.remote.place}: {one_line(obstacle)}, where springbench has a file of its own; "
            "it follows no link and replaces nothing of others: remove that, or give springbench "
            "another folder with --path (in a workflow `path:`)"
        )


@contextmanager
def opened(
    shell: Shell,
    remote: Remote,
    timeout_s: float = TIMEOUT_S,
    environment: Mapping[str, str] | None = None,
) -> Iterator[Branch]:
    """A branch of which nothing has been fetched yet, in a folder that lasts as long as the block.

    Raises `ConfigurationError` for names that git does not allow.
    """
    with tempfile.TemporaryDirectory(prefix="springbench-branch-") as folder:
        branch = Branch(shell, Path(folder), remote, timeout_s, environment or {})
        try:
            branch.open()
            yield branch
        finally:
            branch.close()


def _folders_of(paths: Iterable[str]) -> set[str]:
    """All folders above the paths, the branch's top (`.`) with them."""
    found = {"."}
    for path in paths:
        above = path
        while (above := above.rpartition("/")[0]) and above not in found:
            found.add(above)
    return found


def blob_id(data: bytes) -> str:
    """The id that git gives that content."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _quoted(name: str) -> str:
    """A path as fast-import reads it, whatever is in it."""
    for character, written in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n")):
        name = name.replace(character, written)
    return f'"{name}"'
