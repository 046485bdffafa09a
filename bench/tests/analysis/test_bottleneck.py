"""What limits a throughput: a case for each kind and for each edge."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.analysis.bottleneck import KnownCap, Observed, classify
from springbench.results.run import BottleneckKind

CAP = KnownCap(200, "server.jetty.threads.max", "its pool has 200 threads")
# 1,000 connections that wait a second, 800 answers a second: nothing explains it
PLAIN = Observed(throughput_rps=800.0, connections=1000, delay_s=1.0)

POOL = Observed(throughput_rps=8000.0, connections=500, delay_s=0.0, pool_size=40)

THROTTLED = Observed(
    throughput_rps=900.0,
    connections=64,
    delay_s=0.0,
    server_cpu_ratio=0.99,
    cpu_quota=0.25,
    throttled_ratio=0.98,
    throttled_s=5.9,
    window_s=8.0,
)


@pytest.mark.parametrize(
    ("observed", "kind"),
    [
        (PLAIN, "unknown"),
        (replace(PLAIN, throughput_rps=970.0), "latency"),
        (replace(PLAIN, throughput_rps=969.0), "unknown"),
        (replace(PLAIN, throughput_rps=1010.0), "latency"),
        (replace(PLAIN, cap=CAP, throughput_rps=199.0), "thread-cap"),
        (replace(PLAIN, cap=CAP, throughput_rps=194.1), "thread-cap"),
        (replace(PLAIN, cap=CAP, throughput_rps=193.0), "unknown"),
        (replace(PLAIN, cap=CAP, throughput_rps=205.9), "thread-cap"),
        (replace(PLAIN, cap=CAP, throughput_rps=207.0), "unknown"),
        # as many connections as the cap allows: they are served, each of them
        (replace(PLAIN, cap=CAP, throughput_rps=200.0, connections=200), "latency"),
        (replace(PLAIN, cap=CAP, throughput_rps=200.0, connections=201), "thread-cap"),
        # a cap binds only what waits
        (replace(PLAIN, cap=CAP, throughput_rps=200.0, delay_s=0.0), "unknown"),
        (replace(PLAIN, delay_s=0.0, gc_pause_ratio=0.20), "memory"),
        (replace(PLAIN, delay_s=0.0, gc_pause_ratio=0.19), "unknown"),
        # a collector that leaves no time also keeps the CPU busy: it is the cause
        (replace(PLAIN, gc_pause_ratio=0.40, server_cpu_ratio=1.0), "memory"),
        # pauses as long as half of what is missing to the theoretical maximum explain it
        (replace(PLAIN, throughput_rps=960.0, gc_pause_ratio=0.021), "memory"),
        (replace(PLAIN, throughput_rps=960.0, gc_pause_ratio=0.019), "unknown"),
        (replace(PLAIN, throughput_rps=990.0, gc_pause_ratio=0.25), "latency"),
        (replace(PLAIN, server_cpu_ratio=0.90), "server-cpu"),
        # whatever else it looks like, it is not yet what the server can do
        (replace(PLAIN, server_cpu_ratio=0.90, compilers_had="14 % of it"), "not-warmed-up"),
        (replace(PLAIN, throughput_rps=990.0, compilers_had="3 % of it"), "not-warmed-up"),
        (replace(PLAIN, server_cpu_ratio=0.89), "unknown"),
        # of its quota it uses all: what it waits for is the next period
        (replace(THROTTLED, throttled_ratio=0.5), "cpu-quota"),
        (replace(THROTTLED, throttled_ratio=0.49), "server-cpu"),
        (replace(THROTTLED, throttled_ratio=None), "server-cpu"),
        (replace(THROTTLED, gc_pause_ratio=0.3), "memory"),
        (replace(THROTTLED, compilers_had="14 % of it"), "not-warmed-up"),
        (replace(PLAIN, connections_accepted=969.0), "backlog"),
        (replace(PLAIN, connections_accepted=970.0), "unknown"),
        # what closes its connections has hardly any when they are counted
        (
            replace(POOL, connections_accepted=2.0, closing=True, server_cpu_ratio=0.98),
            "server-cpu",
        ),
        (replace(PLAIN, throughput_rps=980.0, connections_accepted=900.0), "latency"),
        # nothing waits there by design: a few connections more would ask for no more
        (replace(POOL, connections=64, server_cpu_ratio=0.6, connections_accepted=58.0), "unknown"),
        (replace(POOL, connections=64, server_cpu_ratio=0.6, connections_accepted=57.0), "backlog"),
        (replace(POOL, server_cpu_ratio=0.95, connections_accepted=30.0), "backlog"),
        # a collector that leaves no time also keeps the server from accepting
        (replace(PLAIN, gc_pause_ratio=0.4, connections_accepted=900.0), "memory"),
        # 250 ms beyond the delay, where a wave of all of them is 312 ms of work
        (replace(PLAIN, server_cpu_ratio=0.25, server_cpu_peak_ratio=0.90), "cpu-waves"),
        (replace(PLAIN, server_cpu_ratio=0.25, server_cpu_peak_ratio=0.89), "unknown"),
        # 240 ms of work cannot be waited for 250 ms long
        (replace(PLAIN, server_cpu_ratio=0.19, server_cpu_peak_ratio=1.0), "unknown"),
        (replace(PLAIN, server_cpu_ratio=0.95, server_cpu_peak_ratio=1.0), "server-cpu"),
        (replace(POOL, server_cpu_ratio=0.5, server_cpu_peak_ratio=1.0), "unknown"),
        (replace(PLAIN, load_cpu_ratio=0.95), "load-generator"),
        (replace(PLAIN, load_cpu_ratio=0.94), "unknown"),
        (replace(PLAIN, server_cpu_ratio=0.95, load_cpu_ratio=0.99), "server-cpu"),
        (replace(PLAIN, received_bytes_per_s=8e7, link_bytes_per_s=1e8), "link"),
        (replace(PLAIN, received_bytes_per_s=7.9e7, link_bytes_per_s=1e8), "unknown"),
        (replace(PLAIN, received_bytes_per_s=8e7), "unknown"),
        # the server was full as well: it could not do more
        (
            replace(PLAIN, server_cpu_ratio=0.95, received_bytes_per_s=8e7, link_bytes_per_s=1e8),
            "server-cpu",
        ),
        # what a round trip takes from the theoretical maximum is no fault of the server
        (replace(PLAIN, throughput_rps=900.0), "unknown"),
        (replace(PLAIN, throughput_rps=900.0, round_trip_s=PLAIN.delay_s / 10), "latency"),
        (replace(PLAIN, upstream_lateness_s=0.05), "upstream"),
        (replace(PLAIN, upstream_lateness_s=0.04), "unknown"),
        # one late answer while connecting kept nobody from the theoretical maximum
        (replace(PLAIN, throughput_rps=990.0, upstream_lateness_s=0.05), "latency"),
        (replace(POOL, database_busy=36.0), "database-pool"),
        (replace(POOL, database_busy=35.9), "unknown"),
        (replace(POOL, database_busy=40.0, server_cpu_ratio=0.95), "database-pool"),
        # held by a server that has no CPU to use them: they are not at work
        (replace(POOL, database_busy=4.0, server_cpu_ratio=0.95), "server-cpu"),
        # nobody waits for a connection where there are as many as requests
        (replace(POOL, database_busy=40.0, connections=40), "unknown"),
        (replace(POOL, database_busy=40.0, connections=41), "database-pool"),
        (replace(POOL, database_busy=40.0, error_ratio=0.1), "errors"),
        (replace(POOL, database_busy=None), "unknown"),
        (replace(POOL, database_busy=40.0, throughput_rps=0.0), "unknown"),
        (replace(PLAIN, error_ratio=0.01), "errors"),
        (replace(PLAIN, error_ratio=0.009), "unknown"),
        (replace(PLAIN, error_ratio=0.5, cap=CAP, throughput_rps=200.0), "errors"),
        (replace(PLAIN, throughput_rps=0.0), "unknown"),
    ],
)
def test_each_kind_and_its_edges(observed: Observed, kind: str) -> None:
    assert classify(observed).kind == kind


def test_a_cap_is_explained_with_the_property_that_lifts_it() -> None:
    bottleneck = classify(replace(PLAIN, cap=CAP, throughput_rps=198.6))
    assert bottleneck.label == "thread cap: 199 at once (server.jetty.threads.max)"
    assert bottleneck.text == (
        "199 requests waited at once, which is the cap of 200: its pool has 200 threads."
    )
    assert bottleneck.remedy == "raise server.jetty.threads.max"


def test_a_quota_is_named_where_it_is_the_limit() -> None:
    bottleneck = classify(THROTTLED)
    assert bottleneck.label == "CPU quota of 0.25: throttled in 98% of periods"
    assert bottleneck.text == (
        "The server used up its quota of 0.25 CPUs in 98% of the periods, and its CPUs waited for "
        "5.9 s of 8.0 s."
    )
    early = classify(replace(THROTTLED, compilers_had="14 % of it"))
    assert "Requests and compilers share its quota of 0.25 CPUs." in early.text


def test_memory_is_explained_with_what_a_connection_and_a_request_take() -> None:
    observed = replace(PLAIN, gc_pause_ratio=0.34)
    stopped = "The garbage collector stopped the server for 34% of the window: its heap is small "
    assert classify(observed).text == stopped + "for what it keeps."
    retention = replace(observed, heap_after_gc_bytes=PLAIN.connections * 113 * 1024.0)
    assert classify(retention).text == stopped + "for what it keeps (113 KiB a connection)."
    not_waiting = replace(retention, delay_s=0.0, heap_after_gc_bytes=271.0 * (1 << 20))
    assert classify(not_waiting).text == (
        stopped + "for what collections leave in it (271 MiB at least)."
    )
    both = replace(retention, allocated_bytes_per_request=41_984.0)
    assert classify(both).text == (
        stopped + "for what it keeps (113 KiB a connection) and what it allocates "
        "(41.0 KiB a request)."
    )


def test_what_is_kept_for_fewer_requests_is_named_where_memory_binds() -> None:
    cap = KnownCap(200, "server.tomcat.processor-cache", "Tomcat keeps 200 of them")
    observed = replace(PLAIN, throughput_rps=900.0, gc_pause_ratio=0.34, cache=cap)
    bottleneck = classify(observed)
    assert bottleneck.text.endswith(" 900 requests waited at once: Tomcat keeps 200 of them.")
    assert bottleneck.remedy
    assert bottleneck.remedy.startswith("raise server.tomcat.processor-cache, give it more memory")
    # not where it has enough of them, nor where something else binds
    few = replace(observed, connections=200, throughput_rps=150.0)
    assert "Tomcat" not in classify(few).text
    assert "Tomcat" not in classify(replace(observed, gc_pause_ratio=0.0)).text


def test_a_pool_is_explained_with_what_a_statement_took() -> None:
    bottleneck = classify(replace(POOL, database_busy=39.2))
    assert bottleneck.label == "database pool: 39 of 40 at work"
    assert bottleneck.text == (
        "39.2 of the pool's 40 connections were at work in the database on average, "
        "4.9 ms for a request: the others waited for one."
    )


def test_waves_are_explained_with_what_one_of_them_costs() -> None:
    observed = replace(
        PLAIN, throughput_rps=900.0, server_cpu_ratio=0.45, server_cpu_peak_ratio=0.96
    )
    assert classify(observed).text == (
        "The server used 45% of its CPUs and 96% in the waves in which requests that began "
        "together end: each waited 111 ms for it on average, where one wave of all of them is "
        "500 ms of work."
    )


def test_a_short_wait_counts_what_waits_at_once() -> None:
    # 200 threads, each free again after a tenth of a second
    observed = Observed(throughput_rps=1990.0, connections=1000, delay_s=0.1, cap=CAP)
    assert classify(observed).kind == "thread-cap"


def test_a_limited_load_generator_is_said_to_be_not_ranked() -> None:
    assert "not ranked" in classify(replace(PLAIN, load_cpu_ratio=1.0)).label


RATIOS = st.one_of(st.none(), st.floats(0, 2))


@given(
    st.builds(
        Observed,
        throughput_rps=st.floats(0, 1e6),
        connections=st.integers(1, 60_000),
        delay_s=st.one_of(st.just(0.0), st.floats(0.001, 60)),
        error_ratio=st.floats(0, 1),
        server_cpu_ratio=RATIOS,
        server_cpu_peak_ratio=RATIOS,
        connections_accepted=st.one_of(st.none(), st.integers(1, 60_000)),
        load_cpu_ratio=RATIOS,
        upstream_lateness_s=st.one_of(st.none(), st.floats(0, 10)),
        gc_pause_ratio=RATIOS,
        cap=st.one_of(
            st.none(), st.builds(KnownCap, st.integers(1, 10_000), st.just("p"), st.just("r"))
        ),
    )
)
def test_everything_seen_is_bottleneck_by_something_that_is_said(observed: Observed) -> None:
    bottleneck = classify(observed)
    assert bottleneck.kind in get_args(BottleneckKind)
    assert bottleneck.label
    assert bottleneck.text.endswith(".")


def test_connections_that_were_never_answered_stand_beside_the_bottleneck() -> None:
    bottleneck = classify(replace(PLAIN, cap=CAP, throughput_rps=199.0, unanswered_ratio=0.793))
    assert bottleneck.kind == "thread-cap"
    assert bottleneck.text.endswith("793 of 1,000 connections were never answered.")


def test_a_connection_for_each_request_is_reported() -> None:
    bottleneck = classify(replace(PLAIN, server_cpu_ratio=0.98, closing=True))
    assert bottleneck.text.endswith("every request costs a new one.")
