"""A file that is no TOML, or no text, is named with what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.errors import ConfigurationError
from springbench.matrix.load import load_matrix, parse_matrix
from tests.matrices import LINES, TEXT, changed, line_with, mistakes


def test_broken_toml_is_answered_with_its_line() -> None:
    [line] = mistakes(changed('id = "boot4"', 'id = "boot4'))
    assert line.startswith(f"m.toml:{line_with(TEXT, 'boot4')}: not valid TOML: ")
    [line] = mistakes(TEXT + '\nlast = """never ends')
    assert line.startswith(f"m.toml:{len(LINES) + 2}: not valid TOML: ")


@given(st.text())
def test_no_text_ends_in_anything_but_a_configuration_error(text: str) -> None:
    with pytest.raises(ConfigurationError):
        parse_matrix(text, "m.toml")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    for file, said in [
        (tmp_path / "none.toml", "No such file"),
        (tmp_path, "directory"),
        (tmp_path / "binary.toml", "not UTF-8"),
    ]:
        (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
        with pytest.raises(ConfigurationError, match=f"{file}: cannot be read: .*{said}"):
            load_matrix(file)
