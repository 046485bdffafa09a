"""What fails a check by little does not look like what passes it."""

from __future__ import annotations

import pytest

from springbench.host.checks.check import Check
from springbench.host.checks.cpu import check_busy, check_load, check_steal
from springbench.host.checks.load_host import checks_of_link
from springbench.host.checks.system import MIN_MEMORY_BYTES, check_memory
from springbench.host.facts.activity import BusyProcess
from springbench.host.remote.found import Link

LATE, SLOW = checks_of_link(Link(round_trip_s=0.0010004, bytes_per_s=124.96e6))


@pytest.mark.parametrize(
    ("check", "found"),
    [
        (check_memory(MIN_MEMORY_BYTES - (10 << 20)), "3.99 GiB available"),
        (check_memory(MIN_MEMORY_BYTES // 2), "2.0 GiB available"),
        (check_busy([BusyProcess(7, "cc1plus", 0.104)]), "cc1plus (pid 7) 10.4 %"),
        (check_busy([BusyProcess(7, "cc1plus", 0.96)]), "cc1plus (pid 7) 96 %"),
        (check_steal(0.0203, 0.0), "2.03 % just now, 0.0 % since boot"),
        (check_load(1.004, 4), "1.004 over the last minute"),
        (LATE, "1.0004 ms"),
        (SLOW, "124.96 MB/s"),
    ],
)
def test_a_figure_has_as_many_digits_as_tell_it_from_its_limit(check: Check, found: str) -> None:
    assert not check.ok
    assert check.found == found


def test_what_a_window_bears_passes_the_check_too() -> None:
    assert check_steal(0.02, 0.02).ok
    assert check_busy([BusyProcess(7, "cc1plus", 0.1)]).ok
