"""A program that is no JVM is recorded by the kernel: `perf`, for images and other commands."""

from __future__ import annotations

import re
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from springbench.errors import CaseError
from springbench.host.tools.find import find_perf
from springbench.host.tools.packages import remedy
from springbench.host.tools.platforms import this_platform
from springbench.measure.profile.session import Event
from springbench.measure.server.process import ServerProcess
from springbench.measure.testbed import Testbed

_CEILING_S = 120.0
_END_S = 30.0
# a clock needs no counters, which few virtual machines have; the odd number is in step with nothing
_RECORD = ("record", "--quiet", "--event", "cpu-clock", "--freq", "997", "--call-graph", "fp")
# names alone: whoever asks for lines waits for minutes
_SCRIPT = ("script", "--fields", "comm,ip,sym,dso", "--no-inline")
_PARANOID = Path("/proc/sys/kernel/perf_event_paranoid")


class Perf:
    """The `perf` of this host."""

    @contextmanager
    def recording(
        self, testbed: Testbed, server: ServerProcess, event: Event, folder: Path
    ) -> Iterator[Path]:
        """As collapsed stacks, as far as the program keeps frame pointers."""
        if event is not Event.CPU:
            raise CaseError(f"of a program that is no JVM only CPU time is seen, not {event}")
        perf = find_perf()
        if perf is None:
            raise CaseError(f"perf is not here; {remedy('perf', this_platform())}")
        data, log = (folder / "perf.data").absolute(), folder / "perf.txt"
        pids = ",".join(map(str, server.running.tree.living()))
        with log.open("wb") as output:
            child = testbed.shell.start(
                [str(perf), *_RECORD, "--output", str(data), "--pid", pids], stdout=output
            )
            try:
                yield (file := folder / "recording.collapsed")
                # what a recording ends with
                if child.poll() is None:
                    child.signal(signal.SIGINT)
                with suppress(subprocess.TimeoutExpired):
                    child.wait(_END_S)
            finally:
                child.stop()
        if not data.is_file() or not data.stat().st_size:
            raise CaseError(f"perf recorded nothing: {_why(log)}")
        done = testbed.shell.run([str(perf), *_SCRIPT, "--input", str(data)], timeout_s=_CEILING_S)
        if done.code != 0:
            raise CaseError(f"perf could not read its recording: {done.stderr.strip()[-300:]}")
        file.write_text(collapsed(done.stdout), encoding="utf-8")


def _why(log: Path) -> str:
    text = " ".join(log.read_text("utf-8", "replace").split())[-200:]
    with suppress(OSError, ValueError):
        if (level := int(_PARANOID.read_text("ascii"))) > 2:
            return f"kernel.perf_event_paranoid is {level}; allowed: at most 2. {text}"
    return text or "it said nothing"


# an address, a name or [unknown], and in brackets the file that it is in
_FRAME = re.compile(r"^\s+[0-9a-f]+ (?P<name>.*) \((?P<file>.*)\)$")
_UNKNOWN = "[unknown]"


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
            kept = [
                name
                for at, name in enumerate(outermost_first)
                if not (at and name.startswith("[") and outermost_first[at - 1] == name)
            ]
            seen[";".join(kept)] += 1
            frames = []
    return "".join(f"{stack} {count}\n" for stack, count in sorted(seen.items()))


def _named(name: str, file: str) -> str:
    """The name without what separates frames from one another."""
    if name == _UNKNOWN:
        name = f"[{file.rpartition('/')[2].strip('[]')}]"
    return name.replace(";", ",")
