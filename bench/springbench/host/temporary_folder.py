"""A folder for the temporary files of one process, removed with it.

Tomcat, Jetty and Undertow make folders that outlive their process: a server is ended without time
for its shutdown hooks, and Tomcat's folder is not empty, so that even a graceful end leaves it.

It lies where all temporary files lie, not in the folder of a run: the file system stays the same,
and the path short enough for the address of a Unix socket (108 bytes).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """The folder; gone at the end, with all that is in it."""
    with tempfile.TemporaryDirectory(prefix="springbench-", ignore_cleanup_errors=True) as name:
        yield Path(name)
