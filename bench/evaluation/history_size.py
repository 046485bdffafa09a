"""What one publish into a long history costs: time, memory, and bytes over the wire each way.

    python -m evaluation.history_size --runs 10000 --cases 200
    python -m evaluation.history_size --rebuild

Makes a history of runs that nobody measured, puts it behind git's own daemon on this host, and
publishes into it through a proxy that counts bytes. With --rebuild all derived data, the steps of
the finder among them, are first made anew from the runs alone. Needs some 3 GB in --folder for
10,000 runs.
"""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer

from evaluation.counted_git import Wire, git, served
from evaluation.made_up_history import Steps, build, made_up
from springbench.results.published_run import PublishedRun

PEAK = """
import re
def used():
    # getrusage would show the parent's peak, which a child inherits until it has more
    return re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text()).group(1)
"""

REBUILD = f"""
import sys, time
from pathlib import Path
from springbench.history.update import rebuild
from evaluation.made_up_history import Quick
{PEAK}
count = rebuild(Quick(Path(sys.argv[1])))
print(count, time.process_time(), used())
"""

PUBLISH = f"""
import resource, sys, time
from pathlib import Path
from springbench.history.push import push_run
from springbench.history.remote import Remote
from springbench.host.shell import RealShell
from springbench.results.published_run import PublishedRun
run = PublishedRun.model_validate_json(Path(sys.argv[1]).read_text())
{PEAK}
push_run(RealShell(), Remote(sys.argv[2]), run)
children = resource.getrusage(resource.RUSAGE_CHILDREN)
print(time.process_time(), children.ru_utime + children.ru_stime, used())
"""


def main(
    runs: Annotated[int, typer.Option(help="Runs in the history.")] = 10_000,
    cases: Annotated[int, typer.Option(help="Cases in each.")] = 200,
    within: Annotated[
        int, typer.Option(help="Half of the series have a step in so many of the newest runs.")
    ] = 100,
    publishes: Annotated[int, typer.Option(help="How often one more is published.")] = 5,
    folder: Annotated[Path | None, typer.Option(help="Where it is made; a temporary one.")] = None,
    whole: Annotated[
        bool, typer.Option(help="Make every run; else old months are copies of one.")
    ] = False,
    old: Annotated[bool, typer.Option(help="At last publish an old run anew.")] = True,
    rebuild: Annotated[bool, typer.Option(help="Make all derived data anew first.")] = False,
) -> None:
    """Make a history, publish into it, print what each publish cost."""
    chance = random.Random(4)  # noqa: S311 - made-up figures
    with tempfile.TemporaryDirectory(dir=folder) as name:
        base = Path(name)
        begin_s = time.monotonic()
        steps = Steps.half_of(cases, max(0, runs - within), runs, chance)
        build(base / "history", runs, cases, chance, steps, every_run=whole or rebuild)
        typer.echo(f"made {runs} runs x {cases} cases in {time.monotonic() - begin_s:.0f} s")
        _sizes(base / "history")
        if rebuild:
            _rebuild(base / "history")
        _commit(base)
        with served(base) as wire:
            address = f"git://127.0.0.1:{wire.port}/remote.git"
            for number in range(runs, runs + publishes):
                _publish(base, wire, address, made_up(number, cases, chance, steps))
            if old:
                again = made_up(runs // 2, cases, chance, steps)
                _publish(base, wire, address, again, "re-run of an old one")


def _sizes(history: Path) -> None:
    index = history / "data/index.json"
    files = list((history / "data").rglob("*.json*"))
    total = sum(file.stat().st_size for file in files)
    run = next((history / "data/runs").iterdir()).stat().st_size
    months = [row["runs"] for row in json.loads(index.read_text())["classes"][0]["months"]]
    typer.echo(
        f"index {index.stat().st_size / 1e3:.0f} kB, a run {run / 1e3:.0f} kB, {len(files)} files "
        f"of {total / 1e6:.0f} MB; {len(months)} months, the longest {max(months)}, "
        f"the open one {months[-1]} runs"
    )


def _rebuild(history: Path) -> None:
    """In a process of its own, whose peak of memory is nobody else's."""
    before = _digests(history)
    begin_s = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", REBUILD, str(history)], check=True, capture_output=True, text=True
    )
    count, cpu_s, memory_kib = done.stdout.split()
    after = _digests(history)
    changed = [path for path, digest in after.items() if before.get(path) != digest]
    size_bytes = sum((history / path).stat().st_size for path in changed)
    typer.echo(
        f"rebuilt from {count} runs in {time.monotonic() - begin_s:.0f} s, {float(cpu_s):.0f} s of "
        f"CPU, memory {int(memory_kib) / 1024:.0f} MiB; {len(changed)} files of "
        f"{size_bytes / 1e6:.1f} MB were changed or are new"
    )


def _digests(history: Path) -> dict[str, str]:
    files = (file for file in (history / "data").rglob("*") if file.is_file())
    return {
        str(file.relative_to(history)): hashlib.blake2b(file.read_bytes()).hexdigest()
        for file in files
    }


def _commit(base: Path) -> None:
    begin_s = time.monotonic()
    history = base / "history"
    git("init", "--quiet", "--initial-branch=gh-pages", history)
    git("-C", history, "-c", "core.compression=1", "add", ".")
    identity = ("-c", "user.name=a", "-c", "user.email=a@localhost")
    git("-C", history, *identity, "-c", "gc.auto=0", "commit", "--quiet", "-m", "history")
    (history / ".git").rename(base / "remote.git")
    shutil.rmtree(history)
    for setting in ("core.bare=true", "uploadpack.allowFilter=true", "gc.auto=0"):
        git("-C", base / "remote.git", "config", *setting.split("="))
    # as every remote keeps what was pushed some time ago: nobody serves 20,000 loose objects
    git("-C", base / "remote.git", "gc", "--quiet")
    typer.echo(f"committed in {time.monotonic() - begin_s:.0f} s")


def _publish(base: Path, wire: Wire, address: str, run: PublishedRun, note: str = "") -> None:
    file = base / "run.json"
    file.write_text(run.model_dump_json(by_alias=True, exclude_none=True))
    wire.up = wire.down = 0
    begin_s = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", PUBLISH, str(file), address], check=True, capture_output=True,
        text=True,
    )  # fmt: skip
    *_, cpu_s, git_cpu_s, memory_kib = done.stdout.split()
    typer.echo(
        f"published in {time.monotonic() - begin_s:.1f} s: pushed {wire.up / 1e3:.0f} kB, "
        f"fetched {wire.down / 1e3:.0f} kB, memory {int(memory_kib) / 1024:.0f} MiB, CPU "
        f"{float(cpu_s):.1f} s and {float(git_cpu_s):.1f} s of git {note}"
    )


if __name__ == "__main__":
    typer.run(main)
