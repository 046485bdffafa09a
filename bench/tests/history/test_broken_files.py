"""Whatever a file of a history holds: one line, and no other file is the worse for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from springbench.errors import ConfigurationError
from springbench.history.evidence import add_with_evidence
from springbench.history.files import INDEX, Folder
from springbench.history.offline import Kept
from springbench.history.push import add_together
from springbench.history.reading import read_index
from springbench.history.series import read_series
from springbench.history.update import add, rebuild
from springbench.matrix.load import load_matrix
from springbench.paths import MATRIX
from tests.broken import damaged
from tests.conftest import Cli
from tests.history.histories import published, published_comparison

MATRIX_ROWS = load_matrix(MATRIX)


def made() -> dict[str, str]:
    """The texts of a history of five runs on two classes of hosts, with a confirmed event."""
    files = Kept()
    for number in range(5):
        add(files, published(MATRIX_ROWS, number, host=number % 2), every=2)
    found = published_comparison(MATRIX_ROWS, 2, ratio=0.7)
    checked = published_comparison(MATRIX_ROWS, 2, ratio=0.7, purpose="confirm")
    later = {"id": "checked", "started_at": "2026-02-01T00:00:00Z"}
    for each in (found, checked.model_copy(update=later)):
        add_with_evidence(files, [each])
    return files.texts


TEXTS = made()
JSON = sorted(path for path in TEXTS if path.removesuffix(".gz").endswith(".json"))
NEW_RUN = published(MATRIX_ROWS, 9)
AGAIN = published(MATRIX_ROWS, 1, host=1)


def publish_new(files: Kept, lines: list[str]) -> None:
    add_together(files, NEW_RUN, [published_comparison(MATRIX_ROWS, 4)], None, lines.append)
    assert NEW_RUN.id in json.loads(files.texts[INDEX])["runs"]["id"]


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


COMMANDS = (
    ("history", "--case", "*", "--all"),
    ("alert", "--dry-run", "--repo", "octo/app"),
    ("confirmations", "--json"),
    ("base", "HEAD"),
)


def test_the_history_that_is_damaged_here_has_events() -> None:
    assert [each["state"] for each in json.loads(TEXTS[INDEX])["events"]] == ["confirmed"]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whoever_reads_a_damaged_index_says_one_line(
    tmp_path: Path, cli: Cli, words: tuple[str, ...], data: st.DataObject
) -> None:
    for path, text in TEXTS.items() if not (tmp_path / INDEX).exists() else ():
        Folder(tmp_path).write(path, text)
    (tmp_path / INDEX).write_bytes(data.draw(damaged(json.loads(TEXTS[INDEX]))))
    code, out, err = cli(*words, "--history", tmp_path)
    assert code in {0, 2}
    assert all(line.isprintable() for line in (out + err).splitlines())
    assert code == 0 or err.count("\n") == 1
