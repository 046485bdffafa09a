"""Runs and comparisons made up for tests of histories, and what a history holds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from springbench.history.condense import Publication, condense
from springbench.history.condense_comparison import Occasion, condense_comparison
from springbench.history.files import Folder
from springbench.history.update import rebuild
from springbench.matrix.rows import Matrix
from springbench.plan.plan import Filters, make_plan
from springbench.results.comparison import Comparison, ComparisonInfo, SideInfo
from springbench.results.published_comparison import PublishedComparison, Purpose
from springbench.results.published_run import PublishedRun
from springbench.results.run import Run
from springbench.results.store import RunFolder
from tests.comparisons import BROKEN, comparison, finding
from tests.samples import empty_run, fork, measured

HOST_CLASSES = ("some-cpu-2c-8g-linux6-jdk25-1c1g-0a1b2c3d", "other-cpu-4c-16g-11223344")
STARTUP = finding("unchanged", 1.004, metric="startup_s", unit="s", better="lower")


def raw_run(
    matrix: Matrix, number: int, *, hello: float = 48000.0, host: int = 0, per_month: int = 1440
) -> Run:
    """The run of the commit of that number: four cases, all of them well.

    A month has so many runs, a minute apart.
    """
    run = empty_run()
    assert run.commit
    run.run.id = f"run-{number:05d}"
    month, minute = divmod(number, per_month)
    run.run.started_at = (
        f"{2026 + month // 12}-{1 + month % 12:02d}-01"
        f"T{minute // 60:02d}:{minute % 60:02d}:30+00:00"
    )
    run.run.finished_at = run.run.started_at
    run.commit.sha = f"{number:08x}".ljust(40, "0")
    run.commit.time = run.run.started_at.replace(":30+", ":00+")
    run.host.host_class = HOST_CLASSES[host]
    only = ("boot4-*-platform-jvm/hello/64", "boot4-*-virtual-jvm/pay/1000")
    plan = make_plan(matrix, "quick", Filters(only=only, connections=(64, 1000)))
    cases = [replace(case, forks=1, window_s=6.0) for case in plan.cases]
    run.results = [
        measured(case, fork(0, hello + number), fork(1, hello - number)) for case in cases
    ]
    return run


def service_run(matrix: Matrix, number: int, service: str, hello: float = 48000.0) -> Run:
    """A run of a service at the commit of that number."""
    run = raw_run(matrix, number, hello=hello)
    run.run.id = f"run-{number:05d}-{service}"
    axes = {"boot": "app", "server": service, "model": "own", "runtime": "jvm"}
    run.results = [
        result.model_copy(update={"case": f"app-{service}-own-jvm/hello/64", **axes})
        for result in run.results
        if result.workload == "hello"
    ][:1]
    return run


def published(
    matrix: Matrix, number: int, *, hello: float = 48000.0, host: int = 0, per_month: int = 1440
) -> PublishedRun:
    """The same, as it is published."""
    run = raw_run(matrix, number, hello=hello, host=host, per_month=per_month)
    return condense([run], Publication())


def contents(folder: Path) -> dict[str, str]:
    """Every file below `data/`, unpacked."""
    return {
        name: Folder(folder).read(name) or ""
        for file in sorted((folder / "data").rglob("*"))
        if file.is_file() and (name := str(file.relative_to(folder)))
    }


def rebuilt(folder: Path, into: Path) -> dict[str, str]:
    """What a rebuild makes of the runs of a history, elsewhere."""
    for name, text in contents(folder).items():
        if name.startswith("data/runs/"):
            Folder(into).write(name, text)
    rebuild(Folder(into))
    return contents(into)


def raw_comparison(matrix: Matrix, number: int, *, ratio: float = 0.95) -> Comparison:
    """A comparison of the commit of that number with the one before it."""
    base, head = (raw_run(matrix, run_number) for run_number in (number - 1, number))
    record = comparison(finding("regression", ratio), STARTUP, BROKEN)
    record.comparison = ComparisonInfo(
        id=f"compared-{number:05d}",
        started_at=head.run.started_at,
        finished_at=head.run.started_at.replace(":30+", ":50+"),
        profile="pr",
        budget_s=600,
        measured_s=512,
    )
    record.base, record.head = (_side(run) for run in (base, head))
    return record


def _side(run: Run) -> SideInfo:
    assert run.commit
    fields = {"sha", "message", "author", "time"}
    return SideInfo(kind="commit", label="main", **run.commit.model_dump(include=fields))


def published_comparison(
    matrix: Matrix, number: int, *, ratio: float = 0.95, purpose: Purpose = "push"
) -> PublishedComparison:
    """The same, as it is published."""
    record = raw_comparison(matrix, number, ratio=ratio)
    return condense_comparison(record, Occasion(purpose)).comparison


def stored_run(results: Path, run: Run) -> Path:
    """The folder of a run that has been measured."""
    folder = RunFolder.create(results, run.run.id)
    folder.save(run)
    return folder.path
