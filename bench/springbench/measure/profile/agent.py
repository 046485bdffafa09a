"""A JVM is recorded by async-profiler, which it loads while it runs."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from springbench.errors import CaseError
from springbench.host.environment import measured_environment
from springbench.measure.profile.session import Event
from springbench.measure.server.process import ServerProcess
from springbench.measure.testbed import Testbed

_CEILING_S = 60.0
# ctimer needs no right; the kernel makes of a millisecond what it can, 4 to 10
_OPTIONS = {
    Event.CPU: "event=ctimer,interval=1ms",
    Event.ALLOC: "event=alloc,alloc=64k",
    Event.LOCK: "event=lock,lock=10us",
}


@dataclass(frozen=True)
class Agent:
    """The library of async-profiler for this host."""

    library: Path

    @contextmanager
    def recording(
        self, testbed: Testbed, server: ServerProcess, event: Event, folder: Path
    ) -> Iterator[Path]:
        """In JFR's format."""
        file = (folder / "recording.jfr").absolute()
        self._tell(testbed, server, f"start,{_OPTIONS[event]},jfr,file={file}")
        yield file
        self._tell(testbed, server, f"stop,file={file}")

    def _tell(self, testbed: Testbed, server: ServerProcess, options: str) -> None:
        """Have the server's JVM load the agent, or give the loaded one another command."""
        jcmd = str(testbed.java.with_name("jcmd"))
        # in quotes of its own: jcmd would take what stands before a = for the name of an option
        words = [str(server.jvm), "JVMTI.agent_load", str(self.library), f'"{options}"']
        try:
            completed = testbed.shell.run(
                [jcmd, *words], env=measured_environment(), timeout_s=_CEILING_S
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CaseError(f"{jcmd} could not be asked to load the profiler: {error}") from error
        if completed.code != 0 or "return code: 0" not in completed.stdout:
            text = " ".join((completed.stdout + completed.stderr).split())[-300:]
            raise CaseError(f"the profiler could not be loaded; only a JVM can load it: {text}")
