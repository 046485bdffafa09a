"""wrk, the load generator in a closed loop. What it prints is kept raw beside this."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from springbench.errors import CaseError
from springbench.measure.load.generator import (
    IDS_SEED,
    TIMEOUT_S,
    IdSequence,
    Place,
    Requests,
    RunningLoad,
)
from springbench.measure.services.http import HOST
from springbench.results.records import LoadSummary

IDS_SCRIPT = Path(__file__).with_name("wrk_ids.lua")
SPREAD_SCRIPT = Path(__file__).with_name("wrk_spread.lua")
REPORT_SCRIPT = Path(__file__).with_name("wrk_report.lua")
_MARK = "SPRINGBENCH "


@dataclass(frozen=True)
class Wrk:
    """wrk, as the host of the load has it."""

    program: str = "wrk"

    def start(self, requests: Requests, place: Place) -> RunningLoad[LoadSummary]:
        stdout = place.output.open("wb")
        running = place.host.start(self.command(requests, place), stdout)
        return RunningLoad(self.program, place, running, stdout, lambda load: parse(load.printed))

    def command(self, requests: Requests, place: Place) -> list[str]:
        """The command line; wrk takes whole seconds, and the load must outlast the window."""
        place.host.bring(REPORT_SCRIPT)  # other scripts read it from beside themselves
        threads = max(1, min(place.threads, requests.connections))
        return [
            place.host.wrk,
            f"--threads={threads}",
            f"--connections={requests.connections}",
            f"--duration={max(1, math.ceil(requests.duration_s))}s",
            f"--timeout={TIMEOUT_S}s",
            "--latency",
            f"--script={place.host.bring(_script_of(requests))}",
            f"{place.base_url}{requests.route}",
            "--",
            *_arguments(requests, threads),
        ]


def _script_of(requests: Requests) -> Path:
    """The script of a load: all report in JSON. One of ids has its connections begin at once."""
    if requests.ids:
        return IDS_SCRIPT
    return SPREAD_SCRIPT if requests.begin_over_s else REPORT_SCRIPT


def _arguments(requests: Requests, threads: int) -> list[str]:
    """Arguments of its script; the first is for the report, which all have."""
    connections = str(requests.connections)
    if requests.ids is not None:
        before, _, after = requests.ids.route.partition("{id}")
        return [connections, before, after or "-", str(requests.ids.rows), str(IDS_SEED)]
    if requests.begin_over_s:
        over_ms = f"{1000 * requests.begin_over_s:g}"
        return [connections, str(requests.connections // threads), str(threads), over_ms]
    return [connections]


def request_bytes(port: int, route: str, ids: IdSequence | None = None, host: str = HOST) -> float:
    """The mean size of a request as wrk writes it: a request line, the Host header, an empty line.

    With `ids`, the route holds one digit where each of its rows is asked for by its number.
    """
    size_bytes = len(f"GET {route} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
    if ids is None:
        return size_bytes
    # as many numbers have a further digit as are not below it
    digits = sum(ids.rows - int(10**power) + 1 for power in range(len(str(ids.rows))))
    return size_bytes + digits / ids.rows - 1


def parse(output: str) -> LoadSummary:
    """The summary in wrk's output. Raises `CaseError` with wrk's last words when there is none."""
    for line in output.splitlines():
        if line.startswith(_MARK):
            try:
                return LoadSummary.model_validate(json.loads(line.removeprefix(_MARK)))
            except (json.JSONDecodeError, ValidationError) as error:
                raise CaseError(f"wrk's summary cannot be read: {line[:200]}") from error
    last = " | ".join(output.strip().splitlines()[-3:]) or "nothing"
    raise CaseError(f"wrk gave no summary; it printed: {last}")
