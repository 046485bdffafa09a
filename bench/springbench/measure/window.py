"""The window cut out of a load. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from springbench.host.cpus import CpuCounts
from springbench.measure.load.driver import Driven
from springbench.measure.load.probe import wrong_answers
from springbench.measure.load.timeline import (
    Timeline,
    at_one_speed,
    is_steady,
    largest_rate,
    mean_rate,
    middle_rate,
    stalls,
)
from springbench.measure.readings.gclog import Collection, allocated_bytes_per_s, stopped_s, within
from springbench.measure.unrest import (
    compiler_ratio,
    others_away_ratio,
    others_ratio,
    stolen_away_ratio,
    stolen_ratio,
    unrest,
)
from springbench.plan.cases import Case
from springbench.results.records import BUSY_SERVER_RATIO, ColdRecord, LoadRecord, Stall, WrkSummary

# of a window whose middle piece is told: shorter ones have few looks at what was read
LEAST_BLOCK_S = 0.5
# the last samples of a load may fall behind the moment in which wrk was stopped
EDGE_S = 0.1
# fewer tell no share of errors that wrk has counted over the whole load
LEAST_PROBES = 8
# in which there are looks at all that changes slowly
BEFORE_S = 1.0


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
    return flat and not unrest(timeline, *span, cpus, waits=waits)


def _is_flat(case: Case, timeline: Timeline, span: Span, cpus: CpuCounts) -> bool:
    """Whether the server does not change; its host may, where the CPU is what bounds it."""
    points, delay_s = timeline.points("requests"), case.workload.delay_s
    if is_steady(points, *span, delay_s):
        return True
    used_cpus = mean_rate(timeline.points("server_cpu_s"), *span) or 0.0
    if delay_s or not cpus.server or used_cpus < BUSY_SERVER_RATIO * cpus.server:
        return False
    recent = timeline.since(span.begin_s - BEFORE_S)
    speed = at_one_speed(recent.points("requests"), recent.points("host_work_s"))
    return is_steady(speed, *span)


@dataclass(frozen=True)
class Collections:
    """Log of a JVM's collections, and how old it was when the load began."""

    lines: Sequence[Collection]
    load_began_at_s: float


