"""A server that takes more memory than it may: a result, and reported as what it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.host.memory_limit.choose import choose_memory_limit
from springbench.host.shell import RealShell
from tests.conftest import left_behind
from tests.processes import QUICK, SERVICES, faulty, on_fakes, running

pytestmark = pytest.mark.system

GREEDY = faulty("greedy")
LIMIT_BYTES = 64 << 20
LADDER = """
[[profiles]]
id = "ladder"
description = "in little memory and in much"

[[profiles.loads]]
workload = "work"
connections = [8]
models = ["fine", "greedy"]
memory = ["64m", "1g"]
warmup_min_s = 0.1
warmup_max_s = 0.1
window_s = 0.8
"""
SMALL_GREEDY, SMALL, USUAL = (
    "/".join((f"boot4-fake-{name}", "work", "8"))
    for name in ("greedy-script_64m", "fine-script_64m", "fine-script")
)
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


def test_a_step_in_which_a_server_cannot_live_costs_the_others_nothing(tmp_path: Path) -> None:
    memory_limit = choose_memory_limit(LIMIT_BYTES, RealShell())
    if memory_limit.warning:
        pytest.skip(f"{memory_limit.warning.message}; {memory_limit.warning.remedy}")
    matrix = tmp_path / "matrix.toml"
    matrix.write_text((SERVICES / "matrix.toml").read_text("utf-8") + LADDER, encoding="utf-8")
    only = [word for case in (SMALL_GREEDY, SMALL, USUAL) for word in ("--only", case)]
    options = ("--matrix", matrix, "--jars", SERVICES, "--profile", "ladder", *only)
    with running(tmp_path, *options, patch=QUICK) as springbench:
        code, _, err = springbench.end()
    assert (code, err) == (4, "")
    assert left_behind() == []
    assert springbench.statuses == {SMALL_GREEDY: "failed", SMALL: "ok", USUAL: "ok"}
    result = springbench.run.find(SMALL_GREEDY)
    assert result is not None
    assert result.reason == "out of memory at 64 MiB"
    assert result.runtime == "script_64m"
    with running(tmp_path, *options, "--memory", "2g") as springbench:
        code, _, err = springbench.end()
    assert code == 2
    assert "--memory: the profile measures memory limits of its own" in err
