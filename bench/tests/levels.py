"""Levels of tests, and tests that must be alone on the host.

A test is a *unit* test unless it is marked as *process* (it starts real ones, or talks to a server
over a socket) or *system* (whole workflows, all servers, faults); `bench/check.py` says which level
runs when. A unit test that starts a process fails. Independently of that, one marked as *exclusive*
measures, or changes the host: no other test runs beside it.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import tempfile
import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

LEVELS = ("process", "system")
_RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID")
_EXCLUSIVE = pytest.StashKey[int]()
# whose worker has ended, or has it behind what waits for it, does not begin
_BEGINS_WITHIN_S = 120.0
_running: list[str] = []
"""The level of the test that runs."""


def level_of(item: pytest.Item) -> str:
    """The highest level that it is marked with."""
    marked = [level for level in LEVELS if item.get_closest_marker(level)]
    return marked[-1] if marked else "unit"


@pytest.hookimpl(trylast=True)  # of those that were chosen
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Exclusive tests come first, since the others wait for them; then those that take minutes, and
    unit tests last: xdist hands the tests that follow a quick one to its worker in advance, so
    that a minute among them would wait for that worker alone. Reports name the level."""
    items.sort(key=_turn)
    for item in items:
        item.user_properties.append(("level", level_of(item)))
    session.stash[_EXCLUSIVE] = sum(_turn(item) == 0 for item in items)


def _turn(item: pytest.Item) -> int:
    if item.get_closest_marker("exclusive"):
        return 0
    level = level_of(item)
    if item.path.parent.name == "workflows" and level != "unit":
        return 1
    return {"system": 2, "process": 3, "unit": 4}[level]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Let no test of this run be beside an exclusive one, set-up of fixtures included.

    Outside of what pytest-timeout counts: waiting is nobody's fault.
    """
    alone = item.get_closest_marker("exclusive") is not None
    with _beside_others(alone=alone, exclusive_count=item.session.stash[_EXCLUSIVE]):
        _running[:] = [level_of(item)]
        try:
            return (yield)
        finally:
            _running.clear()


_start_process = subprocess.Popen.__init__


def _start_unless_unit(self: subprocess.Popen[Any], *args: Any, **options: Any) -> None:
    if _running == ["unit"]:
        pytest.fail("a unit test starts no process: mark this one with pytest.mark.process")
    _start_process(self, *args, **options)


subprocess.Popen.__init__ = _start_unless_unit  # type: ignore[method-assign]


@contextmanager
def _beside_others(*, alone: bool, exclusive_count: int) -> Iterator[None]:
    """Hold the host, alone or with others, which wait until all exclusive tests have begun.

    Those come first in the list of each worker. Were they not waited for, a test of a minute would
    begin between two of them and run alone, while a worker waits for the host.
    """
    if _RUN is None:
        yield
        return
    folder = Path(tempfile.gettempdir())
    with ExitStack() as stack:
        begun, host = (
            stack.enter_context((folder / f"springbench-tests-{_RUN}.{name}").open("ab"))
            for name in ("begun", "host")
        )
        seen, gives_up_s = 0, time.monotonic() + _BEGINS_WITHIN_S
        while not alone and seen < exclusive_count and time.monotonic() < gives_up_s:
            time.sleep(0.02)
            if (size := os.fstat(begun.fileno()).st_size) > seen:
                seen, gives_up_s = size, time.monotonic() + _BEGINS_WITHIN_S
        fcntl.flock(host, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        if alone:
            os.write(begun.fileno(), b"x")
        yield
