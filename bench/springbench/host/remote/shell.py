"""A `Shell` whose processes run on another host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from springbench.host.remote.connection import Connection
from springbench.host.remote.running import RemoteRunning
from springbench.host.shell import Completed

_TIMEOUT_S = 60.0


@dataclass(frozen=True)
class RemoteShell:
    """Starts commands on the other end of a connection, in a folder of the agent's."""

    connection: Connection
    grace_s: float = 0.0
    """How long what it starts may take to end in order when this end is gone."""

    def run(
        self,
        command: Sequence[str],
        *,
        cwd: Path | None = None,  # noqa: ARG002 - paths of this host are none of that one
        env: Mapping[str, str] | None = None,  # noqa: ARG002
        timeout_s: float | None = None,
        show: bool = False,  # noqa: ARG002
        stdin: Path | None = None,  # noqa: ARG002
        stdout: Path | None = None,  # noqa: ARG002
    ) -> Completed:
        timeout_s = timeout_s or _TIMEOUT_S
        reply = self.connection.ask(
            "run", timeout_s + _TIMEOUT_S, command=list(command), timeout_s=timeout_s
        )
        return Completed(int(reply["code"]), str(reply["stdout"]), str(reply["stderr"]))

    def start(
        self,
        command: Sequence[str],
        *,
        stdout: IO[bytes],
        env: Mapping[str, str] | None = None,
        cpus: frozenset[int] = frozenset(),
        cwd: Path | None = None,  # noqa: ARG002
    ) -> RemoteRunning:
        """As `Shell.start`; `stdout` is written to when the process has ended."""
        environment = None if env is None else dict(env)
        return self.connection.start(command, stdout, cpus, environment, self.grace_s)
