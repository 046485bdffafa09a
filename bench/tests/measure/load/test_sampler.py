"""The thread that looks at processes, on real ones."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from itertools import pairwise

import pytest

from springbench.host.process_tree import ProcessTree
from springbench.measure.load.sampler import Sampler, Watched
from springbench.measure.load.timeline import Timeline
from springbench.measure.readings.tree import Memory, TreeReadings, cpu_time_s

# reads without end, as wrk does
READER = "import sys\nwhile True: sys.stdin.buffer.read(4096)"
BUSY = "while True: pass"


def watch(seconds: float) -> Timeline:
    """A reader in wrk's place and a busy loop in the server's, which ends before the sampler."""
    with (
        open("/dev/zero", "rb") as zero,  # noqa: PTH123
        subprocess.Popen([sys.executable, "-c", READER], stdin=zero) as reader,
        subprocess.Popen([sys.executable, "-c", BUSY]) as busy,
    ):
        try:
            with Sampler(Watched(reader.pid, busy.pid)) as sampler:
                time.sleep(seconds)
                busy.kill()
                busy.wait()
                time.sleep(0.3)
        finally:
            reader.kill()
            busy.kill()
    return sampler.timeline


@pytest.mark.process
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has /proc")
def test_a_real_load_is_seen_growing_and_a_dead_server_is_not_seen() -> None:
    timeline = watch(1.0)

    times = [sample.at_s for sample in timeline.samples]
    assert len(times) >= 8
    assert times == sorted(times)
    for field in ("read_bytes", "server_cpu_s", "load_cpu_s"):
        points = timeline.points(field)
        assert len(points) >= 2, field
        assert points[-1][1] > points[0][1], field
        assert all(a[1] <= b[1] for a, b in pairwise(points)), field
    assert timeline.points("upstream_cpu_s") == []
    assert (timeline.largest("threads", 0, 60) or 0) >= 1
    assert (timeline.largest("rss_bytes", 0, 60) or 0) > 1 << 20
    # it was gone when the sampler looked last
    assert timeline.points("server_cpu_s")[-1][0] < times[-1]


class SlowToRead(TreeReadings):
    """A server that has all of a CPU, and whose memory takes long to read now and then."""

    reads = 0

    def cpu_time_s(self) -> float | None:
        return time.perf_counter()

    def memory_often(self) -> Memory | None:
        self.reads += 1
        if self.reads % 2:
            time.sleep(0.2)
        return None


def test_cpu_time_is_that_of_the_moment_whatever_takes_long_to_read() -> None:
    with Sampler(Watched(None, SlowToRead(ProcessTree(os.getpid())))) as sampler:
        time.sleep(1.0)
    points = sampler.timeline.points("server_cpu_s")
    assert len(points) > 2
    behind_s = [cpu_s - at_s for at_s, cpu_s in points]
    assert max(behind_s) - min(behind_s) < 0.15


@pytest.mark.process
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has /proc")
@pytest.mark.parametrize("alone", [True, False])
def test_a_program_that_has_no_part_in_it_is_seen(alone: bool) -> None:
    cpus = frozenset(os.sched_getaffinity(0))
    with (
        subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as own_process,
        subprocess.Popen([sys.executable, "-c", BUSY]) as competitor,
    ):
        try:
            with Sampler(
                Watched(own_process.pid, own_process.pid, cpus=cpus, alone=alone)
            ) as sampler:
                deadline_s = time.monotonic() + 10
                while (cpu_time_s(competitor.pid) or 0.0) < 1.0 and time.monotonic() < deadline_s:
                    time.sleep(0.1)
        finally:
            competitor.kill()
            own_process.kill()
    points = sampler.timeline.points("background_cpu_s")
    if not alone:
        # who has a part in it is not known
        assert points == []
        return
    # by ticks, and whatever else this host does comes on top
    assert points[-1][1] - points[0][1] > 0.5
    points = sampler.timeline.points("stolen_s")
    assert points[-1][1] >= points[0][1]


@pytest.mark.process
def test_processes_that_are_not_there_are_no_mistake() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    with Sampler(Watched(ended.pid, ended.pid, ended.pid)) as sampler:
        time.sleep(0.1)
    assert sampler.timeline.samples
    assert sampler.timeline.points("read_bytes") == []
    assert sampler.timeline.points("server_cpu_s") == []
