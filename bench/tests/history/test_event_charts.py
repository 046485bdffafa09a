"""Pictures of events, from a published history."""

from __future__ import annotations

from pathlib import Path

from springbench.history.files import Folder
from springbench.history.folder import add_to_folder
from springbench.history.reading import read_index
from springbench.history.served import chart_of_event
from springbench.matrix.rows import Matrix
from tests.history.histories import published
from tests.suspected import affected, event


def test_an_event_is_drawn_from_its_clearest_series(tmp_path: Path, matrix: Matrix) -> None:
    for number in range(4):
        add_to_folder(tmp_path, published(matrix, number))
    files = Folder(tmp_path)
    index = read_index(files)
    assert index
    row = index.cases[0]
    series = affected(
        0.9,
        row.case,
        metric="throughput_rps",
        unit="rps",
        better="higher",
        configuration=row.configuration,
        host_class=index.classes[0].host_class,
    )
    assert chart_of_event(files, index, event(series)).count("<circle") == 4


def test_a_series_that_is_not_published_makes_a_picture_that_says_so(
    tmp_path: Path, matrix: Matrix
) -> None:
    add_to_folder(tmp_path, published(matrix, 0))
    index = read_index(Folder(tmp_path))
    assert index
    assert "no run of this series" in chart_of_event(Folder(tmp_path), index, event(affected(1.1)))
