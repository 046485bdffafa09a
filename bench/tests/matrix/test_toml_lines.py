"""Where keys stand in a TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from springbench.matrix.toml_lines import Location, line_index, line_of, nearest
from springbench.paths import MATRIX

NAMES = st.lists(st.sampled_from(["a", "b", "c-d", "e_f"]), min_size=1, max_size=3).map(".".join)
BLANKS = st.text(" \t", max_size=3)
ROWS = st.builds("{0}[[{1}{2}{1}]]{1}".format, BLANKS, BLANKS, NAMES)
KEYS = st.builds("{}{} = {}".format, BLANKS, st.sampled_from("xyz"), st.integers(0, 9))
REMARKS = st.builds("# {}".format, st.text("abc =[]", max_size=9))


@given(st.text())
def test_no_text_raises(text: str) -> None:
    assert all(line > 0 for line in line_index(text).values())


@given(st.lists(st.one_of(ROWS, KEYS, REMARKS), max_size=20))
def test_every_header_is_found(lines: list[str]) -> None:
    headers = {number for number, line in enumerate(lines, 1) if line.lstrip().startswith("[")}
    assert headers <= set(line_index("\n".join(lines)).values())


def test_every_key_of_the_matrix_is_found_on_its_line() -> None:
    text = MATRIX.read_text(encoding="utf-8")
    lines = text.splitlines()
    keys = list(_keys(tomllib.loads(text), ()))
    assert len(keys) > 100
    index = line_index(text)
    for location, value in keys:
        line = nearest(index, location)
        assert line is not None
        found = lines[line - 1]
        # a table of its own has a header in place of an equals sign, or only its parent has
        is_header = isinstance(value, dict) and found.startswith("[")
        assert found.startswith(f"{location[-1]} =") or is_header, location


def _keys(table: dict[str, Any], parent: Location) -> Iterator[tuple[Location, object]]:
    for key, value in table.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            for index, row in enumerate(value):
                yield from _keys(row, (*parent, key, index))
        else:
            yield (*parent, key), value


def test_rows_of_rows_are_counted_within_their_row() -> None:
    text = "[[a]]\n[[a.b]]\n[[a.b]]\nx = 1\n[[a]]\n[[a.b]]\nx = 2\n[a.c]\ny = 3\n"
    assert line_of(text, ("a", 0, "b", 1, "x")) == 4
    assert line_of(text, ("a", 1, "b", 0, "x")) == 7
    assert line_of(text, ("a", 1, "c", "y")) == 9


def test_what_has_no_line_gets_that_of_what_is_around_it() -> None:
    text = "[[a]]\nlist = [\n  1,\n]\n"
    assert line_of(text, ("a", 0, "list", 0)) == 2
    assert line_of(text, ("a", 0, "missing")) == 1
    assert line_of(text, ("nowhere",)) is None
