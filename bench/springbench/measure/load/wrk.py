"""wrk, the load generator in a closed loop. What it prints is kept raw beside this."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from springbench.errors import CaseError
from springbench.measure.load.generator import (
    TIMEOUT_S,
    Place,
    Requests,
    RunningLoad,
    kept_if_started,
    private_file,
)
from springbench.measure.load.wrk_script import mean_bytes, script
from springbench.results.records import LoadSummary

SPREAD_SCRIPT = Path(__file__).with_name("wrk_spread.lua")
REPORT_SCRIPT = Path(__file__).with_name("wrk_report.lua")
_MARK = "SPRINGBENCH "
# what the socket of a new connection takes at once, on any link; wrk has nothing else under way
ONE_WRITE_BYTES = 16 << 10


@dataclass(frozen=True)
class Wrk:
    """wrk, as the host of the load has it."""

    program: str = "wrk"

    def start(self, requests: Requests, place: Place) -> RunningLoad[LoadSummary]:
        stdout = place.output.open("wb")
        private = self._private_script(requests, place)
        files = (private,) if private else ()
        with kept_if_started(place.host, files):
            running = place.host.start(self.command(requests, place, private), stdout)
        size_bytes = mean_bytes(requests.templates, place.authority)
        return RunningLoad(
            self.program,
            place,
            running,
            stdout,
            lambda load: parse(load.printed),
            private=files,
            # one request may take several writes: what is written is counted instead
            counted=lambda sample: sample.counted_by(
                size_bytes if size_bytes > ONE_WRITE_BYTES else None
            ),
        )

    def command(self, requests: Requests, place: Place, private: Path | None = None) -> list[str]:
        """The command line; wrk takes whole seconds, and the load must outlast the window.

        A plain GET stands on it. All other requests are in a script of their own, because whoever
        lists processes reads command lines.
        """
        place.host.bring(REPORT_SCRIPT)  # other scripts read it from beside themselves
        threads = _threads(requests, place)
        route = "/" if private else requests.templates[0].title.partition(" ")[2]
        return [
            place.host.wrk,
            f"--threads={threads}",
            f"--connections={requests.connections}",
            f"--duration={max(1, math.ceil(requests.duration_s))}s",
            f"--timeout={TIMEOUT_S}s",
            "--latency",
            f"--script={place.host.bring(private or _report_of(requests))}",
            f"{place.base_url}{route}",
            "--",
            *_arguments(requests, threads),
        ]

    def _private_script(self, requests: Requests, place: Place) -> Path | None:
        """The script with all that is asked; None where that is a plain GET."""
        [first, *others] = requests.templates
        if first.is_plain and not others:
            return None
        place.host.bring(REPORT_SCRIPT)
        report = place.host.bring(_report_of(requests))
        text = script(requests, place.authority, _threads(requests, place), report)
        return private_file(text.encode(), ".lua")


def _threads(requests: Requests, place: Place) -> int:
    return max(1, min(place.threads, requests.connections))


def _report_of(requests: Requests) -> Path:
    """The script that reports in JSON, and has connections begin as they are asked to."""
    return SPREAD_SCRIPT if requests.begin_over_s else REPORT_SCRIPT


def _arguments(requests: Requests, threads: int) -> list[str]:
    """Arguments of its script; the first is for the report, which all have."""
    connections = str(requests.connections)
    if requests.begin_over_s:
        over_ms = f"{1000 * requests.begin_over_s:g}"
        return [connections, str(requests.connections // threads), str(threads), over_ms]
    return [connections]


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
