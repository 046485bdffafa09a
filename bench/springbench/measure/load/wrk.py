"""wrk: its command line, and how its output is read. What it prints is kept raw beside this."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from springbench.errors import CaseError
from springbench.measure.services.http import HOST
from springbench.results.records import WrkSummary

IDS_SCRIPT = Path(__file__).with_name("wrk_ids.lua")
SPREAD_SCRIPT = Path(__file__).with_name("wrk_spread.lua")
# of the sequences of ids: every load of every run asks for the same rows in the same order
IDS_SEED = 20240229
REPORT_SCRIPT = Path(__file__).with_name("wrk_report.lua")
_MARK = "SPRINGBENCH "
# The histogram's ceiling, not an abort: a slower response drops out of the percentiles.
TIMEOUT_S = 60


@dataclass(frozen=True)
class IdSequence:
    """Another id with each request, out of 1 to `rows`; `route` has {id} in its place."""

    route: str
    rows: int


@dataclass(frozen=True)
class WrkLoad:
    """Load that wrk is asked for."""

    url: str
    connections: int
    threads: int
    duration_s: float
    ids: IdSequence | None = None
    begin_over_s: float = 0.0
    """Over how long its connections begin, one after the other; 0 for all at once."""
    script: str = ""
    """Where wrk finds its script; as it lies here, if left out."""


def command(wrk: str, load: WrkLoad) -> list[str]:
    """The command line; wrk takes whole seconds, and the load must outlast the window."""
    threads = max(1, min(load.threads, load.connections))
    script = load.script or script_of(load.ids, load.begin_over_s)
    return [
        wrk,
        f"--threads={threads}",
        f"--connections={load.connections}",
        f"--duration={max(1, math.ceil(load.duration_s))}s",
        f"--timeout={TIMEOUT_S}s",
        "--latency",
        f"--script={script}",
        load.url,
        *_arguments(load, threads),
    ]


def script_of(ids: IdSequence | None, begin_over_s: float = 0.0) -> Path:
    """The script of a load: all report in JSON. One of ids has its connections begin at once."""
    if ids:
        return IDS_SCRIPT
    return SPREAD_SCRIPT if begin_over_s else REPORT_SCRIPT


def _arguments(load: WrkLoad, threads: int) -> list[str]:
    """Arguments of its script."""
    if load.ids is not None:
        before, _, after = load.ids.route.partition("{id}")
        return ["--", before, after or "-", str(load.ids.rows), str(IDS_SEED)]
    if load.begin_over_s:
        over_ms = f"{1000 * load.begin_over_s:g}"
        return ["--", str(load.connections // threads), str(threads), over_ms]
    return []


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


def parse(output: str) -> WrkSummary:
    """The summary in wrk's output. Raises `CaseError` with wrk's last words when there is none."""
    for line in output.splitlines():
        if line.startswith(_MARK):
            try:
                return WrkSummary.model_validate(json.loads(line.removeprefix(_MARK)))
            except (json.JSONDecodeError, ValidationError) as error:
                raise CaseError(f"wrk's summary cannot be read: {line}") from error
    last = " | ".join(output.strip().splitlines()[-3:]) or "nothing"
    raise CaseError(f"wrk gave no summary; it printed: {last}")
