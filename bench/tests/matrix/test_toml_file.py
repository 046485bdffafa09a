"""A file that is no TOML, or no text, is named with what is wrong with it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.errors import ConfigurationError
from springbench.matrix.load import load_matrix, parse_matrix
from springbench.matrix.toml_file import parse_text, read_text
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
    for file, message in [
        (tmp_path / "none.toml", "No such file"),
        (tmp_path, "not a regular file"),
        (tmp_path / "binary.toml", "not UTF-8"),
    ]:
        (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
        with pytest.raises(ConfigurationError, match=f"{file}: cannot be read: .*{message}"):
            load_matrix(file)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = " + "[" * 100_000, "nested without end"),
        ("a = " + "9" * 5_000, "Exceeds the limit"),
        ("a = 1e\x1b[31m", "not valid TOML"),
    ],
)
def test_what_no_parser_takes_is_one_line(text: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as error:
        parse_text(text, "springbench.toml")
    assert str(error.value).isprintable()


def test_a_pipe_is_not_waited_for_and_a_link_is_followed(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(ConfigurationError, match="not a regular file"):
        read_text(tmp_path / "pipe.toml")
    (tmp_path / "true.toml").write_text("a = 1\n")
    (tmp_path / "link.toml").symlink_to("true.toml")
    assert read_text(tmp_path / "link.toml") == "a = 1\n"
    (tmp_path / "loop.toml").symlink_to("loop.toml")
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_text(tmp_path / "loop.toml")
