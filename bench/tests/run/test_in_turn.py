"""Whether all variants can be up at once on a host, and what is said where they cannot."""

from __future__ import annotations

import pytest

from springbench.matrix.rows import Matrix
from springbench.plan.plan import Filters, Plan, make_plan
from springbench.run.in_turn import possibly_in_turn

GIB = 1 << 30


@pytest.fixture
def plan(matrix: Matrix) -> Plan:
    made = make_plan(matrix, "quick")
    assert made.in_turn
    return made


def test_seven_servers_fit_a_host_with_nine_gib(plan: Plan) -> None:
    assert possibly_in_turn(plan, GIB, None, available_bytes=9 * GIB) == (plan, [])


def test_a_host_with_too_little_memory_measures_one_after_the_other(plan: Plan) -> None:
    found, [caution] = possibly_in_turn(plan, GIB, None, available_bytes=4 * GIB)
    assert not found.in_turn
    assert [case.id for case in found.cases] == [case.id for case in plan.cases]
    assert "7 servers up at once need 8,192 MiB of memory, and 4,096 MiB are" in caution.message


def test_one_port_is_for_one_server(plan: Plan) -> None:
    found, [caution] = possibly_in_turn(plan, GIB, 8080, available_bytes=99 * GIB)
    assert not found.in_turn
    assert "--port" in caution.message


def test_a_plan_of_one_after_the_other_stays_so(matrix: Matrix) -> None:
    one = make_plan(matrix, "quick", Filters(only=("boot4-netty-*",)))
    assert possibly_in_turn(one, GIB, 8080) == (one, [])
