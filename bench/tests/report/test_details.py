"""The columns beside throughput."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from springbench.matrix.rows import Matrix
from springbench.report.details import COLUMNS, render, rows
from springbench.results.records import BuildRecord, ColdRecord, IdleRecord
from springbench.results.run import Run
from springbench.results.store import RunFolder
from tests.conftest import Cli
from tests.samples import MIB, case, empty_run, fork, full_run, measured


def detailed(matrix: Matrix) -> Run:
    """One case with everything, one with what every fork has."""
    full_fork = fork(
        0, 998.6, latency_mean_s=0.007, latency_max_s=0.549, received_bytes_per_s=57302.0
    )
    full_fork.cold = ColdRecord(
        duration_s=10.0, requests=3000, throughput_rps=293.9, error_ratio=0.0, latency_mean_s=0.114
    )
    full_fork.startup.started_in_s = 2.1
    full_fork.after = IdleRecord(rss_bytes=300 * MIB, threads_live=19, gc_count=5, gc_pause_s=0.05)
    full_fork.build = BuildRecord(artifact_bytes=25 * MIB, build_s=3.2)
    run = empty_run()
    run.results = [
        measured(case(matrix, "boot4-netty-reactive-jvm/pay/1000"), full_fork),
        measured(case(matrix, "boot4-tomcat-virtual-jvm/pay/1000"), fork(0, 997.0)),
    ]
    return run


def test_all_columns(matrix: Matrix, golden: Callable[[str, str], None]) -> None:
    golden("details.md", render(detailed(matrix)))


def test_only_cases_that_were_measured_have_a_row(matrix: Matrix) -> None:
    run = full_run(matrix)
    found = rows(run)
    assert [row[0] for row in found] == [result.case for result in run.results if result.summary]
    assert all(len(row) == len(COLUMNS) for row in found)


def test_the_command(matrix: Matrix, cli: Cli, tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "results", "one")
    folder.save(detailed(matrix))
    code, out, err = cli("report", folder.path, "--details")
    assert (code, err) == (0, "")
    assert "cold req/s" in out
    assert "293.9" in out
    code, _, err = cli("report", folder.path, "--details", "--against", "published")
    assert code == 2
    assert "ask for one" in err
