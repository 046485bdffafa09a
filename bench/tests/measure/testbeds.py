"""Testbeds without a host: what a fork is measured on."""

from __future__ import annotations

from pathlib import Path

from springbench.host.cpus import CpuPartition
from springbench.host.shell import Shell
from springbench.measure.services.upstream import Upstream
from springbench.measure.testbed import NullObserver, Observer, Testbed

NOTHING: frozenset[int] = frozenset()
UNPINNED = CpuPartition(NOTHING, NOTHING, NOTHING, separate=False)


def testbed(
    tmp_path: Path,
    shell: Shell,
    *,
    wrk: Path = Path("/usr/bin/wrk"),
    jars: Path | None = None,
    upstream: Upstream | None = None,
    cpus: CpuPartition = UNPINNED,
    observer: Observer | None = None,
) -> Testbed:
    """A testbed in a folder of the test."""
    return Testbed(
        root=tmp_path,
        raw=tmp_path / "raw",
        java=Path("/jdk-25/bin/java"),
        wrk=wrk,
        shell=shell,
        cpus=cpus,
        upstream=upstream,
        jars=jars,
        observer=observer or NullObserver(),
    )
