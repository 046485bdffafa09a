"""`springbench run` as a process of its own, on servers that start at once."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from springbench.results.run import Run
from springbench.results.store import load_run

SERVICES = Path(__file__).with_name("services")
FINE, PAY = "boot4-fake-fine-script/hello/8", "boot4-fake-fine-script/pay/20"
DIES, CRASHES = "boot4-fake-dies-script/hello/8", "boot4-fake-crashes-script/hello/8"
DEAF = "boot4-fake-deaf-script/hello/8"
# no test is faster for a short one, and hosts differ
CEILING_S = 270.0
# for `patch`: scripts neither need a second to connect to nor recover
QUICK = """\
import springbench.plan.cases as cases, springbench.measure.fork as fork
cases.RAMP_S, fork.RECOVERY_CEILING_S = 0.2, 0.5
"""


def until(met: Callable[[], bool], within_s: float = CEILING_S) -> bool:
    """Whether it is met in time."""
    end_s = time.monotonic() + within_s
    while not met():
        if time.monotonic() > end_s:
            return False
        time.sleep(0.02)
    return True


def is_gone(pid: int) -> bool:
    """Whether a process has ended, if not yet been asked how."""
    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


@dataclass
class Springbench:
    """A run under way."""

    process: subprocess.Popen[str]
    results: Path

    def raw(self, case_id: str, name: str) -> Path:
        return self.results / "latest" / "raw" / case_id / "fork-0" / name

    def wait_until(self, what: Callable[[], bool]) -> None:
        """Wait for something that the run does. Fails when the run ends without it."""
        end_s = time.monotonic() + CEILING_S
        while not what():
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < end_s
            time.sleep(0.02)

    def end(self) -> tuple[int, str, str]:
        """Exit code, standard output, standard error."""
        out, err = self.process.communicate(timeout=CEILING_S)
        return self.process.returncode, out, err

    def child(self, name: str) -> psutil.Process | None:
        """The child of that name, once it is what it was started for."""
        with suppress(psutil.Error):
            for child in psutil.Process(self.process.pid).children():
                if child.name() == name:
                    return child
        return None

    @property
    def run(self) -> Run:
        return load_run(self.results / "latest")

    @property
    def statuses(self) -> dict[str, str]:
        return {result.case: result.status for result in self.run.results}


@contextmanager
def running(tmp_path: Path, *arguments: object, patch: str = "") -> Iterator[Springbench]:
    """`springbench run` with these options; killed if the test does not see it end.

    `patch` is code that runs in the process before the command does.
    """
    results = tmp_path / "results"
    start = f"from springbench.__main__ import main\n{patch}\nmain()"
    process = subprocess.Popen(
        [sys.executable, "-c", start, "run", "--results", results, *map(str, arguments)],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # a shell that runs tests in its background has them ignore Ctrl-C
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
        env={**os.environ, "COLUMNS": "160"},
    )
    with process:
        try:
            yield Springbench(process, results)
        finally:
            process.kill()


def on_fakes(*cases: str, jars: Path = SERVICES) -> list[object]:
    """Options for a run on the fake server, with these cases alone."""
    only = [word for case in cases for word in ("--only", case)]
    return ["--matrix", SERVICES / "matrix.toml", "--jars", jars, *only]


def faulty(mode: str, connections: int = 8, workload: str = "work") -> str:
    """A case of the profile `faults`."""
    return f"boot4-fake-{mode}-script/{workload}/{connections}"


def why_no_perf() -> str:
    """Why this host cannot record a program of its own; empty if it can."""
    if not shutil.which("perf"):
        return "perf is not installed"
    command = ["perf", "record", "-q", "-e", "cpu-clock", "-o", "/dev/null", "true"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return f"perf may not record here: {done.stderr.strip()[-200:]}" if done.returncode else ""
