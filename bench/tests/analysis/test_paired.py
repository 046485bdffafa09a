"""From the records of pairs to what they say."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from springbench.analysis.paired import ComparedCase, Judged, confirms, judge_pairs
from springbench.measure.records import BurstRecord, PairRecord, SideRecord

CASE = "boot4-tomcat-virtual-jvm/hello/64"


def side(rates: Sequence[float]) -> SideRecord:
    bursts = [
        BurstRecord(throughput_rps=r, cpu_per_request_s=None, error_ratio=0.0, load_cpu_ratio=0.3)
        for r in rates
    ]
    return SideRecord(bursts={CASE: bursts})


def pair(number: int, base: Sequence[float], head: Sequence[float]) -> PairRecord:
    return PairRecord(pair=number, status="ok", sides={"base": side(base), "head": side(head)})


def judged(pairs: Sequence[PairRecord]) -> Judged:
    (only,) = judge_pairs({"v": [ComparedCase(CASE, latency_bound=False)]}, {"v": pairs})
    return only


def test_what_disturbs_neighbouring_bursts_alike_cancels() -> None:
    """The host is slow for three of five bursts of base and two of head: nobody got slower."""
    base, head = (100.0, 60.0, 60.0, 60.0, 100.0), (100.0, 100.0, 60.0, 60.0, 100.0)
    found = judged([pair(0, base, head), pair(1, base, head)])
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
    suspicion = judged(first)
    assert suspicion.finding.verdict == "regression"
    assert suspicion.finding.ratio == pytest.approx(0.9, rel=0.01)
    assert confirms(suspicion, again) is confirmed


def test_fresh_pairs_that_noise_could_make_confirm_nothing() -> None:
    noisy = [pair(n, (100.0,), (100 * r,)) for n, r in enumerate((0.6, 0.9, 0.5, 1.0))]
    fresh = [pair(4 + n, (100.0,), (100 * r,)) for n, r in enumerate((0.75, 0.95))]
    suspicion = judged(noisy)
    assert math.log(suspicion.finding.ratio) < -0.2
    assert confirms(suspicion, fresh) is False
