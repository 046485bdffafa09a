"""A process and all that it has started: a wrapper and its program, a master and its workers."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil

_LINUX = sys.platform.startswith("linux")
_PR_SET_CHILD_SUBREAPER = 36
# what the kernel cannot end at once, such as a process that waits for a disk
_END_CEILING_S = 5.0
_TICK_S = 0.001
# several readings of one moment look once
FRESH_S = 0.01
_ENDED_STATES = frozenset("ZX")


class Stat(NamedTuple):
    """What the kernel says of a process in one line."""

    state: str
    parent: int
    group: int
    session: int
    children_ticks: int
    """CPU time, in clock ticks, of children that it has seen end."""
    began_ticks: int
    """When it began, since boot: with the process id, what tells it from any other."""


class ProcessTree:
    """All processes that began below one, whatever session they are in. Safe for threads.

    Begins with a process that has just been started, or is known to be the one that is meant.
    """

    def __init__(self, root: int, proc: Path = Path("/proc")) -> None:
        self.root, self._proc = root, proc
        self._of_group: Callable[[], Iterable[int]] = tuple
        self._helper = ""
        self._lock = threading.RLock()
        stat = self.stat(root) if _LINUX else None
        # by process id, when each began
        self._members: dict[int, int] = {root: stat.began_ticks} if stat else {}
        self._other_pids: set[int] = set()
        self._looked_at_s = -FRESH_S

    def add_group(self, members: Callable[[], Iterable[int]], helper: str = "") -> None:
        """Those of its control group are of it too, wherever they began.

        `helper` is an argument by which a process of the harness's own is known, which is in there
        and no part of it.
        """
        self._of_group, self._helper = members, helper

    def members(self) -> list[int]:
        """Those that are there now, the first one first; ended ones that nobody has asked, too."""
        return self._members_now(FRESH_S)

    def _members_now(self, older_s: float = 0.0) -> list[int]:
        """The same, as it was seen at most so long ago."""
        if not _LINUX:
            return _members_by_psutil(self.root)
        with self._lock:
            if time.monotonic() - self._looked_at_s >= older_s:
                self._refresh()
                self._looked_at_s = time.monotonic()
            return sorted(self._members, key=lambda pid: (pid != self.root, self._members[pid]))

    def living(self) -> list[int]:
        """The same without those that have ended."""
        return self._not_ended(self.members())

    def _not_ended(self, pids: Iterable[int]) -> list[int]:
        return [pid for pid in pids if not self._has_ended(pid)]

    def stat(self, pid: int) -> Stat | None:
        """What the kernel says of a process; None when it is gone, or nothing tells."""
        return _stat(self._proc / str(pid) / "stat")

    def signal(self, number: int) -> None:
        """Send a signal to all: one that stops reaches first who could start others.

        A single process is stopped and continued as it was last seen: to look costs a part of a
        millisecond, which its load would be held against.
        """
        with self._lock:
            known = dict(self._members)
        if known.keys() == {self.root} and number in (signal.SIGSTOP, signal.SIGCONT):
            stat = self.stat(self.root)
            if stat and stat.began_ticks == known[self.root]:
                _send(self.root, number)
        elif number == signal.SIGSTOP:
            self._stop()
        else:
            for pid in reversed(self._members_now()):
                _send(pid, number)

    def _stop(self) -> None:
        stopped: set[int] = set()
        # what one has started just before it was stopped is found the next time
        while left := [pid for pid in self._members_now() if pid not in stopped]:
            for pid in left:
                _send(pid, signal.SIGSTOP)
            stopped.update(left)

    def end(self) -> None:
        """End all of them by force, the first one last: what its children leave comes to it."""
        end_s = time.monotonic() + _END_CEILING_S
        while (living := self._not_ended(self._members_now())) and time.monotonic() < end_s:
            if living == [self.root]:
                _send(self.root, signal.SIGKILL)
                return
            for pid in living:
                _send(pid, signal.SIGSTOP if pid == self.root else signal.SIGKILL)
            time.sleep(_TICK_S)
        for pid in living:
            _send(pid, signal.SIGKILL)

    def _has_ended(self, pid: int) -> bool:
        stat = self.stat(pid)
        return stat is None or stat.state in _ENDED_STATES

    def _refresh(self) -> None:
        """Look at processes that have come since: any other was, or was not, one of them before."""
        if not self._members:
            return  # all have ended, and nobody can have begun below them
        present = self._present()
        known = {self.root, *self._members}
        for pid, began in list(self._members.items()):
            stat = self.stat(pid)
            # its id may be another's by now
            if stat is None or stat.began_ticks != began or self._is_helper(pid):
                del self._members[pid]
        self._other_pids &= present
        grouped = set(self._of_group())
        fresh = {
            pid: stat
            for pid in (present - self._other_pids - self._members.keys()) | grouped
            if pid not in self._members and (stat := self.stat(pid))
        }
        while found := {
            pid: stat
            for pid, stat in fresh.items()
            if pid in grouped or self._is_below(stat, known)
        }:
            for pid, stat in found.items():
                del fresh[pid]
                known.add(pid)
                if not self._is_helper(pid):
                    self._members[pid] = stat.began_ticks
        self._other_pids |= fresh.keys()

    def _is_below(self, stat: Stat, known: set[int]) -> bool:
        return (
            stat.parent in known
            # a child that was left by its parent, in the session or the group of the first one
            or self.root in (stat.session, stat.group)
        )

    def _present(self) -> set[int]:
        try:
            return {int(name) for name in os.listdir(self._proc) if name.isdigit()}  # noqa: PTH208
        except OSError:
            return set()

    def _is_helper(self, pid: int) -> bool:
        if not self._helper:
            return False
        try:
            line = (self._proc / str(pid) / "cmdline").read_bytes()
        except OSError:
            return False
        program, *words = line.split(b"\0")
        return program == b"cat" and self._helper.encode() in words


def become_subreaper() -> None:
    """Have what is left by its parents, below this process, come to this one and not leave it.

    Programs that this process becomes keep to it. Nothing happens where the system has no such
    thing.
    """
    if _prctl is not None:
        _prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _find_prctl() -> Callable[..., int] | None:
    if not _LINUX:
        return None
    try:
        found: Callable[..., int] = ctypes.CDLL(None).prctl
    except (OSError, AttributeError):
        return None
    return found


# found beforehand: between fork and exec is no place to look for it
_prctl = _find_prctl()


def _stat(file: Path) -> Stat | None:
    try:
        text = file.read_bytes()
    except OSError:
        return None
    # the name in the second field may hold anything
    fields = text.rpartition(b")")[2].split()
    if len(fields) < 20:
        return None
    return Stat(
        state=fields[0].decode("ascii", "replace"),
        parent=int(fields[1]),
        group=int(fields[2]),
        session=int(fields[3]),
        children_ticks=int(fields[13]) + int(fields[14]),
        began_ticks=int(fields[19]),
    )


def _members_by_psutil(root: int) -> list[int]:
    try:
        children = psutil.Process(root).children(recursive=True)
    except psutil.Error:
        return []
    return [root, *(child.pid for child in children)]


def _send(pid: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)
