"""What servers did in turn, put into the record of a window. Pure."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from springbench.limits import BUSY_RATIO, MAX_STEAL_RATIO, RESTING_RATIO, had_ratio
from springbench.measure.load.timeline import STEADY_BLOCKS, STEADY_SPREAD_RATIO, is_steady
from springbench.measure.rounds.host_watch import Share
from springbench.results.pairs import BurstRecord
from springbench.results.records import LatencyRecord, LoadRecord, TurnsRecord, Unrest, WrkSummary

# what chance does to steady servers more seldom is no chance
CHANCE = 0.01
# with fewer in each quarter nothing tells what is chance
LEAST_IN_QUARTER = 3


@dataclass(frozen=True)
class Turns:
    """One server's turns among others. `rates` are of all servers, a list of blocks each, in any
    unit; `own` is the index of this one's."""

    burst: BurstRecord
    summary: WrkSummary
    window_s: float
    rates: Sequence[Sequence[float]]
    own: int
    shares: Sequence[Share]
    server_cpu_ratio: float | None = None
    left_out: int = 0
    allocated_bytes_per_request: float | None = None

    @property
    def stolen_ratio(self) -> float | None:
        """Share of the CPUs in use that the hypervisor gave to others."""
        return _mean([share.stolen for share in self.shares])

    @property
    def others_ratio(self) -> float | None:
        """Share of one CPU that other programs had."""
        return _mean([share.others for share in self.shares])


def in_turns(alone: LoadRecord, turns: Turns) -> LoadRecord:
    """The record of a server that was loaded alone, with what it did in turn with others."""
    burst, summary = turns.burst, turns.summary
    going_on = list(_unrest(turns))
    scale = burst.throughput_rps / alone.throughput_rps if alone.throughput_rps else 1.0
    size, sent = summary.bytes_per_response, alone.sent_bytes_per_s
    fresh = {
        "turns": TurnsRecord(
            servers=len(turns.rates), blocks=len(turns.shares), left_out=turns.left_out
        ),
        "steady": not going_on and is_even(turns.rates, turns.own),
        "unrest": going_on,
        "compiler_cpu_ratio": burst.compiler_cpu_ratio,
        # all of a round have met the same host
        "host_work_s": None,
        "steal_ratio": turns.stolen_ratio,
        "others_cpu_ratio": turns.others_ratio,
        "window_s": turns.window_s,
        "requests": summary.requests,
        "errors": summary.errors,
        "error_ratio": summary.error_ratio,
        "throughput_rps": burst.throughput_rps,
        "bytes_per_response": size,
        "received_bytes_per_s": burst.throughput_rps * size if size else None,
        "sent_bytes_per_s": sent * scale if sent else None,
        "cpu_per_request_s": burst.cpu_per_request_s,
        "server_cpu_ratio": turns.server_cpu_ratio,
        "load_cpu_ratio": burst.load_cpu_ratio,
        "stalls": [],
        "in_flight": alone.in_flight * scale if alone.in_flight else None,
    }
    if turns.allocated_bytes_per_request is not None:
        fresh["allocated_bytes_per_request"] = turns.allocated_bytes_per_request
    record = alone.model_copy(update=fresh)
    if record.is_consistent:
        return record
    # they are of the load before the turns, which was another one
    return record.model_copy(update=dict.fromkeys(LatencyRecord.model_fields))


def is_even(rates: Sequence[Sequence[float]], own: int) -> bool:
    """Whether one server keeps its place among the others, whatever the host does to all.

    Its rate in each block, against what the middle one of the others did in it, held to the rule of
    a steady window. With one server alone that says nothing: then its own rate is.

    A block is short: a collection, or a neighbour's burst, falls into one and not into the next.
    Quarters that differ by no more than their blocks explain are no change.
    """
    means = [statistics.fmean(of) if of else 0.0 for of in rates]
    if any(rate <= 0 for of in rates for rate in of) or not all(means):
        return False
    total, points, against = 0.0, [(0.0, 0.0)], []
    for index, block in enumerate(zip(*rates, strict=True)):
        # of what each does on average: one that collects garbage moves no other
        shares = [rate / mean for rate, mean in zip(block, means, strict=True)]
        others = [share for number, share in enumerate(shares) if number != own]
        against.append(shares[own] / (statistics.median(others) if others else 1.0))
        total += against[-1]
        points.append((index + 1.0, total))
    return is_steady(points, 0.0, float(len(against))) or _is_chance(against)


def _is_chance(rates: Sequence[float]) -> bool:
    """Whether what lies between quarters, and between halves, is no more than blocks differ by.

    An analysis of variance over the quarters (Fisher, 1925), and Welch's t for a rise, which it
    is blunt for. Where blocks differ so much that halves are not known to a quarter's tolerance,
    nothing can be told, and what lies between quarters stands.
    """
    from scipy.stats import f_oneway, ttest_ind  # noqa: PLC0415 - a second, and rarely needed

    if len(rates) < STEADY_BLOCKS * LEAST_IN_QUARTER or min(rates) == max(rates):
        return False
    # the standard error of late ÷ early
    error = 2 * statistics.stdev(rates) / math.sqrt(len(rates)) / statistics.fmean(rates)
    if error > STEADY_SPREAD_RATIO:
        return False
    edges = [index * len(rates) // STEADY_BLOCKS for index in range(STEADY_BLOCKS + 1)]
    quarters = [rates[begin:end] for begin, end in pairwise(edges)]
    half = edges[STEADY_BLOCKS // 2]
    apart = float(f_oneway(*quarters).pvalue)
    rise = ttest_ind(rates[half:], rates[:half], equal_var=False, alternative="greater")
    return min(apart, float(rise.pvalue)) > CHANCE


def _unrest(turns: Turns) -> Iterator[Unrest]:
    had = had_ratio(1.0 if turns.server_cpu_ratio is None else turns.server_cpu_ratio)
    if (turns.burst.compiler_cpu_ratio or 0.0) > RESTING_RATIO * had:
        yield "compiling"
    if (turns.stolen_ratio or 0.0) > MAX_STEAL_RATIO:
        yield "stolen"
    if (turns.others_ratio or 0.0) > BUSY_RATIO:
        yield "disturbed"


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.fmean(known) if known else None
