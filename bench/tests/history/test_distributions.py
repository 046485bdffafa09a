"""Published latencies at constant rates: what the forks' histograms say, and no more."""

from __future__ import annotations

import base64
import time
import zlib
from collections.abc import Callable

import pytest
from hdrh.histogram import HdrHistogram

from springbench.bench.records import new_result
from springbench.history.condense import PERCENTS, condense, distributions_of
from springbench.matrix.rows import Matrix
from springbench.results.published_run import PublishedDistribution
from springbench.results.records import ConstantRateRecord
from springbench.results.run import Result
from tests.samples import at_rate, case, empty_run
from tests.samples import fork as plain_fork

PAY = "boot4-tomcat-virtual-jvm/pay/1000"


def histogram(*latencies_s: float) -> str:
    hdr = HdrHistogram(1, 3_600_000_000, 3)
    for latency_s in latencies_s:
        hdr.record_value(round(latency_s * 1e6))
    return str(hdr.encode(), "ascii")


def result_of(matrix: Matrix, *passes: ConstantRateRecord) -> Result:
    result = new_result(case(matrix, PAY, forks=len(passes)), status="ok")
    result.forks = [
        plain_fork(number, 995.0).model_copy(update={"constant_rates": [constant_rate]})
        for number, constant_rate in enumerate(passes)
    ]
    return result


def at(distribution: PublishedDistribution, percent: float) -> tuple[float | None, ...]:
    index = distribution.percent.index(percent)
    columns = distribution.latency_s
    return columns.median[index], columns.low[index], columns.high[index]


def test_a_percentile_is_the_middle_of_the_forks_and_how_far_they_lie_apart(
    matrix: Matrix,
) -> None:
    passes = [
        at_rate(50, 1.0, requests=1000, histogram=histogram(*[factor] * 1000))
        for factor in (1.0, 1.2, 1.4)
    ]
    [found] = distributions_of(result_of(matrix, *passes))
    assert (found.capacity_percent, found.offered_rps, found.n) == (50, 500.0, 3)
    assert at(found, 50.0) == pytest.approx((1.2, 1.0, 1.4), rel=0.002)


def test_a_distribution_ends_where_its_requests_do(matrix: Matrix) -> None:
    """With a thousand requests nothing lies beyond the 99.9th percentile but the slowest."""
    one = at_rate(50, 1.0, requests=1000, histogram=histogram(*[1.0] * 1000))
    [found] = distributions_of(result_of(matrix, one))
    assert found.percent == [percent for percent in PERCENTS if percent <= 99.9]


@pytest.mark.parametrize(
    "fields",
    [
        {"flaws": ["behind"], "histogram": histogram(1.0)},
        {"histogram": None},
        {"histogram": ""},
        {"histogram": "no base 64 at all"},
        {"histogram": histogram(1.0)[:20]},
        {"requests": 0, "histogram": histogram(1.0)},
    ],
)
def test_what_does_not_count_or_cannot_be_read_has_none(
    matrix: Matrix, fields: dict[str, object]
) -> None:
    broken = at_rate(50, 1.0, **fields)
    assert distributions_of(result_of(matrix, broken)) == []
    good = at_rate(50, 1.0, histogram=histogram(1.0))
    [found] = distributions_of(result_of(matrix, broken, good))
    assert found.n == 1


def bomb_in_a_histogram() -> str:
    """64 MiB of zeros in the place of the counts."""
    outer = base64.b64decode(histogram(1.0))[:4]
    packed = zlib.compress(bytes(1 << 26), 1)
    return str(base64.b64encode(outer + len(packed).to_bytes(4, "big") + packed), "ascii")


def fine_histogram() -> str:
    """Eight million counts: reading percentiles of them would take minutes."""
    hdr = HdrHistogram(1, 2**62, 5)
    hdr.record_value(1)
    return str(hdr.encode(), "ascii")


@pytest.mark.parametrize("make", [bomb_in_a_histogram, fine_histogram])
def test_a_histogram_that_is_larger_than_ours_is_not_unpacked(
    matrix: Matrix, make: Callable[[], str]
) -> None:
    text = make()
    begin_s = time.process_time()
    found = distributions_of(result_of(matrix, at_rate(50, 1.0, requests=9, histogram=text)))
    assert found == []
    assert time.process_time() - begin_s < 0.5


def test_each_rate_has_its_own(matrix: Matrix) -> None:
    both = [
        at_rate(80, 1.0, histogram=histogram(2.0)),
        at_rate(50, 1.0, histogram=histogram(1.0)),
    ]
    assert [
        distribution.capacity_percent for distribution in distributions_of(result_of(matrix, *both))
    ] == [
        50,
        80,
    ]


def test_a_published_run_has_them_with_their_case(matrix: Matrix) -> None:
    run = empty_run()
    run.results = [result_of(matrix, at_rate(50, 1.0, histogram=histogram(1.0)))]
    [published] = condense([run]).cases
    assert published.distributions
    run.results = [result_of(matrix)]
    [without] = condense([run]).cases
    assert "distributions" not in without.model_dump(exclude_none=True)
