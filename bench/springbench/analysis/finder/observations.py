"""Series as the finder sees them: one positive value a commit, in the order of the history."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from springbench.results.metrics import Better, Unit
from springbench.results.steps import MeasuredCommit

if TYPE_CHECKING:
    from numpy.typing import NDArray

# a value that no neighbour is near is the run's, and not the commit's
OUTLIER_DEVIATIONS = 5.0
NEIGHBOURS = 4
MAD_TO_DEVIATION = 1.4826  # of a normal distribution
# numbers are published with five digits, and counts do not vary at all
LEAST_DEVIATION = 0.001
LEAST_PROBES = 10
FEW = 3
# standard errors by which a series must go with the probe; neighbours share points
SURELY_ALIKE = 5.0


@dataclass(frozen=True)
class SeriesKey:
    """One metric of one case, measured in one way on one host class."""

    case: str
    configuration: str
    host_class: str
    metric: str


@dataclass(frozen=True)
class MetricSeries:
    """A series, oldest first: a value for each of `measured`. A commit that was measured again has
    one for each run. Series of the same runs should share one `measured`: they are looked at
    together."""

    key: SeriesKey
    unit: Unit
    better: Better
    measured: tuple[MeasuredCommit, ...]
    values: Sequence[float] | NDArray[Any]


def is_whole(measured: Sequence[MeasuredCommit]) -> bool:
    """Whether each commit was measured once."""
    return len({run.commit.sha for run in measured}) == len(measured)


def by_commit(
    measured: Sequence[MeasuredCommit], values: Iterable[float]
) -> tuple[tuple[MeasuredCommit, ...], list[float]]:
    """One value a commit, the geometric mean of its runs; what is not positive is left out.

    Where runs of a commit stand apart (its clock ran backwards), the place of the first counts.
    """
    groups: dict[str, list[tuple[MeasuredCommit, float]]] = {}
    for run, value in zip(measured, values, strict=True):
        if value > 0 and math.isfinite(value):
            groups.setdefault(run.commit.sha, []).append((run, value))
    commits = tuple(_merged([member for member, _ in group]) for group in groups.values())
    return commits, [_geometric_mean([value for _, value in group]) for group in groups.values()]


def _merged(runs: Sequence[MeasuredCommit]) -> MeasuredCommit:
    probes_s = [run.cpu_probe_s for run in runs if run.cpu_probe_s]
    return runs[0].model_copy(
        update={
            "environment": runs[-1].environment,
            "cpu_probe_s": _geometric_mean(probes_s) if len(probes_s) == len(runs) else None,
        }
    )


def _geometric_mean(values: Sequence[float]) -> float:
    if len(values) == 1:
        return values[0]
    return math.exp(statistics.fmean(math.log(value) for value in values))


def stretches(measured: Sequence[MeasuredCommit]) -> list[tuple[int, int]]:
    """The parts, begin and end, between environment changes: where the host changed and did not
    change back.

    Hosts that take turns (two runners, an image that is rolled out over days) make no environment
    change.
    """
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for index, run in enumerate(measured):
        first.setdefault(run.environment, index)
        last[run.environment] = index
    cuts = [
        index
        for index in range(1, len(measured))
        if all(last[name] < index or first[name] >= index for name in first)
    ]
    return list(zip([0, *cuts], [*cuts, len(measured)], strict=True))


def at_one_speed(logs: NDArray[Any], measured: Sequence[MeasuredCommit]) -> NDArray[Any]:
    """Logarithms, a row for each series, as if the host had always been as fast as on average.

    How a series depends on the CPU probe is estimated from their changes from a few points to the
    next few:
    a step of the program is one of many of these, and one that came with the host's is the host's.
    What does not surely go with it stays as it is; so does all of it where a run has no probe.
    """
    import numpy as np  # noqa: PLC0415 - most commands need it not

    probes = np.array([run.cpu_probe_s or 0.0 for run in measured])
    if len(probes) < LEAST_PROBES or not probes.all() or np.ptp(probes) == 0:
        return logs
    speed = np.log(probes) - np.log(probes).mean()
    host, rows = _changes(speed), _changes(logs)
    squares = host @ host
    slope = rows @ host / squares
    left = rows - slope[:, None] * host
    error = np.sqrt((left**2).sum(axis=1) / (len(host) - 1) / squares)
    slope[np.abs(slope) < SURELY_ALIKE * error] = 0.0
    # what the CPU bounds takes as much longer as the probe
    return np.asarray(logs - np.clip(slope, -1.0, 1.0)[:, None] * speed)


def _changes(logs: NDArray[Any]) -> NDArray[Any]:
    """The means of a few points less those of as many before them: single ones are noisy."""
    import numpy as np  # noqa: PLC0415

    around = np.lib.stride_tricks.sliding_window_view(logs, 2 * FEW, axis=-1)
    return np.asarray(around[..., FEW:].mean(axis=-1) - around[..., :FEW].mean(axis=-1))


def without_spikes(logs: NDArray[Any]) -> NDArray[Any]:
    """Logarithms, a row for each series, in which a single value far from all around it became what
    is around it.

    Two alike beside each other stay: that may be a step. Around the place of a step lie two levels;
    the value is taken to be of the nearer one.
    """
    import numpy as np  # noqa: PLC0415 - most commands need it not

    points = logs.shape[1]
    cleaned = np.array(logs)
    if points <= NEIGHBOURS:
        return cleaned
    far = OUTLIER_DEVIATIONS * _noise(logs)
    lonely = np.ones(logs.shape, dtype=bool)
    for apart in range(1, min(NEIGHBOURS, points - 1) + 1):
        differs = np.abs(logs[:, apart:] - logs[:, :-apart]) > far[:, None] / 2
        lonely[:, apart:] &= differs
        lonely[:, :-apart] &= differs
    for row, column in zip(*np.nonzero(lonely), strict=True):
        value, around = logs[row, column], logs[row]
        sides = [around[max(0, column - NEIGHBOURS) : column], around[column + 1 :][:NEIGHBOURS]]
        levels = [float(np.median(side)) for side in sides if len(side)]
        nearest = min(levels, key=lambda level: abs(value - level))
        if abs(value - nearest) > far[row]:
            cleaned[row, column] = nearest
    return cleaned


def _noise(logs: NDArray[Any]) -> NDArray[Any]:
    """The deviation of the points of each row, from differences of neighbours, which steps hardly
    touch."""
    import numpy as np  # noqa: PLC0415

    apart = np.median(np.abs(np.diff(logs, axis=1)), axis=1)
    return np.maximum(LEAST_DEVIATION, MAD_TO_DEVIATION * apart / math.sqrt(2))
