"""What is said of log ratios: a change, nothing, or that nobody knows."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from springbench.analysis.comparison.verdicts import (
    NOTABLE_RATIO,
    Finding,
    Key,
    PairSample,
    evaluate,
    verdict_of,
)
from springbench.results.comparison import Verdict


def sample(change: float, noise: float, pairs: int, case: str = "a") -> PairSample:
    dice = random.Random(f"{case} {change} {pairs}")
    values = tuple(math.log(change) + dice.gauss(0, noise) for _ in range(pairs))
    order = tuple(index % 2 == 1 for index in range(pairs))
    return PairSample(Key(case, "throughput_rps"), "k", "higher", values, order, usual_spread=0.03)


def test_a_pair_alone_says_nothing() -> None:
    assert evaluate([sample(0.5, 0.01, 1)]) == []


def test_a_change_stands_out_of_cases_that_have_none() -> None:
    samples = [sample(1.0, 0.01, 4, case) for case in "abc"] + [sample(0.9, 0.01, 4, "slow")]
    verdicts = {finding.key.case: finding.verdict for finding in evaluate(samples)}
    assert verdicts.pop("slow") == "regression"
    assert set(verdicts.values()) == {"unchanged"}


def test_noisy_samples_of_another_kind_widen_nothing() -> None:
    calm = sample(0.9, 0.005, 3)
    wild = PairSample(
        Key("w", "m"), "other", "higher", (-0.5, 0.6, 0.1), (False, True, False), 0.03
    )
    single, combined = evaluate([calm])[0], evaluate([calm, wild])[0]
    assert (single.low, single.high) == (combined.low, combined.high)


def test_what_could_be_seen_grows_with_all_that_is_looked_at() -> None:
    """One change among many must be surer than one alone; below what is notable nothing is."""
    detectable = evaluate([sample(1.0, 0.02, 6)])[0].detectable
    among = evaluate([sample(1.0, 0.02, 6), *(sample(1.0, 0.02, 6, c) for c in "bcdefghi")])[0]
    assert among.detectable > detectable
    exact = [replace(sample(1.0, 0.0001, 6, case), usual_spread=0.001) for case in "ab"]
    assert evaluate(exact)[0].detectable == NOTABLE_RATIO


def test_two_pairs_alone_are_enough_for_what_is_far_beyond_the_usual() -> None:
    def exact(*values: float) -> PairSample:
        return PairSample(Key("a", "m"), "k", "higher", values, (False, True), 0.01)

    assert evaluate([exact(-2.26, -2.30)])[0].verdict == "regression"
    assert evaluate([exact(-0.01, 0.01)])[0].verdict == "unchanged"
    # a host on which they differ by ten times the usual says nothing so soon
    assert evaluate([exact(-0.2, -0.3)])[0].verdict == "undecided"


@pytest.mark.parametrize("position", [0, 1, 2])
def test_one_pair_far_from_the_others_is_no_sure_change(position: int) -> None:
    """Three pairs of one case, identical builds, as they were recorded: one differed by a third."""
    logs = [-0.018, 0.005, 0.010]
    logs[position] = 0.324
    key = Key("a", "throughput_rps")
    sample_of_pairs = PairSample(key, "hello", "higher", tuple(logs), (True, False, True), 0.043)
    (finding,) = evaluate([sample_of_pairs])
    assert finding.verdict == "undecided"


def test_the_smallest_detectable_change_is_mostly_detected() -> None:
    """Simulated: among eight cases, a change of that size in one is called in most comparisons."""
    found = 0
    for seed in range(40):
        dice = random.Random(seed)

        def drawn(case: str, change: float, dice: random.Random = dice) -> PairSample:
            values = tuple(math.log(change) + dice.gauss(0, 0.03) for _ in range(8))
            order = tuple(index % 2 == 1 for index in range(8))
            return PairSample(Key(case, "m"), "k", "higher", values, order, 0.03)

        calm = [drawn(case, 1.0) for case in "bcdefgh"]
        reach = evaluate([drawn("a", 1.0), *calm])[0].detectable
        found += evaluate([drawn("a", 1 + reach), *calm])[0].verdict == "improvement"
    assert found >= 24


def test_more_pairs_bring_a_verdict_within_reach_only_where_noise_allows_it() -> None:
    (wild,) = evaluate(
        [PairSample(Key("a", "m"), "k", "higher", (-0.5, 0.6, 0.1), (False, True, False), 0.03)]
    )
    assert wild.verdict == "undecided"
    assert not wild.within_reach(10)
    (calm,) = evaluate(
        [PairSample(Key("a", "m"), "k", "higher", (-0.05, 0.06, 0.0), (False, True, False), 0.03)]
    )
    assert calm.verdict == "undecided"
    assert not calm.within_reach(3)
    assert calm.within_reach(10)


@pytest.mark.parametrize(
    ("ratio", "low", "high", "p_value", "verdict"),
    [
        (0.90, 0.88, 0.92, 0.001, "regression"),
        (1.10, 1.08, 1.12, 0.001, "improvement"),
        (0.98, 0.975, 0.985, 0.001, "unchanged"),
        (1.01, 0.96, 1.04, 0.6, "unchanged"),
        (0.95, 0.88, 1.02, 0.2, "undecided"),
    ],
)
def test_the_verdict_follows_from_interval_and_p_value(
    ratio: float, low: float, high: float, p_value: float, verdict: Verdict
) -> None:
    assert verdict_of(sample(1.0, 0.01, 2), ratio, low, high, p_value) == verdict


def test_what_hardly_varies_is_evaluated_more_finely() -> None:
    exact = replace(sample(1.0, 0.01, 2), notable_ratio=0.01, equivalent_ratio=0.02)
    assert verdict_of(exact, 0.985, 0.98, 0.99, 0.001) == "regression"
    assert verdict_of(exact, 1.004, 0.97, 1.03, 0.5) == "undecided"


def test_pairs_that_agree_by_chance_are_no_surer_than_they_were_measured() -> None:
    """Others of the kind agree within a thousandth, and so do these two; but each was measured
    within one and a half per cent."""
    order = (False, True)

    def verdict_of_pairs(error: float) -> Finding:
        others = [
            PairSample(
                Key(f"other{at}", "m"), "waits", "higher", (0.001 * at, -0.001), order, 0.002
            )
            for at in range(3)
        ]
        unsure = PairSample(
            Key("a", "m"), "waits", "higher", (-0.0339, -0.0352), order, 0.015, error=error
        )
        return evaluate([*others, unsure])[-1]

    assert verdict_of_pairs(0.0).verdict == "regression"
    found = verdict_of_pairs(0.015)
    assert found.verdict == "undecided"
    assert found.low < 0.96 < found.ratio < 0.97 < found.high
