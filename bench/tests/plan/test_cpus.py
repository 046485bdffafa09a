"""Variants on several CPUs and quotas: what they are called, and how they are measured."""

from __future__ import annotations

from dataclasses import replace

import pytest

from springbench.errors import ConfigurationError
from springbench.limits import Resources
from springbench.matrix.load import parse_matrix
from springbench.matrix.rows import Matrix
from springbench.paths import MATRIX
from springbench.plan.cases import START, WARM_UP
from springbench.plan.plan import Filters, Plan, make_plan

ONLY = Filters(only=("*-tomcat-*/hello/*",))


def with_cpus(rows: str) -> Matrix:
    """The matrix whose profile `smoke` has more keys."""
    text = MATRIX.read_text("utf-8")
    return parse_matrix(text.replace("window_s = 2\n", f"window_s = 2\n{rows}\n", 1))


def ladder(cpus: str, more: str = "") -> Plan:
    return make_plan(with_cpus(f"cpus = {cpus}\n{more}"), "smoke", ONLY)


def test_a_case_names_whole_cpus_and_quotas() -> None:
    plan = ladder('["0.25", "1.0", "1", "12"]')
    assert [case.id for case in plan.cases] == [
        "boot4-tomcat-virtual-jvm_0.25q/hello/16",
        "boot4-tomcat-virtual-jvm_1q/hello/16",
        "boot4-tomcat-virtual-jvm_1cpu/hello/16",
        "boot4-tomcat-virtual-jvm_12cpu/hello/16",
    ]
    # whole CPUs need no control group of their own
    assert plan.resources == {Resources(None, 0.25), Resources(None, 1.0)}


def test_memory_and_cpus_multiply() -> None:
    plan = ladder('["0.5", "2"]', 'memory = ["256m", "1g"]')
    assert [case.variant.runtime_name for case in plan.cases] == [
        *("jvm_256m_0.5q", "jvm_256m_2cpu", "jvm_0.5q", "jvm_2cpu"),
    ]
    small = 256 << 20
    # without a quota too: so a cache would be trained
    assert plan.resources == {Resources(small, 0.5), Resources(small), Resources(None, 0.5)}


def test_one_quota_by_two_names_is_one_case() -> None:
    assert len(ladder('["0.5", "0.50"]').cases) == 1


@pytest.mark.parametrize(
    ("cpus", "server_cpus", "counted"),
    [("0.25", 4, 1), ("1.0", 4, 1), ("1.5", 4, 2), ("2", 4, 2), ("2", 1, 1), ("3.5", 2, 2)],
)
def test_a_jvm_counts_as_many_processors_as_in_a_container(
    cpus: str, server_cpus: int, counted: int
) -> None:
    [case] = ladder(f'["{cpus}"]').cases
    assert case.variant.processors(server_cpus) == counted


def test_a_quota_is_never_interleaved() -> None:
    quota, whole_cpu = ladder('["0.5", "1"]').cases
    assert (quota.can_pause, whole_cpu.can_pause) == (False, True)


def test_a_quota_draws_out_what_takes_cpu_time() -> None:
    cases = ladder('["0.25", "1"]').cases
    quota, whole_cpu = (replace(case, compiling_max_s=15.0) for case in cases)
    assert quota.fork_phases_s[START] == 4 * whole_cpu.fork_phases_s[START]
    assert quota.fork_phases_s[WARM_UP] == whole_cpu.fork_phases_s[WARM_UP] + 5
    assert quota.fork_ceiling_s == quota.fork_estimate_s
    assert whole_cpu.fork_ceiling_s == whole_cpu.fork_estimate_s + 5


def test_a_cache_serves_all_steps(matrix: Matrix) -> None:
    [small] = ladder('["0.5"]', 'memory = ["256m"]').cases
    # it is trained in as much memory, without the quota
    assert small.variant.prepared_as.resources == Resources(256 << 20)
    plan = make_plan(matrix, "cpus", Filters(only=("*-tomcat-*aot*",)))
    assert {case.variant.prepared_as.id for case in plan.cases} == {"boot4-tomcat-virtual-jvm-aot"}


@pytest.mark.parametrize(
    ("cpus", "message"),
    [
        ('["0.04"]', "cpus[0]: '0.04' is too little; allowed: 0.05 and more"),
        (
            '["1", "half"]',
            "cpus[1]: allowed: whole CPUs, like 2, or with a decimal point a quota, like 0.5; "
            "found 'half'",
        ),
        ('["0"]', "cpus[0]: allowed: whole CPUs, like 2"),
        ("[0.5]", "cpus[0]: allowed: a text in quotes"),
        ('"0.5"', "cpus: allowed: a list"),
    ],
)
def test_what_is_no_cpus_is_a_line(cpus: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        with_cpus(f"cpus = {cpus}")
    assert message in str(caught.value)
