"""oha, the load generator at a constant rate: its command line, and its list of requests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from springbench.errors import CaseError
from springbench.matrix.servers import HTTP1, HttpProtocol
from springbench.matrix.templates import RequestTemplate, written
from springbench.measure.load.drawn_requests import FileOptions, private_files, refusals, varies
from springbench.measure.load.generator import (
    TIMEOUT_S,
    Place,
    Requests,
    RunningLoad,
    removed_unless_started,
)
from springbench.measure.load.open_schedule import Answered

_COLUMNS = ("request-start", "request-duration", "status")
FILES = FileOptions(urls="--urls-from-file", body="-D", lines="-Z")


@dataclass(frozen=True)
class Oha:
    """oha, as this host has it; the host of the load gets a copy."""

    path: Path
    protocol: HttpProtocol = HTTP1
    certificate: Path | None = None
    """The only one that it accepts over TLS."""
    program: str = "oha"

    def start(self, requests: Requests, place: Place) -> RunningLoad[Answered]:
        stdout = place.output.open("wb")
        private = private_files(requests.templates, place.base_url, FILES)
        files = tuple(private.values())
        with removed_unless_started(place.host, files):
            running = place.host.start(self.command(requests, place, private), stdout)
        return RunningLoad(self.program, place, running, stdout, _answers, private=files)

    def command(self, requests: Requests, place: Place, private: Mapping[str, Path]) -> list[str]:
        """The command line. With a number of requests none is forgotten at the end, as with a
        time. `private` has the files of options that take one."""
        host, template = place.host, requests.templates[0]
        options = [f"-m={template.method}"] if template.method != "GET" else []
        for name, value in template.headers:
            options += ["-H", f"{name}: {''.join(map(str, value))}"]
        for option, file in private.items():
            options += [option, host.bring(file)]
        streams = self.protocol.streams_of(requests.connections)
        if self.protocol.is_http2:
            options += ["--http2", f"-p={streams}"]
        if self.protocol.tls and self.certificate:
            options += ["--cacert", host.bring(self.certificate)]
        if FILES.urls not in private:
            # the last
            options.append(f"{place.base_url}{template.title.partition(' ')[2]}")
        return [
            host.bring(self.path, runs=True),
            "--no-tui",
            "--no-color",
            "--disable-compression",
            "--redirect=0",
            f"-n={requests.count}",
            f"-q={requests.rate_rps:g}",
            f"-c={requests.connections // streams}",
            f"-t={TIMEOUT_S}s",
            "--output-format=csv",
            f"--output={host.place(_list_of(place))}",
            *options,
        ]


def refusal(templates: Sequence[RequestTemplate]) -> str:
    """Why these cannot be sent at a constant rate; empty where they can."""
    return next(_refusals(templates), "")


def _refusals(templates: Sequence[RequestTemplate]) -> Iterator[str]:
    yield from refusals(templates, "oha")
    body = templates[0].body or ()
    if varies(body) and (len(templates) > 1 or varies(templates[0].path)):
        yield "oha draws path and body each by itself; one of them has to be the same each time"
    if varies(body) and "\n" in written(body):
        yield "oha reads bodies that differ from lines; write this one on one line"


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


def parse(text: str) -> Answered:
    """The answers in oha's list. Raises `CaseError` where it is no such list."""
    import numpy as np  # noqa: PLC0415 - most commands need it not

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
