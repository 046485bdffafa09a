"""Recordings as text for programs, and as flame graphs for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from springbench.errors import CaseError
from springbench.host.shell import Shell
from springbench.measure.profile.session import Event

_CEILING_S = 120.0
_TOTAL = "--total"
# what they are weighed by: samples, or the total of bytes or nanoseconds
_OPTIONS: dict[Event, tuple[str, ...]] = {
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
        return self._collapsed(recording, ".collapsed", _OPTIONS[event])

    def samples(self, recording: Path, event: Event) -> str:
        """The same stacks, each with the number of its samples."""
        options = [each for each in _OPTIONS[event] if each != _TOTAL]
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
        files = [str(each) for each in recordings]
        self._run([*_OPTIONS[event], *diff, "--title", title, "-o", "html", *files, str(out)])

    def _run(self, arguments: Sequence[str]) -> None:
        done = self.shell.run(
            [str(self.java), "-jar", str(self.jar), *arguments], timeout_s=_CEILING_S
        )
        if done.code != 0:
            words = " ".join((done.stdout + done.stderr).split())[-300:]
            raise CaseError(f"the recording could not be converted: {words}")
