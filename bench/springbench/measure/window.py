"""The window cut out of a load. Pure."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import NamedTuple

from springbench.host.cpus import CpuCounts
from springbench.limits import is_one_speed
from springbench.measure.instability import (
    compiler_ratio,
    find_instability,
    taken_ratio,
)
from springbench.measure.load.driver import Driven
from springbench.measure.load.probe import WrongAnswers, wrong_answers_by_request
from springbench.measure.load.timeline import (
    Points,
    Timeline,
    at_one_speed,
    is_steady,
    largest_rate,
    mean_rate,
    middle_rate,
    stalls,
)
from springbench.measure.readings.connections import Received
from springbench.measure.readings.gclog import Collection, growths, stopped_s, within
from springbench.plan.cases import Case
from springbench.results.comparison import BurstRecord
from springbench.results.records import (
    BUSY_SERVER_RATIO,
    ColdRecord,
    Instability,
    LatencyRecord,
    LoadRecord,
    LoadSummary,
    RouteRecord,
    Stall,
)

# of a window whose middle piece is reported: shorter ones have few looks at what was read
LEAST_BLOCK_S = 0.5
# the last samples of a load may fall behind the moment in which wrk was stopped
EDGE_S = 0.1
# fewer tell no share of errors that wrk has counted over the whole load
LEAST_PROBES = 8
# CPUs of declared services, below which they rest
LEAST_SERVICES_CPUS = 0.002
# in which there are looks at all that changes slowly
BEFORE_S = 1.0
# of a slice or a pause: what takes longer cannot be distinguished from what a pause interrupted
SHORT_OF_A_SLICE = 0.8
# of what a load has read: less is on the connections that are open at its end
RENEWED_RATIO = 0.9
# how far a JVM's clock, which begins with its log, may be behind that of its process
JVM_CLOCK_S = 0.2
# beyond these, what pauses interrupt says too much of the rest
MAX_LONG_RATIO = 0.01
MAX_MEAN_OF_SLICE = 0.5


class Span(NamedTuple):
    """A window, in seconds since the load began."""

    begin_s: float
    end_s: float


def last_span(case: Case, loaded_s: float, from_s: float = 0.0) -> Span | None:
    """The newest window that a load of that length covers; None while it is too short.

    It begins at `from_s` at the earliest. A delay must follow it: its last edge is averaged over
    one.
    """
    end_s = loaded_s - case.workload.delay_s - EDGE_S
    begin_s = end_s - case.window_s
    return Span(begin_s, end_s) if begin_s >= max(case.ramp_s, from_s) else None


def is_enough(case: Case, timeline: Timeline, cpus: CpuCounts, from_s: float = 0.0) -> bool:
    """Whether a load has lasted until its newest window is steady, or nothing can tell."""
    span = last_span(case, timeline.end_s, from_s)
    if span is None:
        return False
    if not timeline.points("requests"):
        return True
    waits = case.workload.delay_s > 0
    flat = _is_flat(case, timeline, span, cpus)
    return flat and not find_instability(timeline, *span, cpus, waits=waits)


def has_usual_speed(
    case: Case, timeline: Timeline, before: Sequence[float], cpus: CpuCounts
) -> bool:
    """Whether the host is as fast in the newest window as it mostly was in this process's time; a
    server that does not go with it always is.

    `before`: how long the fixed work took, each time under the loads before this one.
    """
    span = last_span(case, timeline.end_s)
    if span is None or not _goes_with_host(case, timeline, span, cpus):
        return True
    probe_s = timeline.harmonic_mean("calibration_probe_s", *span)
    if not probe_s:
        return True
    return is_one_speed(probe_s, statistics.harmonic_mean([*before, *timeline.probes_s]))


def _goes_with_host(case: Case, timeline: Timeline, span: Span, cpus: CpuCounts) -> bool:
    """Whether the speed of the CPU is what limits the server."""
    if case.workload.delay_s or not cpus.server:
        return False
    used_cpus = mean_rate(timeline.points("server_cpu_s"), *span) or 0.0
    return used_cpus >= BUSY_SERVER_RATIO * cpus.server


def _is_flat(case: Case, timeline: Timeline, span: Span, cpus: CpuCounts) -> bool:
    """Whether the server does not change; its host may, where the CPU is what limits it."""
    points, delay_s = timeline.points("requests"), case.workload.delay_s
    if is_steady(points, *span, delay_s):
        return True
    if not _goes_with_host(case, timeline, span, cpus):
        return False
    recent = timeline.since(span.begin_s - BEFORE_S)
    speed = at_one_speed(recent.points("requests"), recent.points("calibration_probe_s"))
    return is_steady(speed, *span)


def _settled_span(
    case: Case, timeline: Timeline, newest: Span, cpus: CpuCounts, from_s: float
) -> Span:
    """The newest window, and where the CPU limits the server all seconds before it in which nothing
    went on that changes it: a host that changes its speed has more of its speeds in them."""
    if not _goes_with_host(case, timeline, newest, cpus):
        return newest
    span, least_s = newest, max(case.ramp_s, from_s)
    while (begin_s := span.begin_s - 1) >= least_s and not find_instability(
        timeline, begin_s, span.end_s, cpus, waits=False
    ):
        span = span._replace(begin_s=begin_s)
    before_s = timeline.harmonic_mean("calibration_probe_s", span.begin_s, newest.begin_s)
    probe_s = timeline.harmonic_mean("calibration_probe_s", *newest)
    one_speed = not before_s or not probe_s or is_one_speed(probe_s, before_s)
    return newest if one_speed and _is_flat(case, timeline, newest, cpus) else span


class Sliced(NamedTuple):
    """Of a load that ran in slices: how long each was, and the pause behind it."""

    slice_s: float
    pause_s: float


class Collections(NamedTuple):
    """Log of a JVM's collections, and the windows and answers that they are put beside.

    Times are on the clock of that JVM.
    """

    lines: Sequence[Collection]
    windows: Sequence[Span]
    answers: Points
    """How many had been counted at which moment."""
    pauses: Sequence[Span] = ()
    """When the process was paused."""


def load_record(
    case: Case,
    warmup_s: float,
    driven: Driven,
    cpus: CpuCounts,
    lines: Sequence[Collection] | None = None,
    bytes_per_request: float | None = None,
    jvm_started_at_s: float = 0.0,
    settled_from_s: float | None = None,
) -> LoadRecord:
    """The newest window of a load that was never paused; the generator's own mean where there is no
    timeline. `lines` are those of the log of collections of a JVM that started then.

    With `settled_from_s` the window begins earlier, then at the earliest, on a host that had
    another speed before it.
    """
    loaded_s = _loaded_s(driven)
    span = last_span(case, loaded_s) or Span(case.ramp_s, case.ramp_s + case.window_s)
    if settled_from_s is not None:
        span = _settled_span(case, driven.timeline, span, cpus, settled_from_s)
    collections = None
    if lines is not None:
        since_s = driven.began_at_s - jvm_started_at_s
        points = driven.timeline.points("requests")
        answers = [(since_s + at_s, n) for at_s, n in points if span.begin_s <= at_s <= span.end_s]
        window = Span(since_s + span.begin_s, since_s + span.end_s)
        collections = Collections(lines, [window], answers)
    waits = case.workload.delay_s > 0
    flat = _is_flat(case, driven.timeline, span, cpus)
    instability = find_instability(driven.timeline, *span, cpus, waits=waits)
    record = window_record(
        case,
        driven,
        span,
        cpus,
        steady=flat and not instability,
        instability=instability,
        collections=collections,
        bytes_per_request=bytes_per_request,
    )
    # all load before the window was warm-up too
    record.warmup_s = warmup_s + record.window_begin_s
    record.calibration_probe_s = driven.timeline.harmonic_mean("calibration_probe_s", *span)
    record.loaded_s = loaded_s
    return record


def window_record(
    case: Case,
    driven: Driven,
    span: Span,
    cpus: CpuCounts,
    *,
    steady: bool,
    instability: Sequence[Instability],
    collections: Collections | None = None,
    bytes_per_request: float | None = None,
    sliced: Sliced | None = None,
) -> LoadRecord:
    """One window of one load: all its figures are of that load."""
    summary, timeline, received = driven.summary, driven.timeline, driven.connections.received
    points, delay_s = timeline.points("requests"), case.workload.delay_s
    begin_s, end_s = span
    asked_rps = mean_rate(points, begin_s, end_s, delay_s)
    from_timeline = asked_rps is not None
    if asked_rps is not None:
        answers_rps, window_s = asked_rps, end_s - begin_s
        received_bytes_per_s = mean_rate(timeline.points("read_bytes"), begin_s, end_s, delay_s)
        if summary.answered_ratio < 1 and received_bytes_per_s and summary.bytes_per_response:
            # what was asked on connections that ended has no answer: when, only the bytes tell
            answers_rps = min(asked_rps, received_bytes_per_s / summary.bytes_per_response)
        elif not summary.bytes:
            answers_rps *= summary.answered_ratio
    else:
        answers_rps, window_s = summary.requests / summary.duration_s, summary.duration_s
        received_bytes_per_s = summary.bytes / summary.duration_s
    failed_ratio = summary.errors.status / summary.requests if summary.requests else 0.0
    weights = [template.weight for template in case.templates]
    wrong, wrong_of = wrong_answers_by_request(driven.probed, weights, begin_s, end_s, points)
    if wrong.probes >= LEAST_PROBES or not wrong.is_counted:
        # wrk counts over all of its load, and no redirections; probes tell what the window had
        failed_ratio = max(failed_ratio, wrong.ratio)

    middle = None
    if delay_s and from_timeline:
        block_s = max(delay_s, LEAST_BLOCK_S)
        middle = middle_rate(points, begin_s, end_s, block_s, delay_s)

    def used(field: str) -> float | None:
        return mean_rate(timeline.points(field), begin_s, end_s)

    def grown(field: str) -> float | None:
        rate = used(field)
        return None if rate is None else rate * (end_s - begin_s)

    server_cpu, load_cpu = used("server_cpu_s"), used("load_cpu_s")
    # what is compiled once is no cost of a request, and would be most of it where few are asked
    answering_cpu = server_cpu - (used("compiler_cpu_s") or 0.0) if server_cpu else None
    peak = None if sliced else largest_rate(timeline.points("server_cpu_s"), begin_s, end_s)
    threads = timeline.largest("threads", begin_s, end_s)
    stalled = from_timeline and not sliced
    seen = stalls(points, begin_s, end_s, max(1.0, 2 * delay_s)) if stalled else []
    # what ran in slices has another clock
    latencies = latencies_of(summary if sliced else driven.within(begin_s, end_s), sliced)
    mean_s = latencies.get("mean")
    record = LoadRecord(
        warmup_s=0.0,
        steady=steady if from_timeline else None,
        instability=[*instability],
        compiler_cpu_ratio=compiler_ratio(timeline, begin_s, end_s, cpus.server),
        steal_ratio=taken_ratio(timeline, "stolen_s", begin_s, end_s, cpus.used),
        background_cpu_ratio=taken_ratio(timeline, "background_cpu_s", begin_s, end_s),
        load_host_steal_ratio=taken_ratio(timeline, "stolen_away_s", begin_s, end_s, cpus.load),
        load_host_background_cpu_ratio=taken_ratio(timeline, "others_away_cpu_s", begin_s, end_s),
        window_begin_s=begin_s if from_timeline else 0.0,
        window_s=window_s,
        from_timeline=from_timeline,
        requests=summary.requests,
        errors=summary.errors,
        error_ratio=max(summary.error_ratio, 0.0 if wrong.is_counted else wrong.ratio),
        wrong_answer=wrong.answer or None,
        wrong_answer_ratio=wrong.ratio,
        throughput_rps=answers_rps * (1 - failed_ratio),
        middle_throughput_rps=middle[0] * summary.answered_ratio * (1 - failed_ratio)
        if middle
        else None,
        middle_error_ratio=middle[1] if middle else None,
        bytes_per_response=received_bytes_per_s / answers_rps
        if received_bytes_per_s and answers_rps
        else None,
        received_bytes_per_s=received_bytes_per_s,
        sent_bytes_per_s=(asked_rps or answers_rps) * bytes_per_request
        if bytes_per_request
        else None,
        cpu_per_request_s=answering_cpu / answers_rps if answering_cpu and answers_rps else None,
        reads_per_request=per_request(used("server_reads"), answers_rps),
        writes_per_request=per_request(used("server_writes"), answers_rps),
        services_cpu_per_request_s=services_cost_s(used("services_cpu_s"), answers_rps),
        server_cpu_ratio=server_cpu / cpus.server if server_cpu and cpus.server else None,
        server_cpu_peak_ratio=peak / cpus.server if peak and cpus.server else None,
        load_cpu_ratio=None if load_cpu is None else load_cpu / cpus.load,
        upstream_cpu_ratio=used("upstream_cpu_s"),
        server_cpus=cpus.pinned,
        cpu_quota=cpus.quota,
        cpu_periods=_to_int(grown("cpu_periods")),
        throttled_periods=_to_int(grown("throttled_periods")),
        throttled_s=grown("throttled_s"),
        threads_max=_to_int(threads),
        connections_accepted=driven.connections.accepted,
        connections=len(received.bytes) if received else None,
        streams=case.streams,
        unanswered_ratio=received.unanswered_ratio if received else None,
        fairness=received.fairness if received and not _renews(driven, received) else None,
        closing=any(probed.closing for probed in driven.probed),
        answers_per_connection=summary.requests / len(received.bytes) if received else None,
        loaded_s=driven.loaded_s,
        in_flight=None if mean_s is None else answers_rps * mean_s,
        stalls=[Stall(at_s=at_s, throughput_ratio=ratio) for at_s, ratio in seen],
    )
    if case.mix:
        record.routes = _routes(case, record.throughput_rps, wrong_of)
    for name, value in latencies.items():
        setattr(record, f"latency_{name}_s", value)
    if collections is not None:
        _add_collections(record, collections, summary.answered_ratio)
    if record.is_consistent:
        return record
    # they are those of another time than the throughput
    return record.model_copy(update=dict.fromkeys(LatencyRecord.model_fields))


def _to_int(value: float | None) -> int | None:
    return None if value is None else round(value)


def _renews(driven: Driven, received: Received) -> bool:
    """Whether answers went to connections that are gone: how evenly, those that are left do not
    tell. Bytes are conserved."""
    read = [value for _, value in driven.timeline.points("read_bytes")]
    total_bytes = driven.summary.bytes or (read[-1] - read[0] if read else 0)
    return sum(received.bytes) < RENEWED_RATIO * total_bytes


def _routes(
    case: Case, throughput_rps: float, wrong_of: Sequence[WrongAnswers]
) -> list[RouteRecord]:
    """What of the throughput each request of a mix had: by its weight and its wrong answers."""
    total = sum(template.weight for template in case.templates)
    shares = [template.weight / total for template in case.templates]
    good = [share * (1 - wrong.ratio) for share, wrong in zip(shares, wrong_of, strict=True)]
    return [
        RouteRecord(
            name=template.name,
            share_ratio=share,
            throughput_rps=throughput_rps * part / sum(good) if any(good) else 0.0,
            probes=wrong.probes,
            wrong_answer=wrong.answer or None,
            wrong_answer_ratio=wrong.ratio,
        )
        for template, share, part, wrong in zip(case.templates, shares, good, wrong_of, strict=True)
    ]


def latencies_of(summary: LoadSummary, sliced: Sliced | None = None) -> dict[str, float]:
    """Latencies of a load by name, in seconds; those that it cannot tell are left out.

    A request that waits when its server is paused takes a pause longer. Which ones those are is
    chance: a request that takes v meets a pause behind a slice of s with the probability v ÷ s. So
    those that did are left out, and each of the others stands for 1 ÷ (1 − v ÷ s) of its kind
    (Horvitz and Thompson, 1952). How many of those left out would have been short follows from the
    same probabilities; the rest of them were long, and no percentile that reaches them is reported.
    """
    if not summary.requests:
        return {}
    if sliced is None or not sliced.pause_s:
        return summary.latency_s.model_dump()
    slice_s, cut_s = sliced.slice_s, SHORT_OF_A_SLICE * min(sliced)
    short_latencies = [(us / 1e6, count) for us, count in summary.latencies_us if us / 1e6 < cut_s]
    weighted = [(value, count / (1 - value / slice_s)) for value, count in short_latencies]
    total = sum(weight for _, weight in weighted)
    if not total:
        return {}
    mean_s = sum(value * weight for value, weight in weighted) / total
    interrupted = sum(value / slice_s * weight for value, weight in weighted)
    left_out = sum(count for us, count in summary.latencies_us if us / 1e6 >= cut_s)
    long_ratio = max(0.0, left_out - interrupted) / (total + max(0.0, left_out - interrupted))
    if long_ratio >= MAX_LONG_RATIO or mean_s > MAX_MEAN_OF_SLICE * slice_s:
        return {}
    variance = sum(weight * (value - mean_s) ** 2 for value, weight in weighted) / total
    found = {"min": weighted[0][0], "mean": mean_s, "stdev": math.sqrt(variance)}
    for name, percent in (("p50", 50.0), ("p90", 90.0), ("p99", 99.0)):
        seen, target = 0.0, percent / 100 * total / (1 - long_ratio)
        for value, weight in weighted:
            seen += weight
            if seen >= target:
                found[name] = value
                break
    return found


def per_request(rate: float | None, answers_rps: float) -> float | None:
    """Calls of a second over answers of a second; None without a call, which only tells that the
    program makes them in a way that nobody counts."""
    return rate / answers_rps if rate and answers_rps else None


def services_cost_s(used_cpus: float | None, answers_rps: float) -> float | None:
    """CPU time of services for an answer, by how many CPUs they used; None where that is next to
    nothing: they rest, or are in a container, whose time is not theirs."""
    return (
        per_request(used_cpus, answers_rps) if (used_cpus or 0.0) >= LEAST_SERVICES_CPUS else None
    )


def burst_record(timeline: Timeline, summary: LoadSummary, cpus: CpuCounts) -> BurstRecord:
    """All that a timeline holds: a short window within a load of that summary."""
    end_s = timeline.end_s

    def used(field: str) -> float:
        return mean_rate(timeline.points(field), 0.0, end_s) or 0.0

    answers_rps, compiled = used("requests") * summary.answered_ratio, used("compiler_cpu_s")
    failed_ratio = summary.errors.status / summary.requests
    cost = used("server_cpu_s") - compiled
    return BurstRecord(
        throughput_rps=answers_rps * (1 - failed_ratio),
        cpu_per_request_s=cost / answers_rps if answers_rps else None,
        reads_per_request=per_request(used("server_reads"), answers_rps),
        writes_per_request=per_request(used("server_writes"), answers_rps),
        services_cpu_per_request_s=services_cost_s(used("services_cpu_s"), answers_rps),
        error_ratio=summary.error_ratio,
        load_cpu_ratio=used("load_cpu_s") / cpus.load,
        compiler_cpu_ratio=compiled / (cpus.server or 1),
    )


def cold_record(summary: LoadSummary, bytes_per_request: float | None) -> ColdRecord:
    """A load on a fresh process, whole: what a warm one leaves out is what it is asked for."""
    record = ColdRecord(
        duration_s=summary.duration_s,
        requests=summary.requests,
        throughput_rps=(summary.requests - summary.errors.status) / summary.duration_s,
        error_ratio=summary.error_ratio,
        bytes_per_response=summary.bytes_per_response,
        received_bytes_per_s=summary.bytes / summary.duration_s if summary.bytes else None,
        sent_bytes_per_s=summary.requests * bytes_per_request / summary.duration_s
        if bytes_per_request
        else None,
    )
    for name, value in latencies_of(summary).items():
        setattr(record, f"latency_{name}_s", value)
    return record


def _loaded_s(driven: Driven) -> float:
    if driven.loaded_s is not None:
        return driven.loaded_s
    samples = driven.timeline.samples
    return samples[-1].at_s if samples else 0.0


def _add_collections(record: LoadRecord, collections: Collections, answered_ratio: float) -> None:
    # to its log a collection goes on while its process is paused
    lines = [
        line._replace(took_s=_without_pauses_s(line, collections.pauses))
        for line in collections.lines
    ]
    inside = [line for window in collections.windows for line in within(lines, *window)]
    stopped = sum(stopped_s(lines, *window) for window in collections.windows)
    heaps = [line.heap_after_bytes for line in inside if line.heap_after_bytes is not None]
    record.gc_count = len(heaps)
    record.gc_pause_ratio = stopped / record.window_s
    # the least of them has the least garbage in it that only waits for its collection
    record.heap_after_gc_bytes = min(heaps, default=None)
    record.allocated_bytes_per_request = allocated_bytes_per_answer(collections, answered_ratio)


def _without_pauses_s(line: Collection, pauses: Sequence[Span]) -> float:
    """How long a collection took of its process's own time.

    A pause that it met lies within it as a whole; which one that was is known to `JVM_CLOCK_S`.
    """
    met = [
        (min(span.end_s, line.end_s) - max(span.begin_s, line.begin_s), span)
        for span in pauses
        if span.begin_s < line.end_s + JVM_CLOCK_S and span.end_s > line.begin_s - JVM_CLOCK_S
    ]
    took_s = line.took_s
    for _, pause in sorted(met, reverse=True):
        lasted_s = pause.end_s - pause.begin_s
        if lasted_s <= took_s:
            took_s -= lasted_s
    return took_s


def allocated_bytes_per_answer(
    collections: Collections, answered_ratio: float = 1.0
) -> float | None:
    """Bytes for each answer: what the heap grew by between two collections, beside the answers of
    just that time. None where fewer than two collections fall between the counts of answers.

    Times are of the process, as in its log.
    """
    import numpy as np  # noqa: PLC0415 - it costs a tenth of a second, which most commands need not pay

    if len(collections.answers) < 2:
        return None
    times_s, counts = zip(*collections.answers, strict=True)
    found = growths(within(collections.lines, times_s[0], times_s[-1]))
    ends_s = np.array([(growth.from_s, growth.until_s) for growth in found]).reshape(-1, 2)
    counted = np.interp(ends_s, times_s, counts)
    answered = answered_ratio * float((counted[:, 1] - counted[:, 0]).sum())
    grown_bytes = sum(growth.grown_bytes for growth in found)
    return grown_bytes / answered if answered > 0 and grown_bytes >= 0 else None
