"""Noise as it was measured: of single forks, and of fork pairs, of identical builds."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from evaluation.recorded import RECORDED, load
from springbench.analysis.block_design import without_order_effect
from springbench.analysis.comparison.verdicts import Key, PairSample
from springbench.results.comparison import PairRecord

# two hosts with the first compiler alone, as comparisons are made, and one with all compilers
COMPARED = (RECORDED, RECORDED / "first")
MEASURED = (*COMPARED, RECORDED / "all")
# so many points of a history were measured while the host was less quiet, with so much more noise
RESTLESS_SHARE = 0.2
RESTLESS_FACTOR = 2.0


WORKLOAD = "/hello/"


@dataclass(frozen=True)
class Noise:
    """Logarithms around 0: of forks with a deviation of 1, of pairs (head ÷ base) as they were."""

    forks: tuple[float, ...]
    pairs: tuple[float, ...]

    @property
    def pair_deviation(self) -> float:
        """How much single pairs of identical builds deviate."""
        return statistics.pstdev(self.pairs)

    def fork(self, deviation: float, random: Random) -> float:
        """The noise of a point in a history whose points deviate so much."""
        restless = random.random() < RESTLESS_SHARE
        usual = 1 / math.sqrt(1 + RESTLESS_SHARE * (RESTLESS_FACTOR**2 - 1))
        scale = deviation * usual * (RESTLESS_FACTOR if restless else 1.0)
        return scale * random.choice(self.forks)

    def pair(self, deviation: float, random: Random) -> float:
        """The noise of one fork pair, on a host whose single forks deviate so much.

        Two forks side by side differ by no more than two of them at any time.
        """
        scale = min(1.0, math.sqrt(2) * deviation / self.pair_deviation)
        return scale * random.choice(self.pairs)


def recorded_noise() -> Noise:
    """Of the throughput of `hello` in all recorded comparisons of identical builds."""
    forks: list[float] = []
    pairs: list[float] = []
    for folder in MEASURED:
        for measured in load(folder).values():
            cases = {case for pair in measured for case in pair.sides["base"].bursts}
            for case in sorted(case for case in cases if WORKLOAD in case):
                forks += _standardised(_forks(measured, case))
                pairs += _pairs(measured, case) if folder in COMPARED else []
    # the builds are identical: over all of them the true change is none
    middle = statistics.fmean(pairs)
    return Noise(tuple(forks), tuple(pair - middle for pair in pairs))


def _throughput(pair: PairRecord, side: str, case: str) -> float | None:
    bursts = pair.sides["base" if side == "base" else "head"].bursts.get(case, [])
    values = [burst.throughput_rps for burst in bursts if burst.throughput_rps > 0]
    return math.log(statistics.median(values)) if values else None


def _forks(pairs: Sequence[PairRecord], case: str) -> list[float]:
    """Of every process, whatever the host did meanwhile: what a history of single runs sees."""
    values = [_throughput(pair, side, case) for pair in pairs for side in ("base", "head")]
    return [value for value in values if value is not None]


def _pairs(pairs: Sequence[PairRecord], case: str) -> list[float]:
    values = [(_throughput(pair, "head", case), _throughput(pair, "base", case)) for pair in pairs]
    logs = [head - base for head, base in values if head is not None and base is not None]
    # as comparisons do
    head_first = tuple(number % 2 == 0 for number in range(len(logs)))
    sample = PairSample(Key("", ""), "", "higher", tuple(logs), head_first, usual_spread=0.0)
    return list(without_order_effect([sample])[0])


def _standardised(logs: Sequence[float]) -> list[float]:
    if len(logs) < 4:
        return []
    deviation = statistics.stdev(logs)
    mean = statistics.fmean(logs)
    return [(value - mean) / deviation for value in logs]
