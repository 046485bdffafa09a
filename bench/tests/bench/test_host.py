"""What a run says of its host."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from springbench.bench.host import Host
from springbench.host.cpus import CpuPartition
from springbench.host.memory_limit.choose import not_enforced
from springbench.host.tools.find import Jdk
from springbench.matrix.rows import Matrix
from tests.host.facts.test_facts import RUNNER
from tests.samples import case

JDK = Jdk(Path("/jdk-25"), "25.0.3", 25, "Somebody")


def test_a_memory_limit_that_the_kernel_does_not_enforce_is_another_host_class() -> None:
    cpus = CpuPartition(frozenset({1}), frozenset({0}), frozenset({0}), True)
    loose = not_enforced(1 << 30)
    enforced = replace(loose, how="cgroup v2", warning=None)
    names = [Host(RUNNER, cpus, limit).info(JDK).host_class for limit in (loose, enforced)]
    assert "-1call-" in names[0]
    assert "-1c1g-" in names[1]


def test_a_division_of_ones_own_that_mixes_kinds_is_a_warning() -> None:
    mixed = CpuPartition(frozenset({1, 2}), frozenset({0}), frozenset({0}), True)
    facts = replace(RUNNER, core_kinds=((0, 1), (2, 3)))
    codes = [
        [caution.code for caution in Host(host, mixed, not_enforced(1 << 30)).warnings()]
        for host in (RUNNER, facts)
    ]
    assert ["core-kinds" in host_codes for host_codes in codes] == [False, True]
    assert Host(facts, mixed, not_enforced(1 << 30)).info(JDK).core_kinds == [[0, 1], [2, 3]]


@pytest.mark.parametrize(
    ("cpus", "reason"),
    [
        (None, None),
        ("2", None),
        ("0.5", None),
        ("3", "cpus 3: the server has 2 here (CPU 1, 2), beside those of the load generator; "),
        ("2.5", "cpus 2.5: the server has 2 here"),
    ],
)
def test_a_variant_that_wants_more_cpus_than_there_are_is_told(
    matrix: Matrix, cpus: str | None, reason: str | None
) -> None:
    variant = case(matrix, "boot4-tomcat-virtual-jvm/hello/64").variant.set_to(cpus=cpus)
    two = CpuPartition(frozenset({1, 2}), frozenset({0}), frozenset({0}), True)
    enforced = replace(not_enforced(1 << 30), how="cgroup v2", warning=None)
    host = Host(RUNNER, two, enforced, other_memory_limits={variant.resources: enforced})
    found = host.shortfall(variant)
    assert found == reason if reason is None else str(found).startswith(reason)


def test_a_quota_without_control_groups_is_told_with_what_to_do(matrix: Matrix) -> None:
    variant = case(matrix, "boot4-tomcat-virtual-jvm/hello/64").variant.set_to(cpus="0.5")
    two = CpuPartition(frozenset({1, 2}), frozenset({0}), frozenset({0}), True)
    loose = not_enforced(1 << 30)
    host = Host(RUNNER, two, loose, other_memory_limits={variant.resources: loose})
    assert str(host.shortfall(variant)).startswith(
        "cpus 0.5: a quota needs a control group with the cpu controller, which cannot be made here"
    )
    # whole CPUs need none
    assert host.shortfall(variant.set_to(cpus="1")) is None
    nowhere = CpuPartition(frozenset(), frozenset(), frozenset(), False)
    unpinned = Host(RUNNER, nowhere, loose, other_memory_limits={variant.resources: loose})
    assert "cannot pin a server to CPUs" in str(unpinned.shortfall(variant))
