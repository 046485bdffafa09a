"""The one door to subprocesses.

Everything that starts a process goes through a `Shell`, so that a test can stand in for it
and so that no command is ever given to a command interpreter.
"""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

from springbench.host.ends_with import ends_with_this
from springbench.host.interrupts import held
from springbench.host.process_tree import ProcessTree, become_subreaper

_FIRST_PAUSE_S = 0.001
_LONGEST_PAUSE_S = 0.05
_NOTHING = Path(os.devnull)


@dataclass(frozen=True)
class Completed:
    """A finished command: its exit code and what it printed."""

    code: int
    stdout: str
    stderr: str


class Running(Protocol):
    """A child that is still running, in a process group of its own."""

    @property
    def pid(self) -> int:
        """Process id, and the id of its group."""

    def poll(self) -> int | None:
        """Exit code, or None while it runs."""

    def wait(self, timeout: float | None = None) -> int:
        """Exit code; raises `subprocess.TimeoutExpired`."""

    @property
    def tree(self) -> ProcessTree:
        """The child and all that it has started."""

    def signal(self, number: int) -> None:
        """Send a signal to the child alone; nothing happens if it is gone."""

    def signal_all(self, number: int) -> None:
        """Send a signal to the child and all that it has started."""

    def stop(self, grace_s: float = 3.0) -> int:
        """End it with all that it has started. Returns the exit code.

        SIGTERM to the whole group; after `grace_s` SIGKILL to all, whatever group they are in.
        """


class Shell(Protocol):
    """How commands are run."""

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
        """Run to the end. `show` lets the output through to the terminal instead of keeping it.

        `stdin` is a file that it reads, `stdout` one that gets what it prints, byte for byte.
        Bytes that are not UTF-8 become U+FFFD. Raises `FileNotFoundError` when there is no such
        program.
        """

    def start(
        self,
        command: Sequence[str],
        *,
        stdout: IO[bytes],
        env: Mapping[str, str] | None = None,
        cpus: frozenset[int] = frozenset(),
        cwd: Path | None = None,
    ) -> Running:
        """Start and return at once; both streams go to `stdout`. `cpus` pins it from the start."""


def wait_for_exit(poll: Callable[[], int | None], what: Any, timeout_s: float | None) -> int:
    """The exit code that `poll` gives in the end; raises `subprocess.TimeoutExpired`."""
    end_s = math.inf if timeout_s is None else time.monotonic() + timeout_s
    pause_s = _FIRST_PAUSE_S
    while (code := poll()) is None:
        left_s = end_s - time.monotonic()
        if left_s <= 0:
            raise subprocess.TimeoutExpired(what, timeout_s or 0.0)
        time.sleep(min(pause_s, left_s))
        pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
    return code


def run_logged(
    shell: Shell, command: Sequence[str], log: Path, env: Mapping[str, str] | None = None
) -> int:
    """The exit code of a command whose output goes to a file; it ends with whoever waits for it."""
    with log.open("wb") as output:
        child = shell.start(command, stdout=output, env=env)
        try:
            return child.wait()
        finally:
            child.stop()


class Child:
    """A `Running` made from a real process."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self.tree = ProcessTree(process.pid)

    @property
    def pid(self) -> int:
        return self._process.pid

    def poll(self) -> int | None:
        # cut short by Ctrl-C it would keep a lock of `subprocess`, and nobody could wait any more
        with held():
            return self._process.poll()

    def wait(self, timeout: float | None = None) -> int:
        return wait_for_exit(self.poll, self._process.args, timeout)

    def signal(self, number: int) -> None:
        if self.poll() is None:
            self._process.send_signal(number)

    def signal_all(self, number: int) -> None:
        self.tree.signal(number)

    def stop(self, grace_s: float = 3.0) -> int:
        self._signal_group(signal.SIGCONT)
        self._signal_group(signal.SIGTERM)
        try:
            return self.wait(grace_s)
        except subprocess.TimeoutExpired:
            self.tree.end()
            return self.wait()
        finally:
            # the leader may be gone while a child of its own is not
            self.tree.end()
            self._signal_group(signal.SIGKILL)

    def _signal_group(self, number: int) -> None:
        try:
            os.killpg(self._process.pid, number)
        except (ProcessLookupError, PermissionError):
            return


class RealShell:
    """A `Shell` that starts real processes."""

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
        pipe = None if show else subprocess.PIPE
        with (stdin or _NOTHING).open("rb") as input_file, ExitStack() as files:
            done = subprocess.run(
                list(command),
                cwd=cwd,
                env=None if env is None else dict(env),
                timeout=timeout_s,
                stdout=files.enter_context(stdout.open("wb")) if stdout else pipe,
                stderr=pipe,
                stdin=input_file,
                encoding="utf-8",
                # what others wrote need not be text: names of files, messages of commits
                errors="replace",
                check=False,
            )
        return Completed(done.returncode, done.stdout or "", done.stderr or "")

    def start(
        self,
        command: Sequence[str],
        *,
        stdout: IO[bytes],
        env: Mapping[str, str] | None = None,
        cpus: frozenset[int] = frozenset(),
        cwd: Path | None = None,
    ) -> Running:
        child: Child | None = None
        try:
            with held():
                # its own group: Ctrl-C reaches only the harness, which ends its children in order
                process = subprocess.Popen(
                    _pinned(command, cpus),
                    stdout=stdout,
                    stderr=subprocess.STDOUT,
                    stdin=subprocess.DEVNULL,
                    env=None if env is None else dict(env),
                    cwd=cwd,
                    start_new_session=True,
                    # one call of the C library, which was found before
                    preexec_fn=become_subreaper,  # noqa: PLW1509
                )
                child = Child(process)
        except KeyboardInterrupt:
            if child:
                child.stop(0.0)
            raise
        return child


def _pinned(command: Sequence[str], cpus: frozenset[int]) -> list[str]:
    """The command behind helpers that exec it: its process id stays the one that was started."""
    # the kernel ends the child should the harness be killed outright, which no handler survives
    prefix = ends_with_this("KILL") if sys.platform.startswith("linux") else []
    if cpus:
        # pins before the first instruction of the program runs
        prefix += ["taskset", "--cpu-list", ",".join(map(str, sorted(cpus)))]
    return [*prefix, *command]
