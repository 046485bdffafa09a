"""A history of runs that nobody measured, as publishing would have left it."""

from __future__ import annotations

import gzip
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path

from springbench.history.files import MANIFEST, PACKED, RUNS, SERIES, Folder, run_path, save
from springbench.history.index import State, add_run, write_index
from springbench.history.months import MonthFiles
from springbench.history.steps import renew_steps
from springbench.results.history import MonthRow
from springbench.results.manifest import MANIFEST_SCHEMA_VERSION, Manifest
from springbench.results.metrics import HISTORY_METRICS
from springbench.results.published_run import PublishedRun

HOST_CLASS = "some-cpu-2c-8g-linux6-jdk25-1c1g-0a1b2c3d"
FORKS = 3
QUESTIONS, ANSWERED, CLAIMS = 12, 20, 66
"""Answers of a run, rows of each, and verdicts on claims."""


class Quick(Folder):
    """A folder that does not wait for the disk: nothing here is worth keeping."""

    def write(self, path: str, text: str) -> None:
        file = self.path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        data = text.encode()
        file.write_bytes(gzip.compress(data, 1, mtime=0) if path.endswith(PACKED) else data)


@dataclass(frozen=True)
class Steps:
    """By series the number of the run from which it is a tenth lower."""

    begins: Mapping[tuple[str, int], int] = field(default_factory=dict)

    @classmethod
    def half_of(cls, cases: int, first: int, end: int, chance: random.Random) -> Steps:
        """A step in half of all series, at any run from `first` and before `end`."""
        series = [(metric.name, case) for metric in HISTORY_METRICS for case in range(cases)]
        changed = chance.sample(series, len(series) // 2)
        return cls({key: chance.randrange(first, end) for key in changed})

    def factor(self, number: int, metric: str, case: int) -> float:
        begin = self.begins.get((metric, case))
        return 0.9 if begin is not None and number >= begin else 1.0


NO_STEPS = Steps()


def made_up(
    number: int, cases: int, chance: random.Random, steps: Steps = NO_STEPS
) -> PublishedRun:
    """A run of so many cases. Every figure differs from run to run, as noise of 2 % does."""
    stamp = _stamp(number)
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
                "n": FORKS, "bottleneck": "server-cpu" if workload == "hello" else "latency",
                "warnings": ["closed-loop"], "configuration": f"full-{FORKS}x10s",
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
            "schema": 2, "id": _id(number), "started_at": stamp,
            "finished_at": stamp, "profile": "full", "trigger": "push", "commit": commit,
            "marks": [], "shards": [shard], "cases": rows,
            "metrics": {
                metric.name: _columns(number, metric.name, cases, chance, steps)
                for metric in HISTORY_METRICS
            },
            "answers": _answers(number, rows), "claims": _claims(number),
        }
    )  # fmt: skip


def _answers(number: int, rows: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    """As many questions as this repository has, each about some of the cases."""
    figures = {
        "values": {"throughput_rps": {"median": 41234.0, "low": 40123.0, "high": 42345.0}},
        "ratios": {"throughput_rps": {"ratio": 0.97, "low": 0.94, "high": 1.01, "verdict": "tied"}},
    }
    words = {
        "question": "What does one cost, compared with the other?",
        "sentences": ["Of every server the throughput is not statistically distinguishable."] * 2,
        "steps": {"one": "the one", "other": "the other"},
    }
    of_cases = [
        {
            "case": row["case"],
            "subject": row["server"],
            "step": "one",
            "processes": FORKS,
            **figures,
        }
        for row in rows[:ANSWERED]
    ]
    return [
        {
            **_concluded(number), "question": f"question-{question}", "host": "Some CPU, 2 cores",
            "commands": [f"springbench ask question-{question}"], "baseline": "one",
            "metrics": ["throughput_rps"], "rounds": FORKS, "interleaved": True, "en": words,
            "zh": words, "rows": of_cases, "notes": ["Measured on a host that others used too."],
        }
        for question in range(QUESTIONS)
    ]  # fmt: skip


def _claims(number: int) -> list[dict[str, object]]:
    """As many verdicts."""
    return [
        {
            **_concluded(number), "claim": f"claim-{claim}", "verdict": "holds",
            "words": "holds: 1.21 times", "claimed": "throughput of one is higher by a fifth",
            "ratio": 1.2345, "low": 1.1234, "high": 1.3456,
        }
        for claim in range(CLAIMS)
    ]  # fmt: skip


def _concluded(number: int) -> dict[str, object]:
    return {
        "host_class": HOST_CLASS, "run": _id(number), "started_at": _stamp(number), "is_own": True,
    }  # fmt: skip


def _columns(
    number: int, metric: str, cases: int, chance: random.Random, steps: Steps
) -> dict[str, list[float]]:
    medians = [
        1000.0 * (1 + case) * chance.gauss(1.0, 0.02) * steps.factor(number, metric, case)
        for case in range(cases)
    ]
    return {
        name: [float(f"{factor * value:.5g}") for value in medians]
        for name, factor in (("median", 1.0), ("low", 0.97), ("high", 1.02))
    }


def build(
    folder: Path,
    runs: int,
    cases: int,
    chance: random.Random,
    steps: Steps = NO_STEPS,
    *,
    every_run: bool = True,
) -> None:
    """A history as publishing would have left it, but for the steps of all months but the last two.

    Written month by month: a rebuild would read each run again. Without `every_run` the months
    before the last two are copies of one, and their runs of one run: a publish reads none of them.
    """
    files, state, rows = Quick(folder), State(), list[MonthRow]()
    months = [list(numbers) for _, numbers in groupby(range(runs), lambda n: _stamp(n)[:7])]
    copied = 0 if every_run else max(0, len(months) - 2)
    for numbers in months[copied:]:
        entries = []
        for number in numbers:
            run = made_up(number, cases, chance, steps)
            save(files, run_path(run.id), run)
            entries.append(add_run(state, run)[HOST_CLASS])
        month = MonthFiles(files, HOST_CLASS, entries[0].month)
        month.put(entries)
        list(month.write())
        rows.append(MonthRow(month=month.month, runs=len(entries)))
    unchanged: dict[str, MonthFiles] = {}
    renew_steps(files, HOST_CLASS, [], rows[-2:], unchanged.get)
    older = [_copied(folder, numbers, rows[0].month) for numbers in months[:copied]]
    state.classes[HOST_CLASS].months = [*older, *rows]
    state.runs_total = runs
    write_index(files, state, ())
    save(files, MANIFEST, Manifest(schema=MANIFEST_SCHEMA_VERSION, files={}))


def _copied(folder: Path, numbers: Sequence[int], source_month: str) -> MonthRow:
    """A month of these runs that is a copy of another one."""
    series, month = folder / SERIES / HOST_CLASS, _stamp(numbers[0])[:7]
    (series / month).mkdir()
    for file in (series / source_month).iterdir():
        (series / month / file.name).hardlink_to(file)
    a_run = next(file for file in (folder / RUNS).iterdir() if file.stat().st_nlink < 60_000)
    for number in numbers:
        (folder / run_path(_id(number))).hardlink_to(a_run)
    return MonthRow(month=month, runs=len(numbers))


def _id(number: int) -> str:
    return f"github-{10_000_000_000 + 7919 * number}"


def _stamp(number: int) -> str:
    time_ = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(hours=4 * number)
    return time_.strftime("%Y-%m-%dT%H:%M:%SZ")
