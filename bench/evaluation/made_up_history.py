"""A history of runs that nobody measured, as publishing would have left it."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

from springbench.history.chunks import write_chunk
from springbench.history.entries import CHUNK_EVERY, Entry, chunked, entries_of
from springbench.history.files import Folder, run_path, save
from springbench.history.index import ClassState, State, add_cases, write_index
from springbench.history.latest import latest_of, merge
from springbench.history.packing import encoded
from springbench.results.history import ChunkRow
from springbench.results.metrics import HISTORY_METRICS
from springbench.results.published_run import PublishedRun

HOST_CLASS = "some-cpu-2c-8g-linux6-jdk25-1c1g-0a1b2c3d"
FORKS = 3


class Quick(Folder):
    """A folder that does not wait for the disk: nothing here is worth keeping."""

    def write(self, path: str, text: str) -> None:
        file = self.path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(encoded(path, text))


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
