"""A history that holds runs of two services, and of springbench's own servers."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.analysis.finder.events import events_of
from springbench.errors import ConfigurationError
from springbench.history.base import HistoryLookup, find_base
from springbench.history.charts import chart_of
from springbench.history.condense import condense
from springbench.history.files import INDEX, Folder, load
from springbench.history.folder import add_to_folder, rebuild_folder
from springbench.history.index import RECENT_RUNS
from springbench.history.update import add
from springbench.matrix.rows import Matrix
from springbench.results.history import Index
from springbench.results.run import Run
from tests.history.histories import contents, raw_run, rebuilt, service_run
from tests.suspected import compared, found

ANY = HistoryLookup(lambda prefix: prefix.ljust(40, "0"), lambda older, newer: older < newer)


def filled(folder: Path, matrix: Matrix, *runs: Run) -> Index:
    for run in runs:
        add_to_folder(folder, condense([run]))
    index = load(Folder(folder), INDEX, Index)
    assert index
    return index


def base(index: Index, head: int, service: str | None) -> str | None:
    found = find_base(index, f"{head:08x}".ljust(40, "0"), ANY, service)
    return found.sha and str(int(found.sha[:8], 16))


def test_each_is_compared_with_its_own_newest_commit(tmp_path: Path, matrix: Matrix) -> None:
    runs = (
        raw_run(matrix, 1),
        service_run(matrix, 2, "orders"),
        service_run(matrix, 3, "payments"),
    )
    index = filled(tmp_path, matrix, *runs)
    assert index.runs.service == ["", "orders", "payments"]
    found = [base(index, 9, service) for service in ("orders", "payments", "", None)]
    assert found == ["2", "3", "1", "3"]
    messages = find_base(index, "f" * 40, ANY, "invoices").messages
    assert messages == (
        "the history has no measured commit of invoices yet: there is nothing to compare",
    )


def test_a_service_that_is_rarely_measured_keeps_its_base(tmp_path: Path, matrix: Matrix) -> None:
    folder = Folder(tmp_path)
    add(folder, condense([service_run(matrix, 1, "payments")]))
    index = load(folder, INDEX, Index)
    assert index
    # as if the newest runs were all of another one
    index.runs.service = ["orders"]
    assert base(index, RECENT_RUNS + 2, "payments") == "1"


def test_a_run_of_which_nothing_tells_whose_it_is_may_be_anybodys(
    tmp_path: Path, matrix: Matrix
) -> None:
    index = filled(tmp_path, matrix, service_run(matrix, 1, "orders"))
    index.runs.service = [None]
    assert base(index, 9, "payments") == "1"


def test_a_rebuild_makes_the_same_of_two_services(tmp_path: Path, matrix: Matrix) -> None:
    history = tmp_path / "history"
    for number in range(1, 25):
        speed = 48000.0 if number < 16 else 40000.0
        filled(history, matrix, service_run(matrix, number, "payments"))
        filled(history, matrix, service_run(matrix, number, "orders", speed))
    files = contents(history)
    assert rebuilt(history, tmp_path / "rebuilt") == files
    rebuild_folder(history)
    assert contents(history) == files
    index = load(Folder(history), INDEX, Index)
    assert index
    assert [event.service for event in index.events] == ["orders"]
    assert index.events[0].id.endswith("-of-orders")
    assert "none open" in files["data/badges/regressions-payments.svg"]
    assert "1 suspected" in files["data/badges/regressions-orders.svg"]
    assert "1 suspected" in files["data/badges/regressions.svg"]


def test_services_have_charts_of_their_own(matrix: Matrix) -> None:
    run = raw_run(matrix, 1)
    own_chart, *service_charts = (
        chart_of(condense([measured_run]))
        for measured_run in (
            run,
            service_run(matrix, 1, "orders"),
            service_run(matrix, 1, "payments"),
        )
    )
    assert service_charts == [f"orders, {own_chart}", f"payments, {own_chart}"]


def test_runs_of_two_services_are_no_shards_of_one(matrix: Matrix) -> None:
    runs = [service_run(matrix, 1, name) for name in ("orders", "payments")]
    with pytest.raises(ConfigurationError, match="measured unlike services \\(payments, orders\\)"):
        condense(runs)


def test_what_was_compared_of_one_says_nothing_of_the_other() -> None:
    cases = [f"app-{name}-own-jvm/hello/64" for name in ("orders", "payments")]
    worse = [compared(found(1.2, case=case), purpose="push") for case in cases]
    worse = [
        comparison.model_copy(
            update={
                "id": f"compared-{index}",
                "findings": [
                    finding.model_copy(update={"verdict": "regression", "p_value": 1e-6})
                    for finding in comparison.findings
                ],
            }
        )
        for index, comparison in enumerate(worse)
    ]
    events = events_of([], worse)
    assert [(event.service, len(event.evidence)) for event in events] == [
        ("orders", 1),
        ("payments", 1),
    ]
