"""Which comparisons there are of two commits: small lists, with those that found nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from springbench.history.comparisons import groups_of, read_evidence
from springbench.history.files import INDEX, Folder, compared_path
from springbench.history.folder import rebuild_folder
from springbench.history.update import add, add_with_evidence
from springbench.matrix.rows import Matrix
from springbench.results.published_comparison import PublishedComparison
from tests.history.histories import contents, published, published_comparison


def quiet(matrix: Matrix, number: int, head: str = "") -> PublishedComparison:
    """A comparison of a push that found nothing."""
    comparison = published_comparison(matrix, number)
    commit = comparison.head.model_copy(update={"sha": head}) if head else comparison.head
    return comparison.model_copy(update={"findings": [], "facts": [], "head": commit})


def listed(folder: Path, group: str) -> list[str]:
    text = Folder(folder).read(compared_path(group))
    assert text
    found: dict[str, Any] = json.loads(text)
    return [row["id"] for row in found["comparisons"]]


def test_one_that_found_nothing_is_listed_and_is_no_evidence(
    tmp_path: Path, matrix: Matrix
) -> None:
    files, one = Folder(tmp_path), quiet(matrix, 1)
    add(files, published(matrix, 1))
    add_with_evidence(files, [one])
    assert read_evidence(files) == []
    assert listed(tmp_path, one.head.sha[:2]) == [one.id]
    assert json.loads(files.read(INDEX) or "")["compared"] == [one.head.sha[:2]]


def test_the_newest_pushes_that_found_no_change_are_evidence_against_one(
    tmp_path: Path, matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("springbench.history.comparisons.QUIET_PUSHES", 6)
    files, first = Folder(tmp_path), published_comparison(matrix, 1)
    findings = [finding.model_copy(update={"verdict": "unchanged"}) for finding in first.findings]
    comparisons = [
        published_comparison(matrix, number).model_copy(update={"findings": findings, "facts": []})
        for number in range(1, 9)
    ]
    add(files, published(matrix, 1))
    # in whatever order they come
    for comparison in (*comparisons[2:], *comparisons[:2]):
        add_with_evidence(files, [comparison])
    assert [row.id for row in read_evidence(files)] == [row.id for row in comparisons[2:]]
    before = contents(tmp_path)
    rebuild_folder(tmp_path)
    assert contents(tmp_path) == before


def test_a_list_grows_and_the_same_again_changes_nothing(tmp_path: Path, matrix: Matrix) -> None:
    files = Folder(tmp_path)
    comparisons = [quiet(matrix, 2, "ab1"), quiet(matrix, 1, "ab2"), quiet(matrix, 3, "cd")]
    for comparison in comparisons:
        add_with_evidence(files, [comparison])
    before = contents(tmp_path)
    add_with_evidence(files, comparisons)
    assert contents(tmp_path) == before
    assert listed(tmp_path, "ab") == [comparisons[1].id, comparisons[0].id]
    assert groups_of(files) == ["ab", "cd"]


def test_a_rebuild_finds_the_same_and_forgets_what_is_gone(tmp_path: Path, matrix: Matrix) -> None:
    files = Folder(tmp_path)
    add(files, published(matrix, 1))
    add_with_evidence(files, [quiet(matrix, 1, "ab"), quiet(matrix, 2, "ab"), quiet(matrix, 3)])
    before = contents(tmp_path)
    files.write(compared_path("ff"), '{"schema": 1, "comparisons": []}')
    files.delete(compared_path("ab"))
    rebuild_folder(tmp_path)
    assert contents(tmp_path) == before


def test_a_commit_that_is_no_hash_becomes_no_name_of_a_file(tmp_path: Path, matrix: Matrix) -> None:
    files = Folder(tmp_path)
    add_with_evidence(files, [quiet(matrix, 1, "../x"), quiet(matrix, 2, "AB")])
    assert groups_of(files) == []
