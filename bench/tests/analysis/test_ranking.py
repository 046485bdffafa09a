"""The order of interleaved servers: what is distinguished, and what is not."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping

import pytest

from springbench.analysis.ranking import THROUGHPUT, rank
from springbench.matrix.rows import Matrix
from springbench.results.records import ForkRecord, InterleavingRecord
from springbench.results.run import Rank, Ranking, Result
from tests.samples import case, fork, measured

INTERLEAVED = InterleavingRecord(servers=3, blocks=4, left_out=0)
SERVERS = ("tomcat-platform", "tomcat-virtual", "jetty-platform", "jetty-virtual")


def interleaved(number: int, throughput_rps: float) -> ForkRecord:
    # a full CPU, so that the server is what limits it
    return fork(number, throughput_rps, interleaving=INTERLEAVED, server_cpu_ratio=0.99)


def results(matrix: Matrix, rates: Mapping[str, list[float]]) -> list[Result]:
    return [
        measured(
            case(matrix, f"boot4-{name}-jvm/hello/64"),
            *(interleaved(number, rate) for number, rate in enumerate(case_rates)),
        )
        for name, case_rates in rates.items()
    ]


def drawn(
    levels: Mapping[str, float], rounds: int, noise: float, seed: int
) -> dict[str, list[float]]:
    """Rates of servers over rounds in which the host changes its speed by a third."""
    dice = random.Random(seed)
    hosts = [math.exp(dice.gauss(0, 0.3)) for _ in range(rounds)]
    return {
        name: [level * host * math.exp(dice.gauss(0, noise)) for host in hosts]
        for name, level in levels.items()
    }


def ranking(found: list[Ranking]) -> Ranking:
    [only] = [entry for entry in found if entry.metric == THROUGHPUT]
    return only


def ranks(found: Ranking) -> dict[str, Rank]:
    return {
        entry.case.split("/")[0].removeprefix("boot4-").removesuffix("-jvm"): entry
        for entry in found.ranks
    }


def test_a_host_that_changes_between_rounds_changes_no_order(matrix: Matrix) -> None:
    rates = {"tomcat-virtual": [40_000.0, 20_000.0], "jetty-virtual": [50_000.0, 25_000.0]}
    _, found = rank(results(matrix, rates))
    server_ranks = ranks(ranking(found))
    assert server_ranks["jetty-virtual"].ratio == 1
    assert server_ranks["tomcat-virtual"].ratio == pytest.approx(0.8)
    assert (server_ranks["jetty-virtual"].first, server_ranks["jetty-virtual"].last) == (1, 1)
    assert (server_ranks["tomcat-virtual"].first, server_ranks["tomcat-virtual"].last) == (2, 2)
    assert server_ranks["tomcat-virtual"].low < 0.8 < server_ranks["tomcat-virtual"].high < 1


def test_what_lies_within_the_noise_is_a_tie(matrix: Matrix) -> None:
    rates = {
        "tomcat-platform": [40_000.0, 41_500.0, 39_000.0],
        "tomcat-virtual": [40_500.0, 40_400.0, 40_300.0],
        "jetty-platform": [20_000.0, 20_400.0, 19_900.0],
    }
    _, found = rank(results(matrix, rates))
    server_ranks = ranks(ranking(found))
    assert (server_ranks["tomcat-platform"].first, server_ranks["tomcat-platform"].last) == (1, 2)
    assert (server_ranks["tomcat-virtual"].first, server_ranks["tomcat-virtual"].last) == (1, 2)
    assert (server_ranks["jetty-platform"].first, server_ranks["jetty-platform"].last) == (3, 3)


@pytest.mark.parametrize(
    "rounds", [2, *(pytest.param(count, marks=pytest.mark.system) for count in (3, 5))]
)
def test_a_wrong_order_of_equal_servers_is_reported_in_one_of_twenty(
    matrix: Matrix, rounds: int
) -> None:
    """However the host changes: with a noise that is the usual one."""
    wrong = 0
    for seed in range(100):
        rates = drawn(dict.fromkeys(SERVERS, 40_000.0), rounds, 0.02, seed)
        _, found = rank(results(matrix, rates))
        wrong += any(entry.last < len(SERVERS) for entry in ranking(found).ranks)
    # 5 are expected; more than 12 in a hundred come once in a thousand
    assert wrong <= 12


def test_more_rounds_tell_smaller_differences(matrix: Matrix) -> None:
    levels = {name: 40_000.0 * 0.96**index for index, name in enumerate(SERVERS)}
    widths = []
    for rounds in (2, 4, 8):
        _, found = rank(results(matrix, drawn(levels, rounds, 0.02, 1)))
        last = ranking(found).ranks[-1]
        widths.append(last.high - last.low)
    assert widths == sorted(widths, reverse=True)


def test_intervals_overlap_just_where_two_are_not_distinguishable(matrix: Matrix) -> None:
    levels = {name: 40_000.0 * 0.97**index for index, name in enumerate(SERVERS)}
    for seed in range(20):
        ranked, found = rank(results(matrix, drawn(levels, 3, 0.02, seed)))
        summary = {result.case: result.summary["throughput_rps"] for result in ranked}
        best, *other_ranks = ranking(found).ranks
        for other in other_ranks:
            # the middle of three rounds is not their mean: by its width alone
            metrics, top = summary[other.case], summary[best.case]
            half = math.log(metrics.high / metrics.median) + math.log(top.high / top.median)
            assert (other.first > 1) == (math.log(other.ratio) < -half * (1 - 1e-9))


def test_a_server_that_failed_in_a_round_is_ranked_by_the_others(matrix: Matrix) -> None:
    case_results = results(
        matrix,
        {
            "tomcat-virtual": [40_000.0, 20_000.0, 30_000.0],
            "jetty-virtual": [50_000.0, 25_000.0, 37_500.0],
            "jetty-platform": [48_000.0, 24_000.0, 36_000.0],
        },
    )
    # the round that it lacks was the best of the host
    del case_results[1].forks[0]
    _, found = rank(case_results)
    assert ranks(ranking(found))["tomcat-virtual"].ratio == pytest.approx(0.8, rel=1e-6)


def test_one_round_has_no_order(matrix: Matrix) -> None:
    before = results(matrix, {"tomcat-virtual": [40_000.0], "jetty-virtual": [50_000.0]})
    after, found = rank(before)
    assert found == []
    assert after == before


def test_what_was_not_interleaved_or_does_not_count_has_no_rank(matrix: Matrix) -> None:
    rates = {name: [40_000.0, 41_000.0] for name in SERVERS}
    case_results = results(matrix, rates)
    for record in case_results[0].forks:
        assert record.load is not None
        record.load.interleaving = None
    case_results[1] = measured(
        case(matrix, f"boot4-{SERVERS[1]}-jvm/hello/64"),
        *(
            fork(
                number,
                40_000.0,
                interleaving=INTERLEAVED,
                instability=["compiling"],
                compiler_cpu_ratio=0.3,
            )
            for number in range(2)
        ),
    )
    _, found = rank(case_results)
    assert set(ranks(ranking(found))) == {"jetty-platform", "jetty-virtual"}


def test_servers_that_were_measured_one_after_the_other_are_ranked_too(matrix: Matrix) -> None:
    rates = {"tomcat-virtual": [40_000.0, 20_000.0], "jetty-virtual": [50_000.0, 25_000.0]}
    case_results = results(matrix, rates)
    for result in case_results:
        for record in result.forks:
            assert record.load is not None
            record.load.interleaving = None
    after, found = rank(case_results)
    assert not ranking(found).interleaved
    assert ranks(ranking(found))["tomcat-virtual"].first == 2
    # what a round did to all of them stays in their own intervals
    assert after == case_results


def test_each_metric_that_is_evaluated_has_a_ranking(matrix: Matrix) -> None:
    rates = {"tomcat-virtual": [40_000.0, 20_000.0], "jetty-virtual": [50_000.0, 25_000.0]}
    case_results = results(matrix, rates)
    for cost_s, result in zip((20e-6, 30e-6), case_results, strict=True):
        for record in result.forks:
            assert record.load is not None
            record.load.cpu_per_request_s = cost_s
    _, found = rank(case_results)
    [cost] = [entry for entry in found if entry.metric == "cpu_per_request_s"]
    # the cheapest first
    assert [entry.ratio for entry in cost.ranks] == pytest.approx([1.0, 1.5])
    assert [entry.first for entry in cost.ranks] == [1, 2]


def test_a_host_noisier_than_usual_is_taken_at_its_word(matrix: Matrix) -> None:
    rates = {"tomcat-virtual": [40_000.0, 60_000.0], "jetty-virtual": [60_000.0, 40_000.0]}
    _, found = rank(results(matrix, rates))
    assert ranking(found).spread_ratio > 0.2
    assert all(entry.last == 2 for entry in ranking(found).ranks)
