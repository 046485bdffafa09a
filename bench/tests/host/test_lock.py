"""The lock against two measurements on one host, with real processes."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from springbench.errors import HostError
from springbench.host import lock
from springbench.host.lock import PLACE, lock_path, measuring_alone
from springbench.messages import show_messages
from tests.conftest import Cli

pytestmark = pytest.mark.process

HOLD = """
import sys, time
from springbench.host.lock import measuring_alone
sys.argv = ["/usr/bin/springbench", "run", "--profile", "quick"]
with measuring_alone():
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def lock_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "springbench.lock"
    monkeypatch.setenv(PLACE, str(path))
    return path


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """A folder in which every user may make files; those of pytest are one user's."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o1777)
        yield Path(name)


Hold = Callable[[], subprocess.Popen[str]]


@pytest.fixture
def hold(lock_file: Path) -> Iterator[Hold]:
    """Starts another process that holds the lock."""
    started: list[subprocess.Popen[str]] = []

    def start() -> subprocess.Popen[str]:
        holder = subprocess.Popen([sys.executable, "-c", HOLD], stdout=subprocess.PIPE, text=True)
        started.append(holder)
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        return holder

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("command", [["run"], ["compare", "HEAD", "HEAD"], ["selfcheck"]])
def test_a_second_measurement_is_refused_with_the_first_ones_name(
    cli: Cli, hold: Hold, command: list[str]
) -> None:
    holder = hold()
    code, _, err = cli(*command)
    assert code == 3
    assert len(err.splitlines()) == 1
    assert f"(pid {holder.pid}: springbench run --profile quick; lock " in err
    assert "--wait SECONDS" in err


def test_the_lock_is_free_again_after_its_holder_ended(lock_file: Path) -> None:
    with measuring_alone():
        pass
    with measuring_alone():
        assert f"pid {os.getpid()}" in lock_file.read_text(encoding="utf-8")


def test_a_killed_holder_leaves_no_lock(hold: Hold) -> None:
    holder = hold()
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    with measuring_alone():
        pass


def test_one_may_wait_for_the_other_to_end(hold: Hold) -> None:
    holder = hold()
    subprocess.Popen(["sh", "-c", f"sleep 1; kill -9 {holder.pid}"])
    messages: list[str] = []
    show_messages(messages.append)
    begin = time.monotonic()
    with measuring_alone(20):
        holder.wait(5)
    assert 0.5 < time.monotonic() - begin < 10
    assert messages == [
        f"waiting for another measurement on this host to end "
        f"(pid {holder.pid}: springbench run --profile quick)"
    ]


def test_waiting_ends(hold: Hold) -> None:
    hold()
    with pytest.raises(HostError, match="another measurement"), measuring_alone(0.7):
        pass


def test_a_child_that_outlives_the_harness_does_not_hold_the_host(lock_file: Path) -> None:
    with measuring_alone():
        server = subprocess.Popen(["sleep", "30"], close_fds=False)
    try:
        with measuring_alone():
            pass
    finally:
        server.kill()
        server.wait()


def test_a_removed_file_is_no_way_around_a_new_one(lock_file: Path) -> None:
    with measuring_alone():
        lock_file.unlink()
        with measuring_alone():
            inner = lock_file.stat().st_ino
        assert lock_file.stat().st_ino == inner


def test_the_holders_note_cannot_write_to_the_terminal(lock_file: Path, hold: Hold) -> None:
    hold()
    lock_file.write_text("pid 1: \x1b[31mred\nand more", encoding="utf-8")
    with pytest.raises(HostError) as refused, measuring_alone():
        pass
    assert "pid 1:  [31mred and more" in str(refused.value)


def test_a_link_is_not_followed(lock_file: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("untouched", encoding="utf-8")
    lock_file.symlink_to(victim)
    with pytest.raises(HostError, match=PLACE), measuring_alone():
        pass
    assert victim.read_text(encoding="utf-8") == "untouched"


@pytest.mark.timeout(20)
@pytest.mark.parametrize("kind", ["pipe", "hard link", "socket", "folder", "device"])
def test_what_is_no_file_of_its_own_is_refused_at_once(
    lock_file: Path, tmp_path: Path, kind: str
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("pid 1: untouched", encoding="utf-8")
    if kind == "pipe":
        os.mkfifo(lock_file)
    elif kind == "hard link":
        lock_file.hardlink_to(victim)
    elif kind == "socket":
        socket.socket(socket.AF_UNIX).bind(str(lock_file))
    elif kind == "folder":
        lock_file.mkdir()
    elif os.getuid() == 0:
        os.mknod(lock_file, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    else:
        pytest.skip("only root makes devices")
    message = "no file of its own; have it removed"
    with pytest.raises(HostError, match=message) as refused, measuring_alone(60):
        pass
    assert len(str(refused.value).splitlines()) == 1
    assert victim.read_text(encoding="utf-8") == "pid 1: untouched"


@pytest.mark.parametrize("content", [b"my notes", b"pid 1: " + b"x" * 1000, b"\x00", b"\n"])
def test_a_file_that_is_no_lock_keeps_what_it_holds(lock_file: Path, content: bytes) -> None:
    lock_file.write_bytes(content)
    with pytest.raises(HostError, match="it holds something else"), measuring_alone():
        pass
    assert lock_file.read_bytes() == content


def test_a_command_that_is_no_text_signs_all_the_same(
    lock_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["springbench", "run", "--matrix", "\udcff"])
    with measuring_alone():
        assert lock_file.read_text(encoding="utf-8").endswith("--matrix ?")
    with measuring_alone():
        pass


@pytest.mark.skipif(os.getuid() != 0, reason="only root mounts")
def test_a_lock_on_a_file_system_that_is_read_only_is_one_all_the_same(
    lock_file: Path, hold: Hold
) -> None:
    """As a pod has the node's file: it locks, and can write nothing there."""
    lock_file.touch()
    script = (
        f"mount --bind -o ro {lock_file} {lock_file} 2>/dev/null && "
        f"mount -o remount,ro,bind {lock_file} && "
        f"exec {sys.executable} -c 'from springbench.host.lock import measuring_alone\n"
        'with measuring_alone(): print("held")\n\''
    )
    command = ["unshare", "--mount", "sh", "-c", script]
    free = subprocess.run(command, capture_output=True, text=True, check=False)
    if "unshare" in free.stderr or "mount" in free.stderr:
        pytest.skip(free.stderr)
    assert free.stdout == "held\n", free.stderr
    hold()
    taken = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "another measurement runs on this host" in taken.stderr


@pytest.mark.skipif(os.getuid() != 0, reason="only root may start a process as another user")
def test_another_user_meets_the_same_lock(
    monkeypatch: pytest.MonkeyPatch, shared_folder: Path
) -> None:
    """The file of one user in a shared folder, as `/run/lock` is one, serves the next."""
    shared_lock = shared_folder / "springbench.lock"
    monkeypatch.setenv(PLACE, str(shared_lock))
    with measuring_alone():
        pass
    assert shared_lock.stat().st_mode & 0o777 == 0o666
    script = f"""
import fcntl, os
os.setuid(65534)
handle = os.open({str(shared_lock)!r}, os.O_RDWR)
fcntl.flock(handle, fcntl.LOCK_EX)
print("held", flush=True)
import time; time.sleep(60)
"""
    other = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(HostError, match="left no name"), measuring_alone():
            pass
    finally:
        other.kill()
        other.communicate()


def test_all_users_look_in_one_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(PLACE)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(lock, "_SHARED", tmp_path / "missing")
    assert lock_path() == Path("/tmp/springbench.lock")  # noqa: S108
