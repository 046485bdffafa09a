"""Latencies of a load at a constant rate, from when each request was due. Pure.

A generator that waits for an answer before it asks again asks less while the server is stalled,
and so hides what other clients would have waited (Tene's "coordinated omission").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from springbench.results.records import TENTH_S, SlowRecord

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# the generator's timer: requests that are due within a millisecond are sent at its end
TICK_S = 0.001
LEAD_S = 1.0
# what is due while connections are made waits, and is caught up with before the window
CONNECTING_S = 0.0005
# what is slow, from what a request waits by design on: about seven steps a decade
SLOW_S = (
    *(0.002, 0.003, 0.005, 0.007, 0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3),
    *(0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0),
)
PERCENTILES = {"p50": 50.0, "p90": 90.0, "p99": 99.0, "p999": 99.9}
_MICROSECOND_S = 1e-6
_HIGHEST_MICROSECONDS = 3600 * 1_000_000
_SIGNIFICANT_DIGITS = 3


@dataclass(frozen=True)
class Answered:
    """Requests that got an answer, in the order in which they were sent; arrays of shape (n,).

    Times in seconds on one clock.
    """

    sent_s: Floats
    ended_s: Floats
    status: NDArray[np.int64]

    @classmethod
    def of(cls, sent_s: Floats, took_s: Floats, status: NDArray[np.int64]) -> Answered:
        """From when each was sent and how long it took, in any order."""
        import numpy as np  # noqa: PLC0415 - most commands need it not

        order = np.argsort(sent_s, kind="stable")
        return cls(sent_s[order], (sent_s + took_s)[order], status[order])


class Schedule(NamedTuple):
    """When requests are due: evenly, from the first one on.

    The window begins after `lead_s`, in which the connections are made and the first answers come.
    """

    rate_rps: float
    lead_s: float
    window_s: float

    @classmethod
    def plan(cls, rate_rps: float, connections: int, delay_s: float, window_s: float) -> Schedule:
        """Each connection is made by its first request: as many are needed before the window."""
        connecting_s = connections * (1 / rate_rps + CONNECTING_S)
        return cls(rate_rps, LEAD_S + delay_s + connecting_s, window_s)

    @property
    def duration_s(self) -> float:
        """From the first request to the last."""
        return self.lead_s + self.window_s

    @property
    def requests(self) -> int:
        """How many are due in all."""
        return max(1, round(self.rate_rps * self.duration_s))


@dataclass(frozen=True)
class Window:
    """Yield of the window of a schedule. Latencies in seconds, and when in the window a request was
    due, shape (requests due in it,)."""

    latencies_s: Floats
    due_s: Floats
    failed: int
    achieved_rps: float
    lateness_p99_s: float | None

    @property
    def requests(self) -> int:
        return len(self.latencies_s)

    def latency_figures(self) -> dict[str, float]:
        """Mean, percentiles and maximum, in seconds; nothing without an answer."""
        import numpy as np  # noqa: PLC0415 - most commands need it not

        if not self.requests:
            return {}
        named = {
            name: float(np.percentile(self.latencies_s, percent))
            for name, percent in PERCENTILES.items()
        }
        extremes = {"mean": float(self.latencies_s.mean()), "max": float(self.latencies_s.max())}
        return named | extremes

    def slow(self, delay_s: float = 0.0) -> list[SlowRecord]:
        """How many took longer than certain times beyond `delay_s`, as far as any did."""
        import numpy as np  # noqa: PLC0415 - most commands need it not

        found = []
        for over_s in (delay_s + beyond_s for beyond_s in SLOW_S):
            due_s = self.due_s[self.latencies_s > over_s]
            if not len(due_s):
                break
            tenths = len(np.unique(np.floor(due_s / TENTH_S)))
            found.append(SlowRecord(over_s=round(over_s, 6), requests=len(due_s), tenths=tenths))
        return found

    def histogram(self) -> str | None:
        """The latencies in microseconds, as HdrHistogram's compressed format in base 64."""
        import numpy as np  # noqa: PLC0415 - most commands need it not
        from hdrh.histogram import HdrHistogram  # noqa: PLC0415

        if not self.requests:
            return None
        found = HdrHistogram(1, _HIGHEST_MICROSECONDS, _SIGNIFICANT_DIGITS)
        rounded = np.maximum(1, np.rint(self.latencies_s / _MICROSECOND_S)).astype(np.int64)
        for value, count in zip(*np.unique(rounded, return_counts=True), strict=True):
            found.record_value(int(value), int(count))
        return str(found.encode(), "ascii")


def cut_window(
    answered: Answered, schedule: Schedule, connections: int, status: int = 200
) -> Window:
    """The figures of the requests that were due in the window; those with `status` are good.

    The k-th request that was sent is the k-th that was due, since they wait in one queue; the
    schedule begins with the one that was sent with the least delay. The generator sends at the end
    of a tick, so a latency counts from when a request was sent, or from a tick after it was due,
    whichever is earlier.
    """
    import numpy as np  # noqa: PLC0415 - most commands need it not

    count = len(answered.sent_s)
    if not count:
        return Window(np.empty(0), np.empty(0), 0, 0.0, None)
    since_first_s = np.arange(count) / schedule.rate_rps
    begin_s = float(np.min(answered.sent_s - since_first_s))
    due_s = begin_s + since_first_s
    counted_from_s = np.minimum(answered.sent_s, due_s + TICK_S)
    lead_end_s = begin_s + schedule.lead_s
    end_s = lead_end_s + schedule.window_s
    inside = (due_s >= lead_end_s) & (due_s < end_s)
    came = (answered.ended_s >= lead_end_s) & (answered.ended_s < end_s)
    good = answered.status == status
    return Window(
        latencies_s=(answered.ended_s - counted_from_s)[inside],
        due_s=(due_s - lead_end_s)[inside],
        failed=int(np.count_nonzero(inside & ~good)),
        achieved_rps=float(np.count_nonzero(came & good)) / schedule.window_s,
        lateness_p99_s=_lateness_p99_s(answered, due_s, inside, connections),
    )


def _lateness_p99_s(
    answered: Answered, due_s: Floats, inside: NDArray[np.bool_], connections: int
) -> float | None:
    """How late requests were sent that had a free connection: that is the generator's doing."""
    import numpy as np  # noqa: PLC0415 - most commands need it not

    sent = np.searchsorted(answered.sent_s, due_s)
    ended = np.searchsorted(np.sort(answered.ended_s), due_s)
    free = inside & (sent - ended < connections)
    late_s = np.maximum(0.0, (answered.sent_s - due_s)[free] - TICK_S)
    return float(np.percentile(late_s, 99)) if len(late_s) else None
