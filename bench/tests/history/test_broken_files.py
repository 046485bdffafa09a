"""Whatever a file of a history holds: one line, and no other file is the worse for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from springbench.errors import ConfigurationError
from springbench.history.files import INDEX, Folder
from springbench.history.folder import rebuild_folder
from springbench.history.offline import InMemoryFiles
from springbench.history.push import add_together, push_run
from springbench.history.reading import read_index
from springbench.history.series import read_series
from springbench.history.update import add, add_with_evidence, rebuild
from springbench.host.shell import RealShell
from springbench.matrix.load import load_matrix
from springbench.messages import show_messages
from springbench.paths import MATRIX
from tests.broken import damaged
from tests.conftest import Cli
from tests.history.histories import published, published_comparison
from tests.history.remotes import IDENTITY, git, make_bare, remote

MATRIX_ROWS = load_matrix(MATRIX)


def make_texts() -> dict[str, str]:
    """The texts of a history of five runs on two classes of hosts, with a confirmed event."""
    files = InMemoryFiles()
    for number in range(5):
        add(files, published(MATRIX_ROWS, number, host=number % 2, per_month=2))
    found = published_comparison(MATRIX_ROWS, 2, ratio=0.7)
    checked = published_comparison(MATRIX_ROWS, 2, ratio=0.7, purpose="confirm")
    later = {"id": "checked", "started_at": "2026-02-01T00:00:00Z"}
    for comparison in (found, checked.model_copy(update=later)):
        add_with_evidence(files, [comparison])
    return files.texts


TEXTS = make_texts()
JSON = sorted(path for path in TEXTS if path.removesuffix(".gz").endswith(".json"))
NEW_RUN = published(MATRIX_ROWS, 9)
AGAIN = published(MATRIX_ROWS, 1, host=1)


def publish_new(files: InMemoryFiles, lines: list[str]) -> None:
    add_together(files, NEW_RUN, [published_comparison(MATRIX_ROWS, 4)], None)
    assert NEW_RUN.id in json.loads(files.texts[INDEX])["runs"]["id"]


def publish_again(files: InMemoryFiles, lines: list[str]) -> None:
    add_together(files, AGAIN, [], None)


def make_anew(files: InMemoryFiles, lines: list[str]) -> None:
    rebuild(files)


def read(files: InMemoryFiles, lines: list[str]) -> None:
    index = read_index(files)
    if index:
        read_series(files, index, lambda *_: True)


@pytest.mark.parametrize("use", [publish_new, publish_again, make_anew, read])
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_damaged_file_is_one_line(
    use: Callable[[InMemoryFiles, list[str]], None], data: st.DataObject
) -> None:
    path = data.draw(st.sampled_from(JSON))
    files, lines = InMemoryFiles(dict(TEXTS)), list[str]()
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
    assert [event["state"] for event in json.loads(TEXTS[INDEX])["events"]] == ["confirmed"]


@pytest.mark.process
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


@pytest.mark.process
@pytest.mark.parametrize("name", ["index.json", "month.json", "run-00001.json.gz"])
def test_a_push_onto_a_branch_with_a_damaged_file_mends_it(tmp_path: Path, name: str) -> None:
    bare, lines = make_bare(tmp_path / "remote.git"), list[str]()
    show_messages(lines.append)
    for number in (0, 1):
        push_run(RealShell(), remote(bare), published(MATRIX_ROWS, number))
    clone = tmp_path / "damage"
    git("clone", "--quiet", "--branch", "gh-pages", bare, clone)
    file = next(clone.rglob(name))
    file.write_bytes(file.read_bytes()[:20])
    git("-C", clone, *IDENTITY, "commit", "--quiet", "--all", "-m", "damage")
    git("-C", clone, "push", "--quiet")

    push_run(RealShell(), remote(bare), published(MATRIX_ROWS, 2))

    is_run = name.startswith("run-")
    after = tmp_path / "after"
    git("clone", "--quiet", "--branch", "gh-pages", bare, after)
    index = json.loads((after / INDEX).read_text(encoding="utf-8"))
    ids = index["runs"]["id"]
    # the run that is older than the new one is not read: --rebuild would name it
    assert ids == ["run-00000", "run-00001", "run-00002"]
    assert len(lines) == (0 if is_run else 1)
    rebuild_folder(after)
    assert len(lines) == 1
    assert name in lines[0]
