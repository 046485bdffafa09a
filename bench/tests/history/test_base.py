"""Which measured commit a new one is compared with, over pasts of any shape."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from springbench.history.base import HistoryLookup, find_base
from springbench.results.history import Index

HEAD = 12
# the parent of each commit; none before it, and never a later one
PARENTS = st.tuples(*(st.integers(-1, number - 1) for number in range(1, HEAD + 1)))


def sha(number: int) -> str:
    return f"{number:08x}".ljust(40, "0")


def index_of(measured: Sequence[int], marks: Sequence[str] = ()) -> Index:
    """An index of runs of these commits, in their order."""
    empty = ("profile", "trigger", "url", "branch")
    runs = {
        "id": [f"run-{number}" for number, _ in enumerate(measured)],
        "started_at": ["2026-01-01T00:00:00Z"] * len(measured),
        "commit": list(range(len(measured))),
        "marks": [list(marks)] * len(measured),
        "ok": [1] * len(measured),
        "failed": [0] * len(measured),
        "boots": [{}] * len(measured),
        "environments": ["x"],
        "environment": [0] * len(measured),
        "service": [None] * len(measured),
        **{name: ["x"] * len(measured) for name in empty},
    }
    row = {"time": "2026-01-01T00:00:00Z", "message": "@all <b>", "author": "x"}
    commits = [{"sha": sha(number)[:12], **row} for number in measured]
    lists: dict[str, list[object]] = {name: [] for name in ("metrics", "cases", "classes")}
    return Index.model_validate(
        {"schema": 2, "runs_total": len(measured), **lists, "commits": commits, "runs": runs}
    )


def lookup_of(parents: Sequence[int], removed: frozenset[int] = frozenset()) -> HistoryLookup:
    """A repository of these commits, of which some are not in the clone."""
    shas = {sha(number)[:12]: sha(number) for number in range(HEAD + 1) if number not in removed}

    def is_ancestor(older: str, newer: str) -> bool:
        index = int(newer[:8], 16)
        while index >= 0 and sha(index) != older:
            index = parents[index - 1] if index else -1
        return index >= 0

    return HistoryLookup(shas.get, is_ancestor)


@given(PARENTS, st.sets(st.integers(0, HEAD)), st.frozensets(st.integers(0, HEAD - 1)))
def test_it_is_the_newest_measured_one_in_the_past(
    parents: tuple[int, ...], measured: set[int], removed: frozenset[int]
) -> None:
    lookup = lookup_of(parents, removed)
    found = find_base(index_of(sorted(measured)), sha(HEAD), lookup)
    before = [
        number
        for number in measured - removed - {HEAD}
        if lookup.is_ancestor(sha(number), sha(HEAD))
    ]
    assert found.sha == (sha(max(before)) if before else None)
    # never silent, never long, and no text of a stranger in it
    assert 1 <= len(found.messages) <= 5
    assert "@all" not in " ".join(found.messages)


def test_runs_that_do_not_count_are_counted_with_the_reason() -> None:
    index = index_of([1, 2, 3])
    index.runs.marks = [["dirty", "shared-host"], ["dirty"], ["drifted"]]
    index.runs.commit[2] = None
    [line] = find_base(index, sha(HEAD), lookup_of(range(HEAD))).messages
    assert "none of the newest 3 runs counts (2 dirty, 1 without a commit)" in line
    index.runs.marks[0] = ["shared-host"]
    assert find_base(index, sha(HEAD), lookup_of(range(HEAD))).sha == sha(1)


def test_the_nearest_counts_and_not_the_newest_by_the_clock() -> None:
    # 3 was committed after 2, by somebody whose clock was slow
    found = find_base(index_of([3, 1, 2]), sha(4), lookup_of(range(HEAD)))
    assert found.sha == sha(3)


def test_what_is_no_commit_id_is_neither_asked_for_nor_reported() -> None:
    index = index_of([1, 2])
    index.commits[1].sha = "main\n::error::<b>"
    found = find_base(index, sha(HEAD), lookup_of(range(HEAD)))
    assert found.sha == sha(1)
    assert "main" not in "".join(found.messages)
