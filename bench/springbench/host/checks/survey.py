"""Looks at the host and puts every check to it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from springbench.host.checks import cpu, system
from springbench.host.checks.check import Check, Severity
from springbench.host.cpus import partition, smt_siblings, usable_kinds
from springbench.host.facts.activity import Activity, governors, power_source
from springbench.host.facts.facts import CLOCK, HostFacts, host_facts, meminfo
from springbench.host.facts.kernel_limits import accept_queue, file_limit, files_needed, port_range
from springbench.host.memory_limit.choose import choose_memory_limit
from springbench.host.shell import RealShell, Shell
from springbench.host.tools.find import find_h2load, find_maven, find_native_image, find_wrk, jdks
from springbench.host.tools.packages import Platform, this_platform
from springbench.host.tools.search import Search
from springbench.limits import MEMORY_LIMIT_BYTES
from springbench.paths import text_of

MAX_CONNECTIONS = 5_000
ACCEPT_QUEUE = 4_096
"""The longest backlog that a server asks for, and what Linux allows by default."""


@dataclass(frozen=True)
class SurveyedHost:
    """The host as the checks see it; a test describes one of its own."""

    platform: Platform = field(default_factory=this_platform)
    search: Search = field(default_factory=Search.of_host)
    shell: Shell = field(default_factory=RealShell)
    load_host: str | None = None
    """USER@HOST that the load is to come from."""

    @property
    def root(self) -> Path:
        """Folder of `/proc` and `/sys`."""
        return self.search.filesystem

    def tool_checks(self) -> list[Check]:
        """Checks of what `--install` can bring."""
        found = find_maven((0,), search=self.search, shell=self.shell)
        checks = [
            system.check_jdk(tuple(jdks(self.search, self.shell)), self.platform),
            system.check_maven(found, self.platform),
            system.check_wrk(find_wrk(search=self.search, shell=self.shell), self.platform),
            system.check_h2load(find_h2load(search=self.search, shell=self.shell), self.platform),
        ]
        if self.platform.system == "linux":
            present = self.search.which("taskset") is not None
            checks.append(system.check_taskset(present, self.platform))
        return checks

    def checks(self) -> list[Check]:
        """Every check, group by group. Takes the time between two looks."""
        facts = host_facts(self.shell, self.root)
        # first, before the checks themselves keep the host busy
        activity = Activity.watch(self.root)
        return [
            *self.tool_checks(),
            system.check_python(sys.version_info[:3]),
            system.check_native_image(find_native_image(search=self.search, shell=self.shell)),
            *self._cpu_checks(facts, activity),
            *self._quiet_checks(activity),
            *self._memory_checks(facts),
            *self._kernel_checks(),
            *self._load_host_checks(),
        ]

    def _cpu_checks(self, facts: HostFacts, activity: Activity) -> list[Check]:
        devices = self.root / "sys/devices/system/cpu"
        kinds = usable_kinds(devices)
        roles = partition(kinds)
        server = roles.server
        clocks = text_of(self.root / CLOCK / "available_clocksource").split()
        return [
            cpu.check_cores(sum(map(len, kinds)) or os.cpu_count() or 1),
            cpu.check_kinds(facts.core_kinds, roles),
            cpu.check_siblings(server, smt_siblings(server, devices), smt=facts.smt),
            cpu.check_governor(governors(self.root)),
            cpu.check_turbo(facts.turbo, intel=(devices / "intel_pstate").is_dir()),
            cpu.check_throttling(activity.after.throttled, activity.throttled),
            cpu.check_clock(facts.clock_source, clocks),
            cpu.check_quota(facts.cpu_quota),
            cpu.check_virtualisation(facts.virtualisation),
        ]

    def _quiet_checks(self, activity: Activity) -> list[Check]:
        return [
            cpu.check_load(os.getloadavg()[0], os.cpu_count() or 1),
            cpu.check_busy(activity.busy),
            cpu.check_steal(activity.steal_ratio, activity.steal_ratio_since_boot),
            cpu.check_power(power_source(self.root)),
        ]

    def _memory_checks(self, facts: HostFacts) -> list[Check]:
        kernel = meminfo(self.root)
        used_bytes = kernel.get("SwapTotal", 0) - kernel.get("SwapFree", 0)
        memory_limit = choose_memory_limit(MEMORY_LIMIT_BYTES, self.shell, self.root)
        return [
            system.check_memory(_available_bytes()),
            system.check_memory_limit(memory_limit),
            system.check_swap(facts.swap_bytes, used_bytes),
            system.check_thp(facts.thp),
        ]

    def _kernel_checks(self) -> list[Check]:
        proc = self.root / "proc"
        queue = accept_queue(ACCEPT_QUEUE, proc)
        return [
            system.check_files(file_limit(files_needed(MAX_CONNECTIONS)), MAX_CONNECTIONS),
            system.check_ports(port_range(MAX_CONNECTIONS, proc)),
            *([system.check_accept_queue(queue)] if queue else []),
            system.check_platform(self.platform),
        ]

    def _load_host_checks(self) -> list[Check]:
        if self.load_host is None:
            return []
        from springbench.host.checks import load_host  # noqa: PLC0415  # set-up asks for none

        return load_host.survey(self.load_host, MAX_CONNECTIONS)


def failed(checks: Sequence[Check], severity: Severity) -> list[Check]:
    """The checks of one severity that did not pass."""
    return [check for check in checks if not check.ok and check.severity is severity]


def _available_bytes() -> int:
    import psutil  # noqa: PLC0415  # set-up looks at tools alone, and should not wait for it

    from springbench.host.memory_limit.cgroup_files import memory_limit  # noqa: PLC0415

    available = int(psutil.virtual_memory().available)
    return min(available, memory_limit() or available)
