"""What moves a number is found, weighed, and comes with its remedy; silence is no finding."""

from __future__ import annotations

import pytest

from springbench.host.checks import cpu, system
from springbench.host.checks.check import UNKNOWN, Check, Severity
from springbench.host.facts.activity import BusyProcess
from springbench.host.memory_limit.choose import MemoryLimit, not_enforced

GIB = 2**30
HELD = MemoryLimit("cgroup v2", GIB, not_enforced(GIB).open)
GUEST_CLOCKS = ["tsc", "hpet", "acpi_pm"]
ME = frozenset({2, 3})


@pytest.mark.parametrize(
    "check",
    [
        cpu.check_governor({"performance": 8}),
        cpu.check_turbo(False, intel=True),
        cpu.check_siblings(ME, frozenset(), smt=True),
        cpu.check_siblings(ME, frozenset(), smt=False),
        cpu.check_clock("tsc", GUEST_CLOCKS),
        cpu.check_clock("kvm-clock", []),
        cpu.check_virtualisation("none"),
        cpu.check_quota(None),
        cpu.check_throttling(0, 0),
        cpu.check_load(0.4, 2),
        cpu.check_busy([BusyProcess(1, "cron", 0.02)]),
        cpu.check_steal(0.0, 0.01),
        cpu.check_power("mains"),
        cpu.check_power("no battery"),
        system.check_memory(8 * GIB),
        system.check_swap(0, 0),
        system.check_swap(2 * GIB, 2**20),
        system.check_thp("madvise"),
        system.check_thp("never"),
        system.check_memory_limit(HELD),
    ],
    ids=lambda check: f"{check.name}: {check.found}",
)
def test_as_it_should_be(check: Check) -> None:
    assert check.ok
    assert check.is_known
    assert check.matters


@pytest.mark.parametrize(
    ("check", "found", "remedy"),
    [
        (cpu.check_governor({"powersave": 8}), "powersave", "scaling_governor"),
        (
            cpu.check_governor({"powersave": 7, "performance": 1}),
            "performance, powersave",
            "tee",
        ),
        (cpu.check_turbo(True, intel=True), "on", "echo 1 | sudo tee"),
        (cpu.check_turbo(True, intel=False), "on", "cpufreq/boost"),
        (
            cpu.check_siblings(ME, frozenset({7, 6}), smt=True),
            "CPU 6, 7 shares a core",
            "smt/control",
        ),
        (cpu.check_clock("hpet", GUEST_CLOCKS), "hpet", "echo tsc | sudo tee"),
        (cpu.check_clock("hpet", ["hpet", "acpi_pm"]), "hpet", "clocksource=tsc"),
        (cpu.check_quota(1.5), "1.5 CPUs", "--cpuset-cpus"),
        (cpu.check_throttling(9, 1), "just now", "cool"),
        (cpu.check_load(1.7, 2), "1.70", "top"),
        (
            cpu.check_busy([BusyProcess(n, f"p{n}", 1 - n / 10) for n in range(1, 7)]),
            "p1 (pid 1) 90 %, p2 (pid 2) 80 %, p3 (pid 3) 70 % and 3 more",
            "kill -STOP",
        ),
        (cpu.check_steal(0.031, 0.001), "3.1 % just now", "host of its own"),
        (cpu.check_steal(0.0, 0.05), "5.0 % since boot", "side by side"),
        (cpu.check_power("battery"), "battery", "plug"),
        (system.check_memory(2 * GIB), "2.0 GiB available", "stop"),
        (system.check_swap(2 * GIB, GIB), "1,024 MiB used of 2.0 GiB", "swapoff"),
        (system.check_thp("always"), "always", "madvise"),
        (system.check_memory_limit(not_enforced(GIB)), "flags of the JVM", "as root"),
    ],
)
def test_what_moves_numbers_is_a_warning(check: Check, found: str, remedy: str) -> None:
    assert not check.ok
    assert check.severity is Severity.WARNING
    assert found in check.found
    assert remedy in check.remedy
    assert check.matters
    assert check.wanted


@pytest.mark.parametrize(
    "check",
    [
        cpu.check_governor({}),
        cpu.check_turbo(None, intel=False),
        cpu.check_siblings(frozenset(), frozenset(), smt=None),
        cpu.check_clock(None, []),
        cpu.check_virtualisation(None),
        cpu.check_throttling(None, 0),
        cpu.check_busy(None),
        cpu.check_steal(None, None),
        cpu.check_power(None),
        system.check_swap(None, 0),
        system.check_thp(None),
    ],
    ids=lambda check: check.name,
)
def test_what_a_host_does_not_tell_is_neither_fine_nor_a_warning(check: Check) -> None:
    assert check.found == UNKNOWN
    assert not check.ok
    assert not check.is_known
    assert check.severity is Severity.INFO


@pytest.mark.parametrize("check", [cpu.check_virtualisation("kvm"), cpu.check_throttling(9, 0)])
def test_what_nobody_can_change_now_is_worth_knowing(check: Check) -> None:
    assert not check.ok
    assert check.severity is Severity.INFO
    assert check.is_known
