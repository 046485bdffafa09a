"""Records one process under the load of its case: where its time goes, its memory, its waiting.

The profiler comes once the server is warm, so that the recording shows what a window would. Nothing
measured meanwhile counts: it costs time of its own.
"""

from __future__ import annotations

import re
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from springbench.errors import CaseError
from springbench.host.environment import measured_environment
from springbench.host.shell import Running, Shell
from springbench.host.tools.find import find_perf
from springbench.host.tools.packages import remedy, this_platform
from springbench.measure.load.driver import Driver
from springbench.measure.server.command import Start
from springbench.measure.server.process import ServerProcess, started
from springbench.measure.testbed import Testbed
from springbench.measure.warmup import ROUTE_CEILING_S, warm_up
from springbench.plan.cases import Case
from springbench.results.comparison import ProfiledEvent
from springbench.results.stacks import StackTree, java_frames, parse, without_compilers


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
    """A recording, as JFR or as collapsed stacks."""

    file: Path

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
    return Recorded(file)


# --- Recordings as text for programs, and as flame graphs for people ------------------------------


_CONVERT_CEILING_S = 120.0
_TOTAL = "--total"
# what they are weighed by: samples, or the total of bytes or nanoseconds
_CONVERT_OPTIONS: dict[Event, tuple[str, ...]] = {
    Event.CPU: ("--cpu", "--norm"),
    Event.ALLOC: ("--alloc", _TOTAL, "--norm"),
    Event.LOCK: ("--lock", _TOTAL, "--norm"),
}


@dataclass(frozen=True)
class Converter:
    """async-profiler's converter, on a JDK of this host."""

    shell: Shell
    java: Path
    jar: Path

    def stacks(self, recording: Path, event: Event) -> str:
        """Collapsed stacks: a line each, frames from the outermost with `;` between, a weight."""
        return self._collapsed(recording, ".collapsed", _CONVERT_OPTIONS[event])

    def samples(self, recording: Path, event: Event) -> str:
        """The same stacks, each with the number of its samples."""
        options = [option for option in _CONVERT_OPTIONS[event] if option != _TOTAL]
        return self._collapsed(recording, ".samples", options)

    def _collapsed(self, recording: Path, suffix: str, options: Sequence[str]) -> str:
        out = recording.with_suffix(suffix)
        self._run([*options, "-o", "collapsed", str(recording), str(out)])
        return out.read_text(encoding="utf-8", errors="replace")

    def flame_graph(self, recordings: Sequence[Path], event: Event, title: str, out: Path) -> None:
        """One file of HTML that opens from disk; of two recordings what differs in the second.

        Recordings are JFR's files, or collapsed stacks.
        """
        out.parent.mkdir(parents=True, exist_ok=True)
        diff = ["--diff"] if len(recordings) > 1 else []
        files = [str(recording) for recording in recordings]
        self._run(
            [*_CONVERT_OPTIONS[event], *diff, "--title", title, "-o", "html", *files, str(out)]
        )

    def _run(self, arguments: Sequence[str]) -> None:
        done = self.shell.run(
            [str(self.java), "-jar", str(self.jar), *arguments], timeout_s=_CONVERT_CEILING_S
        )
        if done.code != 0:
            words = " ".join((done.stdout + done.stderr).split())[-300:]
            raise CaseError(f"the recording could not be converted: {words}")


# --- A JVM is recorded by async-profiler, which it loads while it runs ----------------------------


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
        file = self.start(testbed, server, _OPTIONS[event], folder)
        yield file
        self.stop(testbed, server, file)

    def start(self, testbed: Testbed, server: ServerProcess, options: str, folder: Path) -> Path:
        """Begin to record; the file in which it will be. Raises `CaseError`."""
        file = (folder / "recording.jfr").absolute()
        self._control(testbed, server, f"start,{options},jfr,file={file}")
        return file

    def stop(self, testbed: Testbed, server: ServerProcess, file: Path) -> None:
        """End the recording; then its file is there. Raises `CaseError`."""
        self._control(testbed, server, f"stop,file={file}")

    def _control(self, testbed: Testbed, server: ServerProcess, options: str) -> None:
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


# few enough not to be met among the samples of CPU time
_SAMPLED_ALLOC = "alloc=1m"
# the first that tells what is allocated without symbols of its own library
_ALLOC_JDK = 11


@dataclass(frozen=True)
class JvmSampler:
    """Samples CPU time and allocation of a JVM that is measured, for a few seconds of its load."""

    agent: Agent
    converter: Converter

    def start(self, testbed: Testbed, server: ServerProcess, folder: Path) -> JvmSampling:
        """Begin. Raises `CaseError`."""
        options = _OPTIONS[Event.CPU]
        if testbed.java_major is None or testbed.java_major >= _ALLOC_JDK:
            options = f"{options},{_SAMPLED_ALLOC}"
        file = self.agent.start(testbed, server, options, folder)
        return JvmSampling(self, testbed, server, file)


