"""A server is held to its limit for real, by each means that this host allows."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from springbench.errors import HostError
from springbench.host.memory_limit.cgroup_files import hierarchies
from springbench.host.memory_limit.choose import (
    NOT_ENFORCED,
    MemoryLimit,
    choose_memory_limit,
    not_enforced,
)
from springbench.host.memory_limit.control_group import PREFIX, ControlGroup, sweep
from springbench.host.shell import RealShell, Running

pytestmark = pytest.mark.process

MIB = 2**20
LIMIT = 100 * MIB
SHELL = RealShell()
TOUCH = """
import sys
held = bytearray(int(sys.argv[1]) << 20)
for at in range(0, len(held), 4096):
    held[at] = 1
"""


@pytest.fixture(scope="module")
def chosen() -> MemoryLimit:
    found = choose_memory_limit(LIMIT, SHELL)
    if not found.enforced:
        pytest.skip("this host lets this user limit no memory")
    return found


def mounts() -> list[Path]:
    return [tree.mount for tree in hierarchies()]


def groups_of(pid: int) -> list[str]:
    """The groups of one harness that are there now."""
    return [
        name
        for mount in mounts()
        for _, folders, _ in os.walk(mount)
        for name in folders
        if name.startswith(f"{PREFIX}-{pid}-")
    ]


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    yield
    assert groups_of(os.getpid()) == []


def start(group: ControlGroup, tmp_path: Path, *command: str) -> Running:
    with (tmp_path / "log").open("wb") as log:
        return SHELL.start(group.wrap(command), stdout=log)


def touch(group: ControlGroup, tmp_path: Path, mebibytes: int) -> int:
    return start(group, tmp_path, sys.executable, "-c", TOUCH, str(mebibytes)).wait(30)


def test_over_the_limit_it_is_killed_and_that_is_reported(
    chosen: MemoryLimit, tmp_path: Path
) -> None:
    with chosen.enter("boot4-tomcat-virtual-jvm/pay/3000 fork 1") as group:
        assert touch(group, tmp_path, 200) == -signal.SIGKILL
        assert group.oom_killed()
    assert group.oom_killed()
    peak_bytes = group.memory_peak_bytes()
    assert peak_bytes is None or 0.9 * LIMIT < peak_bytes <= LIMIT


def test_below_the_limit_nothing_happens(chosen: MemoryLimit, tmp_path: Path) -> None:
    with chosen.enter("small") as group:
        assert touch(group, tmp_path, 40) == 0
    assert not group.oom_killed()
    peak_bytes = group.memory_peak_bytes()
    assert peak_bytes is None or 40 * MIB < peak_bytes < LIMIT


def test_one_fork_knows_nothing_of_the_next(chosen: MemoryLimit, tmp_path: Path) -> None:
    with chosen.enter("same name") as first, chosen.enter("same name") as second:
        assert touch(first, tmp_path, 200) == -signal.SIGKILL
        assert touch(second, tmp_path, 1) == 0
        assert first.oom_killed()
        assert not second.oom_killed()


def test_a_quota_throttles_what_wants_more(tmp_path: Path) -> None:
    held = choose_memory_limit(LIMIT, SHELL, cpu_quota=0.1)
    if not held.enforced:
        pytest.skip("this host lets this user set no quota")
    with held.enter("throttled") as group:
        running = start(group, tmp_path, sys.executable, "-c", "while True: pass")
        begin_s = time.monotonic()
        while (seen := group.throttling()) is None or seen.throttled < 3:
            assert time.monotonic() < begin_s + 30
            time.sleep(0.05)
        running.stop(1.0)
    assert seen.periods >= seen.throttled
    assert seen.throttled_s > 0


def test_cpu_time_grows_with_work(chosen: MemoryLimit, tmp_path: Path) -> None:
    with chosen.enter("busy") as group:
        running = start(group, tmp_path, sys.executable, "-c", "while True: pass")
        time.sleep(0.3)
        begin_s, first_s = time.monotonic(), group.cpu_time_s()
        if first_s is None:
            running.stop(1.0)
            pytest.skip("this host accounts no CPU time for groups")
        # a busy host gives it a part of a CPU
        while (second_s := group.cpu_time_s() or 0.0) < first_s + 0.1:
            assert time.monotonic() < begin_s + 30
            time.sleep(0.05)
        took_s = time.monotonic() - begin_s
        running.stop(1.0)
    assert second_s - first_s < took_s + 0.1
    last_s = group.cpu_time_s()
    assert last_s is not None
    assert last_s >= second_s


def test_the_process_keeps_its_id_and_its_arguments(chosen: MemoryLimit, tmp_path: Path) -> None:
    odd = ["--", "two words", "$HOME", '"', "*", ""]
    show = "import os, sys; print(os.getpid(), sys.argv[1:])"
    with chosen.enter("arguments") as group:
        running = start(group, tmp_path, sys.executable, "-c", show, *odd)
        assert running.wait(10) == 0
    assert (tmp_path / "log").read_text().strip() == f"{running.pid} {odd}"


def test_what_still_runs_ends_with_the_block(chosen: MemoryLimit, tmp_path: Path) -> None:
    # a child of a session of its own is out of reach for the signals that end a group
    command = ("sh", "-c", "setsid sleep 1000 & exec sleep 1000")
    with pytest.raises(KeyboardInterrupt), chosen.enter("left") as group:
        running = start(group, tmp_path, *command)
        time.sleep(0.2)
        raise KeyboardInterrupt
    # and that no group is left says that the child has gone, too
    assert running.wait(5) == -signal.SIGKILL


HARNESS = """
import os, subprocess, sys, time
from springbench.host.memory_limit.choose import choose_memory_limit
from springbench.host.shell import RealShell
with choose_memory_limit(100 << 20, RealShell()).enter("killed") as group:
    # without the shell, so that nothing but the sweep can end it
    child = subprocess.Popen(group.wrap(["sleep", "1000"]), start_new_session=True)
    time.sleep(0.3)
    print(child.pid, flush=True)
    time.sleep(1000)
