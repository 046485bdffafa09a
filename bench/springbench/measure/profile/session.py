"""Records one process under the load of its case: where its time goes, its memory, its waiting.

The profiler comes once the server is warm, so that the recording shows what a window would. Nothing
measured meanwhile counts: it costs time of its own.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from springbench.errors import CaseError
from springbench.measure.load.driver import Driver
from springbench.measure.server.command import Start
from springbench.measure.server.process import ServerProcess, started
from springbench.measure.testbed import Testbed
from springbench.measure.warmup import ROUTE_CEILING_S, warm_up
from springbench.plan.cases import Case


class Event(StrEnum):
    """What is sampled."""

    CPU = "cpu"
    ALLOC = "alloc"
    LOCK = "lock"


class Recorder(Protocol):
    """What looks into a running server."""

    def recording(
        self, testbed: Testbed, server: ServerProcess, event: Event, folder: Path
    ) -> AbstractContextManager[Path]:
        """Record as long as it is open; then the file is there. Raises `CaseError`."""


@dataclass(frozen=True)
class Recorded:
    """A recording, as JFR or as collapsed stacks, and how many answers were given meanwhile."""

    file: Path
    answers: int

    @property
    def of_jvm(self) -> bool:
        """Whether async-profiler made it, which knows Java's frames."""
        return self.file.suffix == ".jfr"


def record(
    testbed: Testbed, case: Case, start: Start, recorder: Recorder, event: Event, duration_s: float
) -> Recorded:
    """Start a server, warm it up as for a measurement, and record it under load.

    Raises `CaseError` when the server fails, or cannot be looked into.
    """
    folder = testbed.raw / case.id / event
    folder.mkdir(parents=True, exist_ok=True)
    testbed = testbed.for_variant(case.variant)
    with started(testbed, start, folder) as server:
        server.wait_ready(case.variant.server.health, status=case.variant.server.health_status)
        server.log_in(ROUTE_CEILING_S)
        driver = Driver(testbed, server, folder)
        warm_up(testbed, case, driver)
        server.compilers.restore_affinity(testbed.cpus.server)
        with recorder.recording(testbed, server, event, folder) as file:
            driven = driver.drive(
                "profiled",
                case.templates,
                case.connections,
                duration_s,
                begin_over_s=case.begin_over_s,
            )
    if not driven.summary.requests or not file.is_file():
        raise CaseError("nothing was answered, or nothing was recorded")
    return Recorded(file, driven.summary.requests)
