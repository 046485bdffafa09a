"""The canary of a run: tells a host that has drifted from a server that has."""

from __future__ import annotations

from pathlib import Path

from springbench import units
from springbench.measure.selfcheck.selfcheck import Target, check, probe_cpu_s
from springbench.measure.testbed import Testbed
from springbench.results.run import CanaryInfo, Caution

TARGET = Target(delay_ms=100, connections=1000)
WINDOW_S = 8.0
CANARY_ESTIMATE_S = 15.0
"""Of the target, with its start and its ramp."""
# a shorter run would spend a notable part of its time on it
LONG_RUN_S = 900.0
ALLOWED_ERROR_RATIO = 0.01


def measure_canary(testbed: Testbed, upstream_jar: Path | None, estimate_s: float) -> CanaryInfo:
    """The CPU probe, and in a long run the known target too, if there is one."""
    probe_s = probe_cpu_s()
    if estimate_s < LONG_RUN_S or upstream_jar is None:
        return CanaryInfo(cpu_probe_s=probe_s)
    checked = check(testbed, upstream_jar, TARGET, WINDOW_S)
    return CanaryInfo(
        cpu_probe_s=probe_s,
        target=TARGET.name,
        measured_rps=checked.measured_rps,
        error_ratio=checked.error_ratio,
    )


def warning(canary: CanaryInfo, estimate_s: float = 0.0) -> Caution | None:
    """Warning of a canary that is unwell, or missing where the run is long."""
    error = canary.error_ratio
    if canary.target is None and estimate_s >= LONG_RUN_S:
        return Caution(
            code="canary-left-out",
            message="no target of known throughput was measured: that takes a JDK and Maven, and "
            "this run needed neither. Nothing tells a host that has drifted",
            remedy="measure from a clone of springbench, where `make setup` brings both",
        )
    if error is None or abs(error) <= ALLOWED_ERROR_RATIO:
        return None
    off, allowed = units.apart(units.share, abs(error), ALLOWED_ERROR_RATIO, 2)
    return Caution(
        code="canary",
        message=f"a target of known throughput was measured {off} off (limit: {allowed}): "
        "what follows may be off as much",
        remedy="stop what else runs on this host, then `springbench selfcheck`",
    )
