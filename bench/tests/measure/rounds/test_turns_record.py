"""What a server did in turn with others, as the record of a window."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.measure.missing import of_turns
from springbench.measure.rounds.cycles import rotated
from springbench.measure.rounds.host_watch import Share
from springbench.measure.rounds.turns_record import Turns, in_turns, is_even
from springbench.results.pairs import BurstRecord
from tests.samples import load, wrk_summary

QUIET = Share(stolen=0.0, others=0.01)


def turns(*shares: Share, compiler_cpu_ratio: float = 0.001, left_out: int = 0) -> Turns:
    return Turns(
        burst=BurstRecord(
            throughput_rps=20_000.0,
            cpu_per_request_s=50e-6,
            error_ratio=0.001,
            load_cpu_ratio=0.3,
            compiler_cpu_ratio=compiler_cpu_ratio,
        ),
        summary=wrk_summary(status=8),
        window_s=6.0,
        rates=[[100.0] * 8, [90.0] * 8],
        own=0,
        shares=shares or [QUIET] * 8,
        server_cpu_ratio=0.98,
        left_out=left_out,
    )


def test_rates_are_of_the_turns_and_latencies_of_the_load_alone() -> None:
    alone = load(10_000.0, latency_p99_s=0.004, sent_bytes_per_s=500.0, host_work_s=0.0004)
    found = in_turns(alone, turns(left_out=2))
    assert found.throughput_rps == 20_000
    assert found.cpu_per_request_s == 50e-6
    assert found.server_cpu_ratio == 0.98
    assert found.errors.status == 8
    assert found.latency_p99_s == 0.004
    assert found.sent_bytes_per_s == 1000
    # a host that all of them met alike takes no part
    assert found.host_work_s is None
    assert found.steady
    assert found.turns is not None
    assert (found.turns.servers, found.turns.blocks, found.turns.left_out) == (2, 8, 2)


@pytest.mark.parametrize(
    ("share", "unrest"),
    [(Share(0.2, 0.0), "stolen"), (Share(0.0, 0.6), "disturbed"), (Share(None, None), None)],
)
def test_a_host_that_spoils_every_block_is_told(share: Share, unrest: str | None) -> None:
    found = in_turns(load(10_000.0), turns(*[share] * 8))
    assert found.unrest == ([unrest] if unrest else [])
    assert found.steady is (unrest is None)


def test_latencies_of_another_load_than_the_throughput_are_not_shown() -> None:
    alone = load(10_000.0, connections=64, in_flight=64.0)
    fitting, other = turns(), turns()
    other = replace(other, burst=other.burst.model_copy(update={"throughput_rps": 30_000.0}))
    rate_rps = fitting.burst.throughput_rps
    kept = in_turns(alone.model_copy(update={"throughput_rps": rate_rps}), fitting)
    assert kept.latency_p99_s == alone.latency_p99_s
    # the same latencies at another rate would be other requests at once than there are
    lost = in_turns(alone, other)
    assert (lost.latency_p50_s, lost.latency_p99_s) == (None, None)
    reasons = dict(of_turns(lost))
    assert "Little's law" in reasons["load.latency_p99_s"]
    assert dict(of_turns(kept)) == {}


def test_a_server_that_is_still_compiled_is_told() -> None:
    found = in_turns(load(10_000.0), turns(compiler_cpu_ratio=0.05))
    assert found.compiling
    assert not found.steady


def test_under_a_quota_compilers_are_held_to_what_the_server_had() -> None:
    slowed = replace(turns(compiler_cpu_ratio=0.01), server_cpu_ratio=0.33)
    assert in_turns(load(10_000.0), slowed).compiling
    assert not in_turns(load(10_000.0), replace(slowed, server_cpu_ratio=0.98)).compiling


def test_a_server_that_speeds_up_among_others_is_not_even() -> None:
    host = [1.0, 0.6, 1.3, 0.9, 1.1, 0.7, 1.2, 1.0]
    still = [100 * speed for speed in host]
    faster = [100 * speed * (1 + 0.05 * index) for index, speed in enumerate(host)]
    assert is_even([still, still, still], 0)
    assert not is_even([faster, still, still], 0)
    assert not is_even([[0.0] * 8, still], 0)


def blocks(seed: int, noise: float, change: Callable[[int], float]) -> list[list[float]]:
    """Twenty blocks of seven servers; the first of them changes as it is told."""
    dice = random.Random(seed)
    host = [100 * (1 + 0.2 * math.sin(at)) for at in range(20)]
    of = [[speed * math.exp(dice.gauss(0, noise)) for speed in host] for _ in range(7)]
    return [[rate * change(at) for at, rate in enumerate(of[0])], *of[1:]]


def even(noise: float, change: Callable[[int], float]) -> float:
    """Of a hundred servers, how many are called even."""
    return sum(is_even(blocks(seed, noise, change), 0) for seed in range(100)) / 100


def test_noise_of_short_blocks_is_no_change() -> None:
    assert even(0.02, lambda _: 1.0) >= 0.97
    assert even(0.05, lambda _: 1.0) >= 0.97


def test_where_blocks_tell_nothing_no_change_is_explained_away() -> None:
    assert even(0.3, lambda _: 1.0) <= 0.1


def test_what_blocks_do_not_explain_is_a_change() -> None:
    assert even(0.03, lambda at: 1.2 if at >= 10 else 1.0) == 0.0
    assert even(0.03, lambda at: 1 + 0.015 * at) <= 0.02
    # a dip in one quarter
    assert even(0.03, lambda at: 0.8 if 5 <= at < 10 else 1.0) == 0.0


@given(st.lists(st.integers(), max_size=8), st.integers(0, 50))
def test_turns_go_round_and_leave_nobody_out(items: list[int], turn: int) -> None:
    found = rotated(items, turn)
    assert sorted(found) == sorted(items)
    if items:
        assert found[0] == items[turn % len(items)]
