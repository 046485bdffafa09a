"""From the records of pairs to what they say."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import zip_longest

import pytest

from springbench.analysis.comparison.paired import (
    Evaluated,
    compiling_cases,
    confirms,
    evaluate_pairs,
    without_rates,
)
from springbench.analysis.comparison.verdicts import ComparedCase
from springbench.results.comparison import BurstRecord, PairRecord, SideRecord
from springbench.results.records import LoadRecord, RateFlaw
from tests.samples import at_rate, load

CASE = "boot4-tomcat-virtual-jvm/hello/64"


def side(rates: Sequence[float], compiling: Sequence[float] = ()) -> SideRecord:
    bursts = [
        BurstRecord(
            throughput_rps=r,
            cpu_per_request_s=1 / r,
            error_ratio=0.0,
            load_cpu_ratio=0.3,
            compiler_cpu_ratio=compiled,
        )
        for r, compiled in zip_longest(rates, compiling, fillvalue=0.0)
    ]
    return SideRecord(bursts={CASE: bursts})


def pair(
    number: int, base: Sequence[float], head: Sequence[float], compiling: Sequence[float] = ()
) -> PairRecord:
    """`compiling`: what the compilers of head had of a CPU in each burst."""
    sides = {"base": side(base), "head": side(head, compiling)}
    return PairRecord(pair=number, status="ok", sides=sides)


CPU_BOUND = {"v": [ComparedCase(CASE, waits=False)]}


def evaluated(pairs: Sequence[PairRecord]) -> Evaluated:
    """What is said of throughput."""
    return evaluate_pairs(CPU_BOUND, {"v": pairs})[0]


def test_what_disturbs_neighbouring_bursts_alike_cancels() -> None:
    """The host is slow for three of five bursts of base and two of head: nobody got slower."""
    base, head = (100.0, 60.0, 60.0, 60.0, 100.0), (100.0, 100.0, 60.0, 60.0, 100.0)
    found = evaluated([pair(0, base, head), pair(1, base, head)])
    assert found.finding.ratio == pytest.approx(1.0)
    assert found.base_median < found.head_median


@pytest.mark.parametrize(
    ("fresh", "confirmed"),
    [
        ([0.9, 0.91], True),
        ([0.99, 1.0], False),
        ([1.1, 1.1], False),
        ([], None),
    ],
)
def test_fresh_pairs_must_show_the_change_on_their_own(
    fresh: list[float], confirmed: bool | None
) -> None:
    first = [pair(n, (100.0,), (100 * r,)) for n, r in enumerate((0.9, 0.905, 0.895, 0.9))]
    again = [pair(4 + n, (100.0,), (100 * r,)) for n, r in enumerate(fresh)]
    candidate_change = evaluated(first)
    assert candidate_change.finding.verdict == "regression"
    assert candidate_change.finding.ratio == pytest.approx(0.9, rel=0.01)
    assert confirms(candidate_change, again) is confirmed


def test_fresh_pairs_that_noise_could_make_confirm_nothing() -> None:
    noisy = [pair(n, (100.0,), (100 * r,)) for n, r in enumerate((0.6, 0.9, 0.5, 1.0))]
    fresh = [pair(4 + n, (100.0,), (100 * r,)) for n, r in enumerate((0.75, 0.95))]
    candidate_change = evaluated(noisy)
    assert math.log(candidate_change.finding.ratio) < -0.2
    assert confirms(candidate_change, fresh) is False


def test_a_burst_in_which_a_side_was_compiling_is_left_out() -> None:
    base, head = (50.0, 50.0, 100.0, 100.0), (25.0, 25.0, 100.0, 100.0)
    still = pair(0, base, head, (0.9, 0.3, 0.05, 0.0))
    assert evaluated([still, still]).finding.ratio == pytest.approx(1.0)
    assert compiling_cases(CPU_BOUND, {"v": [still]}) == []
    # what was not compiling counts
    rested = pair(0, base, head, (0.05, 0.05, 0.05, 0.0))
    assert evaluated([rested, rested]).finding.ratio < 0.9


def test_of_a_side_that_never_stopped_compiling_nothing_is_said_and_that_is_reported() -> None:
    never = pair(0, (100.0, 100.0), (50.0, 50.0), (0.5, 0.5))
    assert evaluate_pairs(CPU_BOUND, {"v": [never, never]}) == []
    assert compiling_cases(CPU_BOUND, {"v": [never, never]}) == [CASE]
    # one of several such pairs is only left out
    rested = pair(1, (100.0, 100.0), (90.0, 90.0))
    assert evaluated([never, rested, rested]).finding.pairs == 2
    assert compiling_cases(CPU_BOUND, {"v": [never, rested]}) == []
    failed = rested.model_copy(update={"status": "failed", "sides": {}})
    assert compiling_cases(CPU_BOUND, {"v": [failed]}) == []


def test_pairs_whose_bursts_differ_are_not_taken_to_agree_by_chance() -> None:
    """On a host that gives and takes the CPU from burst to burst."""
    even, uneven = (100.0, 100.0, 100.0, 100.0), (100.0, 60.0, 140.0, 90.0)
    changed = [pair(n, even, tuple(0.85 * rate for rate in even)) for n in range(3)]
    assert evaluated(changed).finding.verdict == "regression"
    shaken = [pair(n, even, tuple(0.85 * rate for rate in uneven)) for n in range(3)]
    assert evaluated(shaken).finding.verdict == "undecided"
    # one such pair says nothing of the others
    [one, *other_pairs] = changed
    assert (
        evaluated([*other_pairs, one, shaken[0]]).finding.detectable
        < evaluated(shaken).finding.detectable
    )


def waiting_pair(number: int, base: LoadRecord, head: LoadRecord) -> PairRecord:
    sides = {"base": SideRecord(windows={CASE: [base]}), "head": SideRecord(windows={CASE: [head]})}
    return PairRecord.model_validate({"pair": number, "status": "ok", "sides": sides})


def window(mean_rps: float, middle_rps: float | None, error: float | None) -> LoadRecord:
    return load(mean_rps, middle_throughput_rps=middle_rps, middle_error_ratio=error)


WAITING = {"v": [ComparedCase(CASE, waits=True)]}


@pytest.mark.parametrize(
    ("windows", "verdict"),
    [
        # two per cent, of windows that are even
        ([((1000, 1000, 1e-4), (980, 980, 1e-3))] * 3, "regression"),
        # the same where a moment of base was lost in each: its middle has it not
        ([((985, 1000, 0.005), (980, 980, 0.001))] * 3, "regression"),
        # one window of four was disturbed for most of it
        (
            [((1000, 1000, 1e-4), (980, 980, 1e-3))] * 3 + [((990, 995, 0.1), (980, 980, 1e-3))],
            "regression",
        ),
        # windows whose pieces differ may agree by chance
        ([((1000, 1000, 0.02), (980, 980, 0.02))] * 3, "undecided"),
        ([((1000, 1000, 1e-4), (970, 1000, 1e-2))] * 3, "unchanged"),
        # of an older version, which had the mean alone
        ([((1000, None, None), (980, None, None))] * 3, "undecided"),
    ],
)
def test_a_wait_is_evaluated_as_exactly_as_its_windows_are_even(
    windows: list[tuple[tuple[float, float | None, float | None], ...]], verdict: str
) -> None:
    pairs = [
        waiting_pair(number, window(*base), window(*head))
        for number, (base, head) in enumerate(windows)
    ]
    found = {
        evaluation.finding.key.metric: evaluation
        for evaluation in evaluate_pairs(WAITING, {"v": pairs})
    }
    assert found["throughput_rps"].finding.verdict == verdict


def at_rate_pair(number: int, base_s: float, head_s: float, *flaws: RateFlaw) -> PairRecord:
    """Whose sides have these p99 at half of what base can; head with what speaks against it."""
    record = pair(number, (100.0,), (100.0,))
    for name, p99_s in (("base", base_s), ("head", head_s)):
        record.sides[name].constant_rates[CASE] = [  # type: ignore[index]
            at_rate(80, 1.0),
            at_rate(50, p99_s, flaws=list(flaws) if name == "head" else []),
        ]
    return record


AT_RATES = {"v": [ComparedCase(CASE, waits=False, rates=(50,))]}
WAITING_AT_RATES = {"v": [ComparedCase(CASE, waits=True, rates=(50,))]}


def test_latencies_at_a_constant_rate_are_evaluated_each_rate_for_itself() -> None:
    pairs = [at_rate_pair(0, 1.010, 2.021), at_rate_pair(1, 1.011, 2.02)]
    found = {
        evaluation.finding.key.metric: evaluation
        for evaluation in evaluate_pairs(WAITING_AT_RATES, {"v": pairs})
    }
    assert found["open_loop_50_latency_p99_s"].finding.ratio == pytest.approx(2.0, rel=0.01)
    assert found["open_loop_50_latency_p99_s"].finding.verdict == "regression"
    assert found["open_loop_50_latency_p50_s"].finding.ratio == 1
    # nobody has asked for that rate
    assert not [name for name in found if name.startswith("open_loop_80")]


@pytest.mark.parametrize(
    ("cases", "base_s", "head_s", "verdict"),
    [
        # where requests wait by design hardly anything moves them
        (WAITING_AT_RATES, 1.0, 1.05, "regression"),
        (WAITING_AT_RATES, 1.0, 1.005, "unchanged"),
        # processes of one build differ by so much where the CPU is what they wait for
        (AT_RATES, 0.010, 0.020, "undecided"),
    ],
)
def test_a_tail_is_evaluated_by_how_far_it_usually_spreads(
    cases: dict[str, list[ComparedCase]], base_s: float, head_s: float, verdict: str
) -> None:
    pairs = [at_rate_pair(number, base_s, head_s) for number in range(3)]
    found = {
        evaluation.finding.key.metric: evaluation
        for evaluation in evaluate_pairs(cases, {"v": pairs})
    }
    assert found["open_loop_50_latency_p99_s"].finding.verdict == verdict


def test_a_rate_that_a_side_could_not_keep_is_not_evaluated() -> None:
    pairs = [at_rate_pair(number, 0.010, 0.020, "behind") for number in (0, 1)]
    found = {evaluation.finding.key.metric for evaluation in evaluate_pairs(AT_RATES, {"v": pairs})}
    assert "throughput_rps" in found
    assert not [name for name in found if name.startswith("open_loop_50")]
    # and that is reported
    assert without_rates(AT_RATES, {"v": pairs}) == {CASE: "the server fell behind"}
    sound = [at_rate_pair(number, 0.010, 0.020) for number in (2, 3)]
    assert without_rates(AT_RATES, {"v": [*pairs, *sound]}) == {}
    assert without_rates(AT_RATES, {"v": sound[:1]}) == {}


@pytest.mark.parametrize(
    ("base", "head", "verdict"),
    [
        # four queries, then thirteen: an N+1
        (8.0, 26.0, "regression"),
        (8.0, 26.4, "regression"),
        (26.0, 8.0, "improvement"),
        # a wake-up more or less
        (8.0, 8.1, "unchanged"),
        (1.0, 1.0, "unchanged"),
    ],
)
def test_a_query_more_shows_in_the_calls_of_the_kernel(
    base: float, head: float, verdict: str
) -> None:
    def calling(number: int) -> PairRecord:
        found = pair(number, (100.0, 101.0), (101.0, 100.0))
        for side_of, reads in ((found.sides["base"], base), (found.sides["head"], head)):
            for burst in side_of.bursts[CASE]:
                # hardly anything else changes it
                burst.reads_per_request = reads * (1 + 0.002 * number)
        return found

    [reads] = evaluate_pairs(
        CPU_BOUND, {"v": [calling(0), calling(1), calling(2)]}, frozenset({"reads_per_request"})
    )
    assert reads.finding.verdict == verdict
    assert reads.finding.ratio == pytest.approx(head / base, rel=0.01)


@pytest.mark.parametrize(
    ("by_first_compiler", "verdict"),
    [
        # what C2 inlines varies: three processes of one build may have more than three others
        (False, "undecided"),
        # C1 makes the same of each
        (True, "regression"),
    ],
)
def test_allocation_is_surer_where_the_optimising_compiler_does_not_work(
    *, by_first_compiler: bool, verdict: str
) -> None:
    def allocating(number: int, ratio: float) -> PairRecord:
        found = pair(number, (100.0, 101.0), (101.0, 100.0))
        for of_side, times in ((found.sides["base"], 1.0), (found.sides["head"], ratio)):
            of_side.answered_to(CASE).allocated_bytes_per_request = 8000.0 * times
        return found

    # of identical builds on Tomcat
    pairs = [allocating(number, ratio) for number, ratio in enumerate((1.145, 1.139, 1.175))]
    cases = {"v": [ComparedCase(CASE, waits=False, by_first_compiler=by_first_compiler)]}
    found = {
        evaluation.finding.key.metric: evaluation.finding.verdict
        for evaluation in evaluate_pairs(cases, {"v": pairs})
    }
    assert found["allocated_bytes_per_request"] == verdict
