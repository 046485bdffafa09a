"""A memory limit through a scope of systemd, which a user may have without being root.

systemd removes a scope with its last process, and with it what the kernel counted. So each
scope holds a second process beside the server: `cat`, reading from a pipe that only the
harness holds open. It costs nothing, and ends with the harness however that ends.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from springbench.host.memory_limit.cgroup_files import clear
from springbench.host.memory_limit.control_group import ControlGroup, StatsV2
from springbench.host.memory_limit.mounts import Hierarchy
from springbench.host.memory_limit.orphans import PREFIX, is_orphan
from springbench.host.shell import Shell

HOW = "systemd scope"

_TIMEOUT_S = 10.0
_PIPE = ".pipe"
# by which systemd-run finds the manager of the user
_OF_THE_MANAGER = ("DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR")
# in a session of its own, which the signals that end the server do not reach
_BESIDE_KEEPER = 'setsid cat "$1" >/dev/null 2>&1 & shift; unset PWD OLDPWD SHLVL; exec "$@"'
_CHECK = 'group=$(sed -n "s/^0:://p" /proc/self/cgroup); test "$(cat "$1$group/memory.max")" = "$2"'


@dataclass(frozen=True)
class Scope:
    """Makes scopes under the manager of the system (as root) or of the user."""

    limit_bytes: int
    shell: Shell
    mount: Path
    manager: tuple[str, ...]
    properties: tuple[str, ...] = field(default=())

    @property
    def check(self) -> tuple[str, ...]:
        """Ends with 0 inside a scope whose limit the kernel has taken over."""
        return ("sh", "-c", _CHECK, "sh", str(self.mount), str(self.limit_bytes))

    @contextmanager
    def open(self, name: str) -> Iterator[ControlGroup]:
        """A scope that begins with the command and lasts until the block ends."""
        unit = f"{name}.scope"
        place = _Place(self, unit)
        with _held_pipe(name) as pipe:
            try:
                yield ControlGroup(
                    partial(self._command, unit, pipe),
                    StatsV2(place.folder),
                    _OF_THE_MANAGER,
                    helper=str(pipe),
                )
            finally:
                if group := place.folder():
                    clear([group])

    def _command(self, unit: str, pipe: Path, command: Sequence[str]) -> list[str]:
        properties = (
            f"MemoryMax={self.limit_bytes}",
            "MemorySwapMax=0",
            "CPUAccounting=yes",
            *self.properties,
        )
        return [
            *("systemd-run", *self.manager, "--scope", "--quiet", "--collect", f"--unit={unit}"),
            *(f"--property={each}" for each in properties),
            *("sh", "-c", _BESIDE_KEEPER, "sh", str(pipe), *command),
        ]


@contextmanager
def _held_pipe(name: str) -> Iterator[Path]:
    """A pipe that stays silent until the block, or this process, ends."""
    pipe = Path(tempfile.gettempdir()) / f"{name}{_PIPE}"
    os.mkfifo(pipe, 0o600)
    try:
        holder = os.open(pipe, os.O_RDWR | os.O_CLOEXEC)
        try:
            yield pipe
        finally:
            os.close(holder)
    finally:
        pipe.unlink(missing_ok=True)


@dataclass
class _Place:
    """Folder of a scope's group, asked for until it is there."""

    scope: Scope
    unit: str
    found: Path | None = None

    def folder(self) -> Path | None:
        if self.found is None:
            words = ("systemctl", *self.scope.manager, "show", "--property=ControlGroup", "--value")
            with suppress(OSError, subprocess.SubprocessError):
                shown = self.scope.shell.run((*words, self.unit), timeout_s=_TIMEOUT_S).stdout
                if inside := shown.strip().lstrip("/"):
                    self.found = self.scope.mount / inside
        return self.found


def candidates(
    limit_bytes: int, shell: Shell, filesystem: Path, trees: Sequence[Hierarchy]
) -> Iterator[Scope]:
    """Whether systemd runs this host; version 1 of control groups lets no user limit memory."""
    mount = next((tree.mount for tree in trees if tree.version == 2), None)
    if mount is None or not (filesystem / "run/systemd/system").is_dir():
        return
    for pipe in Path(tempfile.gettempdir()).glob(f"{PREFIX}-*{_PIPE}"):
        if is_orphan(pipe.name):
            pipe.unlink(missing_ok=True)
    manager = () if os.geteuid() == 0 else ("--user",)
    # a newer systemd would end the whole scope, and with it the counters, at the first kill
    yield Scope(limit_bytes, shell, mount, manager, ("OOMPolicy=continue",))
    yield Scope(limit_bytes, shell, mount, manager)
