"""How large a plan is said to be."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench import units
from springbench.github.jobs import estimate_s, matrices, size_of, split
from springbench.matrix.load import load_matrix
from springbench.paths import MATRIX, ROOT
from springbench.plan.plan import Filters, Plan, make_plan

REAL = load_matrix(MATRIX)
PROFILES = st.sampled_from([profile.id for profile in REAL.profiles])


@cache
def plan_of(profile: str) -> Plan:
    """A plan is never changed, so one is enough."""
    return make_plan(REAL, profile)


# all but that of thousands of cases: each number of hosts splits a plan anew
@given(PROFILES.filter(lambda profile: profile != "full"), st.integers(1, 40))
def test_more_hosts_take_no_longer_and_none_parts_a_shard(profile: str, hosts: int) -> None:
    plan = plan_of(profile)
    size, one_more = size_of(plan, hosts=hosts), size_of(plan, hosts=hosts + 1)
    if plan.interleaved:
        # each shard starts its processes anew
        assert size.one_host_s > plan.estimate_s - 0.001
    else:
        assert size.one_host_s == pytest.approx(plan.estimate_s)
    longest_s = max(map(estimate_s, split(plan, None)))
    assert max(longest_s, plan.estimate_s / hosts) <= size.hosts_s + 1e-6
    assert one_more.hosts_s <= size.hosts_s
    assert size_of(plan, hosts=size.shards).hosts_s == longest_s == size_of(plan).hosts_s


@pytest.mark.parametrize("profile", [profile.id for profile in REAL.profiles])
def test_it_counts_the_jobs_that_a_workflow_starts(profile: str) -> None:
    plan = plan_of(profile)
    size = size_of(plan)
    jobs: dict[str, Any] = matrices(plan, REAL, ROOT)
    assert size.builds == len(jobs["builds"]["include"])
    assert size.shards == len(jobs["shards"]["include"])
    assert size.cases == len(plan.cases)


def test_one_of_a_kind_is_said_as_one() -> None:
    plan = make_plan(REAL, "quick", Filters(only=("*-netty-*/hello/64",)))
    expected = units.duration(plan.estimate_s)
    assert str(size_of(plan)) == f"2 builds, 1 shard: about {expected} on one host"
