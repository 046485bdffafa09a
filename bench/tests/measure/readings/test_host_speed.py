"""The piece of work that tells how fast a CPU is."""

from __future__ import annotations

import os
import sys
import time

import pytest

from springbench.measure.load.sampler import HostSpeed

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux pins a thread"
)


def test_it_is_done_now_and_then_and_leaves_the_harness_where_it_is() -> None:
    home = os.sched_getaffinity(0)
    with HostSpeed(frozenset({max(home)})) as speed:
        end_s = time.monotonic() + 20
        while speed.work_s is None:
            assert time.monotonic() < end_s
            time.sleep(0.02)
        # CPU time of some 0.7 ms of work; not how long it waited for its turn
        assert 0 < speed.work_s < 1
        assert os.sched_getaffinity(0) == home


@pytest.mark.parametrize("cpus", [frozenset[int](), frozenset({4095})])
def test_a_cpu_that_is_not_there_has_no_speed(cpus: frozenset[int]) -> None:
    with HostSpeed(cpus) as speed:
        time.sleep(0.4)
    assert speed.work_s is None
