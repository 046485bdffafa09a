"""What the affected series of an event have in common, in words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from springbench.results.published_run import CaseRow, ReportedRow, reported_words

_AXES = ("workload", "server", "model", "runtime", "boot", "connections")
# with more, a sentence says less than a list
_MOST_NAMED = 3


def shared_words(affected_series: Sequence[CaseRow], measured: Sequence[CaseRow]) -> str:
    """`every virtual case on boot4`, or of how many, or the case itself.

    `measured` are all cases that could have been touched: those of the same host classes.
    """
    touched = {row.case for row in affected_series}
    if reported := [row.reported for row in affected_series if row.reported]:
        return _reported_words(reported)
    if len(touched) == 1:
        return next(iter(touched))
    everything = {row.case: row for row in measured} | {row.case: row for row in affected_series}
    if touched == everything.keys():
        return "every case"
    common = {
        axis: value
        for axis in _AXES
        if len(values := _values(affected_series, axis)) == 1
        for value in values
    }
    # of each axis the cases that are alike in it
    alike = {
        axis: {row.case for row in everything.values() if str(getattr(row, axis)) == value}
        for axis, value in common.items()
    }
    for size in range(1, len(common) + 1):
        for axes in combinations(common, size):
            if set.intersection(*(alike[axis] for axis in axes)) == touched:
                return f"every {_phrase(common, axes)}"
    all_alike = set(everything).intersection(*alike.values())
    what = _phrase(common, tuple(common)) if common else "case"
    return f"{len(touched)} of {len(all_alike)}: {what}{_differing(affected_series, common)}"


def _reported_words(rows: Sequence[ReportedRow]) -> str:
    """The words of another harness, whose results have no axes: `JMH: 3 series of ParseBench`."""
    first, *others = rows
    if not others:
        return f"{first.harness}: {reported_words(first)}"
    benchmarks = list(dict.fromkeys(row.benchmark for row in rows))
    more = len(benchmarks) - _MOST_NAMED
    named = [*benchmarks[:_MOST_NAMED], *([f"{more} more"] if more > 0 else [])]
    return f"{first.harness}: {len(rows)} series of {', '.join(named)}"


def _values(rows: Sequence[CaseRow], axis: str) -> set[str]:
    return {str(getattr(row, axis)) for row in rows}


def _phrase(common: dict[str, str], axes: Sequence[str]) -> str:
    """`virtual hello case of jetty on boot4`."""
    words = [common[axis] for axis in ("model", "runtime", "workload") if axis in axes]
    text = " ".join([*words, "case"])
    if "server" in axes:
        text += f" of {common['server']}"
    if "boot" in axes:
        text += f" on {common['boot']}"
    if "connections" in axes:
        text += f" at {common['connections']} connections"
    return text


def _differing(affected_series: Sequence[CaseRow], common: dict[str, str]) -> str:
    """The values of the axes in which they differ, where these are few."""
    parts = [
        " and ".join(sorted(values))
        for axis in ("server", "model", "workload")
        if axis not in common and len(values := _values(affected_series, axis)) <= _MOST_NAMED
    ]
    return f" ({'; '.join(parts)})" if parts else ""
