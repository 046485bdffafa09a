"""What files hold: texts, packed where the name says so."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.history.files import BrokenFileError, encoded, read_text
from springbench.untrusted import read_file
from tests.broken import bomb


@given(st.text(), st.sampled_from(("a.json", "a.json.gz")))
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, text: str, path: str
) -> None:
    file = tmp_path_factory.mktemp("any") / path
    file.write_bytes(encoded(path, text))
    assert read_text(path, partial(read_file, file)) == text


def test_only_a_name_that_says_so_is_packed_and_always_into_the_same_bytes() -> None:
    text = "0123456789" * 1000
    assert encoded("a.json", text) == text.encode()
    packed = encoded("a.json.gz", text)
    assert len(packed) < 200
    assert gzip.decompress(packed) == text.encode()
    # bytes 4 to 7 would be the time
    assert packed[4:8] == bytes(4)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"{}", "not gzip data (Error -3 "),
        (b"", "not gzip data (it was cut short)"),
        (encoded("a.gz", "text" * 50)[:-9], "not gzip data (it was cut short)"),
        (2 * encoded("a.gz", "text"), "not gzip data (something follows its end)"),
        (gzip.compress(b"\xff\xfe", mtime=0), "it is not UTF-8 text"),
        (bomb(), "longer than 64 MiB when unpacked"),
    ],
)
def test_a_damaged_file_is_named(tmp_path: Path, data: bytes, message: str) -> None:
    file = tmp_path / "a.json.gz"
    file.write_bytes(data)
    with pytest.raises(BrokenFileError, match=r"^runs/a\.json\.gz: cannot be read: ") as error:
        read_text("runs/a.json.gz", partial(read_file, file))
    assert message in str(error.value)


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir, lambda file: file.symlink_to("/dev/zero")])
def test_what_is_no_file_is_not_opened(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "a.json")
    with pytest.raises(BrokenFileError, match="not a regular file"):
        read_text("a.json", partial(read_file, tmp_path / "a.json"))
