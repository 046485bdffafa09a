"""What of a plan this host can run, and what a person is told of the rest."""

from __future__ import annotations

import pytest

from springbench.commands.run import runnable
from springbench.errors import ExitCode, HostError
from springbench.plan import Filters, make_plan
from springbench.rows import Matrix

REASON = "needs native-image"


def test_what_cannot_run_is_left_out_and_the_rest_stays_in_its_order(matrix: Matrix) -> None:
    plan = make_plan(matrix, "study-virtual-threads")
    absent = {case.id: REASON for case in plan.cases if case.variant.runtime.id == "native"}
    left = runnable(plan, absent)
    assert [case.id for case in left.cases] == [
        case.id for case in plan.cases if case.id not in absent
    ]
    assert runnable(plan, {}) == plan


def test_a_plan_of_which_nothing_can_run_is_the_hosts_lack(matrix: Matrix) -> None:
    plan = make_plan(matrix, "study-virtual-threads", Filters(only=("*-native/*",)))
    with pytest.raises(HostError, match=REASON) as caught:
        runnable(plan, dict.fromkeys((case.id for case in plan.cases), REASON))
    assert caught.value.exit_code is ExitCode.HOST
