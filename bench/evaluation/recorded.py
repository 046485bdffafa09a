"""Fork pairs of this project's own A/A comparisons, and new comparisons drawn from them."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from springbench.duel import Bout
from springbench.measure.records import BurstRecord, PairRecord, SideRecord
from springbench.results.comparison import Comparison

RECORDED = Path(__file__).with_name("recorded")
# the metrics that get worse together when a build needs more CPU for each request
SLOWED = ("throughput_rps", "cpu_per_request_s")

Pairs = Mapping[str, Sequence[PairRecord]]


def load(folder: Path = RECORDED) -> dict[str, list[PairRecord]]:
    """The good pairs of every recorded comparison, by variant."""
    pairs: dict[str, list[PairRecord]] = {}
    for file in sorted(folder.glob("*.json")):
        comparison = Comparison.model_validate_json(file.read_text(encoding="utf-8"))
        for variant, measured in comparison.pairs.items():
            pairs.setdefault(variant, []).extend(p for p in measured if p.status == "ok")
    return pairs


def slowed(side: SideRecord, ratio: float) -> SideRecord:
    """The same process, had each request cost `ratio` times the CPU."""
    return side.model_copy(
        update={
            "bursts": {
                case: [_slowed_burst(burst, ratio) for burst in bursts]
                for case, bursts in side.bursts.items()
            }
        }
    )


def _slowed_burst(burst: BurstRecord, ratio: float) -> BurstRecord:
    cost_s = burst.cpu_per_request_s
    return burst.model_copy(
        update={
            "throughput_rps": burst.throughput_rps / ratio,
            "cpu_per_request_s": cost_s * ratio if cost_s is not None else None,
        }
    )


@dataclass
class Redrawn:
    """Measures by drawing recorded pairs, sides swapped at random; time passes as it did."""

    pairs: Pairs
    pair_s: float
    slowdown_ratio: float
    dice: random.Random
    now_s: float = 0.0
    drawn: dict[str, list[PairRecord]] = field(default_factory=dict)

    def clock(self) -> float:
        return self.now_s

    def measure(self, bout: Bout, pair: int) -> PairRecord:
        self.now_s += self.pair_s
        recorded = self.dice.choice(self.pairs[bout.variant])
        base, head = recorded.sides["base"], recorded.sides["head"]
        if self.dice.random() < 0.5:
            base, head = head, base
        drawn = PairRecord(
            pair=pair,
            status="ok",
            sides={"base": base, "head": slowed(head, self.slowdown_ratio)},
        )
        self.drawn.setdefault(bout.variant, []).append(drawn)
        return drawn
