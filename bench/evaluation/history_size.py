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
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

from springbench.history.chunks import write_chunk
from springbench.history.entries import CHUNK_EVERY, Entry, chunked, entries_of
from springbench.history.files import Folder, run_path, save
from springbench.history.index import ClassState, State, add_cases, write_index
from springbench.history.latest import latest_of, merge
from springbench.history.packing import encoded
from springbench.results.history import ChunkRow, PublishedRun
from springbench.results.metrics import HISTORY_METRICS

HOST_CLASS = "some-cpu-2c-8g-linux6-jdk25-1c1g-0a1b2c3d"
FORKS = 3


class Quick(Folder):
    """A folder that does not wait for the disk: nothing here is worth keeping."""

    def write(self, path: str, text: str) -> None:
        file = self.path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(encoded(path, text))


@dataclass
class Wire:
    """A proxy in front of git's daemon, and the bytes that went through it."""

    target: int
    up: int = 0
    down: int = 0
    listener: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)))

    @property
    def port(self) -> int:
        return int(self.listener.getsockname()[1])

    def serve(self) -> None:
        while True:
            client, _ = self.listener.accept()
            server = socket.create_connection(("127.0.0.1", self.target))
            for source, sink, way in ((client, server, "up"), (server, client, "down")):
                threading.Thread(target=self._pump, args=(source, sink, way), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket, way: str) -> None:
        try:
            while data := source.recv(1 << 16):
                setattr(self, way, getattr(self, way) + len(data))
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            return


