"""The shards of a run, condensed into what is published of it. Pure."""

from __future__ import annotations

import base64
import math
import reprlib
import statistics
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache

from hdrh.histogram import HdrHistogram
from pydantic import ValidationError

from springbench.errors import ConfigurationError
from springbench.history.answers import published_answers, published_claims
from springbench.history.brief import (
    LONGEST_NOTE,
    LONGEST_TEXT,
    LONGEST_WARNING,
    first_line,
    round_significant,
)
from springbench.history.plausible import in_the_future
from springbench.matrix.profiles import CAPACITY_PERCENTS
from springbench.matrix.service_name import one_service
from springbench.results.history_names import APART, PASSED, REQUESTS
from springbench.results.metrics import HISTORY_METRICS
from springbench.results.notes import notes_of, warning_words
from springbench.results.published_run import (
    DRIFTED,
    HISTORY_SCHEMA_VERSION,
    CaseRow,
    Columns,
    PublishedCase,
    PublishedCommit,
    PublishedDistribution,
    PublishedHost,
    PublishedRanking,
    PublishedRun,
    PublishedShard,
    PublishedTools,
)
from springbench.results.run import (
    DIRTY,
    INTERRUPTED,
    CommitInfo,
    HostInfo,
    PlannedInfo,
    Ranking,
    Result,
    Run,
)
from springbench.untrusted import sanitise, unpack

PERCENTS = (10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.95, 99.99)
"""Where a distribution is reported, as far as its requests reach."""
_MICROSECOND_S = 1e-6
# HdrHistogram's compressed format: a cookie and a length, then packed an inner header with the
# significant digits as its fourth number, and the counts
_OUTER_HEADER_BYTES = 8
_INNER_HEADER = struct.Struct(">IIIIQQd")
_MOST_BYTES = 1 << 20
_MOST_DIGITS = 3


def distributions_of(result: Result) -> list[PublishedDistribution]:
    """One for each rate at which at least one fork counts, in the order of the rates."""
    return list(_distributions(result))


def _distributions(result: Result) -> Iterator[PublishedDistribution]:
    for percent in CAPACITY_PERCENTS:
        passes = [
            (at, latencies)
            for fork in result.forks
            for at in fork.constant_rates
            if at.capacity_percent == percent
            and at.counts
            and at.requests
            and at.histogram
            and (latencies := _read(at.histogram))
        ]
        if not passes:
            continue
        reached = _reached(min(at.requests for at, _ in passes))
        if not reached:
            continue
        columns = [[latencies[percent] for _, latencies in passes] for percent in reached]
        yield PublishedDistribution(
            capacity_percent=percent,
            offered_rps=round(statistics.median(at.offered_rps for at, _ in passes), 1),
            n=len(passes),
            percent=list(reached),
            latency_s=Columns(
                median=[round_significant(statistics.median(column)) for column in columns],
                low=[round_significant(min(column)) for column in columns],
                high=[round_significant(max(column)) for column in columns],
            ),
        )


def _reached(requests: int) -> Sequence[float]:
    """The percentiles that have a request above them; what is beyond is the slowest one, again."""
    # a little less than a whole one: 100 - 99.9 is not a tenth
    return [percent for percent in PERCENTS if requests * (100 - percent) >= 99.99]


@cache
def _read(histogram: str) -> dict[float, float] | None:
    """Latencies in seconds by percentile; None of a histogram that cannot be read."""
    try:
        _check_size(histogram)
        decoded = HdrHistogram.decode(histogram)
        values = {percent: decoded.get_value_at_percentile(percent) for percent in PERCENTS}
    except Exception:
        # the library raises what it meets: of zlib, of struct, its own
        return None
    return {percent: value * _MICROSECOND_S for percent, value in values.items()}


def _check_size(histogram: str) -> None:
    """Raises `OSError` or `ValueError` for one that takes more memory or time than any of ours.

    The library unpacks without bound, and counts at the resolution that the file asks for.
    """
    unpacked = unpack(base64.b64decode(histogram)[_OUTER_HEADER_BYTES:], _MOST_BYTES)
    digits = _INNER_HEADER.unpack_from(unpacked)[3]
    if digits > _MOST_DIGITS:
        raise ValueError(f"{digits} significant digits")


UNFINISHED = "unfinished"
SHARED_HOST = "shared-host"
CANARY_CODE = "canary"


@dataclass(frozen=True)
class Publication:
    """Options that a person or a workflow gives a run beside its folders."""

    id: str | None = None
    url: str | None = None
    marks: tuple[str, ...] = ()
    shards: int | None = None


