"""Stand-ins for what tests must not touch: the door to subprocesses.

    shell = FakeShell()
    shell.answer("wrk", "-v", stderr="wrk 4.1.0 [epoll]", code=1)
    shell.answer("apt-get", "install", then=lambda: (bin_dir / "wrk").touch())

An answer serves every command that begins with its words; the most recently given one wins.
`shell.commands` holds all that was run or started, in order. A command without an answer ends
with 0 and prints nothing, or raises FileNotFoundError when the shell is `strict`.
"""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from springbench.host.process_tree import ProcessTree
from springbench.host.shell import Completed


@dataclass(frozen=True)
class Call:
    """One command as it was given to the shell."""

    command: tuple[str, ...]
    env: Mapping[str, str] | None = None
    cwd: Path | None = None
    cpus: frozenset[int] = frozenset()


@dataclass(frozen=True)
class _Answer:
    words: tuple[str, ...]
    result: Completed
    error: Exception | None
    then: Callable[[], object]
    running: bool

    def fits(self, command: Sequence[str]) -> bool:
        words = (Path(command[0]).name, *command[1:])
        return words[: len(self.words)] == self.words


class FakeRunning:
    """A child that is no process: it runs until stopped, or has ended with `code` at once."""

    def __init__(self, pid: int, code: int | None) -> None:
        self.pid = pid
        self.code = code
        self.signals: list[int] = []
        self.tree = ProcessTree(pid)

    def poll(self) -> int | None:
        """The exit code, once it has one."""
        return self.code

    def wait(self, timeout: float | None = None) -> int:
        """The exit code; a child that would run for ever times out."""
        if self.code is None:
            raise subprocess.TimeoutExpired(["fake"], timeout or 0.0)
        return self.code

    def signal(self, number: int) -> None:
        """Record the signal."""
        if self.code is None:
            self.signals.append(number)

    def signal_all(self, number: int) -> None:
        """It has started nothing."""
        self.signal(number)

    def stop(self, grace_s: float = 3.0) -> int:
        """End it as SIGTERM would."""
        if self.code is None:
            self.signals.append(signal.SIGTERM)
            self.code = -signal.SIGTERM
        return self.code


@dataclass
class FakeShell:
    """A `Shell` that runs nothing: it answers as scripted and records what it was asked."""

    strict: bool = False
    calls: list[Call] = field(default_factory=list)
    children: list[FakeRunning] = field(default_factory=list)
    _answers: list[_Answer] = field(default_factory=list)

    @property
    def commands(self) -> list[str]:
        """Every command so far, as one line each."""
        return [" ".join(call.command) for call in self.calls]

    def answer(
        self,
        *words: str,
        stdout: str = "",
        stderr: str = "",
        code: int = 0,
        error: Exception | None = None,
        then: Callable[[], object] = lambda: None,
        running: bool = False,
    ) -> None:
        """What commands that begin with `words` get; the program is matched by its file name.

        `then` happens when such a command runs. `running` makes a started one go on until stopped.
        """
        result = Completed(code, stdout, stderr)
        self._answers.insert(0, _Answer(words, result, error, then, running))

    def run(
        self,
        command: Sequence[str],
        *,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        timeout_s: float | None = None,
        show: bool = False,
        stdin: Path | None = None,
        stdout: Path | None = None,
    ) -> Completed:
        """Answer as scripted."""
        self.calls.append(Call(tuple(command), env, cwd))
        answer = self._find(command)
        return answer.result if answer else Completed(0, "", "")

    def start(
        self,
        command: Sequence[str],
        *,
        stdout: IO[bytes],
        env: Mapping[str, str] | None = None,
        cpus: frozenset[int] = frozenset(),
        cwd: Path | None = None,
    ) -> FakeRunning:
        """Write the scripted output, and return a child that has ended or runs for ever."""
        self.calls.append(Call(tuple(command), env, cwd, cpus))
        answer = self._find(command)
        code: int | None = 0
        if answer:
            stdout.write((answer.result.stdout + answer.result.stderr).encode())
            stdout.flush()
            code = None if answer.running else answer.result.code
        child = FakeRunning(1000 + len(self.children), code)
        self.children.append(child)
        return child

    def _find(self, command: Sequence[str]) -> _Answer | None:
        for answer in self._answers:
            if answer.fits(command):
                answer.then()
                if answer.error:
                    raise answer.error
                return answer
        if self.strict:
            raise FileNotFoundError(command[0])
        return None
