"""When a server that does not get ready is given up."""

from __future__ import annotations

from collections.abc import Callable

READY_CEILING_S = 90.0
# on a host that gives it a fraction of a CPU a start takes minutes, and it is seen to work
WORKING_CEILING_S = 300.0
WORKING_CPUS = 0.02
LOOK_S = 10.0


class StartPatience:
    """How long a start may take: longer for a server that still works on it.

    `cpu_time_s` gives the CPU time that it has had so far, None where that is not known.
    """

    def __init__(
        self, cpu_time_s: Callable[[], float | None], ceiling_s: float | None = None
    ) -> None:
        self._cpu_time_s = cpu_time_s
        self._ceiling_s = READY_CEILING_S if ceiling_s is None else ceiling_s
        self._looked_at_s = 0.0
        self._had_s = 0.0
        self._works = False

    def ended(self, elapsed_s: float, *, answers: bool) -> bool:
        """Whether to give up `elapsed_s` after its start; `answers` is whether it does at all.

        One that answers, but not as it should, has started: its polls keep it busy for ever.
        """
        if elapsed_s - self._looked_at_s >= min(LOOK_S, self._ceiling_s):
            had_s = self._cpu_time_s() or 0.0
            self._works = had_s - self._had_s > WORKING_CPUS * (elapsed_s - self._looked_at_s)
            self._looked_at_s, self._had_s = elapsed_s, had_s
        longer = self._works and not answers
        return elapsed_s >= (max(WORKING_CEILING_S, self._ceiling_s) if longer else self._ceiling_s)
