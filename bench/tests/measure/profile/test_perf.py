"""Programs that are no JVM, recorded by the real perf while wrk asks them."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from springbench.errors import CaseError
from springbench.host.shell import RealShell
from springbench.measure.profile import Event, Perf
from springbench.measure.server.process import ServerProcess
from springbench.measure.testbed import Testbed
from tests.conftest import Cli, left_behind
from tests.measure.testbeds import testbed
from tests.processes import SERVICES, faulty, why_no_perf

pytestmark = pytest.mark.process
FINE = faulty("fine")


@pytest.fixture
def recorded_here() -> None:
    """Asked by the test and not when it is collected: it takes a second."""
    if why_not := why_no_perf():
        pytest.skip(why_not)


@contextmanager
def idle(bed: Testbed) -> Iterator[ServerProcess]:
    """A program that could be recorded."""
    with (bed.root / "idle.log").open("wb") as log:
        running = bed.shell.start(["sleep", "600"], stdout=log)
    try:
        yield ServerProcess(running, 1, time.perf_counter())
    finally:
        running.stop()


@pytest.mark.system
@pytest.mark.exclusive
@pytest.mark.usefixtures("recorded_here")
def test_what_a_command_does_is_seen_and_drawn(tmp_path: Path, cli: Cli) -> None:
    code, out, err = cli(
        *("profile", FINE, "--matrix", SERVICES / "matrix.toml", "--profile", "faults"),
        *("--jars", SERVICES, "--duration", "5", "--results", tmp_path),
    )
    assert code == 0, err
    # the interpreter of the server, and what the kernel did for it
    assert "most of the CPU time was spent in" in out
    [stacks] = tmp_path.glob("*-profile/raw/**/recording.collapsed")
    assert "_PyEval_EvalFrameDefault" in stacks.read_text(encoding="utf-8")
    [graph] = tmp_path.glob("*-profile/*.html")
    assert f"{FINE}, CPU time" in graph.read_text(encoding="utf-8")
    assert left_behind() == []


@pytest.mark.parametrize("event", [Event.ALLOC, Event.LOCK])
def test_other_events_are_refused(tmp_path: Path, event: Event) -> None:
    bed = testbed(tmp_path, RealShell())
    with (
        pytest.raises(CaseError, match="no JVM only CPU time is seen"),
        idle(bed) as server,
        Perf().recording(bed, server, event, tmp_path),
    ):
        pass


def test_without_perf_it_is_said_what_brings_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bed = testbed(tmp_path, RealShell())
    with idle(bed) as server:
        monkeypatch.setenv("PATH", str(tmp_path))
        with (
            pytest.raises(CaseError, match="perf is not here; install perf"),
            Perf().recording(bed, server, Event.CPU, tmp_path),
        ):
            pass


def test_a_perf_that_may_not_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusing = tmp_path / "perf"
    refusing.write_text(f"#!{sys.executable}\nimport sys\nsys.exit('No permission to enable it')\n")
    refusing.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    bed = testbed(tmp_path, RealShell())
    with (
        pytest.raises(CaseError, match=r"perf recorded nothing: .*No permission to enable it"),
        idle(bed) as server,
        Perf().recording(bed, server, Event.CPU, tmp_path),
    ):
        time.sleep(0.5)