@dataclass(frozen=True)
class JvmSampling:
    """A JVM that is sampled."""

    sampler: JvmSampler
    testbed: Testbed
    server: ServerProcess
    file: Path

    def stop(self) -> None:
        """End it. Raises `CaseError`."""
        self.sampler.agent.stop(self.testbed, self.server, self.file)

    def trees(self) -> dict[ProfiledEvent, StackTree]:
        """What was sampled, by frames of Java. Raises `CaseError`."""
        return {"cpu": self._tree(Event.CPU), "alloc": self._tree(Event.ALLOC)}

    def _tree(self, event: Event) -> StackTree:
        stacks = without_compilers(parse(self.sampler.converter.samples(self.file, event)))
        return StackTree.of((tuple(java_frames(frames)), samples) for frames, samples in stacks)


# --- A program that is no JVM is recorded by the kernel: `perf`, for images and other commands ----


_PERF_CEILING_S = 120.0
_END_S = 30.0
# a clock needs no counters, which few virtual machines have; the odd number is in step with nothing
_RECORD = ("record", "--quiet", "--event", "cpu-clock", "--freq", "997", "--call-graph", "fp")
# names alone: whoever asks for lines waits for minutes
_SCRIPT = ("script", "--fields", "comm,ip,sym,dso", "--no-inline")
_PARANOID = Path("/proc/sys/kernel/perf_event_paranoid")


def no_perf() -> str:
    """What to do where there is none."""
    return f"perf is not here; {remedy('perf', this_platform())}"


class Perf:
    """The `perf` of this host."""

    @contextmanager
    def recording(
        self, testbed: Testbed, server: ServerProcess, event: Event, folder: Path
    ) -> Iterator[Path]:
        """As collapsed stacks, as far as the program keeps frame pointers."""
        if event is not Event.CPU:
            raise CaseError(f"of a program that is no JVM only CPU time is seen, not {event}")
        sampling = self.start(testbed, server, folder)
        try:
            yield (file := folder / "recording.collapsed")
        finally:
            sampling.stop()
        file.write_text(sampling.collapsed(), encoding="utf-8")

    def start(self, testbed: Testbed, server: ServerProcess, folder: Path) -> PerfSampling:
        """Begin to sample it. Raises `CaseError`."""
        perf = find_perf()
        if perf is None:
            raise CaseError(no_perf())
        data, log = (folder / "perf.data").absolute(), folder / "perf.txt"
        pids = ",".join(map(str, server.running.tree.living()))
        with log.open("wb") as output:
            child = testbed.shell.start(
                [str(perf), *_RECORD, "--output", str(data), "--pid", pids], stdout=output
            )
        return PerfSampling(testbed.shell, perf, child, data, log)


@dataclass(frozen=True)
class PerfSampling:
    """A program that is sampled by `perf`, a process of its own."""

    shell: Shell
    perf: Path
    child: Running
    data: Path
    log: Path

    def stop(self) -> None:
        """End it."""
        try:
            # what a recording ends with
            if self.child.poll() is None:
                self.child.signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                self.child.wait(_END_S)
        finally:
            self.child.stop()

    def collapsed(self) -> str:
        """What was sampled, as collapsed stacks. Raises `CaseError`."""
        if not self.data.is_file() or not self.data.stat().st_size:
            raise CaseError(f"perf recorded nothing: {_why(self.log)}")
        done = self.shell.run(
            [str(self.perf), *_SCRIPT, "--input", str(self.data)], timeout_s=_PERF_CEILING_S
        )
        if done.code != 0:
            raise CaseError(f"perf could not read its recording: {done.stderr.strip()[-300:]}")
        return collapsed(done.stdout)

    def trees(self) -> dict[ProfiledEvent, StackTree]:
        """The same as a tree. Raises `CaseError`."""
        return {"cpu": StackTree.of(parse(self.collapsed()))}


def _why(log: Path) -> str:
    text = " ".join(log.read_text("utf-8", "replace").split())[-200:]
    with suppress(OSError, ValueError):
        if (level := int(_PARANOID.read_text("ascii"))) > 2:
            return f"kernel.perf_event_paranoid is {level}; allowed: at most 2. {text}"
    return text or "it said nothing"


# an address, a name or [unknown], and in brackets the file that it is in
_FRAME = re.compile(r"^\s+[0-9a-f]+ (?P<name>.*) \((?P<file>.*)\)$")
_UNKNOWN = "[unknown]"
# code that was compiled while it ran lies in a file that is named after the process
_PROCESS = re.compile(r"(?<=^perf)-\d+(?=\.map$)")


def collapsed(text: str) -> str:
    """A line for each stack: frames from the outermost with `;` between, and how often it was seen.

    Frames without a name are reported by their file, and once where several follow one another.
    Lines of another form are passed over.
    """
    seen: Counter[str] = Counter()
    frames: list[str] = []
    for line in [*text.splitlines(), ""]:
        if found := _FRAME.match(line):
            frames.append(_named(found["name"], found["file"]))
        elif not line.strip() and frames:
            outermost_first = frames[::-1]
            distinct_frames = [
                name
                for at, name in enumerate(outermost_first)
                if not (at and name.startswith("[") and outermost_first[at - 1] == name)
            ]
            seen[";".join(distinct_frames)] += 1
            frames = []
    return "".join(f"{stack} {count}\n" for stack, count in sorted(seen.items()))


def _named(name: str, file: str) -> str:
    """The name without what separates frames from one another."""
    if name == _UNKNOWN:
        name = f"[{_PROCESS.sub('', file.rpartition('/')[2].strip('[]'))}]"
    return name.replace(";", ",")
