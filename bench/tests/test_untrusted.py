"""Files and words of others, whatever they are."""

from __future__ import annotations

import gzip
import json
import os
import re
import time
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from springbench.untrusted import (
    MAX_BYTES,
    one_line,
    parse_json,
    parse_model,
    read_file,
    sanitise,
    unpack,
)
from tests.broken import HOSTILE, bomb

MIB = 1 << 20


def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"12345")
    assert read_file(file, 5) == b"12345"
    with pytest.raises(OSError, match="longer than"):
        read_file(file, 4)


@pytest.mark.parametrize(
    "make",
    [
        os.mkfifo,
        Path.mkdir,
        lambda file: file.symlink_to("/dev/zero"),
        lambda file: file.symlink_to(file.parent),
        lambda file: file.symlink_to("nowhere"),
    ],
    ids=["pipe", "folder", "link to a device", "link to a folder", "link to nothing"],
)
def test_what_is_no_regular_file_is_not_opened(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / "a")
    with pytest.raises(OSError) as error:
        read_file(tmp_path / "a")
    assert error.value.strerror == "not a regular file"


def test_a_device_is_not_opened() -> None:
    with pytest.raises(OSError, match="not a regular file"):
        read_file(Path("/dev/zero"))


@given(st.binary(max_size=300))
def test_what_was_packed_comes_back_and_nothing_else(data: bytes) -> None:
    for packed in (gzip.compress(data), zlib.compress(data)):
        assert unpack(packed) == data
        with pytest.raises(OSError, match="cut short"):
            unpack(packed[:-1])
        with pytest.raises(OSError, match="something follows"):
            unpack(packed + b"\0")


@given(st.binary(max_size=100))
def test_no_bytes_unpack_into_another_error(data: bytes) -> None:
    try:
        unpack(data)
    except OSError as error:
        assert (error.strerror or "").isprintable()


def test_a_bomb_takes_neither_time_nor_memory() -> None:
    packed = bomb()
    assert len(packed) < 2 * MIB
    tracemalloc.start()
    begin_s = time.process_time()
    with pytest.raises(OSError, match="longer than 1 MiB when unpacked"):
        unpack(packed, MIB)
    took_s = time.process_time() - begin_s
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert took_s < 0.1
    assert peak_bytes < 8 * MIB


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "EOF while parsing"),
        (b"[" * 100_000, "recursion limit exceeded"),
        (b'{"a":' * 100_000, "recursion limit exceeded"),
        (b"[" + b"9" * 5_000 + b"]", "number out of range"),
        (b"[" + b"9" * 4_000 + b"]", "an integer of more than 64 bits"),
        (b"[-18446744073709551616]", "an integer of more than 64 bits"),
        (b"[1e999]", "a number without end"),
        (b'{"a": -1e999}', "a number without end"),
        (b"[NaN]", "expected value"),
        (b"[Infinity]", "expected value"),
        (b'["\\ud800"]', "hex escape"),
        (b'["\xed\xa0\x80"]', "invalid unicode"),
        (b"\xef\xbb\xbf[]", "expected value"),
        (b"[]\0", "trailing characters"),
        (b"[" + b"[]," * (MAX_BYTES // 16), "more than 4,000,000 values"),
        ("\ud800", "surrogates not allowed"),
    ],
)
def test_what_json_allows_and_nothing_can_use(text: bytes | str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        parse_json(text)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 200


def test_of_two_values_under_a_key_the_last_counts() -> None:
    assert parse_json('{"a": 1e999, "a": 1}') == {"a": 1}


@given(st.recursive(st.none() | st.integers(1 - 2**63, 2**63 - 1) | st.text(), st.lists))
def test_json_of_ours_is_read(document: object) -> None:
    assert parse_json(json.dumps(document, ensure_ascii=False)) == document


@given(st.text() | st.text(st.sampled_from(" :#[\n\x1b\u202e\ud800\xa0\u2066ab")))
def test_a_line_is_one_and_nobody_obeys_it(text: str) -> None:
    line = one_line(text)
    assert line.isprintable()
    assert not line.lstrip().startswith("::")
    assert "##[" not in line
    assert one_line(line) == line


@given(st.text())
def test_plain_words_stay_as_they_are(text: str) -> None:
    if text.isprintable() and "##[" not in text and not text.lstrip().startswith("::"):
        assert one_line(text) == text


def test_hostile_words() -> None:
    assert one_line(HOSTILE) == " [31m ::set-output name=a::b # [error]c "
    assert one_line("\n::set-output name=a::b") == ": :set-output name=a::b"
    assert sanitise("x" * 500, 10) == "xxxxxxxxx…"


class _Row(BaseModel):
    count: int


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not valid JSON (EOF while parsing an object at line 1 column 1)"),
        ('{"count": NaN}', "not valid JSON"),
        ('{"count": "\\u001b[31m"}', "count: Input should be a valid integer"),
        ("[]", "Input should be an object"),
    ],
)
def test_what_is_no_such_document_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)) as refused:
        parse_model(text, _Row)
    assert str(refused.value).isprintable()
    assert parse_model('{"count": 3, "more": 1}', _Row) == _Row(count=3)
