"""Series as the finder sees them: one positive value a commit, in the order of the history."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from springbench.results.history_names import CommitRow
from springbench.results.metrics import Better, Unit

# a value that no neighbour is near is the run's, and not the commit's
OUTLIER_DEVIATIONS = 5.0
NEIGHBOURS = 4
MAD_TO_DEVIATION = 1.4826  # of a normal distribution
# numbers are published with five digits, and counts do not vary at all
LEAST_DEVIATION = 0.001


@dataclass(frozen=True)
class SeriesKey:
    """One metric of one case, measured in one way on one host class."""

    case: str
    conditions: str
    host_class: str
    metric: str


@dataclass(frozen=True)
class Observation:
    """The figure of one run. `environment` names what of the host may shift a level by itself."""

    commit: CommitRow
    run: str
    value: float
    environment: str = ""


@dataclass(frozen=True)
class MetricSeries:
    """A series, oldest first. A commit that was measured again has one observation for each run."""

    key: SeriesKey
    unit: Unit
    better: Better
    observations: tuple[Observation, ...]


def by_commit(observations: Iterable[Observation]) -> list[Observation]:
    """One observation a commit, the geometric mean of its runs; what is not positive is left out.

    Where runs of a commit stand apart (its clock ran backwards), the place of the first counts.
    """
    groups: dict[str, list[Observation]] = {}
    for each in observations:
        if each.value > 0 and math.isfinite(each.value):
            groups.setdefault(each.commit.sha, []).append(each)
    return [
        Observation(
            group[0].commit,
            group[0].run,
            _geometric_mean([each.value for each in group]),
            group[-1].environment,
        )
        for group in groups.values()
    ]


def _geometric_mean(values: Sequence[float]) -> float:
    if len(values) == 1:
        return values[0]
    return math.exp(statistics.fmean(math.log(value) for value in values))


def stretches(observations: Sequence[Observation]) -> list[tuple[int, int]]:
    """The parts, begin and end, between seams: where the host changed and did not change back.

    Hosts that take turns (two runners, an image that is rolled out over days) make no seam.
    """
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for place, each in enumerate(observations):
        first.setdefault(each.environment, place)
        last[each.environment] = place
    cuts = [
        place
        for place in range(1, len(observations))
        if all(last[name] < place or first[name] >= place for name in first)
    ]
    return list(zip([0, *cuts], [*cuts, len(observations)], strict=True))


def without_spikes(logs: Sequence[float]) -> list[float]:
    """Logarithms in which a single value far from all around it became what is around it.

    Two alike beside each other stay: that may be a step. Around the place of a step lie two levels;
    the value is taken to be of the nearer one.
    """
    cleaned = list(logs)
    noise = _noise(logs)
    for place, value in enumerate(logs):
        sides = [logs[max(0, place - NEIGHBOURS) : place], logs[place + 1 :][:NEIGHBOURS]]
        if sum(map(len, sides)) < NEIGHBOURS:
            continue
        levels = [statistics.median(side) for side in sides if side]
        nearest = min(levels, key=lambda level: abs(value - level))
        far = OUTLIER_DEVIATIONS * noise
        lonely = all(abs(value - other) > far / 2 for side in sides for other in side)
        if lonely and abs(value - nearest) > far:
            cleaned[place] = nearest
    return cleaned


def _noise(logs: Sequence[float]) -> float:
    """The deviation of the points, from differences of neighbours, which steps hardly touch."""
    apart = [abs(after - before) for before, after in itertools.pairwise(logs)]
    if not apart:
        return LEAST_DEVIATION
    return max(LEAST_DEVIATION, MAD_TO_DEVIATION * statistics.median(apart) / math.sqrt(2))
