"""oha, the load generator at a constant rate: its command line, and its list of requests."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from springbench.errors import CaseError
from springbench.measure.load.generator import (
    IDS_SEED,
    TIMEOUT_S,
    IdSequence,
    Place,
    Requests,
    RunningLoad,
)
from springbench.measure.load.open_schedule import Answered

_COLUMNS = ("request-start", "request-duration", "status")
# it draws from a list of addresses: of so many, where each request asks for another row
_ADDRESSES = 20_000


@dataclass(frozen=True)
class Oha:
    """oha, as this host has it; the host of the load gets a copy."""

    path: Path
    program: str = "oha"

    def start(self, requests: Requests, place: Place) -> RunningLoad[Answered]:
        stdout = place.output.open("wb")
        running = place.host.start(self.command(requests, place), stdout)
        return RunningLoad(self.program, place, running, stdout, _answers)

    def command(self, requests: Requests, place: Place) -> list[str]:
        """The command line. With a number of requests none is forgotten at the end, as with a
        time."""
        host, addresses = place.host, place.folder / f"{place.name}.urls"
        asked = [f"{place.base_url}{requests.route}"]
        if requests.ids:
            written = write_addresses(addresses, place.base_url, requests.ids)
            asked = ["--urls-from-file", host.bring(written)]
        return [
            host.bring(self.path, runs=True),
            "--no-tui",
            "--no-color",
            "--disable-compression",
            "--redirect=0",
            f"-n={requests.count}",
            f"-q={requests.rate_rps:g}",
            f"-c={requests.connections}",
            f"-t={TIMEOUT_S}s",
            "--output-format=csv",
            f"--output={host.place(_list_of(place))}",
            *asked,
        ]


def _list_of(place: Place) -> Path:
    """The file that it writes, a row for each answer."""
    return place.folder / f"{place.name}.csv"


def _answers(load: RunningLoad[Answered]) -> Answered:
    """Its list, which is not kept: it has many megabytes."""
    answers, name = _list_of(load.place), load.place.output.name
    if code := load.running.poll():
        raise CaseError(f"oha ended with code {code}; {name} may say why")
    load.place.host.collect(answers)
    if not answers.is_file():
        raise CaseError(f"oha wrote no list of answers; {name} may say why")
    found = parse(answers.read_text(encoding="ascii", errors="replace"))
    answers.unlink()
    return found


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
