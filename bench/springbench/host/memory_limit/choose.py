"""Holds a server to its memory limit by the best means that the host and the user's rights allow.

    memory_limit = choose_memory_limit(1 << 30, shell)
    with memory_limit.enter("boot4-tomcat-virtual-jvm/pay/3000 fork 1") as group:
        running = shell.start(group.wrap(command), stdout=log, cpus=cpus)
        ...
    if group.oom_killed(): ...

A means counts only after a trial: a process was really put under the limit.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from springbench.errors import HostError
from springbench.host.memory_limit import cgroup_v1, cgroup_v2, systemd_scope
from springbench.host.memory_limit.control_group import ControlGroup, NoStats
from springbench.host.memory_limit.mounts import Hierarchy, hierarchies
from springbench.host.memory_limit.orphans import group_name, sweep
from springbench.host.shell import Shell

# of every server, unless a person asks for another
MEMORY_LIMIT_BYTES = 1 << 30
NOT_ENFORCED = "flags of the JVM"

_TRIAL_TIMEOUT_S = 10.0
_TRIALS = 3
_MIB = 2**20


@dataclass(frozen=True)
class Shortfall:
    """Gap in what is enforced, and its remedy."""

    message: str
    remedy: str


@dataclass(frozen=True)
class MemoryLimit:
    """One means of enforcing a memory limit on every fork of a run."""

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
    limit_bytes: int, shell: Shell, filesystem: Path = Path("/")
) -> MemoryLimit:
    """The first means that passes its trial; one with a warning when none does.

    Removes what a killed harness left behind.
    """
    trees = hierarchies(filesystem)
    sweep(tree.mount for tree in trees)
    for candidate in _candidates(limit_bytes, shell, filesystem, trees):
        cost_s = _tried(candidate, shell)
        if cost_s is not None:
            return replace(candidate, start_cost_s=cost_s)
    return not_enforced(limit_bytes)


def not_enforced(limit_bytes: int) -> MemoryLimit:
    """No enforced limit: the flags of the server's command alone hold it."""

    @contextmanager
    def opened(_name: str) -> Iterator[ControlGroup]:
        yield ControlGroup(list, NoStats())

    return MemoryLimit(NOT_ENFORCED, limit_bytes, opened, warning=_shortfall(limit_bytes))


def _candidates(
    limit_bytes: int, shell: Shell, filesystem: Path, trees: Sequence[Hierarchy]
) -> Iterator[MemoryLimit]:
    for scope in systemd_scope.candidates(limit_bytes, shell, filesystem, trees):
        yield MemoryLimit(systemd_scope.HOW, limit_bytes, scope.open, scope.check)
    for group in cgroup_v2.candidates(limit_bytes, trees):
        yield MemoryLimit(cgroup_v2.HOW, limit_bytes, group.open)
    for old_group in cgroup_v1.candidates(limit_bytes, trees):
        yield MemoryLimit(cgroup_v1.HOW, limit_bytes, old_group.open)


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
