"""git's own daemon on this host, behind a proxy that counts bytes."""

from __future__ import annotations

import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from springbench.host.git import required
from springbench.host.shell import RealShell

# ten thousand runs are added in one command
_TIMEOUT_S = 3600.0


@dataclass
class Wire:
    """A proxy in front of git's daemon, and the bytes that went through it."""

    target: int
    up: int = 0
    down: int = 0
    listener: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)))

    @property
    def port(self) -> int:
        return int(self.listener.getsockname()[1])

    def serve(self) -> None:
        while True:
            client, _ = self.listener.accept()
            server = socket.create_connection(("127.0.0.1", self.target))
            for source, sink, way in ((client, server, "up"), (server, client, "down")):
                threading.Thread(target=self._pump, args=(source, sink, way), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket, way: str) -> None:
        try:
            while data := source.recv(1 << 16):
                setattr(self, way, getattr(self, way) + len(data))
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            return


def git(*arguments: str | Path) -> str:
    """What a command of git prints. Raises `ConfigurationError`."""
    return required(RealShell(), Path.cwd(), *map(str, arguments), timeout_s=_TIMEOUT_S)


@contextmanager
def served(base: Path) -> Iterator[Wire]:
    """Every repository in a folder, behind a counting proxy on the loopback interface."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    daemon = subprocess.Popen(
        ["git", "daemon", "--export-all", "--enable=receive-pack", "--listen=127.0.0.1",
         f"--port={port}", f"--base-path={base}", "--reuseaddr", str(base)]
    )  # fmt: skip
    wire = Wire(port)
    threading.Thread(target=wire.serve, daemon=True).start()
    time.sleep(1)
    try:
        yield wire
    finally:
        daemon.terminate()
        daemon.wait()
