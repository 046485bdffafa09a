"""A running server that stands still until it is its turn."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from springbench.measure.load.driver import Driver
from springbench.measure.readings import gclog
from springbench.measure.readings.gclog import Collection
from springbench.measure.server.log import gc_log
from springbench.measure.testbed import Testbed
from springbench.plan.cases import Variant


@dataclass
class Standing:
    """A server with what drives its load. Stopped and continued by the kernel, not by itself."""

    testbed: Testbed
    driver: Driver
    variant: Variant

    @property
    def pid(self) -> int:
        return self.driver.server.running.pid

    def cpu_time_s(self) -> float | None:
        """CPU time of all of its processes so far; None where nothing tells."""
        return self.driver.server.readings.cpu_time_s()

    def collections(self) -> list[Collection] | None:
        """Those of its life until now; None where it tells none."""
        return gclog.read(gc_log(self.variant, self.driver.home))

    @contextmanager
    def answerable(self) -> Iterator[None]:
        """What fails in this block is the failure of this server."""
        yield

    def stand_still(self) -> None:
        """Stop it until it is awake."""
        self.driver.server.running.signal_all(signal.SIGSTOP)

    @contextmanager
    def awake(self) -> Iterator[None]:
        """Only inside this block does the process run."""
        self.driver.server.running.signal_all(signal.SIGCONT)
        try:
            with self.answerable():
                yield
        finally:
            self.stand_still()
