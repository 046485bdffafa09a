"""How memory and CPU time are limited on this host: by control groups of version 2 or 1, by
systemd, or not."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from springbench.errors import HostError
from springbench.host.memory_limit.cgroup_files import (
    Hierarchy,
    clear,
    hierarchies,
    joining,
    words,
    write,
)
from springbench.host.memory_limit.control_group import (
    PREFIX,
    CgroupStats,
    ControlGroup,
    group_name,
    is_orphan,
    sweep,
)
from springbench.host.shell import Shell

NOT_ENFORCED = "flags of the JVM"

_TRIAL_TIMEOUT_S = 10.0
_TRIALS = 3
_MIB = 2**20
_TIMEOUT_S = 10.0
_PIPE = ".pipe"
# by which systemd-run finds the manager of the user
_OF_THE_MANAGER = ("DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR")
# in a session of its own, which the signals that end the server do not reach
_BESIDE_KEEPER = 'setsid cat "$1" >/dev/null 2>&1 & shift; unset PWD OLDPWD SHLVL; exec "$@"'
_CHECK = (
    'group=$(sed -n "s/^0:://p" /proc/self/cgroup); test "$(cat "$1$group/memory.max")" = "$2" && '
    '{ test -z "$3" || test "$(cat "$1$group/cpu.max")" = "$3"; }'
)
# of a quota, as containers have it
PERIOD_US = 100_000


@dataclass(frozen=True)
class Shortfall:
    """Gap in what is enforced, and its remedy."""

    message: str
    remedy: str


@dataclass(frozen=True)
class MemoryLimit:
    """One means of enforcing a memory limit, and a quota of the CPU, on every fork of a run."""

    how: str
    """`systemd scope`, `cgroup v2`, `cgroup v1` or `flags of the JVM`."""
    limit_bytes: int
    open: Callable[[str], AbstractContextManager[ControlGroup]]
    """Makes the group of that name, and ends and removes what is left of it afterwards."""
    check: Sequence[str] = ("true",)
    """Command that a trial runs inside; it ends with 0 where the limit holds."""
    warning: Shortfall | None = None
    """Set where nothing but the server itself keeps to the limit."""
    start_cost_s: float = 0.0
    """Time that `wrap` adds to the start of a process, as the trial saw it."""

    @property
    def enforced(self) -> bool:
        """Whether the kernel enforces the limit."""
        return self.warning is None

    @contextmanager
    def enter(self, name: str) -> Iterator[ControlGroup]:
        """A group for one fork; gone, with all that still runs in it, when the block ends.

        Raises HostError when the host no longer lets one be made.
        """
        with ExitStack() as stack:
            try:
                group = stack.enter_context(self.open(group_name(name)))
            except OSError as error:
                raise HostError(
                    f"no {self.how} can be made for the memory limit any more: {error}"
                ) from error
            stack.callback(group.close)
            yield group


def choose_memory_limit(
    limit_bytes: int,
    shell: Shell,
    filesystem: Path = Path("/"),
    cpu_quota: float | None = None,
) -> MemoryLimit:
    """The first means that passes its trial; one with a warning, and no quota, when none does.

    `cpu_quota` is in CPUs.

    Removes what a killed harness left behind.
    """
    trees = hierarchies(filesystem)
    sweep(tree.mount for tree in trees)
    for candidate in _candidates(limit_bytes, shell, filesystem, trees, cpu_quota):
        cost_s = _tried(candidate, shell)
        if cost_s is not None:
            return replace(candidate, start_cost_s=cost_s)
    return not_enforced(limit_bytes)


def not_enforced(limit_bytes: int) -> MemoryLimit:
    """No enforced limit: the flags of the server's command alone hold it."""

    @contextmanager
    def opened(_name: str) -> Iterator[ControlGroup]:
        yield ControlGroup(list, CgroupStats())

    return MemoryLimit(NOT_ENFORCED, limit_bytes, opened, warning=_shortfall(limit_bytes))


