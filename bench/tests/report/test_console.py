"""A run on a terminal."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from springbench.matrix.rows import Matrix
from springbench.report.console import PLAIN_WIDTH, print_comparison, print_run
from springbench.report.headline import metric_words
from springbench.report.tables import COLUMNS, tables
from springbench.results.store import RunFolder
from tests.comparisons import REGRESSION, UNCHANGED, comparison
from tests.conftest import Cli
from tests.samples import empty_run, full_run

COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-7]")
ESCAPE = re.compile(r"\x1b(?!\[[0-9;]*m)")


def drawn(matrix: Matrix, width: int) -> str:
    out = io.StringIO()
    print_run(full_run(matrix), Console(file=out, width=width, highlight=False, no_color=True))
    return out.getvalue()


def test_the_whole_report(matrix: Matrix, golden: Callable[[str, str], None]) -> None:
    golden("console.txt", drawn(matrix, PLAIN_WIDTH))


@pytest.mark.parametrize("width", [80, 100, 120])
def test_a_narrow_terminal_cuts_no_number_off(matrix: Matrix, width: int) -> None:
    text = drawn(matrix, width)
    assert max(len(line) for line in text.splitlines()) <= width
    words = text.split()
    for table in tables(full_run(matrix)):
        for row in (COLUMNS, *table.rows):
            for cell in row:
                assert set(cell.split()) <= set(words), cell


@pytest.mark.parametrize("width", [80, 100, 120])
def test_each_part_of_a_comparison_names_case_and_metric(width: int) -> None:
    out = io.StringIO()
    document = comparison(REGRESSION, UNCHANGED)
    print_comparison(document, Console(file=out, width=width, no_color=True))
    for statement in (REGRESSION, UNCHANGED):
        [verdict] = [line for line in out.getvalue().splitlines() if statement.verdict in line][-1:]
        assert statement.case in verdict
        assert metric_words(statement.metric) in verdict


def test_what_a_server_printed_is_not_obeyed(matrix: Matrix) -> None:
    text = drawn(matrix, PLAIN_WIDTH)
    assert "[red]" in text
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "\r" not in text
    assert "next line" in text


def test_a_run_with_nothing_in_it_is_no_mistake() -> None:
    out = io.StringIO()
    print_run(empty_run(), Console(file=out, width=PLAIN_WIDTH))
    assert "Some CPU" in out.getvalue()


def test_the_command_prints_the_same_into_a_pipe(
    tmp_path: Path, matrix: Matrix, cli: Cli, golden: Callable[[str, str], None]
) -> None:
    folder = RunFolder.create(tmp_path, "one")
    folder.save(full_run(matrix))
    code, out, err = cli("report", folder.path)
    assert (code, err) == (0, "")
    golden("console.txt", out)


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="has no pseudo-terminals")
@pytest.mark.parametrize("no_color", [True, False])
def test_colours_only_on_a_terminal_and_never_with_no_color(
    tmp_path: Path, matrix: Matrix, no_color: bool
) -> None:
    folder = RunFolder.create(tmp_path, "one")
    folder.save(full_run(matrix))
    shown = on_a_terminal("report", folder.path, NO_COLOR="1" if no_color else None)
    assert bool(COLOUR.search(shown)) is not no_color
    # the reason of a failed case holds one of its own, which must not reach the terminal
    assert not ESCAPE.search(shown)
    assert "\x1b[31m\x07" not in shown


def on_a_terminal(*arguments: object, **changed: str | None) -> str:
    """What the command writes to a terminal."""
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "160", "LINES": "50"}
    for name in ("NO_COLOR", "FORCE_COLOR", "CI", "GITHUB_ACTIONS"):
        environment.pop(name, None)
    environment |= {name: value for name, value in changed.items() if value is not None}
    terminal, slave = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "springbench", *map(str, arguments)], stdout=slave, env=environment
    ) as process:
        os.close(slave)
        written = b""
        while chunk := _read(terminal):
            written += chunk
        assert process.wait(30) == 0
    os.close(terminal)
    return written.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux: the other side is closed
        return b""
