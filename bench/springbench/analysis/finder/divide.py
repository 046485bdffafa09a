"""The detector of otava, and the test that decides whether it divides a window. Slow to import."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from otava.change_point_divisive.base import (
    BaseStats,
    CandidateChangePoint,
    ChangePoint,
    SignificanceTester,
)
from otava.change_point_divisive.calculator import PairDistanceCalculator
from otava.change_point_divisive.detector import ChangePointDetector

from springbench.analysis.finder.levels import p_value_of
from springbench.analysis.finder.settings import FinderSettings

# otava's first pass divides at a place that is a tenth as sure as asked for: what is not sure in
# the end is weeded out later
FIRST_PASS = 10


class _Student(SignificanceTester):  # type: ignore[misc]
    """Student's t-test of the two sides of a place."""

    def change_point(
        self, candidate: CandidateChangePoint, series: Sequence[float], intervals: list[slice]
    ) -> ChangePoint:
        points = len(series)
        within = next(
            each for each in intervals if each.start < candidate.index < (each.stop or points)
        )
        begin, end = within.start, within.stop or points
        # plain floats: single elements of an array are slow
        values = [float(value) for value in series]
        p_value = p_value_of(values, begin, int(candidate.index), end)
        return ChangePoint.from_candidate(candidate, BaseStats(p_value))


def divide(logs: Any, settings: FinderSettings) -> list[int]:
    """The places at which an array of logarithms is divided, in order."""
    detector = ChangePointDetector(
        _Student(FIRST_PASS * settings.first_p_value), PairDistanceCalculator
    )
    return [int(point.index) for point in detector.get_change_points(logs)]
