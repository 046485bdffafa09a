"""The real matrix with something changed, and what is said to it."""

from __future__ import annotations

import re

import pytest

from springbench.errors import ConfigurationError, ExitCode
from springbench.matrix.load import parse_matrix
from springbench.paths import MATRIX

TEXT = MATRIX.read_text(encoding="utf-8")
LINES = TEXT.splitlines()
HEADERS = [number for number, line in enumerate(LINES) if line.startswith("[[")]
MISTAKE = re.compile(r"^m\.toml(:\d+)?: \S.*: \S.*$")
JARGON = ("pydantic", "Input should", "PerCpu", "literal[", "tuple[", "constrained", "Tuple")


def mistakes(text: str) -> list[str]:
    """The lines of the message; each has the form that a person can follow."""
    with pytest.raises(ConfigurationError) as caught:
        parse_matrix(text, "m.toml")
    assert caught.value.exit_code is ExitCode.USAGE
    lines = str(caught.value).splitlines()
    for line in lines:
        assert MISTAKE.match(line), line
        assert not any(word in line for word in JARGON), line
    return lines


def changed(old: str, new: str) -> str:
    """The real matrix with the first `old` after its head comment replaced."""
    begin = TEXT.index("schema = 1")
    assert old in TEXT[begin:]
    return TEXT[:begin] + TEXT[begin:].replace(old, new, 1)


def line_with(text: str, words: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if words in line)
