"""Changes of level in noise that may be autocorrelated.

A slow host stays slow for some runs, so neighbouring points are alike, and a step of the host looks
like one of the program. Each of a few models says how alike points are that lie so far apart. Under
each of them a change is fitted by generalised least squares, its p-value is raised for the choice
of the place (the volume of tubes: Hotelling, 1939), and the p-values are averaged by how well each
model explains what the change leaves (the restricted likelihood, which counts neither the change
as autocorrelation nor the fitted levels as quiet). So a series must itself show that its noise is
independent, or that it is too autocorrelated for its step to be one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from springbench.analysis.finder.observations import LEAST_DEVIATION

if TYPE_CHECKING:
    from numpy.typing import NDArray

Shape = Literal["step", "slope"]
"""A new level, or one that begins to change by as much with each point, up to the last."""
LONGEST = 120
"""So many points are fitted at once at most."""
MIN_POINTS = 3
"""On either side of a step: one spike, or two bad runs, are no step."""
MIN_SLOPE_POINTS = 15
"""Fewer make any two steps look like a slope."""


class Model(NamedTuple):
    """How probable it is beforehand that a share of the variance is autocorrelated, of neighbours
    by so much, and the rest is not."""

    probability: float
    autocorrelation: float = 0.0
    share: float = 1.0


# most hosts wander slowly, some more than others; what a series shows of it counts far more
MODELS = (
    Model(0.2),
    *(Model(0.15, 0.99, share) for share in (0.75, 0.5, 0.25)),
    *(Model(0.075, autocorrelation) for autocorrelation in (0.3, 0.6, 0.9, 0.99)),
    Model(0.05, 0.7, 0.5),
)
Noise = Sequence[float]
"""How probable each of `MODELS` is."""
INDEPENDENT: Noise = (1.0, *(0.0 for _ in MODELS[1:]))


class Fit(NamedTuple):
    """The best-fitting change of a part, in logarithms: `change` for each point of a slope.

    `drops` has for each place by how much the logarithm of its likelihood lies below that of the
    best; infinite where no change may be.
    """

    position: int
    p_value: float
    level: float
    change: float
    error: float
    drops: NDArray[Any]


class _Fits(NamedTuple):
    """The same of many parts, in columns, and the noise around each of them."""

    position: NDArray[Any]
    p_value: NDArray[Any]
    level: NDArray[Any]
    change: NDArray[Any]
    error: NDArray[Any]
    drops: NDArray[Any]
    noise: NDArray[Any]

    def fit(self, row: int) -> Fit:
        """That of one part."""
        position, p_value, level, change, error = (column[row].item() for column in self[:5])
        return Fit(position, p_value, level, change, error, self.drops[row])


class _Table:
    """What of a fit under one model depends on the numbers of points alone.

    The matrix that makes the noise independent is triangular, so that of fewer points is a corner
    of it; sums over the first so many points are in row so many.
    """

    def __init__(self, model: Model, shape: Shape) -> None:
        import numpy as np  # noqa: PLC0415 - most commands need it not

        self.whitening, variances = _whitening(model)
        steps = np.cumsum(self.whitening[:, ::-1], axis=1)[:, ::-1]
        slopes = np.cumsum(steps[:, ::-1], axis=1)[:, ::-1] - steps
        # in the order of memory, where products read them
        self.ones = np.ascontiguousarray(steps[:, 0])
        self.changes = np.ascontiguousarray(steps if shape == "step" else slopes)
        self.determinant = _sums(np.log(variances))
        self.ones_ones = _sums(self.ones**2)
        self.ones_changes = _sums(self.ones[:, None] * self.changes)
        mean = self.ones_changes / np.maximum(self.ones_ones, 1e-300)[:, None]
        self.squares = np.maximum(_sums(self.changes**2) - mean * self.ones_changes, 1e-12)
        # how far the directions of neighbouring changes are apart: the length of the tube
        products = _sums(self.changes[:, :-1] * self.changes[:, 1:])
        products -= mean[:, :-1] * self.ones_changes[:, 1:]
        cosines = products / np.sqrt(self.squares[:, :-1] * self.squares[:, 1:])
        angles = np.arccos(np.clip(cosines, -1.0, 1.0))
        points = np.arange(LONGEST + 1)[:, None]
        self.length = np.where(_may_be(points, shape)[:, 1:], angles, 0.0).sum(axis=1)


def _whitening(model: Model) -> tuple[NDArray[Any], NDArray[Any]]:
    """A matrix that takes from each point what those before it predict, in deviations of what is
    left, and the variances of that (Durbin and Levinson's recursion)."""
    import numpy as np  # noqa: PLC0415

    alike = model.share * model.autocorrelation ** np.arange(LONGEST)
    whitening, variances = np.eye(LONGEST), np.ones(LONGEST)
    weights = np.zeros(0)
    for index in range(1, LONGEST):
        before = variances[index - 1]
        last = (alike[index] - weights @ alike[index - 1 : 0 : -1]) / before
        weights = np.append(weights - last * weights[::-1], last)
        variances[index] = before * (1 - last**2)
        whitening[index, :index] = -weights[::-1]
        whitening[index] /= math.sqrt(variances[index])
    return whitening, variances


def _sums(values: NDArray[Any]) -> NDArray[Any]:
    import numpy as np  # noqa: PLC0415

    return np.concatenate([np.zeros((1, *values.shape[1:])), np.cumsum(values, axis=0)])


def _may_be(points: NDArray[Any], shape: Shape) -> NDArray[Any]:
    """At which places of so many points a change may begin."""
    import numpy as np  # noqa: PLC0415

    positions = np.arange(LONGEST)
    if shape == "step":
        return (positions >= MIN_POINTS) & (positions <= points - MIN_POINTS)
    return positions <= points - MIN_SLOPE_POINTS


@cache
def _table(number: int, shape: Shape) -> _Table:
    return _Table(MODELS[number], shape)


def noises(parts: Sequence[NDArray[Any]]) -> list[Noise]:
    """How the noise of each part is autocorrelated, its best step aside."""
    return [noise for batch in _batches(parts, None, "step", None) for noise in batch.noise]


def significant(
    parts: Sequence[NDArray[Any]],
    most: float,
    noise: Sequence[Noise] | None = None,
    shape: Shape = "step",
) -> Iterator[tuple[int, Fit]]:
    """As `fits`, of those parts alone whose p-value is `most` at most, each with its place among
    all: most parts have no change."""
    first = 0
    for batch in _batches(parts, noise, shape, None):
        for row in (batch.p_value <= most).nonzero()[0].tolist():
            yield first + row, batch.fit(row)
        first += len(batch.position)


def fits(
    parts: Sequence[NDArray[Any]],
    noise: Sequence[Noise] | None = None,
    shape: Shape = "step",
    at: int | None = None,
) -> Iterator[Fit]:
    """One by one the best change of each part, of `LONGEST` logarithms at most, or that at a place;
    in this noise, or in what the part itself shows. Where no change may be, the p-value is 1."""
    for batch in _batches(parts, noise, shape, at):
        yield from map(batch.fit, range(len(batch.position)))


# so many products at once: fewer take longer, more take memory and no less time
_PRODUCTS = 2**20
# a place too near to an end that is likelier by this (a logarithm) leaves no other
EDGE_DROP = 2.0


def _batches(
    parts: Sequence[NDArray[Any]], noise: Sequence[Noise] | None, shape: Shape, at: int | None
) -> Iterator[_Fits]:
    at_once = max(1, _PRODUCTS // max(map(len, parts), default=1) ** 2)
    for first in range(0, len(parts), at_once):
        batch = slice(first, first + at_once)
        yield _fitted(parts[batch], noise and noise[batch], shape, at)


def _fitted(
    parts: Sequence[NDArray[Any]], noise: Sequence[Noise] | None, shape: Shape, at: int | None
) -> _Fits:
    import numpy as np  # noqa: PLC0415

    points = np.array([len(part) for part in parts])
    positions = np.arange(points.max())
    logs = np.zeros((len(parts), len(positions)))
    for row, part in enumerate(parts):
        logs[row, : len(part)] = part
    means = logs.sum(axis=1) / points
    logs -= means[:, None]
    logs[positions >= points[:, None]] = 0.0
    may_be = _may_be(points[:, None], shape)[:, : len(positions)]
    if at is not None:
        may_be &= positions == at
    models = np.array([model.probability for model in MODELS])[:, None]
    if noise is not None:
        models = np.array(noise).T
    used = models.any(axis=1)
    models = models[used]
    under = [
        _Estimates(_table(index, shape), logs, points) for index in np.flatnonzero(used).tolist()
    ]
    likely = np.array([estimates.likelihoods(may_be) for estimates in under])
    # models that are given are not weighed again
    among = (0, 2) if noise is None else 2
    likely -= likely.max(axis=among, where=may_be, initial=-1e300, keepdims=True)
    with np.errstate(divide="ignore"):
        likely += np.log(models)[:, :, None]
    together = np.log(np.exp(np.minimum(likely, 700.0)).sum(axis=0))
    position = np.where(may_be, together, -np.inf).argmax(axis=1)
    best = together[np.arange(len(parts)), position]
    drops = np.where(may_be, best[:, None] - together, np.inf)
    found = np.array([estimates.at(position, searched=at is None) for estimates in under])
    weight, p_value, level, change, variance = found.transpose(1, 0, 2)
    if noise is None:
        weight = np.exp(weight - weight.max(axis=0)) * models
        models = weight / weight.sum(axis=0)
    p_value = (models * p_value).sum(axis=0)
    if shape == "step" and at is None:
        # what is more likely to have begun with the last two points, or ended with the first two
        beyond = ~may_be & (positions > 0) & (positions < points[:, None])
        p_value[together.max(axis=1, where=beyond, initial=-1e300) > best + EDGE_DROP] = 1.0
    p_value[~may_be.any(axis=1)] = 1.0
    by = (models * change).sum(axis=0)
    error = np.sqrt((models * (variance + (change - by) ** 2)).sum(axis=0))
    levels = (models * level).sum(axis=0) + means
    return _Fits(position, np.minimum(1.0, p_value), levels, by, error, drops, models.T)


class _Estimates:
    """All changes of each row under one model: `mean` without any, `change` at each place, and the
    squares that are `left` then."""

    def __init__(self, table: _Table, logs: NDArray[Any], points: NDArray[Any]) -> None:
        import numpy as np  # noqa: PLC0415

        end = logs.shape[1]
        self.table, self.points, self.degrees = table, points, np.maximum(points - 2, 1)
        white = logs @ table.whitening[:end, :end].T
        white[np.arange(end) >= points[:, None]] = 0.0
        ones, self.squares = table.ones_ones[points], table.squares[points, :end]
        self.mean = white @ table.ones[:end] / ones
        change = white @ table.changes[:end, :end]
        self.change = (
            change - self.mean[:, None] * table.ones_changes[points, :end]
        ) / self.squares
        total = (white**2).sum(axis=1) - self.mean**2 * ones
        least = self.degrees * LEAST_DEVIATION**2
        self.left = np.maximum(total[:, None] - self.change**2 * self.squares, 0.0) + least[:, None]

    def likelihoods(self, may_be: NDArray[Any]) -> NDArray[Any]:
        """Logarithms of the restricted likelihood of each place."""
        import numpy as np  # noqa: PLC0415

        # a place must not be likelier where less can be known of a change
        self.largest = self.squares.max(axis=1, where=may_be, initial=1e-12)
        ones = self.table.ones_ones[self.points] * self.largest
        constant = self.table.determinant[self.points] + np.log(ones)
        squares = self.degrees[:, None] * np.log(self.left)
        self.likely = np.asarray(-(constant[:, None] + squares) / 2)
        return self.likely

    def at(self, position: NDArray[Any], *, searched: bool) -> NDArray[Any]:
        """Of each row at its place: how likely the model is, p-value, level, change, variance."""
        import numpy as np  # noqa: PLC0415
        from scipy.special import stdtr  # noqa: PLC0415

        rows, table, points = np.arange(len(position)), self.table, self.points
        squares, change = self.squares[rows, position], self.change[rows, position]
        variance = self.left[rows, position] / self.degrees / squares
        squared = change**2 / variance / self.degrees
        p_value = 2 * stdtr(self.degrees, -np.sqrt(squared * self.degrees))
        if searched:
            tail = (1 + squared) ** (-(self.degrees - 1) / 2)
            p_value += table.length[points] / math.pi * tail
        level = self.mean - change * table.ones_changes[points, position] / table.ones_ones[points]
        likely = self.likely[rows, position] + np.log(self.largest / squares) / 2
        return np.array([likely, np.minimum(1.0, p_value), level, change, variance])