def _candidates(
    limit_bytes: int,
    shell: Shell,
    filesystem: Path,
    trees: Sequence[Hierarchy],
    cpu_quota: float | None,
) -> Iterator[MemoryLimit]:
    for scope in scopes(limit_bytes, shell, filesystem, trees, cpu_quota):
        yield MemoryLimit("systemd scope", limit_bytes, scope.open, scope.check)
    for group in groups_v2(limit_bytes, trees, cpu_quota):
        yield MemoryLimit("cgroup v2", limit_bytes, group.open)
    for old_group in groups_v1(limit_bytes, trees, cpu_quota):
        yield MemoryLimit("cgroup v1", limit_bytes, old_group.open)


def _tried(memory_limit: MemoryLimit, shell: Shell) -> float | None:
    """Seconds that it adds to the start of a process; None when it does not work here."""
    costs_s = []
    try:
        for _ in range(_TRIALS):
            with memory_limit.enter("trial") as group:
                inside_s = _time(group.wrap(memory_limit.check), shell)
            outside_s = _time(memory_limit.check, shell, must_pass=False)
            costs_s.append(inside_s - outside_s)
    except (OSError, HostError, subprocess.SubprocessError):
        return None
    return max(0.0, statistics.median(costs_s))


def _time(command: Sequence[str], shell: Shell, *, must_pass: bool = True) -> float:
    begin_s = time.perf_counter()
    done = shell.run(command, timeout_s=_TRIAL_TIMEOUT_S)
    if must_pass and done.code:
        raise HostError(done.stderr)
    return time.perf_counter() - begin_s


def _shortfall(limit_bytes: int) -> Shortfall:
    message = (
        f"nothing but its own flags holds the server to {limit_bytes / _MIB:,.0f} MiB: "
        "what it takes beside its heap is not limited"
    )
    if not sys.platform.startswith("linux"):
        return Shortfall(message, "measure on Linux, which has control groups")
    return Shortfall(
        message,
        "run as root, or in a session of systemd (`sudo loginctl enable-linger $USER`, then log "
        "in again), or in a container that may write its control groups (`docker run "
        "--privileged --cgroupns=private`)",
    )


def _quota_us(cpu_quota: float) -> int:
    """CPU time of each period."""
    return round(cpu_quota * PERIOD_US)


