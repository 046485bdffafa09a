"""A control group as a folder: join it, read it, end what is in it, remove it.

The same for both versions of control groups, whose files differ by name alone.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

_MEMBERS = "cgroup.procs"
_KILL = "cgroup.kill"
_RETRY_S = 0.005
# moves itself into each group, then becomes the command: the process id stays the same
_JOIN = (
    'while [ "$1" != -- ]; do echo $$ > "$1/cgroup.procs" || exit 125; shift; done; '
    'shift; unset PWD OLDPWD SHLVL; exec "$@"'
)


def joining(folders: Sequence[Path], command: Sequence[str]) -> list[str]:
    """The command behind one that joins the groups first; ends with 125 where it may not."""
    return ["sh", "-c", _JOIN, "sh", *map(str, folders), "--", *command]


def number(path: Path) -> int | None:
    """A file that holds one number; None where it does not."""
    text = _read(path).strip()
    return int(text) if text.isdigit() else None


def keyed(path: Path, key: str) -> int | None:
    """The number behind `key` in a file of `key number` lines; None where there is none."""
    for line in _read(path).splitlines():
        words = line.split()
        if words[:1] == [key] and len(words) == 2 and words[1].isdigit():
            return int(words[1])
    return None


def members(folder: Path) -> list[int]:
    """The processes of a group, without those of another namespace."""
    return [int(pid) for pid in words(folder / _MEMBERS) if pid.isdigit() and pid != "0"]


def words(path: Path) -> set[str]:
    """The words of a file, such as a list of controllers."""
    return set(_read(path).split())


def write(path: Path, value: str) -> None:
    """Write one value in one call, as the kernel wants it. Raises OSError."""
    path.write_text(value, encoding="ascii")


def clear(folders: Sequence[Path], patience_s: float = 5.0) -> bool:
    """End every process in the groups and remove them; whether all are gone in time.

    A group stays busy for a moment after its last process was killed, so it is tried again.
    """
    end_s = time.monotonic() + patience_s
    while True:
        for folder in folders:
            _end_members(folder)
        left = [folder for folder in folders if not _remove(folder)]
        if not left:
            return True
        if time.monotonic() > end_s:
            return False
        time.sleep(_RETRY_S)


def _end_members(folder: Path) -> None:
    # 0, which stands for a process of another namespace, is to `kill` this whole process group
    found = members(folder)
    if not found:
        return
    if (folder / _KILL).exists():
        with suppress(OSError):
            write(folder / _KILL, "1")
            return
    for pid in found:
        if pid != os.getpid():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)


def _remove(folder: Path) -> bool:
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return ""
