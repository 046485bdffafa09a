"""Queues of commits on hosts: the textbook's answer, and what more hosts can and cannot do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.queueing import (
    SET_UP_S,
    SHARD_S,
    Answer,
    Demand,
    load_durations,
    main,
    row,
    served,
    shards_of,
    simulate,
)

SECONDS = st.floats(1, 4000)


@pytest.mark.parametrize("load", [0.3, 0.6, 0.8])
def test_one_host_waits_as_the_textbook_says(load: float) -> None:
    """Pollaczek and Khinchine, for equal services: mean wait = load × service ÷ 2 (1 - load)."""
    service_s, count = 100.0, 60_000
    random = np.random.default_rng(3)
    arrivals_s = np.cumsum(random.exponential(service_s / load, count))
    wait_s, wall_s = served(arrivals_s, [np.array([service_s])] * count, 1)
    assert wait_s.mean() == pytest.approx(load * service_s / (2 * (1 - load)), rel=0.1)
    assert wall_s - wait_s == pytest.approx(np.full(count, service_s))


@given(
    st.lists(st.tuples(SECONDS, st.lists(SECONDS, min_size=1, max_size=5)), min_size=1),
    st.integers(1, 5),
)
def test_another_host_lets_nobody_wait_longer_for_the_first_shard_of_an_empty_queue(
    commits: list[tuple[float, list[float]]], hosts: int
) -> None:
    arrivals_s = np.cumsum([gap_s for gap_s, _ in commits])
    shards = [np.array(durations_s) for _, durations_s in commits]
    wait_s, wall_s = served(arrivals_s, shards, hosts)
    assert wait_s[0] == 0
    for waited_s, lasted_s, commit_shards in zip(wait_s, wall_s, shards, strict=True):
        # not before its longest shard has ended, nor before its share of all hosts
        assert lasted_s >= max(commit_shards.max(), waited_s + commit_shards.sum() / hosts) - 1e-6
    parallel = served(arrivals_s, shards, sum(map(len, shards)))
    assert (parallel[0] == 0).all()
    assert parallel[1] == pytest.approx(np.array([durations_s.max() for durations_s in shards]))


@given(st.lists(SECONDS, min_size=1))
def test_no_fork_is_lost_in_shards_and_none_is_over_an_hour_but_a_single_one(
    forks_s: list[float],
) -> None:
    shards = shards_of(np.array(forks_s))
    assert sum(shards) - SET_UP_S * len(shards) == pytest.approx(sum(forks_s))
    assert all(shard - SET_UP_S <= max(SHARD_S, *forks_s) + 1e-6 for shard in shards)


def test_more_than_the_hosts_can_do_has_no_wait() -> None:
    demand = Demand(cases=1000, commits_per_day=50, hosts=1)
    answer = simulate(demand, np.array([45.0]), np.random.default_rng(1))
    assert answer.load > 20
    assert "grows by" in row(demand, answer)
    assert "grows by" not in row(demand, Answer(0.5, (0.0, 60.0), (60.0, 120.0)))


def test_the_table_is_of_recorded_forks(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(load_durations()) >= 30
    main(cases=[38], commits=[5.0], hosts=[1, 5], seed=1)
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| 38 | 5 |")]
    assert len(rows) == 2
