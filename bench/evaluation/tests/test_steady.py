"""What is said of a window by what the same process did two minutes later."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate

import pytest

from evaluation.steady import HOLDS, Compared, pieces_of, seconds_of
from springbench.measure.load.timeline import Sample, Timeline
from springbench.results.records import LoadRecord
from tests.samples import load

BEFORE = load(1000.0, steady=True, server_cpu_ratio=1.0)


def compared(later_rps: float, pieces: tuple[float, ...] = ()) -> Compared:
    later = BEFORE.model_copy(update={"throughput_rps": later_rps})
    return Compared("a/b/1", 20.0, BEFORE, later, pieces=pieces)


def slower_host(comparison: Compared, ratio: float) -> Compared:
    def timed(record: LoadRecord, work_s: float) -> LoadRecord:
        return record.model_copy(update={"calibration_probe_s": work_s})

    return replace(
        comparison,
        reported=timed(comparison.reported, 1e-3),
        later=timed(comparison.later, 1e-3 / ratio),
    )


@pytest.mark.parametrize(
    ("later_rps", "pieces", "expected"),
    [
        (1000.0, (), HOLDS),
        (960.0, (), HOLDS),
        (900.0, (), "does not hold"),
        (900.0, (0.88, 0.91), "does not hold"),
        (900.0, (0.88, 1.1), "does not hold: it moves to and fro"),
    ],
)
def test_a_row_is_decided(later_rps: float, pieces: tuple[float, ...], expected: str) -> None:
    assert compared(later_rps, pieces=pieces).verdict == expected


def test_a_host_that_is_slower_later_is_taken_into_account_under_a_quota_too() -> None:
    later = slower_host(compared(820.0), 0.82)
    assert later.verdict == f"{HOLDS}: the host changed"
    # a server that waits does not go with the host's CPU
    a_third = later.reported.model_copy(update={"server_cpu_ratio": 0.33})
    assert replace(later, reported=a_third).verdict == "does not hold"
    # with a third of a CPU it has all that it may have
    assert replace(later, reported=a_third, quota=0.33).verdict == f"{HOLDS}: the host changed"


def test_a_process_that_a_slow_host_costs_more_than_in_proportion() -> None:
    later = slower_host(compared(730.0), 0.82)
    assert later.verdict == "does not hold"
    assert replace(later, exponent=-1.6).verdict == f"{HOLDS}: the host changed"


def test_each_second_tells_how_the_process_goes_with_the_host() -> None:
    """Of ten seconds, every other one is slower by a quarter."""
    total, samples = 0.0, []
    for tenth in range(101):
        slower = 1.25 if tenth // 10 % 2 else 1.0
        probe_s = 1e-3 * slower if tenth % 10 == 5 else None
        samples.append(Sample(tenth / 10, None, int(total), calibration_probe_s=probe_s))
        total += 100 * slower**-1.6
    found = list(seconds_of(Timeline(tuple(samples))))
    assert len(found) == 10
    fast, slow, *_ = found
    assert (slow.value - fast.value) / (slow.probe - fast.probe) == pytest.approx(-1.6, abs=0.05)


def test_pieces_are_of_ten_seconds_and_what_is_left_is_no_piece() -> None:
    # a tenth of a second each
    increments = [rate // 10 for rate in (100, 50, 200, 10**9) for _ in range(100)]
    read = accumulate(increments[:350], initial=0)
    samples = [Sample(at / 10, None, total) for at, total in enumerate(read)]
    timeline = Timeline(tuple(samples))
    assert [round(piece, 1) for piece in pieces_of(timeline, 100.0)] == [1.0, 0.5, 2.0]
    assert list(pieces_of(timeline, 0.0)) == []
    assert list(pieces_of(Timeline(()), 100.0)) == []
