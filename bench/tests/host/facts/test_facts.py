"""What is known of a host, and what tells it from another."""

from __future__ import annotations

import platform
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.host.facts.facts import (
    HostFacts,
    Limits,
    LoadFrom,
    fingerprint,
    host_class,
    host_facts,
)
from springbench.host.memory_limit.cgroup_files import cpu_quota, memory_limit
from tests.fakes import FakeShell

GIB = 2**30
RUNNER = HostFacts(
    os="Ubuntu 24.04.3 LTS",
    cpu_model="AMD EPYC 7763 64-Core Processor",
    cores=4,
    physical_cores=2,
    memory_bytes=16_766_849_024,
    kernel="6.11.0-1018-azure",
    cpu_quota=None,
    governor=None,
    smt=True,
    turbo=None,
    virtualisation="microsoft",
)
LIMITS = Limits(cpus=2, memory_bytes=GIB)


def make_host(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.mark.skipif(platform.system() != "Linux", reason="reads /proc and /sys")
def test_facts_of_a_linux_host(tmp_path: Path) -> None:
    host = make_host(
        tmp_path,
        {
            "etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n',
            "proc/cpuinfo": "model name\t: Intel(R)  Xeon(R) CPU\nflags\t: fpu sse\n",
            "proc/self/cgroup": "0::/\n",
            "proc/self/mountinfo": "30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
            "sys/fs/cgroup/memory.max": "4294967296\n",
            "sys/fs/cgroup/cpu.max": "150000 100000\n",
            "sys/devices/system/cpu/smt/active": "1\n",
            "sys/devices/system/cpu/intel_pstate/no_turbo": "1\n",
            "sys/devices/system/cpu/cpufreq/policy0/scaling_governor": "performance\n",
            "sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc\n",
            "sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never\n",
            "proc/meminfo": "MemTotal: 24683600 kB\nSwapTotal:       2048 kB\nHugePages_Total: 0\n",
        },
    )
    found = host_facts(FakeShell(strict=True), host)
    assert found.os == "Debian GNU/Linux 12 (bookworm)"
    assert found.cpu_model == "Intel(R) Xeon(R) CPU"
    assert found.memory_bytes <= 4 * GIB
    assert found.cpu_quota == 1.5
    assert (found.governor, found.smt, found.turbo) == ("performance", True, False)
    assert found.virtualisation == "none"
    assert (found.clock_source, found.thp, found.swap_bytes) == ("tsc", "madvise", 2 * 2**20)


@pytest.mark.skipif(platform.system() != "Linux", reason="reads /proc and /sys")
def test_what_a_host_does_not_tell_is_none(tmp_path: Path) -> None:
    found = host_facts(FakeShell(strict=True), tmp_path)
    assert (found.governor, found.smt, found.turbo, found.virtualisation) == (None,) * 4
    assert (found.cpu_quota, found.clock_source, found.thp, found.swap_bytes) == (None,) * 4
    assert found.cores >= found.physical_cores >= 1


def test_a_container_is_asked_for_first(tmp_path: Path) -> None:
    shell = FakeShell()
    shell.answer("systemd-detect-virt", stdout="docker\n")
    shell.answer("sysctl", stdout="8\n")
    assert host_facts(shell, tmp_path).virtualisation in {"docker", None}


def test_facts_of_a_mac(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "system", lambda: "Darwin")
    shell = FakeShell()
    for name, value in {
        "machdep.cpu.brand_string": "Apple M4 Pro",
        "hw.logicalcpu": "12",
        "hw.physicalcpu": "12",
        "hw.memsize": str(24 * GIB),
    }.items():
        shell.answer("sysctl", "-n", name, stdout=value + "\n")
    found = host_facts(shell)
    assert (found.cpu_model, found.cores, found.memory_bytes) == ("Apple M4 Pro", 12, 24 * GIB)
    assert found.os.startswith("macOS")
    assert found.governor is None


def test_the_tightest_limit_of_nested_groups_counts(tmp_path: Path) -> None:
    host = make_host(
        tmp_path,
        {
            "proc/self/cgroup": "0::/outer/inner\n",
            "proc/self/mountinfo": "30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
            "sys/fs/cgroup/outer/memory.max": "1073741824\n",
            "sys/fs/cgroup/outer/inner/memory.max": "max\n",
            "sys/fs/cgroup/outer/cpu.max": "max 100000\n",
        },
    )
    assert memory_limit(host) == GIB
    assert cpu_quota(host) is None


def test_the_first_version_of_control_groups(tmp_path: Path) -> None:
    host = make_host(
        tmp_path,
        {
            "proc/self/cgroup": "4:memory:/a\n2:cpu:/a\n0::/\n",
            "proc/self/mountinfo": "33 31 0:30 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
            "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n",
            "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "536870912\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
            "sys/fs/cgroup/cpu/a/cpu.cfs_quota_us": "200000\n",
            "sys/fs/cgroup/cpu/a/cpu.cfs_period_us": "100000\n",
            "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
            "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
        },
    )
    assert memory_limit(host) == GIB // 2
    assert cpu_quota(host) == 2.0


def test_a_class_can_be_read() -> None:
    name = host_class(RUNNER, jdk_major=25, limits=LIMITS)
    assert name.startswith("amd-epyc-7763-4c-16g-linux6-jdk25-2c1g-")
    assert len(name.rsplit("-", 1)[1]) == 8


@pytest.mark.parametrize(
    "same",
    [
        {"kernel": "6.14.0-1000-azure"},
        {"memory_bytes": RUNNER.memory_bytes - 10_000_000},
        {"os": "Debian GNU/Linux 13"},
    ],
)
def test_a_class_survives_an_update_of_the_host(same: dict[str, Any]) -> None:
    updated = replace(RUNNER, **same)
    assert host_class(updated, jdk_major=25, limits=LIMITS) == host_class(
        RUNNER, jdk_major=25, limits=LIMITS
    )
    assert fingerprint(updated, jdk_version="25.0.3", limits=LIMITS) != fingerprint(
        RUNNER, jdk_version="25.0.3", limits=LIMITS
    )


@pytest.mark.parametrize(
    "other",
    [
        {"cpu_model": "AMD EPYC 9V74 80-Core Processor"},
        {"cores": 2},
        {"memory_bytes": 8 * GIB},
        {"kernel": "7.0.1"},
        {"cpu_quota": 2.0},
        {"core_kinds": ((0, 1), (2, 3))},
    ],
)
def test_another_machine_is_another_class(other: dict[str, Any]) -> None:
    classes = {
        host_class(facts, jdk_major=25, limits=LIMITS)
        for facts in (RUNNER, replace(RUNNER, **other))
    }
    assert len(classes) == 2


def test_hosts_with_other_kinds_of_cores_are_other_classes() -> None:
    kinds = [(), ((0, 1), (2, 3)), ((), (0, 1, 2, 3)), ((0, 1, 2, 3), ()), ((0,), (1, 2, 3))]
    hosts = [replace(RUNNER, core_kinds=core_kinds) for core_kinds in kinds]
    names = [host_class(host, jdk_major=25, limits=LIMITS) for host in hosts]
    assert len(set(names)) == len(kinds)
    assert [("-kinds" in name) for name in names] == [False, True, True, True, True]
    assert names[1].startswith("amd-epyc-7763-4c-kinds-2-2-16g-linux6-jdk25-2c1g-")
    # which CPUs they are does not matter
    other = replace(RUNNER, core_kinds=((2, 3), (0, 1)))
    assert host_class(other, jdk_major=25, limits=LIMITS) == names[1]
    prints = {fingerprint(host, jdk_version="25.0.3", limits=LIMITS) for host in hosts}
    assert len(prints) == len(kinds)


def test_names_of_hosts_with_one_kind_are_what_they_were() -> None:
    name = host_class(RUNNER, jdk_major=25, limits=LIMITS)
    assert name == "amd-epyc-7763-4c-16g-linux6-jdk25-2c1g-174fb5e7"
    assert fingerprint(RUNNER, jdk_version="25.0.3", limits=LIMITS) == "3179640ce8cd3bf7"


@given(st.text(max_size=12_000))
def test_whatever_a_cpu_is_called_its_class_is_a_name_of_a_folder(model: str) -> None:
    facts = replace(RUNNER, cpu_model=model, core_kinds=((0, 1), (2, 3)))
    load_host = LoadFrom(model, 8)
    name = host_class(facts, jdk_major=25, limits=LIMITS, load_from=load_host)
    assert re.fullmatch("[a-z0-9][a-z0-9.-]{0,119}", name)


def test_a_load_from_another_host_is_another_class() -> None:
    load_host = LoadFrom("Intel(R) Xeon(R) CPU", 8)
    names = {
        host_class(RUNNER, jdk_major=25, limits=LIMITS, load_from=load_from)
        for load_from in (None, load_host, LoadFrom("Intel(R) Xeon(R) CPU", 4))
    }
    assert len(names) == 3
    assert sum("-2c1g-load-intel-xeon-8c-" in name for name in names) == 1
    assert fingerprint(RUNNER, jdk_version="25", limits=LIMITS) != fingerprint(
        RUNNER, jdk_version="25", limits=LIMITS, load_from=load_host
    )


def test_another_jdk_or_limit_is_another_class() -> None:
    classes = {
        host_class(RUNNER, jdk_major=major, limits=limits)
        for major in (25, 26)
        for limits in (LIMITS, Limits(2, 2 * GIB), Limits(1, GIB), Limits(None, None))
    }
    assert len(classes) == 8
    assert fingerprint(RUNNER, jdk_version="25.0.3", limits=LIMITS) != fingerprint(
        RUNNER, jdk_version="25.0.4", limits=LIMITS
    )
