"""What the kernel counts of some CPUs, on trees that tell more or less."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from springbench.host.facts.cpu_times import cpu_times
from tests.host.facts.test_facts import make_host


def test_what_some_cpus_did_is_reported_of_these_alone(tmp_path: Path) -> None:
    lines = [f"cpu{cpu} {cpu}00 0 100 8000 5 7 5 {cpu} 70 0" for cpu in range(12)]
    make_host(tmp_path, {"proc/stat": "\n".join(["cpu 1 2 3 4 5 6 7 8 9 10", *lines, "intr 5"])})
    per_s = os.sysconf("SC_CLK_TCK")
    times = cpu_times(frozenset({1, 3}), tmp_path)
    assert times is not None
    assert times.worked_s == pytest.approx((100 + 300 + 2 * (100 + 7 + 5)) / per_s)
    assert times.stolen_s == pytest.approx(4 / per_s)
    assert cpu_times(frozenset({99}), tmp_path) is None
    assert cpu_times(frozenset(), tmp_path) is None
    make_host(tmp_path, {"proc/stat": "cpu1 1 2 3 4 5 6 7\n"})
    assert cpu_times(frozenset({1}), tmp_path) is None
