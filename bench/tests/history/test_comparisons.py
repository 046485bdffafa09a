"""Comparisons in a history: added once, never changed, read by their start."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import pytest

from springbench.history.comparisons import Added, add_comparisons, read_comparisons
from springbench.history.files import COMPARED, COMPARISONS, EVIDENCE, FEED, Folder
from springbench.history.folder import rebuild_folder
from springbench.history.update import add
from springbench.matrix.rows import Matrix
from springbench.messages import show_messages
from tests.history.histories import contents, published, published_comparison


def file_of(folder: Path, comparison_id: str) -> Path:
    return folder / COMPARISONS / f"{comparison_id}.json.gz"


def test_adding_again_changes_nothing(tmp_path: Path, matrix: Matrix) -> None:
    files, one = Folder(tmp_path), published_comparison(matrix, 1)
    assert add_comparisons(files, [one]) == Added(new=(one.id,))
    before = file_of(tmp_path, one.id).read_bytes()
    # the job that publishes was run again, and has another address
    again = one.model_copy(update={"url": "https://example.org/2"})
    assert add_comparisons(files, [one, again]) == Added(known=(one.id, one.id))
    assert file_of(tmp_path, one.id).read_bytes() == before


def test_an_id_with_other_content_is_refused_and_costs_no_other(
    tmp_path: Path, matrix: Matrix
) -> None:
    files, one = Folder(tmp_path), published_comparison(matrix, 1)
    add_comparisons(files, [one])
    changed = one.model_copy(update={"findings": one.findings[:1]})
    other = published_comparison(matrix, 2)
    added = add_comparisons(files, [changed, other])
    assert added.new == (other.id,)
    assert len(added.refused) == 1
    assert f"{one.id}.json.gz: is there already, with other content" in added.refused[0]
    assert read_comparisons(files) == [one, other]


def test_what_was_made_for_one_purpose_is_no_evidence_for_another(
    tmp_path: Path, matrix: Matrix
) -> None:
    files = Folder(tmp_path)
    add_comparisons(files, [published_comparison(matrix, 1, purpose="push")])
    added = add_comparisons(files, [published_comparison(matrix, 1, purpose="confirm")])
    assert "with --purpose push and not confirm" in added.refused[0]
    assert [comparison.purpose for comparison in read_comparisons(files)] == ["push"]


def test_they_are_read_by_their_start(tmp_path: Path, matrix: Matrix) -> None:
    files = Folder(tmp_path)
    comparisons = [published_comparison(matrix, number) for number in (3, 1, 2)]
    # an id that sorts first
    comparisons[0] = comparisons[0].model_copy(update={"id": "a"})
    add_comparisons(files, comparisons)
    assert read_comparisons(files) == [comparisons[1], comparisons[2], comparisons[0]]
    assert read_comparisons(Folder(tmp_path / "nothing")) == []


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (b"", "it was cut short or changed"),
        (b"\x1f\x8b cut", "cannot be read"),
        (gzip.compress(b'{"schema":1,"id":"x"}', mtime=0), "artifact of its comparison"),
        (
            gzip.compress(b'{"schema":7}', mtime=0),
            "schema 7; this springbench reads schema 1",
        ),
    ],
)
def test_one_that_cannot_be_read_is_reported_and_left_alone(
    tmp_path: Path, matrix: Matrix, damage: bytes, words: str
) -> None:
    files = Folder(tmp_path)
    one, other = (published_comparison(matrix, number) for number in (1, 2))
    add_comparisons(files, [one, other])
    for number in (1, 2):
        add(files, published(matrix, number))
    before = contents(tmp_path)
    file_of(tmp_path, one.id).write_bytes(damage)
    lines: list[str] = []
    show_messages(lines.append)
    assert read_comparisons(files) == [other]
    assert rebuild_folder(tmp_path) == 2
    assert len(lines) == 2
    assert lines[0] == lines[1]
    assert lines[0].startswith(f"left out: data/comparisons/{one.id}.json.gz")
    assert words in lines[0]
    assert file_of(tmp_path, one.id).read_bytes() == damage
    shutil.rmtree(tmp_path / COMPARISONS)
    shutil.rmtree(tmp_path / COMPARED)
    (tmp_path / EVIDENCE).unlink()
    (tmp_path / FEED).unlink()
    # the index has the event that the other one tells of
    assert contents(tmp_path).keys() <= before.keys()


def test_a_damaged_one_is_made_anew_and_a_newer_one_is_not(tmp_path: Path, matrix: Matrix) -> None:
    files, one = Folder(tmp_path), published_comparison(matrix, 1)
    add_comparisons(files, [one])
    file_of(tmp_path, one.id).write_bytes(b"cut")
    assert add_comparisons(files, [one]).new == (one.id,)
    assert read_comparisons(files) == [one]
    newer = gzip.compress(b'{"schema":2}', mtime=0)
    file_of(tmp_path, one.id).write_bytes(newer)
    assert "schema 2" in add_comparisons(files, [one]).refused[0]
    assert file_of(tmp_path, one.id).read_bytes() == newer


def test_a_copy_under_another_name_does_not_count_twice(tmp_path: Path, matrix: Matrix) -> None:
    files, one = Folder(tmp_path), published_comparison(matrix, 1)
    add_comparisons(files, [one])
    shutil.copy(file_of(tmp_path, one.id), file_of(tmp_path, "copy"))
    lines: list[str] = []
    show_messages(lines.append)
    assert read_comparisons(files) == [one]
    assert "under another name; delete it" in lines[0]


def test_runs_and_their_derived_files_are_as_without_comparisons(
    tmp_path: Path, matrix: Matrix
) -> None:
    combined, runs_alone = Folder(tmp_path / "beside"), Folder(tmp_path / "alone")
    for number in (2, 1, 3):
        add_comparisons(combined, [published_comparison(matrix, number)])
        add(combined, published(matrix, number))
        add(runs_alone, published(matrix, number))
    assert len(read_comparisons(combined)) == 3
    shutil.rmtree(tmp_path / "beside" / COMPARISONS)
    assert contents(tmp_path / "beside") == contents(tmp_path / "alone")
