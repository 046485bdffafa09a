"""From published runs and comparisons to the events in the index."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from springbench.history import steps
from springbench.history.comparisons import add_comparisons
from springbench.history.files import INDEX, Folder, load
from springbench.history.update import add, add_with_evidence, rebuild
from springbench.matrix.load import load_matrix
from springbench.matrix.rows import Matrix
from springbench.paths import MATRIX
from springbench.results.events import Event
from springbench.results.history import Index
from springbench.results.published_run import PublishedRun
from tests.draws import draws
from tests.history.histories import contents, published, published_comparison, rebuilt

SLOWER_FROM, RUNS = 20, 26
MATRIX_ROWS = load_matrix(MATRIX)


def events(folder: Path) -> list[Event]:
    index = load(Folder(folder), INDEX, Index)
    assert index
    return index.events


def speed(number: int) -> float:
    noise = random.Random(number).uniform(0.99, 1.01)
    return 48_000 * noise * (1 if number < SLOWER_FROM else 0.9)


def slowed(folder: Path, matrix: Matrix, numbers: range = range(RUNS)) -> None:
    for number in numbers:
        add(Folder(folder), published(matrix, number, hello=speed(number)))


def test_a_history_that_got_slower_has_one_event_with_all_its_affected_series(
    tmp_path: Path, matrix: Matrix
) -> None:
    slowed(tmp_path, matrix)
    (event,) = events(tmp_path)
    assert event.id == f"regression-{SLOWER_FROM:08x}0000"
    assert event.state == "suspected"
    assert event.shared == "every case"
    assert event.culprit.before.sha.startswith(f"{SLOWER_FROM - 1:08x}")


def test_runs_in_any_order_and_in_months_make_the_same_events_as_a_rebuild(
    tmp_path: Path, matrix: Matrix
) -> None:
    order = list(range(RUNS))
    random.Random(7).shuffle(order)
    for number in order:
        add(Folder(tmp_path), published(matrix, number, hello=speed(number), per_month=8))
    grown = contents(tmp_path)
    rebuild(Folder(tmp_path))
    assert contents(tmp_path) == grown
    assert [event.direction for event in events(tmp_path)] == ["regression"]


@given(st.data())
@settings(max_examples=draws(9), deadline=None)
def test_whatever_is_published_when_steps_are_those_of_a_rebuild(data: st.DataObject) -> None:
    """Months of few runs, levels that change, late runs, and runs that come again elsewhere."""
    matrix, chance = MATRIX_ROWS, random.Random(data.draw(st.integers(0, 1000)))
    order = list(range(20))
    # most come in their order, as in life
    for _ in range(data.draw(st.integers(0, 6))):
        order.insert(chance.randrange(20), order.pop(chance.randrange(20)))
    again = data.draw(st.lists(st.tuples(st.integers(0, 19), st.integers(0, 19)), max_size=3))
    changes = data.draw(st.lists(st.integers(3, 17), max_size=2, unique=True))

    def run_of(number: int, at: int) -> PublishedRun:
        level = 0.8 ** sum(at >= change for change in changes)
        run = published(matrix, at, hello=48_000 * level * chance.gauss(1, 0.01), per_month=5)
        return run.model_copy(update={"id": f"run-{number}"})

    with (
        tempfile.TemporaryDirectory() as grown,
        tempfile.TemporaryDirectory() as fresh,
        # so few runs would all be in one context
        patch.multiple(steps, CONTEXT_RUNS=7, TAIL_RUNS=3),
    ):
        for number in order:
            add(Folder(Path(grown)), run_of(number, number))
        for number, at in again:
            add(Folder(Path(grown)), run_of(number, at))
        assert contents(Path(grown)) == rebuilt(Path(grown), Path(fresh))


def test_a_late_run_and_a_repeated_one_make_no_second_event(tmp_path: Path, matrix: Matrix) -> None:
    slowed(tmp_path, matrix)
    before = [event.id for event in events(tmp_path)]
    add(Folder(tmp_path), published(matrix, RUNS - 1, hello=speed(3) * 0.9))
    assert [event.id for event in events(tmp_path)] == before


def test_a_comparison_of_another_job_confirms_or_rejects(tmp_path: Path, matrix: Matrix) -> None:
    slowed(tmp_path, matrix)
    comparison = published_comparison(matrix, SLOWER_FROM, ratio=0.9, purpose="confirm")
    later = comparison.model_copy(update={"started_at": "2027-01-01T00:00:00Z"})
    add_with_evidence(Folder(tmp_path), [later])
    (event,) = events(tmp_path)
    assert event.state == "confirmed"
    assert event.evidence[0].comparison == later.id
    grown = contents(tmp_path)
    rebuild(Folder(tmp_path))
    assert contents(tmp_path) == grown


def test_a_push_whose_comparison_found_something_is_suspected_at_once(
    tmp_path: Path, matrix: Matrix
) -> None:
    slowed(tmp_path, matrix, range(5))
    add_with_evidence(Folder(tmp_path), [published_comparison(matrix, 4, ratio=0.9)])
    (event,) = events(tmp_path)
    assert event.culprit.exact
    assert event.affected_series[0].configuration == "compare"


def test_a_comparison_before_any_run_is_kept_for_later(tmp_path: Path, matrix: Matrix) -> None:
    comparison = published_comparison(matrix, 4, ratio=0.9)
    assert add_with_evidence(Folder(tmp_path), [comparison]).new == (comparison.id,)
    slowed(tmp_path, matrix, range(5))
    assert len(events(tmp_path)) == 1


def test_what_is_there_already_changes_nothing(tmp_path: Path, matrix: Matrix) -> None:
    slowed(tmp_path, matrix, range(3))
    comparison = published_comparison(matrix, 2, ratio=0.9)
    add_with_evidence(Folder(tmp_path), [comparison])
    before = contents(tmp_path)
    assert add_with_evidence(Folder(tmp_path), [comparison]).known == (comparison.id,)
    assert add_comparisons(Folder(tmp_path), [comparison]).known == (comparison.id,)
    assert contents(tmp_path) == before


def test_drifted_and_dirty_runs_raise_nothing(tmp_path: Path, matrix: Matrix) -> None:
    for number in range(RUNS):
        run = published(matrix, number, hello=speed(number))
        if number >= SLOWER_FROM:
            for shard in run.shards:
                shard.marks = ["drifted"]
        add(Folder(tmp_path), run)
    assert events(tmp_path) == []