"""


def test_the_next_start_removes_what_a_killed_harness_left(chosen: MemoryLimit) -> None:
    with subprocess.Popen([sys.executable, "-c", HARNESS], stdout=subprocess.PIPE) as harness:
        assert harness.stdout
        child = int(harness.stdout.readline())
        assert groups_of(harness.pid)
        sweep(mounts())
        assert groups_of(harness.pid), "it is alive: nothing of it may go"
        harness.kill()
    sweep(mounts())
    assert groups_of(harness.pid) == []
    with pytest.raises(ProcessLookupError):
        for _ in range(200):
            # an orphan stays for a moment, until init has taken note of its end
            os.kill(child, 0)
            time.sleep(0.01)


def test_entering_costs_little(chosen: MemoryLimit) -> None:
    assert 0 <= chosen.start_cost_s < 1


def test_without_any_means_there_is_a_warning_and_the_command_is_untouched(
    tmp_path: Path,
) -> None:
    found = choose_memory_limit(LIMIT, SHELL, tmp_path)
    assert (found.how, found.enforced, found.limit_bytes) == (NOT_ENFORCED, False, LIMIT)
    assert found.warning
    assert "100 MiB" in found.warning.message
    assert found.warning.remedy
    with found.enter("any") as group:
        assert group.wrap(["java", "-jar"]) == ["java", "-jar"]
    assert (group.memory_peak_bytes(), group.oom_killed(), group.cpu_time_s()) == (
        None,
        False,
        None,
    )


def test_elsewhere_the_remedy_is_another_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    warning = not_enforced(LIMIT).warning
    assert warning
    assert "Linux" in warning.remedy


def test_a_host_that_changed_its_mind_is_named(chosen: MemoryLimit, tmp_path: Path) -> None:
    def refuse(_name: str) -> Iterator[ControlGroup]:
        raise PermissionError(13, "Permission denied")

    broken = MemoryLimit("cgroup v2", LIMIT, refuse)  # type: ignore[arg-type]
    with (
        pytest.raises(HostError, match=r"no cgroup v2 can be made .* Permission denied"),
        broken.enter("any"),
    ):
        pass
