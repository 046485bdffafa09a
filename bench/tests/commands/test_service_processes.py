"""A service of several processes is measured as one, whoever starts and restarts them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.commands.test_described_service import QUICKLY, SHORT
from tests.conftest import left_behind
from tests.processes import SERVICES, running

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has /proc"),
]
WORKERS = f"{sys.executable} {SERVICES / 'workers.py'}"


@pytest.mark.parametrize(
    ("script", "processes"),
    [
        pytest.param(f"exec {WORKERS} $1", 3, marks=pytest.mark.system),
        pytest.param(f"exec {WORKERS} $1 1.5", 3, marks=pytest.mark.system),
        # a wrapper that stays, and one that leaves its program behind
        (f"{WORKERS} $1\necho ended", 4),
        pytest.param(f"setsid {WORKERS} $1 &\nsleep 1", 3, marks=pytest.mark.system),
    ],
    ids=["workers", "workers that are replaced", "a wrapper", "a wrapper that ends"],
)
def test_all_of_its_processes_are_the_server(tmp_path: Path, script: str, processes: int) -> None:
    start = tmp_path / "start.sh"
    start.write_text(script + "\n", encoding="utf-8")
    options = ("--command", f"sh {start} {{port}}", "--route", "/hello", *QUICKLY)
    with running(tmp_path, *options, patch=SHORT) as springbench:
        code, _, err = springbench.end()
    assert (code, err) == (0, "")
    assert left_behind() == []
    [result] = springbench.run.results
    [fork] = result.forks
    assert fork.load is not None
    # one that only waits for its workers has none of the CPU time
    assert (fork.load.cpu_per_request_s or 0.0) > 1e-6
    assert (fork.idle.threads or 0) >= processes
    assert fork.idle.rss_bytes == fork.idle.pss_bytes
    assert (fork.load.memory_peak_bytes or 0) >= (fork.idle.rss_bytes or 0) > 5 << 20
