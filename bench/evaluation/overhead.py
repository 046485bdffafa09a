"""What the harness itself costs: wall time of a run over what its method needs, and CPU.

    python -m evaluation.overhead results/latest
    python -m evaluation.overhead --live --profile smoke --jars jars

The first reads a stored run. The second makes one, with these options of `springbench run`, and
watches how much CPU time the harness takes from the load generator's core while wrk is at work.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
import typer

from springbench.measure.readings.tree import cpu_time_s
from springbench.results.records import ForkRecord
from springbench.results.store import RunFolder, load_run

LOOK_EVERY_S = 0.05
WANTED_WALL_RATIO = 1.10
WANTED_CPU_RATIO = 0.03


@dataclass(frozen=True)
class Cost:
    """Where the seconds of a run went."""

    wall_s: float
    startup_s: float
    warmup_s: float
    window_s: float
    edges_s: float
    """Tails of the loads: a delay that the last edge is averaged over, and wrk's whole seconds."""

    @property
    def method_s(self) -> float:
        return self.startup_s + self.warmup_s + self.window_s

    @property
    def rest_s(self) -> float:
        """Nothing of the method: stopping servers, single requests, saving."""
        return self.wall_s - self.method_s - self.edges_s


def cost(folder: Path) -> Cost:
    """The cost of a stored run; forks that failed count with what they reached."""
    run, raw = load_run(folder), RunFolder.open(folder).raw
    startup_s = warmup_s = window_s = loaded_s = 0.0
    for result in run.results:
        for fork in result.forks:
            startup_s += fork.startup.first_200_s or 0.0
            warmup_s += fork.load.warmup_s if fork.load else 0.0
            window_s += fork.load.window_s if fork.load else 0.0
            loaded_s += _loaded_s(raw, result.case, fork)
    edges_s = loaded_s - warmup_s - window_s
    return Cost(run.run.measured_s, startup_s, warmup_s, window_s, edges_s)


def _loaded_s(raw: Path, case: str, fork: ForkRecord) -> float:
    """For how long wrk was at work, by the timelines of warm-up and load."""
    total_s = 0.0
    for name in ("warm-up.json", "load.json"):
        with suppress(FileNotFoundError):
            text = (raw / case / f"fork-{fork.fork}" / name).read_text(encoding="utf-8")
            total_s += json.loads(text).get("at_s", [0.0])[-1]
    return total_s


def print_cost(found: Cost) -> None:
    """One line for each part, then the ratios."""
    for label, value_s in [
        ("startup", found.startup_s),
        ("warm-up", found.warmup_s),
        ("windows", found.window_s),
        ("tails", found.edges_s),
        ("everything else", found.rest_s),
        ("wall time", found.wall_s),
    ]:
        typer.echo(f"{label:16} {value_s:8.1f} s")
    if not found.method_s:
        typer.echo("nothing was measured")
        return
    typer.echo(
        f"wall ÷ (startup + warm-up + windows):                   "
        f"{found.wall_s / found.method_s:.3f} (wanted: at most {WANTED_WALL_RATIO:.2f})"
    )
    typer.echo(
        f"wall ÷ (startup + warm-up + windows + tails): "
        f"{found.wall_s / (found.method_s + found.edges_s):.3f}"
    )


@dataclass
class Watch:
    """CPU time of the harness, and how long was looked, while wrk was at work."""

    cpu_s: float = 0.0
    measuring_s: float = 0.0

    def follow(self, process: subprocess.Popen[bytes]) -> int:
        """Look until the harness ends; returns its exit code."""
        harness = psutil.Process(process.pid)
        before: tuple[float, float] | None = None
        while process.poll() is None:
            now_s, used_s = time.perf_counter(), cpu_time_s(process.pid)
            if used_s is not None and _drives(harness):
                if before is not None:
                    self.measuring_s += now_s - before[0]
                    self.cpu_s += used_s - before[1]
                before = (now_s, used_s)
            else:
                before = None
            time.sleep(LOOK_EVERY_S)
        return process.returncode


def _drives(harness: psutil.Process) -> bool:
    with suppress(psutil.Error):
        return any(child.name() == "wrk" for child in harness.children())
    return False


def live(options: Sequence[str]) -> int:
    """Make a run with these options, and print what it cost."""
    watch = Watch()
    with tempfile.TemporaryDirectory() as results:
        command = [sys.executable, "-m", "springbench", "run", "--results", results, *options]
        with subprocess.Popen(command) as process:
            code = watch.follow(process)
        print_cost(cost(Path(results) / "latest"))
    if watch.measuring_s:
        typer.echo(
            f"CPU of the harness while wrk was at work:               "
            f"{watch.cpu_s / watch.measuring_s:.2%} of one core, over {watch.measuring_s:.1f} s "
            f"(wanted: at most {WANTED_CPU_RATIO:.0%}; load average {os.getloadavg()[0]:.1f})"
        )
    return code


def main(words: Sequence[str]) -> int:
    """The command line."""
    if words and words[0] == "--live":
        return live(words[1:])
    if len(words) != 1:
        typer.echo(__doc__)
        return 2
    print_cost(cost(Path(words[0])))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
