"""What servers leave behind that are killed."""

from __future__ import annotations

import os
import platform
import socket
from pathlib import Path

import pytest

from springbench.host.temporary_folder import remove_attach_sockets

# no process has it: Linux counts to four millions
ENDED = 5_000_000


def listening(folder: Path, pid: int) -> Path:
    path = folder / f".java_pid{pid}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"{path}")
    return path


@pytest.mark.skipif(platform.system() != "Linux", reason="asks /proc which processes there are")
def test_only_the_attach_sockets_of_these_jvms_that_have_ended_are_removed(tmp_path: Path) -> None:
    ours, running = listening(tmp_path, ENDED), listening(tmp_path, os.getpid())
    foreign, file = listening(tmp_path, ENDED + 1), tmp_path / f".java_pid{ENDED + 2}"
    file.write_text("no socket")
    remove_attach_sockets([ENDED, os.getpid(), ENDED + 2, ENDED + 3], tmp_path)
    assert not ours.exists()
    assert all(path.exists() for path in (running, foreign, file))