def made_up(number: int, cases: int, chance: random.Random) -> PublishedRun:
    """A run of so many cases, every figure different from run to run."""
    time_ = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(hours=4 * number)
    stamp = time_.strftime("%Y-%m-%dT%H:%M:%SZ")
    servers, models = ("tomcat", "jetty", "undertow", "netty"), ("platform", "virtual")
    rows = []
    for case in range(cases):
        server, model = servers[case % 4], models[case // 4 % 2]
        workload, connections = ("hello", "pay", "task")[case // 8 % 3], 100 + case
        rows.append(
            {
                "case": f"boot4-{server}-{model}-jvm/{workload}/{connections}",
                "boot": "boot4", "server": server, "model": model, "runtime": "jvm",
                "workload": workload, "connections": connections, "shard": 0, "status": "ok",
                "n": FORKS, "bound": "server-cpu" if workload == "hello" else "latency",
                "warnings": ["closed-loop"], "conditions": f"full-{FORKS}x10s",
            }
        )  # fmt: skip
    host = {
        "class": HOST_CLASS, "fingerprint": "00112233", "cpu_model": "Some CPU", "cores": 2,
        "memory_bytes": 8 << 30, "os": "Linux", "kernel": "6.8", "server_cpus": 1,
        "memory_limit_bytes": 1 << 30, "cpus_enforced_by": "cgroup", "memory_enforced_by": "cgroup",
    }  # fmt: skip
    shard = {
        "run": f"run-{number}", "started_at": stamp, "finished_at": stamp, "measured_s": 5400,
        "host": host, "tools": {"jdk": "25.0.3", "wrk": "4.1.0", "springbench": "0.1.0"},
        "marks": [],
    }  # fmt: skip
    commit = {
        "sha": f"{chance.getrandbits(160):040x}", "time": stamp, "author": "Somebody",
        "message": f"Change number {number} of a long history", "branch": "main", "dirty": False,
    }  # fmt: skip
    return PublishedRun.model_validate(
        {
            "schema": 2, "id": f"github-{10_000_000_000 + 7919 * number}", "started_at": stamp,
            "finished_at": stamp, "profile": "full", "trigger": "push", "commit": commit,
            "marks": [], "shards": [shard], "cases": rows,
            "metrics": {metric.name: _columns(cases, chance) for metric in HISTORY_METRICS},
        }
    )  # fmt: skip


def _columns(cases: int, chance: random.Random) -> dict[str, list[float]]:
    medians = [1000.0 * (1 + case) * (0.95 + 0.1 * chance.random()) for case in range(cases)]
    return {
        name: [float(f"{factor * value:.5g}") for value in medians]
        for name, factor in (("median", 1.0), ("low", 0.97), ("high", 1.02))
    }


def build(folder: Path, runs: int, cases: int, chance: random.Random) -> None:
    """A history as publishing would have left it, written from its oldest run to its newest."""
    files, state, of = Quick(folder), State(runs_total=runs), ClassState()
    pending: list[Entry] = []
    for number in range(runs):
        run = made_up(number, cases, chance)
        save(files, run_path(run.id), run)
        add_cases(state, run)
        entry = entries_of(run)[HOST_CLASS]
        of.points.update(entry.points.keys())
        merge(of.latest, latest_of(run, HOST_CLASS))
        if len(chunked([*pending[-1:], entry], CHUNK_EVERY)) > 1:
            _write(files, of, pending)
            pending = []
        pending.append(entry)
    _write(files, of, pending)
    state.classes[HOST_CLASS] = of
    write_index(files, state, ())


def _write(files: Quick, of: ClassState, entries: list[Entry]) -> None:
    ((name, members),) = chunked(entries, CHUNK_EVERY).items()
    write_chunk(files, HOST_CLASS, name, members)
    of.chunks.append(ChunkRow(chunk=name, runs=len(members), begin=members[0].key))


def git(*arguments: str | Path) -> str:
    done = subprocess.run(["git", *map(str, arguments)], check=True, capture_output=True, text=True)
    return done.stdout


@contextmanager
def served(base: Path) -> Iterator[Wire]:
    """Every repository in a folder, behind a counting proxy on the loopback interface."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    daemon = subprocess.Popen(
        ["git", "daemon", "--export-all", "--enable=receive-pack", "--listen=127.0.0.1",
         f"--port={port}", f"--base-path={base}", "--reuseaddr", str(base)]
    )  # fmt: skip
    wire = Wire(port)
    threading.Thread(target=wire.serve, daemon=True).start()
    time.sleep(1)
    try:
        yield wire
    finally:
        daemon.terminate()
        daemon.wait()


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
from evaluation.history_size import Quick
{PEAK}
count = rebuild(Quick(Path(sys.argv[1])))
print(count, time.process_time(), used())
"""

PUBLISH = f"""
import sys
from pathlib import Path
from springbench.history.push import Remote, push_run
from springbench.host.shell import RealShell
from springbench.results.history import PublishedRun
run = PublishedRun.model_validate_json(Path(sys.argv[1]).read_text())
{PEAK}
push_run(RealShell(), Remote(sys.argv[2]), run, print)
print(used())
"""


def main(
    runs: Annotated[int, typer.Option(help="Runs in the history.")] = 10_000,
    cases: Annotated[int, typer.Option(help="Cases in each.")] = 200,
    publishes: Annotated[int, typer.Option(help="How often one more is published.")] = 5,
    folder: Annotated[Path | None, typer.Option(help="Where it is made; a temporary one.")] = None,
    rebuild: Annotated[bool, typer.Option(help="Make all derived data anew first.")] = False,
) -> None:
    """Make a history, publish into it, print what each publish cost."""
    chance = random.Random(4)  # noqa: S311 - made-up figures
    with tempfile.TemporaryDirectory(dir=folder) as name:
        base = Path(name)
        begin_s = time.monotonic()
        build(base / "history", runs, cases, chance)
        typer.echo(f"made {runs} runs x {cases} cases in {time.monotonic() - begin_s:.0f} s")
        _sizes(base / "history")
        if rebuild:
            _rebuild(base / "history")
        _commit(base)
        with served(base) as wire:
            address = f"git://127.0.0.1:{wire.port}/remote.git"
            for number in range(runs, runs + publishes):
                _publish(base, wire, address, made_up(number, cases, chance))
            _publish(base, wire, address, made_up(runs // 2, cases, chance), "re-run of an old one")


def _sizes(history: Path) -> None:
    index = history / "data/index.json"
    files = list((history / "data").rglob("*.json*"))
    total = sum(file.stat().st_size for file in files)
    run = next((history / "data/runs").iterdir()).stat().st_size
    chunks = [row["runs"] for row in json.loads(index.read_text())["classes"][0]["chunks"]]
    typer.echo(
        f"index {index.stat().st_size / 1e3:.0f} kB, a run {run / 1e3:.0f} kB, {len(files)} files "
        f"of {total / 1e6:.0f} MB; {len(chunks)} chunks, the longest {max(chunks)}, "
        f"the open one {chunks[-1]} runs"
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
    git("-C", history, "-c", "core.compression=1", "add", "data")
    identity = ("-c", "user.name=a", "-c", "user.email=a@localhost")
    git("-C", history, *identity, "-c", "gc.auto=0", "commit", "--quiet", "-m", "history")
    (history / ".git").rename(base / "remote.git")
    shutil.rmtree(history)
    for setting in ("core.bare=true", "uploadpack.allowFilter=true", "gc.auto=0"):
        git("-C", base / "remote.git", "config", *setting.split("="))
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
    memory_kib = int(done.stdout.split()[-1])
    typer.echo(
        f"published in {time.monotonic() - begin_s:.1f} s: pushed {wire.up / 1e3:.0f} kB, "
        f"fetched {wire.down / 1e3:.0f} kB, memory {memory_kib / 1024:.0f} MiB {note}"
    )


if __name__ == "__main__":
    typer.run(main)
