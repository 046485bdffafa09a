"""Looks at the host and puts every check to it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from springbench.host.checks import (
    Check,
    Severity,
    check_accept_queue,
    check_cores,
    check_files,
    check_jdk,
    check_load,
    check_maven,
    check_memory,
    check_platform,
    check_ports,
    check_python,
    check_taskset,
    check_wrk,
)
from springbench.host.cpus import cores
from springbench.host.limits import accept_queue, file_limit, files_needed, port_range
from springbench.host.platforms import Platform, this_platform
from springbench.host.search import Search
from springbench.host.shell import RealShell, Shell
from springbench.host.tools import find_maven, find_wrk, jdks

MAX_CONNECTIONS = 5_000
ACCEPT_QUEUE = 1_024


@dataclass(frozen=True)
class Host:
    """The host as the checks see it; a test describes one of its own."""

    platform: Platform = field(default_factory=this_platform)
    search: Search = field(default_factory=Search.of_host)
    shell: Shell = field(default_factory=RealShell)

    def tool_checks(self) -> list[Check]:
        """What `--install` can bring."""
        found = find_maven((0,), search=self.search, shell=self.shell)
        checks = [
            check_jdk(tuple(jdks(self.search, self.shell)), self.platform),
            check_maven(found, self.platform),
            check_wrk(find_wrk(search=self.search, shell=self.shell), self.platform),
        ]
        if self.platform.system == "linux":
            present = self.search.which("taskset") is not None
            checks.append(check_taskset(present, self.platform))
        return checks

    def checks(self) -> list[Check]:
        """Every check, the most important first."""
        queue = accept_queue(ACCEPT_QUEUE)
        logical = os.cpu_count() or 1
        return [
            *self.tool_checks(),
            check_python(sys.version_info[:3]),
            check_files(file_limit(files_needed(MAX_CONNECTIONS)), MAX_CONNECTIONS),
            check_ports(port_range(MAX_CONNECTIONS)),
            *([check_accept_queue(queue)] if queue else []),
            check_cores(len(cores()) or logical),
            check_load(os.getloadavg()[0], logical),
            check_memory(_available_bytes()),
            check_platform(self.platform),
        ]


def failed(checks: Sequence[Check], severity: Severity) -> list[Check]:
    """The checks of one severity that did not pass."""
    return [check for check in checks if not check.ok and check.severity is severity]


def _available_bytes() -> int:
    import psutil  # noqa: PLC0415  # set-up looks at tools alone, and should not wait for it

    from springbench.host.cgroups import memory_limit  # noqa: PLC0415

    available = int(psutil.virtual_memory().available)
    return min(available, memory_limit() or available)
