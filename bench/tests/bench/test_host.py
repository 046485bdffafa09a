"""What a run says of its host."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from springbench.bench.host import Host
from springbench.host.cpus import CpuPartition
from springbench.host.memory_limit.choose import not_enforced
from springbench.host.tools.find import Jdk
from tests.host.facts.test_facts import RUNNER

JDK = Jdk(Path("/jdk-25"), "25.0.3", 25, "Somebody")


def test_a_memory_limit_that_the_kernel_does_not_enforce_is_another_host_class() -> None:
    cpus = CpuPartition(frozenset({1}), frozenset({0}), frozenset({0}), True)
    loose = not_enforced(1 << 30)
    enforced = replace(loose, how="cgroup v2", warning=None)
    names = [Host(RUNNER, cpus, each).info(JDK).host_class for each in (loose, enforced)]
    assert "-1call-" in names[0]
    assert "-1c1g-" in names[1]


def test_a_division_of_ones_own_that_mixes_kinds_is_a_warning() -> None:
    mixed = CpuPartition(frozenset({1, 2}), frozenset({0}), frozenset({0}), True)
    facts = replace(RUNNER, core_kinds=((0, 1), (2, 3)))
    codes = [
        [each.code for each in Host(host, mixed, not_enforced(1 << 30)).warnings()]
        for host in (RUNNER, facts)
    ]
    assert ["core-kinds" in each for each in codes] == [False, True]
    assert Host(facts, mixed, not_enforced(1 << 30)).info(JDK).core_kinds == [[0, 1], [2, 3]]
