"""The window cut out of a load. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from springbench.measure.gclog import Pause, within
from springbench.measure.load import Driven
from springbench.measure.records import LoadRecord, Stall
from springbench.measure.timeline import mean_rate, stalls
from springbench.plan import Case


@dataclass(frozen=True)
class Warmup:
    """How warm-up ended. `steady` is None where there is no timeline to tell."""

    duration_s: float
    steady: bool | None


@dataclass(frozen=True)
class Collections:
    """Garbage collections, and how old the JVM was when the load began."""

    pauses: Sequence[Pause]
    load_began_at_s: float


def load_record(
    case: Case,
    warmup: Warmup,
    driven: Driven,
    server_cpus: int | None,
    collections: Collections | None = None,
) -> LoadRecord:
    """The window cut out of the timeline; wrk's own mean where there is no timeline."""
    summary, timeline = driven.summary, driven.timeline
    points, delay_s = timeline.points("read_bytes"), case.workload.delay_s
    begin_s, end_s = case.ramp_s, case.ramp_s + case.window_s
    size = summary.bytes_per_response
    byte_rate = mean_rate(points, begin_s, end_s, delay_s)
    from_timeline = byte_rate is not None and size is not None
    if byte_rate is not None and size is not None:
        answers_rps, window_s = byte_rate / size, case.window_s
    else:
        answers_rps, window_s = summary.requests / summary.duration_s, summary.duration_s
    failed_ratio = summary.errors.status / summary.requests if summary.requests else 0.0

    def cpus_used(field: str) -> float | None:
        return mean_rate(timeline.points(field), begin_s, end_s)

    server_cpu = cpus_used("server_cpu_s")
    threads = timeline.largest("threads", begin_s, end_s)
    seen = stalls(points, begin_s, end_s, max(1.0, 2 * delay_s)) if from_timeline else []
    record = LoadRecord(
        warmup_s=warmup.duration_s,
        steady=warmup.steady,
        window_begin_s=begin_s if from_timeline else 0.0,
        window_s=window_s,
        from_timeline=from_timeline,
        requests=summary.requests,
        errors=summary.errors,
        error_ratio=summary.error_ratio,
        throughput_rps=answers_rps * (1 - failed_ratio),
        bytes_per_response=size,
        cpu_per_request_s=server_cpu / answers_rps if server_cpu and answers_rps else None,
        server_cpu_ratio=server_cpu / server_cpus if server_cpu and server_cpus else None,
        load_cpu_ratio=cpus_used("load_cpu_s"),
        upstream_cpu_ratio=cpus_used("upstream_cpu_s"),
        threads_max=None if threads is None else int(threads),
        stalls=[Stall(at_s=at_s, throughput_ratio=ratio) for at_s, ratio in seen],
    )
    if summary.requests:
        for name, value in summary.latency_s.model_dump().items():
            setattr(record, f"latency_{name}_s", value)
    if collections is not None:
        _add_collections(record, collections, begin_s, end_s)
    return record


def _add_collections(
    record: LoadRecord, collections: Collections, begin_s: float, end_s: float
) -> None:
    age_s = collections.load_began_at_s
    pauses = within(collections.pauses, age_s + begin_s, age_s + end_s)
    record.gc_count = len(pauses)
    record.gc_pause_ratio = sum(pause.pause_s for pause in pauses) / (end_s - begin_s)
    heaps = [p.heap_after_bytes for p in pauses if p.heap_after_bytes is not None]
    record.heap_after_gc_bytes = max(heaps, default=None)
