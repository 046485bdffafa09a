"""A server that takes more memory than it may: a result, and reported as what it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.host.memory_limit.choose import choose_memory_limit
from springbench.host.shell import RealShell
from tests.conftest import left_behind
from tests.processes import QUICK, faulty, on_fakes, running

pytestmark = pytest.mark.system

GREEDY = faulty("greedy")
LIMIT_BYTES = 64 << 20
LOWERED = f"import springbench.bench.host as prepare; prepare.MEMORY_LIMIT_BYTES = {LIMIT_BYTES}"


def test_a_server_beyond_its_limit_is_a_result(tmp_path: Path) -> None:
    memory_limit = choose_memory_limit(LIMIT_BYTES, RealShell())
    if memory_limit.warning:
        pytest.skip(f"{memory_limit.warning.message}; {memory_limit.warning.remedy}")
    options = (*on_fakes(GREEDY), "--profile", "faults")
    with running(tmp_path, *options, patch=QUICK + LOWERED) as springbench:
        code, out, err = springbench.end()
    assert (code, err) == (4, "")
    assert left_behind() == []
    assert springbench.statuses == {GREEDY: "failed"}
    result = springbench.run.find(GREEDY)
    assert result is not None
    assert result.reason == "out of memory at 64 MiB"
    assert result.forks[0].log_tail[-1] == "fake: hoarding"
    assert "failed: out of memory at 64 MiB" in out
    limits = springbench.run.host.limits
    assert limits.memory_limit_bytes == LIMIT_BYTES
    assert limits.memory_enforced_by == memory_limit.how
