"""From the forks of a case to its summary, its bound and its warnings."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from springbench.analysis.bottleneck import KnownCap, Observed, classify
from springbench.analysis.intervals import summarise
from springbench.analysis.limits import evaluate_limits
from springbench.analysis.warnings import case_warnings, compilers_had
from springbench.matrix.workloads import Cap
from springbench.plan.cases import Case
from springbench.results.records import ForkRecord
from springbench.results.run import Bottleneck, Caution, LoadHostInfo, Result, Summary


def assess(
    result: Result, case: Case, server_cpus: int, load_host: LoadHostInfo | None = None
) -> Result:
    """The result with everything that follows from its forks. `server_cpus`: how many it had."""
    summary = summarise(result.forks)
    failed = next((fork for fork in result.forks if fork.status == "failed"), None)
    return result.model_copy(
        update={
            "status": "failed" if failed else "ok",
            "reason": failed.reason if failed else None,
            "summary": summary,
            "limits": evaluate_limits(case.variant.server.limits, summary),
            "bottleneck": _bottleneck(result.forks, case, summary, server_cpus, load_host),
            "warnings": [
                *_notes(case),
                *case_warnings(
                    result.forks,
                    waits=case.workload.delay_s > 0,
                    of_service=case.variant.is_of_service,
                ),
            ],
        }
    )


def bottleneck_of(forks: Sequence[ForkRecord], case: Case, server_cpus: int) -> Bottleneck | None:
    """What limits a case in these forks; None where none was measured."""
    return _bottleneck(forks, case, summarise(forks), server_cpus)


def _notes(case: Case) -> list[Caution]:
    """Cap that the matrix declares for this model on this server."""
    note = case.variant.model.server_notes.get(case.variant.server.id)
    return [Caution(code="setting", message=note)] if note else []


def _bottleneck(
    forks: Sequence[ForkRecord],
    case: Case,
    summary: dict[str, Summary],
    server_cpus: int,
    load_host: LoadHostInfo | None = None,
) -> Bottleneck | None:
    if "throughput_rps" not in summary:
        return None

    def median(name: str) -> float | None:
        return summary[name].median if name in summary else None

    late = [f.load.upstream_lateness_max_s for f in forks if f.load]
    needs_upstream = "upstream" in case.workload.needs
    accepted = median("connections_accepted")
    windows_s = [f.load.window_s for f in forks if f.load]
    server_cpus = case.variant.processors(server_cpus)
    busy = [f.load.database_busy_connections for f in forks if f.load]
    known_busy = [connections for connections in busy if connections is not None]
    return classify(
        Observed(
            throughput_rps=summary["throughput_rps"].median,
            connections=case.connections,
            of_service=case.variant.is_of_service,
            delay_s=case.workload.delay_s,
            error_ratio=median("error_ratio") or 0.0,
            compilers_had=_compilers_had(forks, waits=case.workload.delay_s > 0),
            unanswered_ratio=_unanswered_ratio(forks),
            closing=any(fork.load.closing for fork in forks if fork.load),
            server_cpu_ratio=median("server_cpu_ratio"),
            server_cpu_peak_ratio=median("server_cpu_peak_ratio"),
            cpu_quota=case.variant.cpu_quota,
            throttled_ratio=median("throttled_ratio"),
            throttled_s=median("throttled_s"),
            window_s=statistics.median(windows_s) if windows_s else 0.0,
            connections_accepted=None if accepted is None else accepted * case.streams,
            load_cpu_ratio=median("load_cpu_ratio"),
            upstream_lateness_s=max((s for s in late if s is not None), default=None)
            if needs_upstream
            else None,
            gc_pause_ratio=median("gc_pause_ratio"),
            heap_after_gc_bytes=median("heap_after_gc_bytes"),
            allocated_bytes_per_request=median("allocated_bytes_per_request"),
            cap=_known(case.cap, server_cpus),
            cache=_known(case.cache, server_cpus),
            database_busy=statistics.median(known_busy) if known_busy else None,
            pool_size=case.database.pool_size if case.database else None,
            received_bytes_per_s=median("received_bytes_per_s"),
            link_bytes_per_s=load_host.link_bytes_per_s if load_host else None,
            round_trip_s=load_host.round_trip_s if load_host else 0.0,
        )
    )


def _compilers_had(forks: Sequence[ForkRecord], *, waits: bool) -> str | None:
    """What compilers had of the server's CPUs; None when there is a fork in which they rested."""
    loads = [fork.load for fork in forks if fork.load and fork.status == "ok"]
    if not loads or not all(load.compiling for load in loads):
        return None
    return compilers_had(loads, waits=waits)


def _unanswered_ratio(forks: Sequence[ForkRecord]) -> float:
    """Of connections that got no answer, where that is no bad luck: the median of the forks."""
    loads = [fork.load for fork in forks if fork.load and fork.load.is_long]
    return statistics.median(load.unanswered_ratio or 0.0 for load in loads) if loads else 0.0


def _known(cap: Cap | None, server_cpus: int) -> KnownCap | None:
    if cap is None:
        return None
    return KnownCap(cap.requests_at_once(server_cpus), cap.property, cap.reason)
