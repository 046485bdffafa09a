"""Events whose series are no longer measured, in histories of runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.history.files import Folder
from springbench.history.update import add, add_with_evidence, rebuild
from springbench.matrix.rows import Matrix
from springbench.results.published_run import PublishedRun
from tests.history.histories import HOST_CLASSES, contents, published, published_comparison
from tests.history.test_events import RUNS, events, slowed, speed


def renamed(run: PublishedRun) -> PublishedRun:
    """The run as if every workload had another name."""
    cases = [
        case.model_copy(
            update={"case": case.case.replace("/", "/new-", 1), "workload": f"new-{case.workload}"}
        )
        for case in run.cases
    ]
    return run.model_copy(update={"cases": cases})


def measure(folder: Path, matrix: Matrix, number: int, *, host: int = 0, other: bool) -> None:
    run = published(matrix, number, hello=speed(number), host=host)
    add(Folder(folder), renamed(run) if other else run)


def states(folder: Path) -> list[str]:
    return [event.state for event in events(folder)]


def test_an_event_of_cases_that_are_gone_is_closed_with_its_last_point(
    tmp_path: Path, matrix: Matrix
) -> None:
    slowed(tmp_path, matrix)
    for number in range(RUNS, RUNS + 2):
        measure(tmp_path, matrix, number, other=True)
        # a run may have lost a part of its plan
        assert states(tmp_path) == ["suspected"]
    measure(tmp_path, matrix, RUNS + 2, other=True)
    (event,) = events(tmp_path)
    assert (event.state, event.is_open) == ("unmeasured", False)
    assert event.last_measured
    assert event.last_measured.run == f"run-{RUNS - 1:05d}"
    assert event.last_measured.state == "suspected"
    grown = contents(tmp_path)
    rebuild(Folder(tmp_path))
    assert contents(tmp_path) == grown
    # the name comes back
    measure(tmp_path, matrix, RUNS + 3, other=False)
    assert states(tmp_path) == ["suspected"]


def test_what_other_profiles_measure_closes_nothing(tmp_path: Path, matrix: Matrix) -> None:
    slowed(tmp_path, matrix)
    for number in range(RUNS, RUNS + 10):
        run = published(matrix, number).model_copy(update={"profile": "commit"})
        cases = [
            case.model_copy(update={"configuration": case.configuration.replace("quick", "commit")})
            for case in renamed(run).cases
        ]
        add(Folder(tmp_path), run.model_copy(update={"cases": cases}))
    assert states(tmp_path) == ["suspected"]


def test_hosts_that_take_turns_close_nothing_and_one_that_is_gone_does(
    tmp_path: Path, matrix: Matrix
) -> None:
    slowed(tmp_path, matrix)
    for number in range(RUNS, RUNS + 29):
        measure(tmp_path, matrix, number, host=1, other=False)
    assert states(tmp_path) == ["suspected"]
    for number in range(RUNS + 29, RUNS + 31):
        measure(tmp_path, matrix, number, host=1, other=False)
    (event,) = events(tmp_path)
    assert event.state == "unmeasured"
    assert {series.host_class for series in event.affected_series} == {HOST_CLASSES[0]}
    assert event.last_measured
    assert event.last_measured.run == f"run-{RUNS - 1:05d}"


@pytest.mark.parametrize("other", [True, False])
def test_what_only_a_comparison_has_seen_ends_with_its_case(
    tmp_path: Path, matrix: Matrix, other: bool
) -> None:
    for number in range(5):
        measure(tmp_path, matrix, number, other=False)
    comparison = published_comparison(matrix, 4, ratio=0.9)
    case = published(matrix, 4).cases[0].case
    findings = [finding.model_copy(update={"case": case}) for finding in comparison.findings]
    add_with_evidence(Folder(tmp_path), [comparison.model_copy(update={"findings": findings})])
    assert states(tmp_path) == ["suspected"]
    for number in range(5, 9):
        measure(tmp_path, matrix, number, other=other)
    assert states(tmp_path) == ["unmeasured" if other else "suspected"]


@pytest.mark.process  # a hundred publishes: too long for `make check`
def test_a_profile_that_is_measured_once_a_week_stays_and_one_that_is_gone_does_not(
    tmp_path: Path, matrix: Matrix
) -> None:
    slowed(tmp_path, matrix)
    last = published(matrix, RUNS).started_at
    for number in range(RUNS, RUNS + 101):
        run = renamed(published(matrix, number)).model_copy(update={"profile": "commit"})
        cases = [case.model_copy(update={"configuration": "commit"}) for case in run.cases]
        add(Folder(tmp_path), run.model_copy(update={"cases": cases}))
    assert states(tmp_path) == ["suspected"]
    late = renamed(published(matrix, RUNS + 101)).model_copy(
        update={"profile": "commit", "started_at": last.replace("2026-01", "2026-03")}
    )
    cases = [case.model_copy(update={"configuration": "commit"}) for case in late.cases]
    add(Folder(tmp_path), late.model_copy(update={"cases": cases}))
    assert states(tmp_path) == ["unmeasured"]
