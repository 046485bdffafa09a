"""What a request allocates, from a collector's log and a count of answers. Pure.

A server that takes turns stands still most of the time. So what the heap grew by between two
collections is put beside the answers of just that time, not beside a rate.
"""

from __future__ import annotations

from collections.abc import Sequence

from springbench.measure.readings.gclog import Collection, growths, within


def allocated_bytes_per_answer(
    lines: Sequence[Collection], times_s: Sequence[float], answers: Sequence[float]
) -> float | None:
    """Bytes for each answer; None where fewer than two collections fall between the counts.

    `answers` were counted at `times_s`, both growing; times are of the process, as in its log.
    """
    import numpy as np  # noqa: PLC0415 - it costs a tenth of a second, which most commands need not pay

    if len(times_s) < 2:
        return None
    found = growths(within(lines, times_s[0], times_s[-1]))
    ends_s = np.array([(growth.from_s, growth.until_s) for growth in found]).reshape(-1, 2)
    counted = np.interp(ends_s, times_s, answers)
    answered = float((counted[:, 1] - counted[:, 0]).sum())
    grown_bytes = sum(growth.grown_bytes for growth in found)
    return grown_bytes / answered if answered > 0 and grown_bytes >= 0 else None
