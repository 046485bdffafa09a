"""The kernel's limits, raised and checked for the largest load of a plan."""

from __future__ import annotations

from collections.abc import Iterator

from springbench.errors import HostError
from springbench.host.facts.kernel_limits import (
    accept_queue,
    files_needed,
    port_range,
    raise_file_limit,
)
from springbench.plan.plan import Plan
from springbench.results.run import Caution


def check_limits(plan: Plan) -> Iterator[Caution]:
    """Raise the limits as far as this process may; fail when the largest load cannot fit.

    Raises `HostError` before the first connection, not half-way through a load.
    """
    connections = max(case.connections for case in plan.cases)
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
