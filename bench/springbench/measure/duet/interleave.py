"""Bursts of both sides at once, in slices: a tenth of a second each in turn."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from itertools import pairwise

from springbench.measure.duet.side import RunningSide, Schedule, in_order
from springbench.measure.rounds.cycles import Failures, cycle, look_at, settle
from springbench.measure.rounds.lane import SLICE_S, Stretch, open_lane


def interleave(sides: Sequence[RunningSide], schedule: Schedule, turn: int) -> None:
    """Load both sides at once and add to each record its bursts.

    Raises `CaseError` when a server or a wrk ends early.
    """
    slices = max(1, round(schedule.burst_s / SLICE_S))
    # it is told to end; this is only when it would by itself
    longest_s = 4 * schedule.bursts * schedule.burst_s + 60
    with ExitStack() as stack:
        ordered = in_order(sides, turn)
        lanes = [open_lane(stack, side, schedule.case, longest_s) for side in ordered]
        _raise(settle(lanes))
        for step in range(schedule.bursts * slices):
            _raise(cycle(lanes, step))
        _raise(look_at(lanes))
        for side, lane in zip(ordered, lanes, strict=True):
            summary = lane.close()
            edges = pairwise(lane.looks[::slices])
            side.record.bursts[schedule.case.id] = [
                lane.burst([Stretch(begin, end)], summary) for begin, end in edges
            ]
            answered = side.record.answered_to(schedule.case.id)
            answered.count(summary)
            answered.allocated_bytes_per_request = lane.allocated_bytes_per_request(summary)


def _raise(failures: Failures) -> None:
    for _, error in failures:
        raise error
