"""What files hold: texts, packed where the name says so."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.errors import ConfigurationError
from springbench.history.packing import decoded, encoded


@given(st.text(), st.sampled_from(("a.json", "a.json.gz")))
def test_what_is_written_is_read(text: str, path: str) -> None:
    assert decoded(path, encoded(path, text)) == text


def test_only_a_name_that_says_so_is_packed_and_always_into_the_same_bytes() -> None:
    text = "0123456789" * 1000
    assert encoded("a.json", text) == text.encode()
    packed = encoded("a.json.gz", text)
    assert len(packed) < 200
    assert gzip.decompress(packed) == text.encode()
    # bytes 4 to 7 would be the time
    assert packed[4:8] == bytes(4)


@pytest.mark.parametrize(
    "data", [b"{}", encoded("a.gz", "text" * 50)[:-9], gzip.compress(b"\xff\xfe", mtime=0)]
)
def test_a_damaged_file_is_named(data: bytes) -> None:
    with pytest.raises(ConfigurationError, match=r"^runs/a\.json\.gz: cannot be read: "):
        decoded("runs/a.json.gz", data)
