"""Ctrl-C where it would leave something broken: it waits a moment, and is not lost."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from springbench.host.interrupts import ended_by_signals, held
from springbench.host.shell import Child, RealShell, Running

pytestmark = pytest.mark.process

FOR_EVER = [sys.executable, "-c", "import time; time.sleep(600)"]
ENDS = [signal.SIGINT, signal.SIGTERM]


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """The handlers of a command, those of the tests afterwards."""
    before = {number: signal.getsignal(number) for number in ENDS}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    ended_by_signals()
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", ENDS)
def test_what_is_held_is_done_whole(number: signal.Signals) -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), held():
        signal.raise_signal(number)
        with held():
            signal.raise_signal(number)
            done.append("inner")
        done.append("outer")
    assert done == ["inner", "outer"]


@pytest.mark.parametrize("number", ENDS)
def test_nothing_waits_without_need(number: signal.Signals) -> None:
    with held():
        pass
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number)


def test_another_thread_holds_nobody_up() -> None:
    holding, enough = threading.Event(), threading.Event()

    def hold() -> None:
        with held():
            holding.set()
            enough.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    assert holding.wait(10)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    enough.set()
    thread.join()


def test_who_is_to_ignore_ctrl_c_goes_on_ignoring_it() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ended_by_signals()
    signal.raise_signal(signal.SIGINT)


@pytest.mark.timeout(30)
def test_a_child_can_be_ended_after_ctrl_c_while_it_was_asked_for(tmp_path: Path) -> None:
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(FOR_EVER, stdout=log, start_new_session=True)
        child = Child(process)
    process._waitpid_lock = _InterruptedLock(process._waitpid_lock)  # type: ignore[attr-defined]
    with pytest.raises(KeyboardInterrupt):
        child.poll()
    assert child.stop(0.0) < 0


@pytest.mark.timeout(30)
def test_a_child_that_starts_at_the_moment_of_ctrl_c_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[subprocess.Popen[bytes]] = []
    real = subprocess.Popen

    def interrupted(*arguments: object, **options: object) -> subprocess.Popen[bytes]:
        begun.append(real(*arguments, **options))  # type: ignore[call-overload]
        signal.raise_signal(signal.SIGINT)
        return begun[0]

    monkeypatch.setattr("springbench.host.shell.subprocess.Popen", interrupted)
    with (tmp_path / "log").open("wb") as log, pytest.raises(KeyboardInterrupt):
        RealShell().start(FOR_EVER, stdout=log)
    assert begun[0].returncode < 0


@pytest.mark.timeout(30)
def test_a_wait_that_is_too_short_says_so(tmp_path: Path) -> None:
    with (tmp_path / "log").open("wb") as log:
        running: Running = RealShell().start(FOR_EVER, stdout=log)
    try:
        with pytest.raises(subprocess.TimeoutExpired):
            running.wait(0.05)
    finally:
        running.stop(0.0)
    assert running.wait() < 0


class _InterruptedLock:
    """A lock that is hit by Ctrl-C once, right after somebody got it."""

    def __init__(self, lock: threading.Lock) -> None:
        self._lock = lock
        self._left = 1

    def acquire(self, *arguments: bool) -> bool:
        got = self._lock.acquire(*arguments)
        if self._left:
            self._left -= 1
            signal.raise_signal(signal.SIGINT)
        return got

    def release(self) -> None:
        self._lock.release()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()
