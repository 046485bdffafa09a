"""From a started server to a window that counts: warm-up, and when it is over.

While a server warms up, its just-in-time compilers have CPUs of their own and go first: on the CPU
that they share with the requests they take several times as long. Once that has settled, they go
back to where they belong, and only then a window may begin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from springbench.measure.instability import (
    EDGE_S,
    compilation_has_just_settled,
    compilation_has_resumed,
    compilation_has_settled,
    compiled_s,
    compilers_starve,
)
from springbench.measure.load.driver import Driver
from springbench.measure.load.timeline import Timeline
from springbench.measure.server.compilers import Compilers
from springbench.measure.testbed import Testbed
from springbench.measure.window import has_usual_speed, is_enough, last_span
from springbench.plan.cases import Case

# As many as are measured, so that the paths of a queue are compiled too: where few requests are
# answered in a second that would take minutes. Without the wait such a queue is gone in a moment.
WARMUP_CONNECTIONS = 1000
ROUTE_CEILING_S = 15.0
# the samples must outlast the window
TAIL_S = 0.5
# servers close connections that were idle for 20 s
HOLD_MAX_S = 5.0


@dataclass(frozen=True)
class WarmUp:
    """What a process went through before the load that is measured."""

    duration_s: float = 0.0
    loads: tuple[Timeline, ...] = ()
    """All loads since its start; none where it had answered another case before."""


def warm_up(testbed: Testbed, case: Case, driver: Driver) -> WarmUp:
    """Load a route without the wait until JIT compilation has settled.

    At least for `warmup_min_s`, at most until `compiling_max_s` are over. The compilers keep their
    CPUs: whoever goes on gives them back, as `Settling` does. A server that is held to its CPUs is
    loaded from the first second to the last: what it takes to warm up is its own.
    """
    server, templates = driver.server, case.warmup_templates
    server.check_routes(templates, ROUTE_CEILING_S + case.workload.delay_s)
    server.compilers.widen_affinity(testbed.cpus.outside_server)
    warming = _Warming(testbed, case)
    driven = driver.drive(
        "warm-up",
        templates,
        min(WARMUP_CONNECTIONS, case.connections),
        max(case.warmup_min_s, case.compiling_max_s),
        enough=warming,
        hold=None if server.held else warming.hold,
    )
    return WarmUp(driven.summary.duration_s, (driven.timeline,))


@dataclass
class _Warming:
    """Ends warm-up when JIT compilation has settled, and reports meanwhile its CPU time.

    The load is paused while it takes the CPU away from them: they work off their queue first.
    """

    testbed: Testbed
    case: Case
    _held_since_s: float | None = field(default=None, init=False)

    def __call__(self, timeline: Timeline) -> bool:
        if not timeline.samples:
            return False
        if compilation_has_just_settled(timeline, self.testbed.cpus.counts.server, waits=False):
            return timeline.end_s >= self.case.warmup_min_s
        _show_compilation(self.testbed, timeline)
        return False

    def hold(self, timeline: Timeline) -> bool:
        """Whether the load should be paused, never for so long that connections are given up."""
        starve = compilers_starve(timeline, len(self.testbed.cpus.outside_server) or 1)
        since_s = self._held_since_s if self._held_since_s is not None else timeline.end_s
        held = starve and timeline.end_s - since_s < HOLD_MAX_S
        self._held_since_s = since_s if held else None
        return held


@dataclass
class Settling:
    """Ends the load that is measured: when its newest window is steady, or its time is up.

    New connections, and another route than that of warm-up, have compilers begin anew. Until
    `compiling_s` of the load are over they keep CPUs of their own, or get them again, whenever they
    have work for seconds; a window begins only after that.
    """

    testbed: Testbed
    case: Case
    compilers: Compilers
    compiling_s: float
    probes_s: Sequence[float] = ()
    """How long the fixed work took under the loads of this process until then."""
    # the load begins as warm-up ended: with CPUs of their own
    _lent_at_s: float | None = field(default=0.0, init=False)
    _lent_s: float = field(default=0.0, init=False)
    alone_from_s: float = field(default=0.0, init=False)
    """When they went back for the last time, in seconds since the load began."""

    @property
    def longest_s(self) -> float:
        """How long such a load may last."""
        return self.compiling_s + self._longest_window_s + self._one_more_s

    @property
    def _longest_window_s(self) -> float:
        case = self.case
        settling_s = max(0.0, case.warmup_max_s - case.warmup_min_s)
        return case.ramp_s + settling_s + case.window_s + case.workload.delay_s + TAIL_S

    @property
    def _one_more_s(self) -> float:
        """A window that begins now is one later; what they did just before it counts as well."""
        return self.case.window_s + EDGE_S

    def __call__(self, timeline: Timeline) -> bool:
        if not timeline.samples:
            return False
        if self._compile(timeline):
            _show_compilation(self.testbed, timeline)
            return False
        case, cpus = self.case, self.testbed.cpus.counts
        if is_enough(case, timeline, cpus, self.alone_from_s) and has_usual_speed(
            case, timeline, self.probes_s, cpus
        ):
            return True
        late_s = timeline.end_s - self._lent_s - self._longest_window_s
        if late_s < 0:
            return False
        return late_s >= self._one_more_s or not self._settled_too_late(timeline)

    def _settled_too_late(self, timeline: Timeline) -> bool:
        """Whether JIT compilation has settled now, and had not in all of the newest window."""
        cpus, waits = self.testbed.cpus.counts.server, self.case.workload.delay_s > 0
        span = last_span(self.case, timeline.end_s, self.alone_from_s)
        if span is None or not compilation_has_just_settled(timeline, cpus, waits=waits):
            return False
        return not compilation_has_settled(timeline, *span, cpus, waits=waits)

    def _compile(self, timeline: Timeline) -> bool:
        """Lend the compilers CPUs while they have work, and take them back. Whether they have."""
        now_s, cpus = timeline.end_s, self.testbed.cpus
        in_time, waits = now_s < self.compiling_s, self.case.workload.delay_s > 0
        if self._lent_at_s is None:
            if in_time and compilation_has_resumed(timeline, cpus.counts.server, waits=waits):
                self.compilers.widen_affinity(cpus.outside_server)
                self._lent_at_s = now_s
        elif not in_time or compilation_has_just_settled(timeline, cpus.counts.server, waits=waits):
            self.compilers.restore_affinity(cpus.server)
            self._lent_s += now_s - self._lent_at_s
            self._lent_at_s, self.alone_from_s = None, now_s
        return self._lent_at_s is not None


def _show_compilation(testbed: Testbed, timeline: Timeline) -> None:
    """Tell whoever watches what the compilers have had."""
    if (cpu_s := compiled_s(timeline)) is not None:
        testbed.observer.compiling(cpu_s)
