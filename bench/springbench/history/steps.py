"""`data/steps/` and `data/context/`: the changes of level in each month, kept in step with it.

A month is looked at with what came before it, its context, since a level is known by that. What
lies near the end of a closed month belongs to the next one, which sees both sides of it. So a
publish looks at one month, or at few, and a rebuild finds the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import TYPE_CHECKING, Any, Self

from springbench.analysis.finder.observations import MetricSeries, SeriesKey
from springbench.analysis.finder.series_steps import steps_of
from springbench.analysis.finder.settings import FinderSettings
from springbench.history.entries import Entry
from springbench.history.files import (
    CONTEXT,
    STEPS,
    Files,
    context_path,
    holds,
    keep_only,
    load,
    missing,
    save,
    steps_path,
    text_of,
)
from springbench.history.months import MonthFiles
from springbench.results.history import MonthRow, Series
from springbench.results.metrics import BY_NAME
from springbench.results.published_run import UNSOUND
from springbench.results.run import UNRANKED
from springbench.results.steps import Context, MeasuredCommit, StepRow, Steps

if TYPE_CHECKING:
    from numpy.typing import NDArray

CONTEXT_RUNS = 60
"""So many runs before a month are looked at with it."""
TAIL_RUNS = 10
"""So many at the end of a closed month are left to the next."""
Values = dict[str, dict[str, "NDArray[Any]"]]
"""By series and metric one median for each run that counts; NaN where there is none."""


@dataclass
class Levels:
    """What the finder looks at: runs in order, sound and of commits, and their medians."""

    measured: list[MeasuredCommit] = field(default_factory=list)
    values: Values = field(default_factory=dict)

    @classmethod
    def of_month(cls, heads: Sequence[Entry], series: Iterable[Series]) -> Self:
        """What a month adds. Takes the series one by one."""
        sound = [bool(entry.commit) and UNSOUND.isdisjoint(entry.marks) for entry in heads]
        measured = [
            MeasuredCommit(
                commit=entry.commit,
                run=entry.id,
                environment=entry.environment,
                cpu_probe_s=entry.cpu_probe_s,
            )
            for entry in compress(heads, sound)
            if entry.commit
        ]
        return cls(
            measured,
            {
                f"{one_series.case}@{one_series.configuration}": _medians(one_series, sound)
                for one_series in series
            },
        )

    def after(self, before: Levels) -> Levels:
        """The same with what came before it."""
        import numpy as np  # noqa: PLC0415 - most commands need it not

        gaps = [np.full(len(levels.measured), np.nan) for levels in (before, self)]
        values: Values = {}
        for series in {**before.values, **self.values}:
            old, new = (levels.values.get(series, {}) for levels in (before, self))
            values[series] = {
                metric: np.concatenate([old.get(metric, gaps[0]), new.get(metric, gaps[1])])
                for metric in {**old, **new}
            }
        return Levels([*before.measured, *self.measured], values)

    def newest(self, runs: int) -> Levels:
        """The last of them; without what none of these measured."""
        cut = {
            series: {
                metric: column[-runs:].copy()
                for metric, column in sorted(metrics.items())
                if _is_measured(column[-runs:])
            }
            for series, metrics in sorted(self.values.items())
        }
        return Levels(
            self.measured[-runs:], {name: metrics for name, metrics in cut.items() if metrics}
        )

    def series(self, host_class: str) -> Iterator[MetricSeries]:
        """As the finder reads them."""
        # those that the same runs measured share one tuple of them
        shared: dict[bytes, tuple[MeasuredCommit, ...]] = {}
        for name, columns in self.values.items():
            case, _, configuration = name.partition("@")
            for metric, column in columns.items():
                present = column == column  # noqa: PLR0124 - NaN is not equal to itself
                runs = present.tobytes()
                if runs not in shared:
                    shared[runs] = tuple(compress(self.measured, present.tolist()))
                yield MetricSeries(
                    SeriesKey(case, configuration, host_class, metric),
                    BY_NAME[metric].unit,
                    BY_NAME[metric].better,
                    shared[runs],
                    column[present],
                )


def renew_steps(
    files: Files,
    host_class: str,
    before: Sequence[MonthRow],
    rows: Sequence[MonthRow],
    changed: Callable[[str], MonthFiles | None],
) -> None:
    """Write the months that are changed, and look again at these and at those that follow on
    others now.

    `before` are the months that there were, `rows` those that there are, both in order; `changed`
    gives the files of a month that are to be written, None where they stay as they are.
    """
    months, old = [row.month for row in rows], [row.month for row in before]
    follows_on, followed_on = _predecessors(months), _predecessors(old)
    moved = {month for month in months if follows_on[month] != followed_on.get(month)}
    # a month that is closed, or open again, leaves more or less to the next
    ends = {*months[-1:]} ^ {*old[-1:]}
    known: Levels | None = None
    for index, month in enumerate(months):
        month_files = changed(month)
        is_stale = month_files is not None or month in moved or month in ends
        gives = not moved.isdisjoint(months[index + 1 : index + 2])
        if not (is_stale or gives or known is not None):
            continue
        if known is not None:
            context = known
            is_stale |= _write_context(files, host_class, month, context)
        else:
            context = _read_context(files, host_class, month) if index else Levels()
        if not (is_stale or gives):
            known = None
            continue
        levels = _levels(files, host_class, month, month_files).after(context)
        if is_stale:
            is_open = index == len(months) - 1
            _write_steps(files, host_class, month, context, levels, is_open=is_open)
        known = levels.newest(CONTEXT_RUNS)
    _delete_others(files, host_class, months)


def _predecessors(months: Sequence[str]) -> dict[str, str]:
    """Of each month the one before it, of which it has its context; empty for the first."""
    return dict(zip(months, ["", *months], strict=False))


def _levels(files: Files, host_class: str, month: str, changed: MonthFiles | None) -> Levels:
    if changed:
        return Levels.of_month(changed.heads, changed.write())
    month_files = MonthFiles(files, host_class, month)
    month_files.read()
    return Levels.of_month(month_files.heads, month_files.series())


def _delete_others(files: Files, host_class: str, months: Sequence[str]) -> None:
    # the first month has no context
    for folder, retained in ((STEPS, months), (CONTEXT, months[1:])):
        keep_only(files, f"{folder}/{host_class}", {f"{month}.json" for month in retained})


def forget_steps(files: Files, keep: Iterable[str]) -> None:
    """Remove those of host classes that are no more."""
    for name in {*files.folders(STEPS), *files.folders(CONTEXT)} - set(keep):
        _delete_others(files, name, [])


def read_steps(files: Files, classes: Mapping[str, Sequence[MonthRow]]) -> list[StepRow]:
    """The steps of every month; none of one that is not there."""
    paths = [steps_path(name, row.month) for name, rows in classes.items() for row in rows]
    files.expect(paths)
    return [step for path in paths if (found := load(files, path, Steps)) for step in found.steps]


def _medians(series: Series, sound: Sequence[bool]) -> dict[str, NDArray[Any]]:
    """By metric that is evaluated the medians that count, one for each sound run of the month."""
    import numpy as np  # noqa: PLC0415 - most commands need it not

    unranked = [
        run
        for run, bottleneck in zip(series.run, series.bottleneck, strict=True)
        if bottleneck in UNRANKED
    ]
    found: dict[str, NDArray[Any]] = {}
    for metric in FinderSettings().minimum_ratios:
        if columns := series.metrics.get(metric):
            column = np.full(len(sound), np.nan)
            # None becomes NaN
            column[series.run] = np.array(columns.median, dtype=float)
            if BY_NAME[metric].of_capacity:
                column[unranked] = np.nan
            if _is_measured(column := column[sound]):
                found[metric] = column
    return found


def _is_measured(column: NDArray[Any]) -> bool:
    """Whether any run has a value there."""
    return bool((column == column).any())  # noqa: PLR0124 - NaN is not equal to itself


def _read_context(files: Files, host_class: str, month: str) -> Levels:
    import numpy as np  # noqa: PLC0415 - most commands need it not

    stored = load(files, context_path(host_class, month), Context)
    if stored is None:
        raise missing(context_path(host_class, month))
    values = {
        series: {metric: np.array(column, dtype=float) for metric, column in metrics.items()}
        for series, metrics in stored.values.items()
    }
    return Levels(stored.measured, values)


def _write_context(files: Files, host_class: str, month: str, levels: Levels) -> bool:
    """Keep it for the month; whether it is another one than was there."""
    context = Context.model_validate(
        {
            "class": host_class,
            "month": month,
            "measured": levels.measured,
            "values": {
                series: {
                    metric: [None if math.isnan(value) else value for value in column.tolist()]
                    for metric, column in metrics.items()
                }
                for series, metrics in levels.values.items()
            },
        }
    )
    path, text = context_path(host_class, month), text_of(context)
    if holds(files, path, text):
        return False
    files.write(path, text)
    return True


def _write_steps(
    files: Files,
    host_class: str,
    month: str,
    context: Levels,
    levels: Levels,
    *,
    is_open: bool,
) -> None:
    begin = max(0, len(context.measured) - TAIL_RUNS)
    end = len(levels.measured) - (0 if is_open else TAIL_RUNS)
    owned = {commit.run for commit in levels.measured[begin : max(begin, end)]}
    found, looked_at = steps_of(levels.series(host_class), FinderSettings())
    steps = Steps.model_validate(
        {
            "class": host_class,
            "month": month,
            "series": looked_at,
            "steps": [step for step in found if _best(step) in owned],
        }
    )
    save(files, steps_path(host_class, month), steps)


def _best(step: StepRow) -> str:
    return min(step.places, key=lambda place: place.drop).run
