"""The harnesses whose files are read, one row each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from springbench.errors import ConfigurationError
from springbench.harnesses import gatling, hyperfine, jmh, k6
from springbench.harnesses.measurement import Results
from springbench.matrix.service_name import HARNESSES
from springbench.untrusted import parse_json, read_file, sanitise

_LIMIT_BYTES = 64 << 20
_PATH_LENGTH = 400


@dataclass(frozen=True)
class Reader:
    """How the files of a harness are recognised and read.

    `document` is what JSON says, or the text of a page. `file` says which file that is.
    """

    harness: str
    accepts: Callable[[Any], bool]
    read: Callable[[Any], Results]
    file: str

    @property
    def name(self) -> str:
        """As people call it."""
        return HARNESSES[self.harness]


READERS = (
    Reader("jmh", jmh.accepts, jmh.read, "what `-rf json -rff FILE` writes"),
    Reader(
        "k6",
        k6.accepts,
        k6.read,
        "what `k6 run --summary-export FILE` writes, or handleSummary as JSON",
    ),
    Reader(
        "gatling",
        gatling.accepts,
        gatling.read,
        "index.html of a report, or its js/stats.json or js/global_stats.json",
    ),
    Reader(
        "hyperfine", hyperfine.accepts, hyperfine.read, "what `hyperfine --export-json FILE` writes"
    ),
)
BY_HARNESS = {reader.harness: reader for reader in READERS}


def read_results(file: Path, reader: Reader) -> Results:
    """The results in a file. Raises `ConfigurationError` with one line where there is none."""
    where = sanitise(str(file), _PATH_LENGTH)
    document = _document(file, where, reader)
    if not reader.accepts(document):
        candidates = [candidate for candidate in READERS if candidate.accepts(document)]
        remedy = (
            f"it is of {candidates[0].name}: --from {candidates[0].harness}"
            if candidates
            else reader.file
        )
        raise ConfigurationError(f"{where}: is no result of {reader.name}; {remedy}")
    results = reader.read(document)
    if not results.found:
        why = "; ".join(results.left_out) or "it is empty"
        raise ConfigurationError(f"{where}: holds no result of {reader.name}: {why}")
    return results


def _document(file: Path, where: str, reader: Reader) -> Any:
    try:
        data = read_file(file, _LIMIT_BYTES)
    except OSError as error:
        raise ConfigurationError(
            f"{where}: cannot be read: {error.strerror}; allowed: {reader.file}"
        ) from error
    if data.lstrip()[:1] == b"<":
        return data.decode("utf-8", "replace")
    try:
        return parse_json(data)
    except ValueError as error:
        raise ConfigurationError(
            f"{where}: not valid JSON ({error}); allowed: {reader.file}"
        ) from error
