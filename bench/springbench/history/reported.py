"""Results of another harness, condensed into a published run. Pure."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from springbench import __version__
from springbench.analysis.intervals import Interval, mean_interval
from springbench.errors import ConfigurationError
from springbench.harnesses.measurement import Measurement, Results
from springbench.harnesses.readers import Reader
from springbench.history.brief import LONGEST_NOTE, first_line, round_significant
from springbench.history.condense import (
    SHARED_HOST,
    Publication,
    published_commit,
)
from springbench.host.facts.facts import HostFacts, fingerprint, host_class
from springbench.matrix.service_name import HARNESSES
from springbench.results.metrics import REPORTED
from springbench.results.published_run import (
    HISTORY_SCHEMA_VERSION,
    Columns,
    PublishedCase,
    PublishedHost,
    PublishedRun,
    PublishedShard,
    PublishedTools,
    ReportedRow,
)
from springbench.results.run import DIRTY, CommitInfo
from springbench.untrusted import one_line, sanitise

_DIGITS = 8
_SLUG = 50
_LONGEST_NAME = 200
_MOST_PARAMETERS = 20
_ENFORCED_BY_NOBODY = "nothing"


@dataclass(frozen=True)
class Origin:
    """Where and when results were measured, as far as their files do not tell."""

    host: HostFacts
    commit: CommitInfo | None
    measured_at: str
    """In UTC, as a history has times."""
    trigger: str
    on_shared_host: bool = False


def condense_reported(
    reader: Reader,
    files: Sequence[Results],
    origin: Origin,
    publication: Publication | None = None,
    suite: str | None = None,
) -> PublishedRun:
    """One published run of the results in some files. `suite` tells apart what has one name in
    several: two scripts of k6.

    Raises `ConfigurationError` where a benchmark stands in them twice.
    """
    publication = publication or Publication()
    found = [measurement for results in files for measurement in results.found]
    rows = [_row(reader, measurement, suite) for measurement in found]
    _check_once(rows)
    version = next((results.version for results in files if results.version), "")
    harness = first_line(one_line(f"{reader.name} {version}".strip()))
    note = (
        f"Measured by {harness}: springbench has checked neither that it was warm nor that the "
        "host was quiet."
    )
    marks = {*publication.marks}
    marks |= {SHARED_HOST} if origin.on_shared_host else set()
    marks |= {DIRTY} if origin.commit and origin.commit.dirty else set()
    jdk = first_line(one_line(next((results.jdk for results in files if results.jdk), "")))
    run_id = publication.id or _run_id(reader, rows, found, origin)
    shard = PublishedShard(
        run=run_id,
        started_at=origin.measured_at,
        finished_at=origin.measured_at,
        measured_s=0,
        host=_host(origin.host),
        tools=PublishedTools(jdk=jdk, wrk="", harness=harness, springbench=__version__),
        marks=sorted(marks),
    )
    intervals = [_interval(measurement) for measurement in found]
    return PublishedRun(
        schema=HISTORY_SCHEMA_VERSION,
        id=run_id,
        started_at=origin.measured_at,
        finished_at=origin.measured_at,
        profile=reader.harness,
        trigger=origin.trigger,
        url=publication.url,
        commit=published_commit(origin.commit, origin.measured_at) if origin.commit else None,
        marks=sorted(marks),
        shards=[shard],
        cases=[
            PublishedCase(
                **row.model_dump(exclude={"notes"}),
                notes=[first_line(text, LONGEST_NOTE) for text in (note, measurement.note) if text],
            )
            for row, measurement in zip(rows, found, strict=True)
        ],
        metrics={
            metric.name: Columns(
                median=[round_significant(i.middle) if i else None for i in column],
                low=[round_significant(i.low) if i else None for i in column],
                high=[round_significant(i.high) if i else None for i in column],
            )
            for metric in REPORTED
            if any(measurement.metric is metric for measurement in found)
            for column in [
                [
                    interval if measurement.metric is metric else None
                    for measurement, interval in zip(found, intervals, strict=True)
                ]
            ]
        },
    )


def _row(reader: Reader, measurement: Measurement, suite: str | None) -> PublishedCase:
    benchmark = f"{suite}: {measurement.benchmark}" if suite else measurement.benchmark
    name, figure = _named(benchmark), _named(measurement.figure)
    parameters = dict(sorted(measurement.parameters.items())[:_MOST_PARAMETERS])
    exact = json.dumps(
        [benchmark, dict(sorted(measurement.parameters.items())), measurement.figure]
    )
    digest = hashlib.sha256(exact.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    # of a class with its package the end tells most
    server = _slug(".".join(benchmark.split(".")[-2:]))
    figure_id = _slug("-".join([measurement.figure, *parameters.values()]))
    return PublishedCase(
        case=f"{reader.harness}-{server or digest}/{'-'.join(filter(None, (figure_id, digest)))}"
        f"/{measurement.concurrency}",
        configuration=_slug(measurement.configuration) or reader.harness,
        boot=reader.harness,
        server=server or digest,
        model="",
        runtime="",
        workload=figure,
        connections=measurement.concurrency,
        reported=ReportedRow(
            harness=HARNESSES[reader.harness],
            benchmark=name,
            parameters={_named(key): _named(value) for key, value in parameters.items()},
            figure=figure,
            unit=_named(measurement.unit),
        ),
        shard=0,
        status="ok",
        n=max(1, len(measurement.values)),
        warnings=[],
    )


def _check_once(rows: Sequence[PublishedCase]) -> None:
    seen: set[tuple[str, str]] = set()
    for row in rows:
        key = (row.case, row.configuration)
        if key in seen and row.reported:
            reported = row.reported
            parameters = "".join(f", {name}={value}" for name, value in reported.parameters.items())
            raise ConfigurationError(
                f"{sanitise(reported.benchmark + parameters, _LONGEST_NAME)}: stands twice with "
                f"the same parameters ({sanitise(reported.figure)}): which one counts cannot be "
                "known; publish one of them, or each file with a --suite of its own"
            )
        seen.add(key)


def _interval(measurement: Measurement) -> Interval:
    """Of its repetitions, around what the harness calls the result; the value itself of one."""
    if len(measurement.values) < 2:
        return Interval(measurement.value, measurement.value, measurement.value)
    around = mean_interval(measurement.values)
    return Interval(
        measurement.value,
        max(0.0, min(around.low, measurement.value)),
        max(around.high, measurement.value),
    )


def _run_id(
    reader: Reader, rows: Sequence[PublishedCase], found: Sequence[Measurement], origin: Origin
) -> str:
    """The same of the same results of a commit, whenever they are published."""
    numbers = [
        [row.case, row.configuration, measurement.value]
        for row, measurement in zip(rows, found, strict=True)
    ]
    digest = hashlib.sha256(json.dumps(numbers).encode()).hexdigest()[:_DIGITS]
    sha = origin.commit.sha[:_DIGITS] if origin.commit else "nogit"
    return f"{reader.harness}-{sha}-{digest}"


def _host(facts: HostFacts) -> PublishedHost:
    """The machine; another harness has limits of its own, if any."""
    return PublishedHost.model_validate(
        {
            "class": host_class(facts),
            "fingerprint": fingerprint(facts),
            "cpu_model": first_line(facts.cpu_model),
            "cores": facts.cores,
            "memory_bytes": facts.memory_bytes,
            "os": facts.os,
            "kernel": facts.kernel,
            "virtualisation": facts.virtualisation,
            "server_cpus": facts.cores,
            "memory_limit_bytes": facts.memory_bytes,
            "cpus_enforced_by": _ENFORCED_BY_NOBODY,
            "memory_enforced_by": _ENFORCED_BY_NOBODY,
        }
    )


def _named(text: str) -> str:
    """A stranger's name on one line, and not too long."""
    return first_line(one_line(text), _LONGEST_NAME) or "?"


def _slug(text: str) -> str:
    """As a part of an id, which becomes a file's name."""
    words = re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")
    return words[:_SLUG].strip("-.")
