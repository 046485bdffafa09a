"""oha, the load generator at a constant rate: its command line, and its list of requests."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from springbench.errors import CaseError
from springbench.measure.load.open_schedule import Answered
from springbench.measure.load.wrk import IDS_SEED, TIMEOUT_S, IdSequence

_COLUMNS = ("request-start", "request-duration", "status")
# it draws from a list of addresses: of so many, where each request asks for another row
_ADDRESSES = 20_000


@dataclass(frozen=True)
class OhaLoad:
    """Load that oha is asked for: as many requests as are due, each answered in the end."""

    url: str
    connections: int
    rate_rps: float
    requests: int
    answers: str
    """The file that it writes, a row for each answer."""
    addresses: str | None = None
    """A file with an address a line to draw from, in place of `url`."""


def command(oha: str, load: OhaLoad) -> list[str]:
    """The command line. With a number of requests none is forgotten at the end, as with a time."""
    return [
        oha,
        "--no-tui",
        "--no-color",
        "--disable-compression",
        "--redirect=0",
        f"-n={load.requests}",
        f"-q={load.rate_rps:g}",
        f"-c={load.connections}",
        f"-t={TIMEOUT_S}s",
        "--output-format=csv",
        f"--output={load.answers}",
        *(["--urls-from-file", load.addresses] if load.addresses else [load.url]),
    ]


def write_addresses(file: Path, base_url: str, ids: IdSequence) -> Path:
    """A file of addresses with drawn ids, the same for every load of every run."""
    drawn = random.Random(IDS_SEED)  # noqa: S311 - rows to ask for are no secret
    routes = (ids.route.replace("{id}", str(drawn.randint(1, ids.rows))) for _ in range(_ADDRESSES))
    file.write_text("\n".join(base_url + route for route in routes) + "\n", encoding="ascii")
    return file


def parse(text: str) -> Answered:
    """The answers in oha's list. Raises `CaseError` where it is no such list."""
    head, _, body = text.partition("\n")
    names = head.strip().split(",")
    if any(name not in names for name in _COLUMNS):
        raise CaseError(f"oha's list begins with {head[:200]!r}; it needs {', '.join(_COLUMNS)}")
    if not body.strip():
        return Answered.of(np.empty(0), np.empty(0), np.empty(0, np.int64))
    try:
        rows = np.loadtxt(
            body.splitlines(),
            delimiter=",",
            usecols=[names.index(name) for name in _COLUMNS],
            ndmin=2,
        )
    except ValueError as error:
        raise CaseError(f"oha's list cannot be read: {error}") from error
    return Answered.of(rows[:, 0], rows[:, 1], rows[:, 2].astype(np.int64))
