"""k6's summaries: of `--summary-export`, of `handleSummary`, and of the machine-readable one.

The three hold the same metrics in three arrangements. k6 aggregates a run as a whole, so a figure
has no repetitions. Times are milliseconds, whatever unit the terminal shows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from springbench.harnesses.measurement import (
    Measurement,
    NoResultError,
    Results,
    number,
    number_in,
)
from springbench.results.metrics import (
    REPORTED_BYTES,
    REPORTED_RATE,
    REPORTED_RATIO,
    REPORTED_TIME,
    Metric,
)
from springbench.untrusted import sanitise

CONFIGURATION = "k6"
_FIGURE = re.compile(r"avg|med|p\([0-9.]{1,12}\)")
_MILLISECOND_S = 1e-3


@dataclass(frozen=True)
class _Figure:
    """What k6 measures by itself, and where the better lies: the file does not tell."""

    figure: str
    metric: Metric
    unit: str
    value: Callable[[float], float] = float


_RATE = _Figure("rate", REPORTED_RATE, "1/s")
_FAILED = _Figure("failed", REPORTED_RATIO, "ratio")
# by the names of k6's own metrics; `checks` are those that succeeded
_BUILT_IN_METRICS = {
    "http_reqs": _RATE,
    "iterations": _RATE,
    "grpc_reqs": _RATE,
    "http_req_failed": _FAILED,
    "checks_failed": _FAILED,
    "checks": _Figure("failed", REPORTED_RATIO, "ratio", lambda succeeded: 1 - succeeded),
}
# times that every version knows, where the file does not say that they are times
_OWN_TIME = re.compile(r"(http_req|iteration|group|grpc_req|ws_session)_duration|ws_connecting")
# parts of http_req_duration, and what says how large the test was
_PASSED_OVER = re.compile(
    r"http_req_(blocked|connecting|looking_up|receiving|sending|tls_handshaking|waiting)"
    r"|data_(received|sent)|vus(_max)?|dropped_iterations|ws_(msgs|sessions)\w*"
    r"|checks_(total|succeeded)"
)


@dataclass(frozen=True)
class _Entry:
    """A metric of a summary. `kind` and `contains` are None where the file does not tell."""

    name: str
    kind: str | None
    contains: str | None
    values: Mapping[str, Any]

    @property
    def base(self) -> str:
        """Its name without the tags that a part of it has."""
        return self.name.partition("{")[0]


def accepts(document: Any) -> bool:
    """Whether a document is a summary of k6."""
    metrics = _metrics(document)
    if isinstance(metrics, list):
        return isinstance(document.get("results"), dict)
    return isinstance(metrics, dict) and ("root_group" in document or "iterations" in metrics)


def read(document: dict[str, Any]) -> Results:
    """The metrics of a summary."""
    metadata = document.get("metadata")
    version = metadata.get("k6Version", "") if isinstance(metadata, dict) else ""
    results = Results(version=str(version))
    entries = list(_entries(document, results))
    users = next((_users(entry) for entry in entries if entry.name == "vus_max"), 0)
    for entry in entries:
        if _PASSED_OVER.fullmatch(entry.base):
            continue
        try:
            results.found += _measurements(entry, users)
        except NoResultError as error:
            results.leave_out(entry.name, str(error))
    return results


def _metrics(document: Any) -> Any:
    results = document.get("results") if isinstance(document, dict) else None
    found = results if isinstance(results, dict) else document
    return found.get("metrics") if isinstance(found, dict) else None


def _entries(document: dict[str, Any], results: Results) -> Iterator[_Entry]:
    metrics = _metrics(document)
    if isinstance(metrics, dict):
        named = list(metrics.items())
    else:
        checks = document["results"].get("checks")
        of_checks = checks.get("metrics") if isinstance(checks, dict) else None
        listed = [*metrics, *(of_checks if isinstance(of_checks, list) else [])]
        named = [
            (str(metric.get("name", "")), metric) for metric in listed if isinstance(metric, dict)
        ]
    config = document.get("config")
    duration_s = config.get("duration") if isinstance(config, dict) else None
    for name, metric in named:
        if not isinstance(metric, dict):
            results.leave_out(name, "it is no metric of k6")
            continue
        nested_values = metric.get("values")
        values = dict(nested_values) if isinstance(nested_values, dict) else metric
        if "count" in values and "rate" not in values and duration_s:
            # the machine-readable summary has the whole duration instead
            values = {**values, "rate": number_in(values, "count") / number(duration_s, "duration")}
        known = (
            (metric.get("type"), metric.get("contains")) if values is not metric else (None, None)
        )
        yield _Entry(name, *known, values)


def _measurements(entry: _Entry, users: int) -> Iterator[Measurement]:
    if built_in := _BUILT_IN_METRICS.get(entry.base):
        # an export calls a share `value`, and a summary `rate`
        name = "rate" if "rate" in entry.values else "value"
        value = built_in.value(number_in(entry.values, name))
        yield _measurement(entry, built_in.figure, built_in.metric, built_in.unit, value, users)
        return
    figures = [name for name in entry.values if _FIGURE.fullmatch(name)]
    if not figures or entry.kind not in (None, "trend"):
        raise NoResultError(
            "the file does not say whether more of it is better; allowed are k6's own "
            f"{', '.join(_BUILT_IN_METRICS)}, and trends of times and data"
        )
    metric, unit, factor = _unit(entry)
    for figure in figures:
        value = factor * number_in(entry.values, figure)
        yield _measurement(entry, figure, metric, unit, value, users)


def _unit(entry: _Entry) -> tuple[Metric, str, float]:
    if entry.contains == "time" or _OWN_TIME.fullmatch(entry.base):
        return REPORTED_TIME, "ms", _MILLISECOND_S
    if entry.contains == "data":
        return REPORTED_BYTES, "B", 1
    if entry.contains is None:
        raise NoResultError(
            "a file of --summary-export does not have its unit; one that handleSummary writes has"
        )
    raise NoResultError(
        f"it contains {sanitise(repr(entry.contains), 40)}, whose unit is not known; make it "
        "a trend of times: new Trend(name, true)"
    )


def _measurement(
    entry: _Entry, figure: str, metric: Metric, unit: str, value: float, users: int
) -> Measurement:
    return Measurement(
        benchmark=entry.name,
        figure=figure,
        metric=metric,
        unit=unit,
        value=value,
        configuration=CONFIGURATION,
        concurrency=users,
    )


def _users(entry: _Entry) -> int:
    value = entry.values.get("max", entry.values.get("value"))
    return int(value) if isinstance(value, int | float) and 0 <= value < 10**6 else 0
