"""`springbench compare` with limits of a service's owner: what it says, and how it ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Cli
from tests.recorded import recorded_comparison, swapped, write_recording
from tests.recordings.record import ORDERS

LIMITS = """
[limits]
throughput_rps = {rate}
memory_mib = 512
p99_ms = 50
"""


@pytest.mark.process
@pytest.mark.parametrize(
    ("rate", "fail_on", "code"),
    [(1000, "regression", 0), (10_000_000, "never", 0), (10_000_000, "regression", 1)],
)
def test_a_broken_limit_ends_it_where_that_is_asked_for(
    rate: int, fail_on: str, code: int, tmp_path: Path, cli: Cli
) -> None:
    checkouts = [tmp_path / name for name in ("before", "after")]
    for folder in checkouts:
        folder.mkdir()
        (folder / "serve.py").touch()
        (folder / "springbench.toml").write_text(ORDERS + LIMITS.format(rate=rate))
    faster = write_recording(
        tmp_path / "recorded", swapped(recorded_comparison("orders-regression"))
    )
    results = tmp_path / "results"
    found, out, _ = cli(
        *("compare", *checkouts, "--matrix", checkouts[0] / "springbench.toml"),
        *("--recording", faster, "--results", results, "--fail-on", fail_on),
    )
    assert found == code
    output = " ".join(out.split())
    assert ("Head breaks 1 limit: throughput at least 10,000,000, measured" in output) == (
        rate > 1000
    )
    assert "memory_mib app-orders-own-command ≤ 512 MiB" in output
    assert "⚪ undecided: a comparison does not measure it" in output
    [report] = results.glob("*.md")
    assert "| memory\\_mib | app-orders-own-command | ≤ 512 MiB |" in report.read_text()
