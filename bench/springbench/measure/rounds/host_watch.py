"""The host beside servers that take turns: what was stolen from them, what others had. Linux."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from springbench.host.facts.cpu_times import cpu_times
from springbench.limits import BUSY_RATIO, MAX_STEAL_RATIO
from springbench.measure.readings.cputime import cpu_time_s
from springbench.measure.rounds.lane import Lane
from springbench.measure.testbed import Testbed


class Share(NamedTuple):
    """Shares of a block: of the CPUs in use, and of one CPU; None where nothing tells."""

    stolen: float | None
    others: float | None

    @property
    def is_spoiled(self) -> bool:
        """Whether so much was taken that the block tells of the host."""
        return (self.stolen or 0.0) > MAX_STEAL_RATIO or (self.others or 0.0) > BUSY_RATIO


class Counters(NamedTuple):
    """Seconds since boot or since a process began."""

    at_s: float
    stolen_s: float | None
    others_s: float | None


@dataclass(frozen=True)
class HostWatch:
    """Looks at the CPUs of a testbed, at the edges of blocks."""

    testbed: Testbed

    def counters(self, lanes: Sequence[Lane]) -> Counters:
        """A look now, while all stand still."""
        times = cpu_times(self.testbed.cpus.used)
        if times is None:
            return Counters(time.perf_counter(), None, None)
        ours_s = self._ours_s(lanes)
        others_s = None if ours_s is None else times.worked_s - ours_s
        return Counters(time.perf_counter(), times.stolen_s, others_s)

    def share(self, before: Counters, after: Counters) -> Share:
        """What lies between two looks at the same lanes."""
        lasted_s = after.at_s - before.at_s
        stolen = others = None
        if before.stolen_s is not None and after.stolen_s is not None:
            stolen = max(0.0, after.stolen_s - before.stolen_s) / lasted_s
            stolen /= len(self.testbed.cpus.used) or 1
        if before.others_s is not None and after.others_s is not None:
            others = max(0.0, after.others_s - before.others_s) / lasted_s
        return Share(stolen, others)

    def _ours_s(self, lanes: Sequence[Lane]) -> float | None:
        """CPU time of all that has a part in it here; None where nothing tells."""
        testbed = self.testbed
        if not testbed.is_alone:
            return None
        servers_s = [lane.server.cpu_time_s() or 0.0 for lane in lanes]
        pids = [lane.running.pid for lane in lanes if testbed.load.away(lane.running) is None]
        upstream = testbed.upstream
        if upstream and testbed.load.away(upstream.running) is None:
            pids.append(upstream.running.pid)
        had = [cpu_time_s(pid) or 0.0 for pid in (*pids, *testbed.helpers)]
        return sum(servers_s) + sum(had) + time.process_time()
