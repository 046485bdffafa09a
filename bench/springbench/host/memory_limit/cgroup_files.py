"""Control groups as the kernel shows them: mounts, files, limits that this process inherits."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from springbench.paths import text_of

_MEMBERS = "cgroup.procs"
_KILL = "cgroup.kill"
_RETRY_S = 0.005
# moves itself into each group, then becomes the command: the process id stays the same
_JOIN = (
    'while [ "$1" != -- ]; do echo $$ > "$1/cgroup.procs" || exit 125; shift; done; '
    'shift; unset PWD OLDPWD SHLVL; exec "$@"'
)
# version 1 writes "no limit" as the largest multiple of a page
_UNLIMITED_BYTES = 2**62


@dataclass(frozen=True)
class Hierarchy:
    """One mounted tree of groups: the only one of version 2, or one of several of version 1."""

    version: int
    controllers: frozenset[str]
    """Controllers of a tree of version 1; empty for version 2, where each group tells."""
    mount: Path
    own_group: Path
    """The group of this process, or the mount where a container does not see it."""


@dataclass(frozen=True)
class _Mount:
    kind: str
    root: PurePosixPath
    """The group that shows as the top of the mount: a container's own, or `/`."""
    point: str
    options: frozenset[str]


def hierarchies(filesystem: Path = Path("/")) -> list[Hierarchy]:
    """Every tree of groups that this process belongs to and can see; none without them."""
    mounts = list(_mounts(text_of(filesystem / "proc/self/mountinfo").splitlines()))
    found = []
    for line in text_of(filesystem / "proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        names = frozenset(filter(None, controllers.split(",")))
        kind = "cgroup" if names else "cgroup2"
        for mount in mounts:
            if mount.kind == kind and names <= mount.options:
                top = filesystem / mount.point.lstrip("/")
                version = 1 if names else 2
                found.append(Hierarchy(version, names, top, _own_group(top, mount.root, path)))
                break
    return found


def _own_group(top: Path, root: PurePosixPath, path: str) -> Path:
    try:
        inside = PurePosixPath(path).relative_to(root)
    except ValueError:
        return top
    folder = top / inside
    return folder if ".." not in inside.parts and folder.is_dir() else top


def _mounts(lines: list[str]) -> Iterator[_Mount]:
    """Lines like `35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory`."""
    for line in lines:
        before, _, after = line.partition(" - ")
        left, right = before.split(), after.split()
        if len(left) > 4 and len(right) > 2 and right[0] in {"cgroup", "cgroup2"}:
            options = frozenset(right[2].split(","))
            yield _Mount(right[0], PurePosixPath(left[3]), left[4], options)


def joining(folders: Sequence[Path], command: Sequence[str]) -> list[str]:
    """The command behind one that joins the groups first; ends with 125 where it may not."""
    return ["sh", "-c", _JOIN, "sh", *map(str, folders), "--", *command]


def number(path: Path) -> int | None:
    """A file that holds one number; None where it does not."""
    text = text_of(path).strip()
    return int(text) if text.isdigit() else None


def numbers(path: Path) -> dict[str, int]:
    """By key, those of a file of `key number` lines."""
    pairs = [line.split() for line in text_of(path).splitlines()]
    return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2 and pair[1].isdigit()}


def keyed(path: Path, key: str) -> int | None:
    """The number behind `key` in such a file; None where there is none."""
    return numbers(path).get(key)


def members(folder: Path) -> list[int]:
    """The processes of a group, without those of another namespace."""
    return [int(pid) for pid in words(folder / _MEMBERS) if pid.isdigit() and pid != "0"]


def words(path: Path) -> set[str]:
    """The words of a file, such as a list of controllers."""
    return set(text_of(path).split())


def write(path: Path, value: str) -> None:
    """Write one value in one call, as the kernel wants it. Raises OSError."""
    path.write_text(value, encoding="ascii")


def clear(folders: Sequence[Path], patience_s: float = 5.0) -> bool:
    """End every process in the groups and remove them; whether all are gone in time.

    A group stays busy for a moment after its last process was killed, so it is tried again.
    """
    import tenacity  # noqa: PLC0415 - as in host/lock.py

    retrying = tenacity.Retrying(
        stop=tenacity.stop_after_delay(patience_s),
        wait=tenacity.wait_fixed(_RETRY_S),
        retry=tenacity.retry_if_result(bool),
        retry_error_callback=lambda state: state.outcome.result() if state.outcome else [],
    )
    return not retrying(_cleared, folders)


def _cleared(folders: Sequence[Path]) -> list[Path]:
    """Those that are left."""
    for folder in folders:
        _end_members(folder)
    return [folder for folder in folders if not _remove(folder)]


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


def memory_limit(filesystem: Path = Path("/")) -> int | None:
    """The tightest memory limit in bytes; None without one."""
    return min((limit for limit, _ in _memory_limits(filesystem)), default=None)


def memory_left(filesystem: Path = Path("/")) -> int | None:
    """How many bytes more this process may have under its memory limits; None without one."""
    left = (max(0, limit - used) for limit, used in _memory_limits(filesystem))
    return min(left, default=None)


def _memory_limits(filesystem: Path) -> Iterator[tuple[int, int]]:
    """Each limit in bytes, and what its group has of it."""
    for folder in _folders(filesystem, "memory"):
        for limit_file, used_file in (
            ("memory.max", "memory.current"),
            ("memory.limit_in_bytes", "memory.usage_in_bytes"),
        ):
            limit, used = (text_of(folder / name).strip() for name in (limit_file, used_file))
            if limit.isdigit() and int(limit) < _UNLIMITED_BYTES:
                yield int(limit), int(used) if used.isdigit() else 0


def cpu_quota(filesystem: Path = Path("/")) -> float | None:
    """The tightest quota, in CPUs; None without one."""
    quotas = [
        int(quota) / int(period)
        for folder in _folders(filesystem, "cpu")
        for quota, period in (_quota_and_period(folder),)
        if quota.isdigit() and period.isdigit() and int(period)
    ]
    return min(quotas, default=None)


def _quota_and_period(folder: Path) -> tuple[str, str]:
    quota_and_period = text_of(folder / "cpu.max").split()
    if len(quota_and_period) == 2:
        return quota_and_period[0], quota_and_period[1]
    files = (folder / "cpu.cfs_quota_us", folder / "cpu.cfs_period_us")
    quota, period = (text_of(file).strip() for file in files)
    return quota, period


def _folders(filesystem: Path, controller: str) -> Iterator[Path]:
    """The groups that this process is in, innermost first, and every group around them."""
    for tree in hierarchies(filesystem):
        if tree.version == 2 or controller in tree.controllers:
            for folder in (tree.own_group, *tree.own_group.parents):
                yield folder
                if folder == tree.mount:
                    break