@dataclass(frozen=True)
class Scope:
    """Makes scopes under the manager of the system (as root) or of the user."""

    limit_bytes: int
    shell: Shell
    mount: Path
    manager: tuple[str, ...]
    properties: tuple[str, ...] = field(default=())
    cpu_quota: float | None = None

    @property
    def check(self) -> tuple[str, ...]:
        """Ends with 0 inside a scope whose limits the kernel has taken over."""
        quota = f"{_quota_us(self.cpu_quota)} {PERIOD_US}" if self.cpu_quota else ""
        return ("sh", "-c", _CHECK, "sh", str(self.mount), str(self.limit_bytes), quota)

    @contextmanager
    def open(self, name: str) -> Iterator[ControlGroup]:
        """A scope that begins with the command and lasts until the block ends."""
        unit = f"{name}.scope"
        place = _Place(self, unit)
        with _held_pipe(name) as pipe:
            try:
                yield ControlGroup(
                    partial(self._command, unit, pipe),
                    CgroupStats(place.folder, place.folder, place.folder),
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
            *([f"CPUQuota={self.cpu_quota:.0%}"] if self.cpu_quota else []),
            *self.properties,
        )
        return [
            *("systemd-run", *self.manager, "--scope", "--quiet", "--collect", f"--unit={unit}"),
            *(f"--property={setting}" for setting in properties),
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
            command = (
                "systemctl",
                *self.scope.manager,
                "show",
                "--property=ControlGroup",
                "--value",
            )
            with suppress(OSError, subprocess.SubprocessError):
                shown = self.scope.shell.run(command, timeout_s=_TIMEOUT_S).stdout
                if inside := shown.strip().lstrip("/"):
                    self.found = self.scope.mount / inside
        return self.found


def scopes(
    limit_bytes: int,
    shell: Shell,
    filesystem: Path,
    trees: Sequence[Hierarchy],
    cpu_quota: float | None = None,
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
    yield Scope(limit_bytes, shell, mount, manager, ("OOMPolicy=continue",), cpu_quota)
    yield Scope(limit_bytes, shell, mount, manager, cpu_quota=cpu_quota)


@dataclass(frozen=True)
class CgroupV2:
    """Makes groups below `parent`, for which the controllers are switched on if need be."""

    limit_bytes: int
    parent: Path
    cpu_quota: float | None = None

    @contextmanager
    def open(self, name: str) -> Iterator[ControlGroup]:
        """A group with the limits; OSError where it cannot be made."""
        switch = self.parent / "cgroup.subtree_control"
        for controller in sorted(_controllers(self.cpu_quota) - words(switch)):
            # refused where the parent holds processes, unless it is the root of all groups
            write(switch, f"+{controller}")
        group = self.parent / name
        try:
            group.mkdir()
            write(group / "memory.max", str(self.limit_bytes))
            if (group / "memory.swap.max").exists():
                write(group / "memory.swap.max", "0")
            if self.cpu_quota:
                write(group / "cpu.max", f"{_quota_us(self.cpu_quota)} {PERIOD_US}")
            stats = CgroupStats(lambda: group, lambda: group, lambda: group)
            yield ControlGroup(partial(joining, (group,)), stats)
        finally:
            clear([group])


def _controllers(cpu_quota: float | None) -> set[str]:
    """Those that limits need."""
    return {"memory", "cpu"} if cpu_quota else {"memory"}


def groups_v2(
    limit_bytes: int, trees: Sequence[Hierarchy], cpu_quota: float | None = None
) -> Iterator[CgroupV2]:
    """The group of this process and those around it, innermost first, that may have the limits.

    Its own can have limited groups below it only when it holds no process, so that mostly the
    one around it is where the new group goes: beside this process's, under the same limits.
    """
    for tree in trees:
        if tree.version == 2:
            for parent in (tree.own_group, *tree.own_group.parents):
                if _controllers(cpu_quota) <= words(parent / "cgroup.controllers"):
                    yield CgroupV2(limit_bytes, parent, cpu_quota)
                if parent == tree.mount:
                    return


@dataclass(frozen=True)
class CgroupV1:
    """Makes groups below this process's own, so that limits around it go on to hold."""

    limit_bytes: int
    memory: Path
    cpuacct: Path | None
    cpu: Path | None = None
    cpu_quota: float | None = None
    """Of `cpu`, which is there then."""

    @contextmanager
    def open(self, name: str) -> Iterator[ControlGroup]:
        """A group with the limits; OSError where it cannot be made."""
        memory = self.memory / name
        cpu = self.cpu / name if self.cpu and self.cpu_quota else None
        folders = [memory, *([cpu] if cpu else [])]
        try:
            memory.mkdir()
            write(memory / "memory.limit_in_bytes", str(self.limit_bytes))
            self._without_swap(memory)
            if cpu and self.cpu_quota:
                cpu.mkdir()
                write(cpu / "cpu.cfs_period_us", str(PERIOD_US))
                write(cpu / "cpu.cfs_quota_us", str(_quota_us(self.cpu_quota)))
            # one tree has both, mostly
            cpuacct = cpu if cpu and self.cpuacct == self.cpu else self._cpuacct(name)
            if cpuacct and cpuacct not in folders:
                folders.append(cpuacct)
            stats = CgroupStats(lambda: memory, lambda: cpuacct, lambda: cpu, is_v1=True)
            yield ControlGroup(partial(joining, tuple(folders)), stats)
        finally:
            clear(folders)

    def _without_swap(self, memory: Path) -> None:
        if (memory / "memory.memsw.limit_in_bytes").exists():
            write(memory / "memory.memsw.limit_in_bytes", str(self.limit_bytes))
        with suppress(OSError):
            write(memory / "memory.swappiness", "0")

    def _cpuacct(self, name: str) -> Path | None:
        """CPU time is worth having, and no reason to give up the limit."""
        if self.cpuacct is None:
            return None
        try:
            (self.cpuacct / name).mkdir()
        except OSError:
            return None
        return self.cpuacct / name


def groups_v1(
    limit_bytes: int, trees: Sequence[Hierarchy], cpu_quota: float | None = None
) -> Iterator[CgroupV1]:
    """The group of this process, where version 1 controls what is limited."""
    own_groups = {
        controller: tree.own_group
        for tree in trees
        if tree.version == 1
        for controller in tree.controllers
    }
    memory, cpu = own_groups.get("memory"), own_groups.get("cpu")
    if memory and (cpu or not cpu_quota):
        yield CgroupV1(limit_bytes, memory, own_groups.get("cpuacct"), cpu, cpu_quota)
