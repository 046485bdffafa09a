"""From published runs and comparisons to the events in the index."""

from __future__ import annotations

import random
from pathlib import Path

from springbench.history.comparisons import add_comparisons
from springbench.history.evidence import add_with_evidence
from springbench.history.files import INDEX, Folder, load
from springbench.history.update import add, rebuild
from springbench.matrix.rows import Matrix
from springbench.results.events import Event
from springbench.results.history import Index
from tests.history.histories import contents, published, published_comparison

SLOWER_FROM, RUNS = 20, 26


def events(folder: Path) -> list[Event]:
    index = load(Folder(folder), INDEX, Index)
    assert index
    return index.events


def speed(number: int) -> float:
    noise = random.Random(number).uniform(0.99, 1.01)
    return 48_000 * noise * (1 if number < SLOWER_FROM else 0.9)


def slowed(folder: Path, matrix: Matrix, numbers: range = range(RUNS), every: int = 128) -> None:
    for number in numbers:
        add(Folder(folder), published(matrix, number, hello=speed(number)), every)


def test_a_history_that_got_slower_has_one_event_with_all_its_witnesses(
    tmp_path: Path, matrix: Matrix
) -> None:
    slowed(tmp_path, matrix)
    (event,) = events(tmp_path)
    assert event.id == f"regression-{SLOWER_FROM:08x}0000"
    assert event.state == "suspected"
    assert event.shared == "every case"
    assert event.culprit.before.sha.startswith(f"{SLOWER_FROM - 1:08x}")


def test_runs_in_any_order_and_in_chunks_make_the_same_events_as_a_rebuild(
    tmp_path: Path, matrix: Matrix
) -> None:
    order = list(range(RUNS))
    random.Random(7).shuffle(order)
    for number in order:
        add(Folder(tmp_path), published(matrix, number, hello=speed(number)), 8)
    grown = contents(tmp_path)
    rebuild(Folder(tmp_path), 8)
    assert contents(tmp_path) == grown
    assert [event.direction for event in events(tmp_path)] == ["regression"]


def test_a_late_run_and_a_repeated_one_make_no_second_event(tmp_path: Path, matrix: Matrix) -> None:
    slowed(tmp_path, matrix)
    before = [event.id for event in events(tmp_path)]
    add(Folder(tmp_path), published(matrix, RUNS - 1, hello=speed(3) * 0.9))
    assert [event.id for event in events(tmp_path)] == before


def test_a_comparison_of_another_job_confirms_or_refutes(tmp_path: Path, matrix: Matrix) -> None:
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
    assert event.witnesses[0].conditions == "compare"


def test_a_comparison_before_any_run_is_kept_for_later(tmp_path: Path, matrix: Matrix) -> None:
    made = published_comparison(matrix, 4, ratio=0.9)
    assert add_with_evidence(Folder(tmp_path), [made]).new == (made.id,)
    slowed(tmp_path, matrix, range(5))
    assert len(events(tmp_path)) == 1


def test_what_is_there_already_changes_nothing(tmp_path: Path, matrix: Matrix) -> None:
    slowed(tmp_path, matrix, range(3))
    made = published_comparison(matrix, 2, ratio=0.9)
    add_with_evidence(Folder(tmp_path), [made])
    before = contents(tmp_path)
    assert add_with_evidence(Folder(tmp_path), [made]).known == (made.id,)
    assert add_comparisons(Folder(tmp_path), [made]).known == (made.id,)
    assert contents(tmp_path) == before


def test_drifted_and_dirty_runs_raise_nothing(tmp_path: Path, matrix: Matrix) -> None:
    for number in range(RUNS):
        run = published(matrix, number, hello=speed(number))
        if number >= SLOWER_FROM:
            for shard in run.shards:
                shard.marks = ["drifted"]
        add(Folder(tmp_path), run)
    assert events(tmp_path) == []
