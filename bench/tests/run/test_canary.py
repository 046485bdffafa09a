"""The canary: quiet while the host is well."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.results.run import CanaryInfo
from springbench.run.execute import canary_warning, measure_canary
from tests.fakes import FakeShell
from tests.measure.testbeds import testbed


def test_a_short_run_takes_the_probe_alone(tmp_path: Path) -> None:
    canary = measure_canary(
        testbed(tmp_path, FakeShell()), tmp_path / "slow-upstream.jar", estimate_s=60.0
    )
    assert 0 < canary.cpu_probe_s < 10
    assert canary.error_ratio is None
    assert canary_warning(canary) is None


def test_a_long_run_without_a_target_says_so(tmp_path: Path) -> None:
    canary = measure_canary(testbed(tmp_path, FakeShell()), None, estimate_s=3600.0)
    assert canary.target is None
    warning = canary_warning(canary, 3600.0)
    assert warning is not None
    assert "no target of known throughput was measured" in warning.message
    assert canary_warning(canary, 60.0) is None


@pytest.mark.parametrize(("error_ratio", "unwell"), [(0.004, False), (-0.02, True), (0.02, True)])
def test_a_host_that_is_off_is_reported(error_ratio: float, unwell: bool) -> None:
    warning = canary_warning(CanaryInfo(cpu_probe_s=0.04, error_ratio=error_ratio))
    assert (warning is not None) is unwell
    if warning:
        assert "2.00 %" in warning.message


def test_a_canary_that_is_hardly_off_stands_beside_its_limit() -> None:
    found = canary_warning(CanaryInfo(cpu_probe_s=0.1, error_ratio=-0.010004))
    assert found is not None
    assert "1.0004 % off (limit: 1.0000 %)" in found.message
    assert canary_warning(CanaryInfo(cpu_probe_s=0.1, error_ratio=0.01)) is None
