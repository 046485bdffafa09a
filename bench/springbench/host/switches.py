"""Switches of the kernel that make a CPU's speed depend on its past: set to measure, then put back.

    with measuring_alone(), prepared_host():
        ...

Only what this user may write is changed, and the rest is named. The old values stand in a file
beside the host's lock, which lives as long as the switches do: until the host starts anew. A
measurement that was killed is made up for by the next one, under the lock, so never beside
somebody who measures.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from springbench.host.lock import is_plain, lock_path

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Switch:
    """Files below `/` that hold one value each, and the value that they should have."""

    files: str
    value: str
    meaning: str


SWITCHES = (
    Switch(
        "sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor",
        "performance",
        "frequency governor",
    ),
    Switch("sys/devices/system/cpu/intel_pstate/no_turbo", "1", "turbo off (Intel)"),
    Switch("sys/devices/system/cpu/cpufreq/boost", "0", "turbo off (AMD)"),
    Switch("sys/devices/system/cpu/smt/control", "off", "one thread a core"),
    Switch(
        "sys/kernel/mm/transparent_hugepage/enabled", "madvise", "huge pages only where asked for"
    ),
    Switch("proc/sys/kernel/numa_balancing", "0", "no moving of memory between nodes"),
)
# the chosen one of a list of choices
_CHOSEN = re.compile(r"\[(\S+)\]")
_LONGEST_STATE_BYTES = 1 << 20


# another place than /, for tests
ROOT_PLACE = "SPRINGBENCH_HOST_ROOT"


@contextmanager
def prepared_host(root: Path | None = None, state: Path | None = None) -> Iterator[None]:
    """Set the switches, and put them back however the block ends. Hold the host's lock meanwhile.

    `state` is the file that keeps the old values. Where it cannot be kept nothing is changed.
    """
    root = root or Path(os.environ.get(ROOT_PLACE, "/"))
    switches = _Switches(root, state or state_path())
    if switches.state.exists():
        logger.info("an earlier measurement did not put this host back; doing so first")
        switches.restore()
    try:
        switches.turn_all()
        yield
    finally:
        switches.restore()


def state_path() -> Path:
    """Of this user: nobody trusts what another one says a value was."""
    return lock_path().with_name(f"springbench-host-{os.getuid()}.state")


@dataclass(frozen=True)
class _Switches:
    root: Path
    state: Path

    def turn_all(self) -> None:
        """Every switch that is there, may be written, and has another value."""
        for switch in SWITCHES:
            for file in sorted(self.root.glob(switch.files)):
                if not self._turn(file, switch):
                    return

    def _turn(self, file: Path, switch: Switch) -> bool:
        """Whether the next one may be tried."""
        old = _value(file)
        if old is None or old == switch.value:
            return True
        if not os.access(file, os.W_OK):
            logger.info(f"{switch.meaning}: left at {old!r}, {file} is not writable for this user")
            return True
        try:
            self._note(file, old)
        except OSError as error:
            logger.info(
                f"this host is left as it is: its values cannot be kept in {self.state} "
                f"({error.strerror})"
            )
            return False
        if _set(file, switch.value):
            logger.info(f"{switch.meaning}: {old!r} is now {switch.value!r}")
        else:
            logger.info(f"{switch.meaning}: left at {old!r}, the kernel refuses {switch.value!r}")
        return True

    def _note(self, file: Path, old: str) -> None:
        """Before it is changed: who is killed in between has at worst nothing to put back."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        # a pipe that somebody laid there would otherwise keep this process for ever
        descriptor = os.open(self.state, flags | os.O_NONBLOCK, 0o600)
        try:
            if not _is_own(os.fstat(descriptor)):
                raise PermissionError(1, "it is another user's, or no file of its own")
            os.write(descriptor, f"{file.relative_to(self.root)}\t{old}\n".encode())
        finally:
            os.close(descriptor)

    def restore(self) -> None:
        """Put back what was noted, the last change first, and forget it."""
        for name, old in reversed(self._noted()):
            file = self.root / name
            if _value(file) == old:
                continue
            if _set(file, old):
                logger.info(f"{file} is {old!r} again")
            else:
                logger.info(f"{file} could not be set back to {old!r}")
        if self._has_own():
            self.state.unlink(missing_ok=True)

    def _has_own(self) -> bool:
        try:
            return _is_own(self.state.lstat())
        except OSError:
            return False

    def _noted(self) -> list[tuple[str, str]]:
        """What the file says of files that are switches; nothing of one that is not this user's."""
        if not self._has_own():
            return []
        try:
            with self.state.open(encoding="utf-8", errors="replace") as stream:
                lines = stream.read(_LONGEST_STATE_BYTES).splitlines()
        except OSError:
            return []
        known = {
            str(file.relative_to(self.root))
            for switch in SWITCHES
            for file in self.root.glob(switch.files)
        }
        pairs = [line.split("\t", 1) for line in lines if "\t" in line]
        return [(name, old) for name, old in pairs if name in known]


def _is_own(facts: os.stat_result) -> bool:
    return is_plain(facts) and facts.st_uid == os.getuid()


def _value(file: Path) -> str | None:
    """What a switch is set to; None where it does not say."""
    try:
        text = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None
    chosen = _CHOSEN.search(text)
    return chosen[1] if chosen else text


def _set(file: Path, value: str) -> bool:
    try:
        file.write_text(f"{value}\n", encoding="ascii")
    except (OSError, UnicodeEncodeError):
        return False
    return True