def condense(
    runs: Sequence[Run], publication: Publication | None = None, earlier: Sequence[Run] = ()
) -> PublishedRun:
    """One published run; `earlier`: those that it continues, which answer together with it.

    Raises `ConfigurationError` where the shards are not of one run.
    """
    publication = publication or Publication()
    _check_together(runs)
    ordered = sorted(runs, key=lambda run: (utc(run.run.started_at), run.run.id))
    try:
        return _published(ordered, publication, earlier)
    except ValidationError as error:
        first = error.errors()[0]
        raise ConfigurationError(
            f"run {sanitise(ordered[0].run.id)}: {'.'.join(map(str, first['loc']))}: "
            f"{sanitise(reprlib.repr(first['input']))} cannot be published: allowed are letters, "
            "digits, '.', '_' and '-', as names of files; marks are short words such as shared-host"
        ) from error


def utc(time: str) -> str:
    """A time as UTC to the second, so that times sort as texts do."""
    try:
        moment = datetime.fromisoformat(time)
        in_utc = moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ConfigurationError(
            f"{sanitise(repr(time[:LONGEST_TEXT]))} is no time like 2026-11-21T09:30:00+00:00; "
            "the file was changed by hand"
        ) from error
    return in_utc.strftime("%Y-%m-%dT%H:%M:%SZ")


def commit_time(time: str, measured_at: str) -> str:
    """When a commit was made, in UTC: the same whenever it is measured.

    Of one by a clock that is days ahead, which would keep it the newest, when it was measured.
    """
    made_at = utc(time)
    return measured_at if in_the_future(made_at) else made_at


def _check_together(runs: Sequence[Run]) -> None:
    first = runs[0]
    cases: dict[str, str] = {}
    for run in runs:
        if _sha(run) != _sha(first) or run.run.profile != first.run.profile:
            raise ConfigurationError(
                f"{run.run.id} measured {run.run.profile} of commit {_sha(run)}, {first.run.id} "
                f"{first.run.profile} of commit {_sha(first)}: the folders that are published "
                "together are the shards of one run; publish these one by one"
            )
        if run.results and first.results and _service(run) != _service(first):
            raise ConfigurationError(
                f"{run.run.id} and {first.run.id} measured unlike services "
                f"({_service(run) or 'none'}, {_service(first) or 'none'}): the folders that are "
                "published together are the shards of one run; publish these one by one"
            )
        for result in run.results:
            if result.case in cases:
                raise ConfigurationError(
                    f"{result.case} is in {cases[result.case]} and in {run.run.id}: a case stands "
                    "in one shard of a run; leave one folder out"
                )
            cases[result.case] = run.run.id


def _service(run: Run) -> str | None:
    return one_service(result.case for result in run.results)


def _sha(run: Run) -> str:
    return run.commit.sha if run.commit else "none"


def shards_missing(runs: Sequence[Run], publication: Publication) -> bool:
    """Whether the plan has more shards than these."""
    return publication.shards is not None and len(runs) < publication.shards


def _published(
    runs: Sequence[Run], publication: Publication, earlier: Sequence[Run]
) -> PublishedRun:
    shards = [_shard(run, publication.marks) for run in runs]
    # what is missing takes nothing from the shards that are there
    missing = {UNFINISHED} if shards_missing(runs, publication) else set()
    pairs = [(index, result) for index, run in enumerate(runs) for result in run.results]
    profile = runs[0].run.profile
    finished = [shard.finished_at for shard in shards if shard.finished_at]
    commit = runs[0].commit
    id_ = publication.id or runs[0].run.id
    return PublishedRun(
        schema=HISTORY_SCHEMA_VERSION,
        id=id_,
        started_at=shards[0].started_at,
        finished_at=max(finished) if len(finished) == len(shards) else None,
        profile=profile,
        trigger=runs[0].run.trigger,
        url=publication.url,
        commit=published_commit(commit, shards[0].started_at) if commit else None,
        marks=sorted({mark for shard in shards for mark in shard.marks} | missing),
        shards=shards,
        cases=[_case(index, result, profile) for index, result in pairs],
        metrics=_metrics([result for _, result in pairs]),
        rankings=_rankings(runs),
        answers=published_answers(runs, id_, shards[0].started_at, earlier=earlier),
        claims=published_claims(runs, id_, shards[0].started_at),
    )


def has_drifted(run: Run) -> bool:
    """Whether its canary was off: then all of its numbers may be."""
    return any(caution.code == CANARY_CODE for caution in run.warnings)


def _shard(run: Run, extra_marks: Sequence[str]) -> PublishedShard:
    marks = set(extra_marks)
    if has_drifted(run):
        marks.add(DRIFTED)
    if any(caution.code == SHARED_HOST for caution in run.warnings):
        marks.add(SHARED_HOST)
    if not is_finished(run):
        marks.add(UNFINISHED)
    if run.commit and run.commit.dirty:
        marks.add(DIRTY)
    return PublishedShard(
        run=run.run.id,
        started_at=utc(run.run.started_at),
        finished_at=utc(run.run.finished_at) if run.run.finished_at else None,
        measured_s=round(run.run.measured_s, 1),
        host=host_of(run.host),
        tools=PublishedTools(**run.tools.model_dump()),
        canary_cpu_probe_s=round_significant(run.canary.cpu_probe_s) if run.canary else None,
        canary_error_ratio=round_significant(run.canary.error_ratio) if run.canary else None,
        marks=sorted(marks),
        warnings=[first_line(warning_words(warning), LONGEST_WARNING) for warning in run.warnings],
    )


