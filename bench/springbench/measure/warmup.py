"""The first part of a fork's load: everything compiled, on every CPU, with no queue behind it."""

from __future__ import annotations

from springbench.cases import Case
from springbench.measure.bench import Bench
from springbench.measure.load import Driver
from springbench.measure.pinning import pin
from springbench.measure.wrk import IdSequence

# few enough to leave no queue behind when warm-up ends
WARMUP_CONNECTIONS = 64
ROUTE_CEILING_S = 15.0


def warm_up(bench: Bench, case: Case, driver: Driver) -> float:
    """The first part of warm-up, on every CPU of the host. Returns its length in seconds.

    A just-in-time compiler that shares one CPU with the requests takes several times as long;
    what it compiled stays when the server is pinned back. Whether the server is steady is judged
    afterwards, pinned, on the load that is measured.
    """
    workload, route = case.workload, case.warmup_route
    answer = driver.server.check_route(route, ROUTE_CEILING_S + workload.delay_s)
    everything = bench.cpus.server | bench.cpus.load | bench.cpus.upstream
    pin(driver.server.running.pid, everything)
    try:
        driven = driver.drive(
            "warm-up",
            route,
            min(WARMUP_CONNECTIONS, case.connections),
            case.warmup_min_s,
            answer.wire_bytes,
            ids=None if workload.warmup_route else id_sequence(case),
        )
    finally:
        pin(driver.server.running.pid, bench.cpus.server)
    return driven.summary.duration_s


def id_sequence(case: Case) -> IdSequence | None:
    """The rows that a load asks for, where it asks for others each time."""
    if case.workload.ids != "sequence" or case.database is None:
        return None
    return IdSequence(case.workload.route, case.database.rows)
