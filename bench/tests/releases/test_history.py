"""A history of releases that were only compared: what is read of it, and what a page gets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from springbench.history.comparisons import read_comparisons, read_evidence
from springbench.history.files import INDEX, Folder
from springbench.history.folder import rebuild_folder
from springbench.history.reading import read_index
from springbench.history.update import add, add_with_evidence
from springbench.matrix.rows import Matrix
from springbench.releases.history import release_points
from springbench.results.published_comparison import PublishedComparison, Purpose
from tests.history.histories import contents, published, published_comparison


def compared(
    matrix: Matrix, number: int, ratio: float, purpose: Purpose = "push", before: int = 1
) -> PublishedComparison:
    """Spring Boot 4.0.<number> beside the one that is so many releases before it."""
    comparison = published_comparison(matrix, number, ratio=ratio, purpose=purpose)
    base = published_comparison(matrix, number - before + 1).base
    quiet = [finding.model_copy(update={"verdict": "unchanged"}) for finding in comparison.findings]
    named = {
        "base": base.model_copy(update={"message": f"Spring Boot 4.0.{number - before}"}),
        "head": comparison.head.model_copy(update={"message": f"Spring Boot 4.0.{number}"}),
    }
    return comparison.model_copy(update={**named, "findings": quiet, "facts": []})


def releases_of(folder: Path) -> Sequence[tuple[str, float | None]]:
    """Of the only case each release, with the ratio to the one before it."""
    files, index = Folder(folder), read_index(Folder(folder))
    assert index
    ((_, points),) = release_points(files, index, "releases", read_comparisons(files))
    return [
        (
            point.commit.message,
            found.ratio if (found := point.paired_findings.get("throughput_rps")) else None,
        )
        for point in points
    ]


def test_it_has_an_index_with_the_hosts_that_compared(tmp_path: Path, matrix: Matrix) -> None:
    files, one = Folder(tmp_path), compared(matrix, 2, 0.95)
    add_with_evidence(files, [one])
    index = read_index(files)
    assert index
    (row,) = index.classes
    assert (row.host, row.months, row.points) == (one.host, [], [])
    assert index.runs_total == 0
    before = contents(tmp_path)
    rebuild_folder(tmp_path)
    assert contents(tmp_path) == before


def test_a_run_that_comes_later_takes_its_place_beside_them(tmp_path: Path, matrix: Matrix) -> None:
    files = Folder(tmp_path)
    add_with_evidence(files, [compared(matrix, 2, 0.95)])
    add(files, published(matrix, 1))
    index = read_index(files)
    assert index
    assert index.runs_total == 1
    assert [len(row.months) for row in index.classes].count(1) == 1
    before = contents(tmp_path)
    rebuild_folder(tmp_path)
    assert contents(tmp_path) == before


def test_an_index_that_was_lost_is_made_of_the_runs_too(tmp_path: Path, matrix: Matrix) -> None:
    files = Folder(tmp_path)
    add(files, published(matrix, 1))
    files.delete(INDEX)
    add_with_evidence(files, [compared(matrix, 2, 0.95)])
    index = read_index(files)
    assert index
    assert index.runs_total == 1


def test_comparisons_of_commits_alone_make_no_hosts(tmp_path: Path, matrix: Matrix) -> None:
    files = Folder(tmp_path)
    add_with_evidence(files, [published_comparison(matrix, 1)])
    index = read_index(files)
    assert index
    assert index.classes == []


def test_of_releases_those_that_found_nothing_are_kept_too(
    tmp_path: Path, matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("springbench.history.comparisons.QUIET_PUSHES", 1)
    files = Folder(tmp_path)
    comparisons = [compared(matrix, number, 1.0) for number in (2, 3, 4)]
    add_with_evidence(files, comparisons)
    assert [comparison.id for comparison in read_evidence(files)] == [
        comparison.id for comparison in comparisons
    ]


def test_releases_that_were_only_compared_are_listed_in_order(
    tmp_path: Path, matrix: Matrix
) -> None:
    files = Folder(tmp_path)
    add_with_evidence(files, [compared(matrix, number, 1 - number / 100) for number in (3, 2)])
    assert releases_of(tmp_path) == [
        ("Spring Boot 4.0.1", None),
        ("Spring Boot 4.0.2", 0.98),
        ("Spring Boot 4.0.3", 0.97),
    ]


def test_the_newest_comparison_of_two_neighbours_counts_and_wider_ones_are_no_step(
    tmp_path: Path, matrix: Matrix
) -> None:
    files = Folder(tmp_path)
    again = compared(matrix, 2, 0.99, "confirm").model_copy(
        update={"id": "again", "started_at": "2027-01-01T00:00:00Z"}
    )
    wide = compared(matrix, 3, 0.5, "bisect", before=2).model_copy(update={"id": "wide"})
    add_with_evidence(files, [again, wide, compared(matrix, 2, 0.9), compared(matrix, 3, 0.97)])
    assert releases_of(tmp_path) == [
        ("Spring Boot 4.0.1", None),
        ("Spring Boot 4.0.2", 0.99),
        ("Spring Boot 4.0.3", 0.97),
    ]
