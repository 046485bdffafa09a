"""Badges beside a history: one a case, one of the regressions."""

from __future__ import annotations

from pathlib import Path

from springbench.history.files import BADGES, Folder
from springbench.history.folder import add_to_folder
from springbench.history.reading import read_index
from springbench.history.served import write_badges
from springbench.matrix.rows import Matrix
from springbench.results.history import Index
from tests.history.histories import published
from tests.suspected import affected, event


def _index(folder: Path) -> Index:
    index = read_index(Folder(folder))
    assert index
    return index


def _badge(folder: Path, name: str) -> str:
    return Folder(folder).read(f"{BADGES}/{name}.svg") or ""


def test_each_case_has_the_badge_of_its_newest_result(tmp_path: Path, matrix: Matrix) -> None:
    add_to_folder(tmp_path, published(matrix, 1, hello=48123.0))
    add_to_folder(tmp_path, published(matrix, 2, hello=51987.0, host=1))
    # an older run that comes late changes nothing
    add_to_folder(tmp_path, published(matrix, 0, hello=10.0))
    index = _index(tmp_path)
    cases = {row.case for row in index.cases}
    names = {name.removesuffix(".svg") for name in Folder(tmp_path).names(BADGES)}
    assert names == {case.replace("/", "~") for case in cases} | {"regressions"}
    hello = next(case for case in cases if "/hello/" in case)
    assert "52,000/s" in _badge(tmp_path, hello.replace("/", "~"))
    assert "none open" in _badge(tmp_path, "regressions")


def test_a_failed_case_says_so(tmp_path: Path, matrix: Matrix) -> None:
    add_to_folder(tmp_path, published(matrix, 1))
    index = _index(tmp_path)
    [host_class] = index.classes
    host_class.latest.status[0] = "failed"
    write_badges(Folder(tmp_path), index)
    name = index.cases[host_class.latest.row[0]].case.replace("/", "~")
    assert "failed" in _badge(tmp_path, name)


def test_open_regressions_are_counted_by_how_sure_they_are(tmp_path: Path, matrix: Matrix) -> None:
    add_to_folder(tmp_path, published(matrix, 1))
    index = _index(tmp_path)
    suspected = event(affected(1.1))
    confirmed = suspected.model_copy(update={"state": "confirmed"})
    fixed = suspected.model_copy(update={"state": "fixed"})
    faster = confirmed.model_copy(update={"direction": "improvement"})
    index.events = [suspected, confirmed, fixed, faster]
    write_badges(Folder(tmp_path), index)
    assert "1 open, 1 suspected" in _badge(tmp_path, "regressions")


def test_the_badge_of_a_case_that_is_gone_goes(tmp_path: Path, matrix: Matrix) -> None:
    add_to_folder(tmp_path, published(matrix, 1))
    Folder(tmp_path).write(f"{BADGES}/gone.svg", "<svg/>")
    write_badges(Folder(tmp_path), _index(tmp_path))
    assert "gone.svg" not in Folder(tmp_path).names(BADGES)
