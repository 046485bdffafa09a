"""One measurement at a time on a host: a file lock that the kernel releases with its holder.

The library filelock does not hold here: 4.3 locks files that hold something else, hard links, pipes
and devices as if they were its own, and refuses a lock that another user has made, or that lies on
a file system that is read-only, as a pod has the node's.
"""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from springbench.errors import HostError

logger = logging.getLogger(__name__)

# another place, for tests and for hosts where neither of the usual ones is shared by all users
PLACE = "SPRINGBENCH_LOCK"
_NAME = "springbench.lock"
_SHARED = Path("/run/lock")
_FALLBACK = Path("/tmp")  # noqa: S108 - not the user's own TMPDIR: all users must meet in one place
_POLL_S = 0.5
_NOTE_BYTES = 400
_SIGNATURE = b"pid "
_NOT_PLAIN = "it is a link, a pipe or the like, and no file of its own"


def lock_path() -> Path:
    """Folder in which every user of this host looks for the lock."""
    if place := os.environ.get(PLACE):
        return Path(place)
    return (_SHARED if _open_to_all(_SHARED) else _FALLBACK) / _NAME


@contextmanager
def measuring_alone(wait_s: float = 0.0) -> Iterator[None]:
    """Hold the host's lock while measuring; wait for it at most `wait_s` seconds.

    Raises HostError, naming the process that holds it, when it is not free by then. Children do
    not inherit the lock, so a server that outlives its harness does not keep the host.
    """
    path = lock_path()
    handle = _take(path, wait_s)
    try:
        yield
    finally:
        # the file stays: to remove it would let two processes lock two files of one name
        with suppress(OSError):
            os.ftruncate(handle, 0)
        os.close(handle)


@contextmanager
def exclusive(path: Path, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold the lock of a file or folder of this user, however long others hold it; `waiting` is
    called where they do. Raises `OSError` where there is none."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        if not _lock(handle):
            waiting()
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


class _TakenError(HostError):
    """Another process has the lock; `holder` is what it says of itself."""

    def __init__(self, path: Path, holder: str) -> None:
        super().__init__(
            f"another measurement runs on this host ({holder}; lock {path}), and two at once "
            "would spoil both: wait for its end, or let this one wait with --wait SECONDS"
        )
        self.holder = holder


def _take(path: Path, wait_s: float) -> int:
    import tenacity  # noqa: PLC0415 - few commands wait, and it costs all of them 40 ms

    def announce(state: tenacity.RetryCallState) -> None:
        error = state.outcome.exception() if state.outcome else None
        if state.attempt_number == 1 and isinstance(error, _TakenError):
            logger.info(f"waiting for another measurement on this host to end ({error.holder})")

    retrying = tenacity.Retrying(
        retry=tenacity.retry_if_exception_type(_TakenError),
        stop=tenacity.stop_after_delay(wait_s),
        wait=tenacity.wait_fixed(_POLL_S),
        before_sleep=announce,
        reraise=True,
    )
    return retrying(_take_now, path)


def _take_now(path: Path) -> int:
    handle = _open(path)
    if _lock(handle) and _still_there(handle, path):
        _sign(handle)
        return handle
    holder = _holder(handle)
    os.close(handle)
    raise _TakenError(path, holder)


def is_plain(facts: os.stat_result) -> bool:
    """Whether it is a file, and no other name of one: what is written to it changes no other."""
    return stat.S_ISREG(facts.st_mode) and facts.st_nlink <= 1


def _open(path: Path) -> int:
    """The lock file, made where there is none. Never what somebody has laid in its place."""
    # a pipe would otherwise keep whoever opens it, for ever
    flags = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
    try:
        with suppress(FileNotFoundError):
            # without O_CREAT: Linux refuses that for another user's file in a shared folder
            return _open_existing(path, flags)
        try:
            handle = os.open(path, flags | os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            return _open_existing(path, flags)
        # the next user may be another one, whatever this one's umask
        os.fchmod(handle, 0o666)
    except OSError as error:
        raise HostError(
            f"{path}: the lock against two measurements at once cannot be opened: "
            f"{error.strerror}; have it removed or made readable for all users, or name another "
            f"place in {PLACE}"
        ) from error
    return handle


def _open_existing(path: Path, flags: int) -> int:
    if not is_plain(path.lstat()):  # to open a device may do something already
        raise OSError(0, _NOT_PLAIN)
    try:
        handle = os.open(path, flags | os.O_RDWR)
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise
        # enough to lock, not to sign
        handle = os.open(path, flags | os.O_RDONLY)
    if not is_plain(os.fstat(handle)):
        os.close(handle)
        raise OSError(0, _NOT_PLAIN)
    if not _is_lock(handle):
        os.close(handle)
        raise OSError(0, "it holds something else, which is nobody's note about a measurement")
    return handle


def _is_lock(handle: int) -> bool:
    """Whether the file is empty, or has what `_sign` writes: nothing else is ever cut off."""
    note = os.pread(handle, _NOTE_BYTES + 1, 0)
    return not note or (note.startswith(_SIGNATURE) and len(note) <= _NOTE_BYTES)


def _lock(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _still_there(handle: int, path: Path) -> bool:
    """Whether the locked file is the one that others find; a cleaner may have removed it."""
    try:
        return os.path.samestat(os.fstat(handle), path.lstat())
    except FileNotFoundError:
        return False


def _sign(handle: int) -> None:
    command = " ".join([Path(sys.argv[0]).name, *sys.argv[1:]])
    with suppress(OSError):
        os.ftruncate(handle, 0)
        note = _SIGNATURE + f"{os.getpid()}: {command}".encode(errors="replace")
        os.pwrite(handle, note[:_NOTE_BYTES], 0)


def _holder(handle: int) -> str:
    """Words of the holder about itself, made fit for one line of a terminal."""
    note = os.pread(handle, _NOTE_BYTES, 0).decode(errors="replace")
    shown = "".join(char if char.isprintable() else " " for char in note).strip()
    return shown or "a process that left no name"


def _open_to_all(folder: Path) -> bool:
    """Decided by the mode and not by what this user may do, so that all users decide alike."""
    try:
        mode = folder.stat().st_mode
    except OSError:
        return False
    return stat.S_ISDIR(mode) and bool(mode & stat.S_IWOTH)
