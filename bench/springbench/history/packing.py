"""Texts as files hold them: packed where the name ends in `.gz`, else as they are."""

from __future__ import annotations

import gzip
from pathlib import Path

from springbench.errors import ConfigurationError
from springbench.untrusted import read_file, sanitise, unpack

PACKED = ".gz"


class BrokenFileError(ConfigurationError):
    """File of a history that was cut short or changed."""


def encoded(path: str, text: str) -> bytes:
    """Bytes of a file of that name for a text. No time stands in it: same text, same bytes."""
    data = text.encode("utf-8")
    return gzip.compress(data, mtime=0) if path.endswith(PACKED) else data


def read_text(path: str, file: Path) -> str | None:
    """The text in a file of that name; None where there is none. Raises `BrokenFileError`."""
    try:
        data = read_file(file)
        return (unpack(data) if path.endswith(PACKED) else data).decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise BrokenFileError(f"{sanitise(path)}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BrokenFileError(f"{sanitise(path)}: cannot be read: it is not UTF-8 text") from error
