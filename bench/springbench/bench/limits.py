"""What a host allows of a plan: its largest load, and all servers of it at once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

import psutil

from springbench import units
from springbench.errors import HostError
from springbench.host.facts.kernel_limits import (
    accept_queue,
    files_needed,
    port_range,
    raise_file_limit,
)
from springbench.measure.interleave import can_interleave
from springbench.plan.plan import Plan
from springbench.results.run import Caution

# of the host's memory, for wrk, the harness and everything else
SPARE_BYTES = 1 << 30


def check_limits(connections: int) -> Iterator[Caution]:
    """Raise the limits as far as this process may; fail when the largest load cannot fit.

    Raises `HostError` before the first connection, not half-way through a load.
    """
    files = raise_file_limit(files_needed(connections))
    if not files.ok:
        raise HostError(
            f"{connections} connections need {files.needed} open files, "
            f"this process may have {files.soft}: {files.remedy}"
        )
    ports = port_range(connections)
    if not ports.ok:
        raise HostError(
            f"{connections} connections need as many local ports, {ports.free} are free: "
            f"{ports.remedy}"
        )
    queue = accept_queue(min(connections, 4096))
    if queue and not queue.ok:
        yield Caution(
            code="somaxconn",
            message=f"the kernel lets {queue.somaxconn} connections wait to be accepted",
            remedy=queue.remedy,
        )


def one_by_one_if_needed(
    plan: Plan, memory_limit_bytes: int, port: int | None, available_bytes: int | None = None
) -> tuple[Plan, list[Caution]]:
    """The plan, its variants one after the other where they cannot be up at once, and why."""
    if not plan.interleaved:
        return plan, []
    if available_bytes is None:
        available_bytes = int(psutil.virtual_memory().available)
    rounds = [plan.processes(fork) for fork in range(plan.cases[0].forks)]
    servers = max(map(len, rounds))
    needed_bytes = SPARE_BYTES + max(
        sum(group[0].variant.memory_bytes or memory_limit_bytes for group in groups)
        for groups in rounds
    )
    if port is not None:
        why = "--port names one port, and all servers would be up at once"
    elif not can_interleave(os.getpid()):
        why = "this host does not tell what a process did that was stopped"
    elif needed_bytes > available_bytes:
        needed, available = units.apart(_mebibytes, needed_bytes, available_bytes)
        why = f"{servers} servers up at once need {needed} of memory, and {available} are available"
    else:
        return plan, []
    caution = Caution(
        code="one-by-one",
        message=f"servers were measured one after the other, not interleaved: {why}; "
        "each met its own minute of the host",
    )
    alone = tuple(replace(case, interleaved=False) for case in plan.cases)
    return replace(plan, cases=alone), [caution]


def _mebibytes(value_bytes: float, digits: int) -> str:
    return f"{value_bytes / (1 << 20):,.{digits}f} MiB"
