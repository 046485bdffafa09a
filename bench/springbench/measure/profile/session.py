"""Records one process under the load of its case: where its time goes, its memory, its waiting.

async-profiler is loaded into the running server once that is warm, so that the recording shows what
a window would. Nothing measured meanwhile counts: the profiler costs time of its own.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from springbench.errors import CaseError
from springbench.measure.load.driver import Driver
from springbench.measure.server.command import Start
from springbench.measure.server.process import ServerProcess, started
from springbench.measure.testbed import Testbed
from springbench.measure.warmup import id_sequence, warm_up
from springbench.plan.cases import Case

_CEILING_S = 60.0


class Event(StrEnum):
    """What is sampled."""

    CPU = "cpu"
    ALLOC = "alloc"
    LOCK = "lock"


# ctimer needs no right; the kernel makes of a millisecond what it can, 4 to 10
_AGENT_OPTIONS = {
    Event.CPU: "event=ctimer,interval=1ms",
    Event.ALLOC: "event=alloc,alloc=64k",
    Event.LOCK: "event=lock,lock=10us",
}


@dataclass(frozen=True)
class Recorded:
    """A recording in JFR's format, and how many answers the server gave meanwhile."""

    file: Path
    answers: int


def record(
    testbed: Testbed, case: Case, start: Start, library: Path, event: Event, duration_s: float
) -> Recorded:
    """Start a server, warm it up as for a measurement, and record it under load.

    Raises `CaseError` when the server fails, or is none that the profiler can be loaded into.
    """
    folder = testbed.raw / case.id / event
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "recording.jfr"
    with started(testbed, start, folder) as server:
        server.wait_ready(case.variant.server.health)
        driver = Driver(testbed, server, folder)
        warm_up(testbed, case, driver)
        server.compilers.give_back(testbed.cpus.server)
        options = f"start,{_AGENT_OPTIONS[event]},jfr,file={file.absolute()}"
        _tell(testbed, server, library, options)
        driven = driver.drive(
            "profiled", case.route, case.connections, duration_s, ids=id_sequence(case)
        )
        _tell(testbed, server, library, f"stop,file={file.absolute()}")
    if not driven.summary.requests or not file.is_file():
        raise CaseError("nothing was answered, or nothing was recorded")
    return Recorded(file, driven.summary.requests)


def _tell(testbed: Testbed, server: ServerProcess, library: Path, options: str) -> None:
    """Have the server's JVM load the agent, or give the loaded one another command."""
    jcmd = str(testbed.java.with_name("jcmd"))
    pid = str(server.running.pid)
    try:
        # in quotes of its own: jcmd would take what stands before a = for the name of an option
        told = testbed.shell.run(
            [jcmd, pid, "JVMTI.agent_load", str(library), f'"{options}"'], timeout_s=_CEILING_S
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CaseError(f"{jcmd} could not be asked to load the profiler: {error}") from error
    if told.code != 0 or "return code: 0" not in told.stdout:
        words = " ".join((told.stdout + told.stderr).split())[-300:]
        raise CaseError(f"the profiler could not be loaded; only a JVM can load it: {words}")
