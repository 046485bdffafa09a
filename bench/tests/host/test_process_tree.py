"""A process with all that it has started, whatever becomes of these and of their sessions."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from springbench.host.process_tree import ProcessTree
from springbench.host.shell import RealShell, Running
from springbench.measure.readings.tree import TreeReadings
from tests.processes import is_gone, until

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has /proc"),
]
SLEEP = "import time; time.sleep(600)"
# a child that ends as soon as its own child is in a session of its own
DAEMON = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
time.sleep(600)
"""
DEAF = """
import os, signal, time
os.fork()
signal.signal(signal.SIGTERM, signal.SIG_IGN)
time.sleep(600)
"""
# its worker works for half a second, is waited for (or not), and another takes its place
RESTARTING = """
import os, signal, sys, time
if sys.argv[1] == "ignored":
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in range(2):
    if (pid := os.fork()) == 0:
        while time.process_time() < 0.5:
            pass
        time.sleep(0.3)
        os._exit(0)
    if sys.argv[1] == "waited for":
        os.waitpid(pid, 0)
    else:
        time.sleep(2.5)
time.sleep(600)
"""


@contextmanager
def started(tmp_path: Path, *command: str) -> Iterator[Running]:
    with (tmp_path / "log").open("wb") as output:
        running = RealShell().start(command, stdout=output)
        try:
            yield running
        finally:
            running.stop(0.0)


def names(tree: ProcessTree) -> list[str]:
    return [psutil.Process(pid).name() for pid in tree.living()]


def test_a_wrapper_that_does_not_exec_is_one_with_its_program(tmp_path: Path) -> None:
    with started(tmp_path, "sh", "-c", "sleep 600; true") as running:
        assert until(lambda: names(running.tree) == ["sh", "sleep"], 20)
        assert running.tree.members()[0] == running.pid


def test_what_left_its_session_and_its_parent_is_still_below(tmp_path: Path) -> None:
    with started(tmp_path, sys.executable, "-c", DAEMON) as running:

        def daemon() -> list[int]:
            # its parent has begun the session, and is gone soon
            living = running.tree.living()
            return [pid for pid in living if os.getsid(pid) not in (pid, running.pid)]

        assert until(lambda: len(daemon()) == 1, 20)
        # its parent has ended
        assert until(lambda: psutil.Process(daemon()[0]).ppid() == running.pid, 20)
        [left] = daemon()
    assert until(lambda: is_gone(left), 20)


def test_the_program_of_a_wrapper_that_has_ended_is_still_there(tmp_path: Path) -> None:
    with started(tmp_path, "sh", "-c", "sleep 600 & exit 0") as running:
        assert running.wait(20) == 0
        assert until(lambda: names(running.tree) == ["sleep"], 20)  # it is begun as a shell
        [left] = running.tree.living()
    assert until(lambda: is_gone(left), 20)


def test_other_processes_are_none_of_it(tmp_path: Path) -> None:
    with (
        started(tmp_path, sys.executable, "-c", SLEEP) as one,
        started(tmp_path, sys.executable, "-c", SLEEP) as other,
    ):
        assert one.tree.members() == [one.pid]
        assert other.tree.members() == [other.pid]


def test_members_of_its_control_group_are_of_it_without_the_helper(tmp_path: Path) -> None:
    pipe = tmp_path / "a.pipe"
    os.mkfifo(pipe)
    with (
        started(tmp_path, sys.executable, "-c", SLEEP) as one,
        started(tmp_path, sys.executable, "-c", SLEEP) as escaped,
        started(tmp_path, "cat", str(pipe)) as helper,
    ):
        assert until(lambda: psutil.Process(helper.pid).cmdline() == ["cat", str(pipe)], 20)
        group = [one.pid, escaped.pid, helper.pid]
        one.tree.add_group(lambda: group, str(pipe))
        time.sleep(0.02)
        assert sorted(one.tree.members()) == sorted([one.pid, escaped.pid])


def test_all_are_stopped_and_continued_together(tmp_path: Path) -> None:
    with started(tmp_path, "sh", "-c", "sleep 600; true") as running:
        assert until(lambda: names(running.tree) == ["sh", "sleep"], 20)

        def states() -> set[str]:
            return {psutil.Process(pid).status() for pid in running.tree.living()}

        running.signal_all(signal.SIGSTOP)
        assert until(lambda: states() == {"stopped"}, 20)
        running.signal_all(signal.SIGCONT)
        assert until(lambda: states() == {"sleeping"}, 20)


def test_a_child_that_is_deaf_to_being_asked_is_ended_with_the_rest(tmp_path: Path) -> None:
    with started(tmp_path, sys.executable, "-c", DEAF) as running:
        assert until(lambda: len(running.tree.living()) == 2, 20)
        both = running.tree.living()
        running.stop(0.1)
        assert all(is_gone(pid) for pid in both)


@pytest.mark.parametrize(
    "how",
    [
        "waited for",
        *(pytest.param(way, marks=pytest.mark.system) for way in ("ignored", "not waited for")),
    ],
)
def test_a_worker_that_was_replaced_counts_on(tmp_path: Path, how: str) -> None:
    with started(tmp_path, sys.executable, "-c", RESTARTING, how) as running:
        readings, seen_s = TreeReadings(running.tree), [0.0]
        end_s = time.monotonic() + 60

        def sample() -> bool:
            seen_s.append(readings.cpu_time_s() or 0.0)
            time.sleep(0.05)
            return seen_s[-1] > 1.0 and len(running.tree.living()) == 1

        assert until(sample, 60), seen_s[-1]
        assert time.monotonic() < end_s
    assert seen_s == sorted(seen_s)
    # both workers, and the start of three processes
    assert 1.0 < seen_s[-1] < 1.5


def test_memory_that_processes_share_counts_once(tmp_path: Path) -> None:
    code = "import os, time; data = bytearray(os.urandom(64 << 20)); os.fork(); time.sleep(600)"
    with started(tmp_path, sys.executable, "-c", code) as running:
        assert until(lambda: len(running.tree.living()) == 2, 30)
        memory = TreeReadings(running.tree).memory()
        apart = [psutil.Process(pid).memory_info().rss for pid in running.tree.living()]
        peak_bytes = TreeReadings(running.tree).peak_bytes()
    assert memory is not None
    assert sum(apart) > 128 << 20
    assert 64 << 20 < memory.resident_bytes < 100 << 20
    assert memory.resident_bytes == memory.proportional_bytes
    assert memory.threads == 2
    assert peak_bytes == pytest.approx(memory.resident_bytes, rel=0.05)