def is_finished(run: Run) -> bool:
    """Whether all of its plan was measured."""
    return (
        run.run.finished_at is not None
        and not run.run.interrupted
        and all(result.reason != INTERRUPTED for result in run.results)
    )


def host_of(host: HostInfo) -> PublishedHost:
    """The machine, as far as it tells numbers apart."""
    return PublishedHost.model_validate(
        {
            "class": host.host_class,
            "fingerprint": host.fingerprint,
            "cpu_model": first_line(host.cpu_model),
            "cores": host.cores,
            "memory_bytes": host.memory_bytes,
            "os": host.os,
            "kernel": host.kernel,
            "virtualisation": host.virtualisation,
            "server_cpus": len(host.limits.server_cpus),
            "memory_limit_bytes": host.limits.memory_limit_bytes,
            "cpus_enforced_by": host.limits.cpus_enforced_by,
            "memory_enforced_by": host.limits.memory_enforced_by,
        }
    )


def published_commit(commit: CommitInfo, measured_at: str) -> PublishedCommit:
    """A commit that was measured at a time in UTC."""
    return PublishedCommit(
        sha=commit.sha,
        time=commit_time(commit.time, measured_at),
        message=first_line(commit.message),
        author=first_line(commit.author),
        branch=first_line(commit.branch) or None,
        dirty=commit.dirty,
    )


def configuration(profile: str, planned: PlannedInfo | None) -> str:
    """How a case was measured, as far as it tells points apart: `nightly-3x10s`.

    Values that were passed through from outside no commit holds: others make another series. So do
    other requests: what a route costs says nothing of what it costs otherwise asked.
    """
    if planned is None:
        return profile
    apart = APART if planned.begin_over_s else ""
    passed = f"{PASSED}{planned.passed_digest}" if planned.passed_digest else ""
    requests = f"{REQUESTS}{planned.requests_digest}" if planned.requests_digest else ""
    return f"{profile}-{planned.forks}x{planned.window_s:g}s{apart}{passed}{requests}"


def _case(shard: int, result: Result, profile: str) -> PublishedCase:
    counts = [summary.n for summary in result.summary.values()]
    return PublishedCase(
        **result.model_dump(include=set(CaseRow.model_fields)),
        configuration=configuration(profile, result.planned),
        shard=shard,
        status=result.status,
        reason=first_line(result.reason) if result.reason else None,
        n=max(counts, default=0),
        theoretical_max_rps=round_significant(result.theoretical_max_rps),
        bottleneck=result.bottleneck.kind if result.bottleneck else None,
        warnings=list(dict.fromkeys(caution.code for caution in result.warnings)),
        notes=[first_line(text, LONGEST_NOTE) for text in notes_of(result)],
        distributions=distributions_of(result) or None,
    )


def _metrics(results: Sequence[Result]) -> dict[str, Columns]:
    columns = {}
    for metric in HISTORY_METRICS:
        found = [result.summary.get(metric.name) for result in results]
        if any(found):
            columns[metric.name] = Columns(
                median=[round_significant(one.median) if one else None for one in found],
                low=[round_significant(one.low) if one else None for one in found],
                high=[round_significant(one.high) if one else None for one in found],
            )
    return columns


def _rankings(runs: Sequence[Run]) -> list[PublishedRanking]:
    """Those of metrics that are published; cases are counted over all shards."""
    names = {metric.name for metric in HISTORY_METRICS}
    found: list[PublishedRanking] = []
    before = 0
    for run in runs:
        index = {result.case: before + at for at, result in enumerate(run.results)}
        published = [ranking for ranking in run.rankings if ranking.metric in names]
        found += [_ranking(ranking, index) for ranking in published if _is_sound(ranking, index)]
        before += len(run.results)
    return found


def _is_sound(ranking: Ranking, index: Mapping[str, int]) -> bool:
    """Whether it can be of these results: a result that was left out takes its rankings along."""
    numbers = [ranking.spread_ratio]
    numbers += [value for rank in ranking.ranks for value in (rank.low, rank.ratio, rank.high)]
    return all(rank.case in index for rank in ranking.ranks) and all(map(math.isfinite, numbers))


def _ranking(ranking: Ranking, index: Mapping[str, int]) -> PublishedRanking:
    names = ("ratio", "low", "high") if ranking.metric == "throughput_rps" else ("ratio",)
    columns: dict[str, list[float]] = {
        name: [round_significant(getattr(rank, name)) for rank in ranking.ranks] for name in names
    }
    return PublishedRanking(
        metric=ranking.metric,
        rounds=ranking.rounds,
        interleaved=ranking.interleaved,
        spread_ratio=round_significant(ranking.spread_ratio),
        case=[index[rank.case] for rank in ranking.ranks],
        first=[rank.first for rank in ranking.ranks],
        last=[rank.last for rank in ranking.ranks],
        **columns,
    )
