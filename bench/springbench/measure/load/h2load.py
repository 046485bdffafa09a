"""h2load, the load generator in a closed loop over HTTP/2, with and without TLS.

It writes a line for each answer as it comes: when the request was sent, its status and how long it
took. These lines are counted while it runs, for frames tell nothing of requests, and all that is
reported is read from them: so it may be ended at any moment.
"""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from springbench.errors import CaseError
from springbench.host.remote.running import ProcessSample
from springbench.matrix.servers import HttpProtocol
from springbench.matrix.templates import RequestTemplate
from springbench.measure.load.drawn_requests import FileOptions, private_files, refusals, varies
from springbench.measure.load.generator import (
    Place,
    Requests,
    RunningLoad,
    removed_unless_started,
)
from springbench.results.records import LoadErrors, LoadLatency, LoadSummary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# a request without an answer has it for its status
FAILED_STATUS = -1
FILES = FileOptions(urls="--input-file", body="--data")
_PIECE_BYTES = 1 << 20
_DIGITS = 3


@dataclass(frozen=True)
class H2load:
    """h2load, as this host has it."""

    path: Path
    protocol: HttpProtocol
    program: str = "h2load"

    def start(self, requests: Requests, place: Place) -> RunningLoad[LoadSummary]:
        stdout = place.output.open("wb")
        private = private_files(requests.templates, place.base_url, FILES)
        files = tuple(private.values())
        log = place.folder / f"{place.name}.log"
        log.write_bytes(b"")
        with removed_unless_started(place.host, files):
            running = place.host.start(self.command(requests, place, log, private), stdout)
        answers = Answers(log)
        return RunningLoad(
            self.program,
            place,
            running,
            stdout,
            answers.summary,
            between=answers.between,
            private=files,
            counted=answers.counted,
            # it handles neither, and a shell starts what runs in its background deaf to SIGINT
            killed_by=signal.SIGTERM,
        )

    def command(
        self, requests: Requests, place: Place, log: Path, private: Mapping[str, Path]
    ) -> list[str]:
        """The command line. Connections begin together: it knows no other way with a duration."""
        template = requests.templates[0]
        streams = self.protocol.streams_of(requests.connections)
        connections = requests.connections // streams
        # without it, h2load asks over HTTP/2 with prior knowledge, or by ALPN
        options = [] if self.protocol.is_http2 else ["--h1"]
        options += [f"--header=:method: {template.method}"] if template.method != "GET" else []
        for name, value in template.headers:
            options.append(f"--header={name.lower()}: {''.join(map(str, value))}")
        options += [f"{option}={file}" for option, file in private.items()]
        if FILES.urls not in private:
            # the last
            options.append(f"{place.base_url}{template.title.partition(' ')[2]}")
        return [
            str(self.path),
            f"--clients={connections}",
            f"--max-concurrent-streams={streams}",
            f"--threads={max(1, min(place.threads, connections))}",
            f"--duration={max(1, math.ceil(requests.duration_s))}",
            f"--log-file={log}",
            *options,
        ]


def refusal(templates: Sequence[RequestTemplate]) -> str:
    """Why these cannot be sent over HTTP/2; empty where they can."""
    found = [*refusals(templates, "h2load")]
    if varies(templates[0].body or ()):
        found.append("h2load sends the same body each time, and fills nothing in")
    return found[0] if found else ""


@dataclass
class Answers:
    """The answers of a load, counted as its lines come, and read when it has ended."""

    log: Path
    # its lines have the time of day
    _offset_s: float = field(default_factory=lambda: time.time() - time.perf_counter())
    _at_bytes: int = 0
    _lines: int = 0
    _rows: NDArray[np.int64] = field(default_factory=lambda: parse(""))

    def counted(self, sample: ProcessSample) -> ProcessSample:
        """The reading with the answers until now as its requests."""
        if sample.requests is None:
            return sample
        with self.log.open("rb") as file:
            file.seek(self._at_bytes)
            while piece := file.read(_PIECE_BYTES):
                self._at_bytes += len(piece)
                self._lines += piece.count(b"\n")
        return sample._replace(requests=self._lines)

    def summary(self, load: RunningLoad[LoadSummary]) -> LoadSummary:
        """Of all of them; on a slow host a short load may see none. Raises `CaseError` with the
        last words of one that failed before any came."""
        self._rows = parse(self.log.read_text(encoding="ascii", errors="replace"))
        # it has many megabytes
        self.log.unlink()
        if not len(self._rows) and load.running.poll() not in (0, -signal.SIGTERM):
            last = " | ".join(load.printed.strip().splitlines()[-3:]) or "nothing"
            raise CaseError(f"h2load failed; it printed: {last}")
        return summary_of(self._rows)

    def between(self, begin_s: float, end_s: float) -> LoadSummary:
        """Of those that came in that time, on the clock of `time.perf_counter`."""
        ended_s = self._rows[:, (0, 2)].sum(axis=1) / 1e6 - self._offset_s
        return summary_of(self._rows[(begin_s <= ended_s) & (ended_s < end_s)])


def parse(text: str) -> NDArray[np.int64]:
    """Rows of (sent at, status, took) in microseconds. Raises `CaseError` where it is no such list.

    A line that was being written when it was ended is left out.
    """
    import numpy as np  # noqa: PLC0415 - most commands need it not

    complete_text = text[: text.rfind("\n") + 1]
    try:
        return np.array(
            [line.split("\t") for line in complete_text.splitlines()], np.int64
        ).reshape(-1, 3)
    except ValueError as error:
        raise CaseError(f"h2load's list of answers cannot be read: {error}") from error


def summary_of(rows: NDArray[np.int64]) -> LoadSummary:
    """Of all answers of a load; bytes are counted by the kernel."""
    import numpy as np  # noqa: PLC0415 - most commands need it not

    sent, status, took = rows.T
    answered = status != FAILED_STATUS
    took_us = took[answered]
    spread = float(took_us.std()) if len(took_us) else 0.0
    p50, p90, p99 = np.percentile(took_us, (50, 90, 99)) if len(took_us) else (0.0, 0.0, 0.0)
    return LoadSummary(
        duration_s=float((sent + took).max() - sent.min()) / 1e6 if len(rows) else 0.0,
        requests=int(answered.sum()),
        bytes=0,
        errors=LoadErrors(
            connect=0,
            read=int((~answered).sum()),
            write=0,
            status=int((status > 399).sum()),
            timeout=0,
        ),
        latency_s=LoadLatency(
            min=float(took_us.min(initial=0)) / 1e6,
            mean=float(took_us.mean()) / 1e6 if len(took_us) else 0.0,
            stdev=spread / 1e6,
            p50=p50 / 1e6,
            p90=p90 / 1e6,
            p99=p99 / 1e6,
            max=float(took_us.max(initial=0)) / 1e6,
        ),
        latencies_us=_histogram(took_us),
    )


def _histogram(took_us: NDArray[np.int64]) -> tuple[tuple[int, int], ...]:
    """Latencies to three digits, and how many requests had each."""
    import numpy as np  # noqa: PLC0415 - most commands need it not

    values, counts = np.unique(took_us, return_counts=True)
    rounded: dict[int, int] = {}
    for value, count in zip(values.tolist(), counts.tolist(), strict=True):
        key = int(float(f"{value:.{_DIGITS}g}"))
        rounded[key] = rounded.get(key, 0) + count
    return tuple(rounded.items())
