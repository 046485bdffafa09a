"""The change of each metric in an event: computed once, shown unchanged everywhere."""

from __future__ import annotations

from springbench.results.events import AffectedSeries, changes_of

RUNS, PAIRS = "commit-1x6s", "compare"


def affected(configuration: str, metric: str, ratio: float) -> AffectedSeries:
    return AffectedSeries(
        case="boot4-tomcat-virtual-jvm/hello/64",
        configuration=configuration,
        host_class="a",
        metric=metric,
        unit="rps",
        better="higher",
        ratio=ratio,
        low_ratio=ratio - 0.01,
        high_ratio=ratio + 0.01,
    )


def test_series_of_runs_give_the_size_where_no_pairs_do() -> None:
    [change] = changes_of(
        [affected(RUNS, "throughput_rps", 1.2), affected("nightly-3x10s", "throughput_rps", 1.4)]
    )
    assert (change.low_ratio, change.high_ratio, change.series) == (1.2, 1.4, 2)
    assert round(change.ratio, 6) == 1.3


def test_pairs_give_the_size_of_what_they_have_seen_and_of_nothing_else() -> None:
    found = changes_of(
        [
            affected(RUNS, "throughput_rps", 1.6),
            affected(PAIRS, "throughput_rps", 1.15),
            affected(RUNS, "startup_s", 0.9),
        ]
    )
    assert [(change.metric, change.ratio, change.series) for change in found] == [
        ("throughput_rps", 1.15, 1),
        ("startup_s", 0.9, 1),
    ]


def test_of_one_series_its_own_interval_is_reported() -> None:
    [change] = changes_of([affected(RUNS, "throughput_rps", 0.9)])
    assert (change.low_ratio, change.high_ratio) == (0.89, 0.91)


def test_the_metric_of_the_most_series_comes_first_then_what_people_notice_first() -> None:
    found = changes_of(
        [
            affected(RUNS, "startup_s", 1.1),
            affected(RUNS, "throughput_rps", 1.1),
            *(affected(RUNS, "memory_peak_bytes", 1.1) for _ in range(2)),
        ]
    )
    assert [change.metric for change in found] == [
        "memory_peak_bytes",
        "throughput_rps",
        "startup_s",
    ]
