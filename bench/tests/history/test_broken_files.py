"""Whatever a file of a history holds: one line, and no other file is the worse for it."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from springbench.errors import ConfigurationError
from springbench.history.evidence import add_with_evidence
from springbench.history.offline import Kept
from springbench.history.push import add_together
from springbench.history.reading import read_index
from springbench.history.series import read_series
from springbench.history.update import add, rebuild
from springbench.matrix.load import load_matrix
from springbench.paths import MATRIX
from tests.broken import damaged
from tests.history.histories import published, published_comparison

MATRIX_ROWS = load_matrix(MATRIX)


def made() -> dict[str, str]:
    """The texts of a history of five runs on two classes of hosts, with comparisons."""
    files = Kept()
    for number in range(5):
        add(files, published(MATRIX_ROWS, number, host=number % 2), every=2)
    comparisons = [published_comparison(MATRIX_ROWS, n, purpose="confirm") for n in (2, 3)]
    add_with_evidence(files, comparisons)
    return files.texts


TEXTS = made()
JSON = sorted(path for path in TEXTS if path.removesuffix(".gz").endswith(".json"))
NEW_RUN = published(MATRIX_ROWS, 9)
AGAIN = published(MATRIX_ROWS, 1, host=1)


def publish_new(files: Kept, lines: list[str]) -> None:
    add_together(files, NEW_RUN, [published_comparison(MATRIX_ROWS, 4)], None, lines.append)


def publish_again(files: Kept, lines: list[str]) -> None:
    add_together(files, AGAIN, [], None, lines.append)


def make_anew(files: Kept, lines: list[str]) -> None:
    rebuild(files, 2, lines.append)


def read(files: Kept, lines: list[str]) -> None:
    index = read_index(files)
    if index:
        read_series(files, index, lambda *_: True)


@pytest.mark.parametrize("use", [publish_new, publish_again, make_anew, read])
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_damaged_file_is_one_line(
    use: Callable[[Kept, list[str]], None], data: st.DataObject
) -> None:
    path = data.draw(st.sampled_from(JSON))
    files, lines = Kept(dict(TEXTS)), list[str]()
    files.texts[path] = data.draw(damaged(json.loads(TEXTS[path]))).decode(errors="replace")
    try:
        use(files, lines)
    except ConfigurationError as error:
        lines.append(str(error))
    assert all(line.isprintable() for line in lines)
    assert all(len(line) < 1_000 for line in lines)