def load_record(
    case: Case,
    warmup_s: float,
    driven: Driven,
    cpus: CpuCounts,
    collections: Collections | None = None,
    bytes_per_request: float | None = None,
) -> LoadRecord:
    """The window cut out of the timeline; wrk's own mean where there is no timeline."""
    summary, timeline = driven.summary, driven.timeline
    points, delay_s = timeline.points("requests"), case.workload.delay_s
    span = last_span(case, _loaded_s(driven)) or Span(case.ramp_s, case.ramp_s + case.window_s)
    begin_s, end_s = span.begin_s, span.end_s
    asked_rps = mean_rate(points, begin_s, end_s, delay_s)
    from_timeline = asked_rps is not None
    if asked_rps is not None:
        answers_rps, window_s = asked_rps, case.window_s
        received_bytes_per_s = mean_rate(timeline.points("read_bytes"), begin_s, end_s, delay_s)
        if summary.answered_ratio < 1 and received_bytes_per_s and summary.bytes_per_response:
            # what was asked on connections that ended has no answer: when, only the bytes tell
            answers_rps = min(asked_rps, received_bytes_per_s / summary.bytes_per_response)
    else:
        answers_rps, window_s = summary.requests / summary.duration_s, summary.duration_s
        received_bytes_per_s = summary.bytes / summary.duration_s
    failed_ratio = summary.errors.status / summary.requests if summary.requests else 0.0
    wrong = wrong_answers(driven.probed, begin_s, end_s, points)
    if wrong.probes >= LEAST_PROBES or not wrong.is_counted:
        # wrk counts over all of its load, and no redirections; probes tell what the window had
        failed_ratio = max(failed_ratio, wrong.ratio)

    middle = None
    if delay_s and from_timeline:
        block_s = max(delay_s, LEAST_BLOCK_S)
        middle = middle_rate(points, begin_s, end_s, block_s, delay_s)

    def used(field: str) -> float | None:
        return mean_rate(timeline.points(field), begin_s, end_s)

    server_cpu, load_cpu = used("server_cpu_s"), used("load_cpu_s")
    # what is compiled once is no cost of a request, and would be most of it where few are asked
    answering_cpu = server_cpu - (used("compiler_cpu_s") or 0.0) if server_cpu else None
    peak = largest_rate(timeline.points("server_cpu_s"), begin_s, end_s)
    threads = timeline.largest("threads", begin_s, end_s)
    seen = stalls(points, begin_s, end_s, max(1.0, 2 * delay_s)) if from_timeline else []
    going_on = unrest(timeline, begin_s, end_s, cpus, waits=delay_s > 0)
    flat = _is_flat(case, timeline, Span(begin_s, end_s), cpus)
    record = LoadRecord(
        # all load before the window was warm-up too
        warmup_s=warmup_s + (begin_s if from_timeline else 0.0),
        steady=flat and not going_on if from_timeline else None,
        unrest=going_on,
        compiler_cpu_ratio=compiler_ratio(timeline, begin_s, end_s, cpus.server),
        host_work_s=timeline.harmonic_mean("host_work_s", begin_s, end_s),
        steal_ratio=stolen_ratio(timeline, begin_s, end_s, cpus.used),
        others_cpu_ratio=others_ratio(timeline, begin_s, end_s),
        load_host_steal_ratio=stolen_away_ratio(timeline, begin_s, end_s, cpus.load),
        load_host_others_cpu_ratio=others_away_ratio(timeline, begin_s, end_s),
        window_begin_s=begin_s if from_timeline else 0.0,
        window_s=window_s,
        from_timeline=from_timeline,
        requests=summary.requests,
        errors=summary.errors,
        error_ratio=max(summary.error_ratio, 0.0 if wrong.is_counted else wrong.ratio),
        wrong_answer=wrong.said or None,
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
        server_cpu_ratio=server_cpu / cpus.server if server_cpu and cpus.server else None,
        server_cpu_peak_ratio=peak / cpus.server if peak and cpus.server else None,
        load_cpu_ratio=None if load_cpu is None else load_cpu / cpus.load,
        upstream_cpu_ratio=used("upstream_cpu_s"),
        threads_max=None if threads is None else int(threads),
        connections_accepted=driven.connections_accepted,
        connections=len(driven.received.bytes) if driven.received else None,
        unanswered_ratio=driven.received.unanswered_ratio if driven.received else None,
        fairness=driven.received.fairness if driven.received else None,
        closing=any(each.closing for each in driven.probed),
        answers_per_connection=summary.requests / len(driven.received.bytes)
        if driven.received
        else None,
        loaded_s=_loaded_s(driven),
        in_flight=answers_rps * summary.latency_s.mean,
        stalls=[Stall(at_s=at_s, throughput_ratio=ratio) for at_s, ratio in seen],
    )
    record.take(summary)
    if collections is not None:
        _add_collections(record, collections, span, answers_rps)
    return record


def cold_record(summary: WrkSummary, bytes_per_request: float) -> ColdRecord:
    """A load on a fresh process, whole: what a warm one leaves out is what it is asked for."""
    record = ColdRecord(
        duration_s=summary.duration_s,
        requests=summary.requests,
        throughput_rps=(summary.requests - summary.errors.status) / summary.duration_s,
        error_ratio=summary.error_ratio,
        bytes_per_response=summary.bytes_per_response,
        received_bytes_per_s=summary.bytes / summary.duration_s,
        sent_bytes_per_s=summary.requests * bytes_per_request / summary.duration_s,
    )
    record.take(summary)
    return record


def _loaded_s(driven: Driven) -> float:
    if driven.loaded_s is not None:
        return driven.loaded_s
    samples = driven.timeline.samples
    return samples[-1].at_s if samples else 0.0


def _add_collections(
    record: LoadRecord, collections: Collections, span: Span, answers_rps: float
) -> None:
    # on the JVM's own clock
    begin_s = collections.load_began_at_s + span.begin_s
    end_s = collections.load_began_at_s + span.end_s
    lines = within(collections.lines, begin_s, end_s)
    heaps = [line.heap_after_bytes for line in lines if line.heap_after_bytes is not None]
    record.gc_count = len(heaps)
    record.gc_pause_ratio = stopped_s(collections.lines, begin_s, end_s) / (end_s - begin_s)
    # the least of them has the least garbage in it that only waits for its collection
    record.heap_after_gc_bytes = min(heaps, default=None)
    allocated = allocated_bytes_per_s(lines)
    if allocated is not None and answers_rps:
        record.allocated_bytes_per_request = allocated / answers_rps
