"""A folder for the temporary files of one process, removed with it.

Tomcat, Jetty and Undertow make folders that outlive their process: a server is ended without time
for its shutdown hooks, and Tomcat's folder is not empty, so that even a graceful end leaves it.

It lies where all temporary files lie, not in the folder of a run: the file system stays the same,
and the path short enough for the address of a Unix socket (108 bytes).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

# HotSpot's choice on Linux, whatever folder it is given for temporary files
_ATTACH_SOCKETS = Path("/tmp")  # noqa: S108


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """The folder; gone at the end, with all that is in it."""
    with tempfile.TemporaryDirectory(prefix="springbench-", ignore_cleanup_errors=True) as name:
        yield Path(name)


def remove_attach_sockets(pids: Iterable[int], folder: Path = _ATTACH_SOCKETS) -> None:
    """Remove the sockets of JVMs that a profiler has attached to, once these have been killed."""
    for pid in pids:
        socket = folder / f".java_pid{pid}"
        # the number may be another process's already
        if socket.is_socket() and not Path(f"/proc/{pid}").exists():
            socket.unlink(missing_ok=True)
