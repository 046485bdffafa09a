"""Texts as files hold them: packed where the name ends in `.gz`, else as they are."""

from __future__ import annotations

import gzip
import zlib

from springbench.errors import ConfigurationError

PACKED = ".gz"


class BrokenFileError(ConfigurationError):
    """File of a history that was cut short or changed."""


def encoded(path: str, text: str) -> bytes:
    """Bytes of a file of that name for a text. No time stands in it: same text, same bytes."""
    data = text.encode("utf-8")
    return gzip.compress(data, mtime=0) if path.endswith(PACKED) else data


def decoded(path: str, data: bytes) -> str:
    """The text in a file of that name. Raises `BrokenFileError` for one that is damaged."""
    try:
        return (gzip.decompress(data) if path.endswith(PACKED) else data).decode("utf-8")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise BrokenFileError(f"{path}: cannot be read: {error}") from error
