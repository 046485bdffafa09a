"""Fork pairs of this project's own A/A comparisons, and new comparisons drawn from them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from springbench.compare.groups import VariantPairs
from springbench.results.comparison import BurstRecord, PairRecord, SideRecord
from springbench.results.stacks import StackTree
from springbench.results.untrusted import load_comparison

RECORDED = Path(__file__).with_name("recorded")
# the metrics that get worse together when a build needs more CPU for each request
SLOWED = ("throughput_rps", "cpu_per_request_s")
# what they need it for
INJECTED = "evaluation/Injected.burn"

Pairs = Mapping[str, Sequence[PairRecord]]


def load(folder: Path = RECORDED) -> dict[str, list[PairRecord]]:
    """The good pairs of every recorded comparison, by variant."""
    pairs: dict[str, list[PairRecord]] = {}
    for file in sorted(folder.glob("*.json")):
        comparison = load_comparison(file)
        for variant, measured in comparison.pairs.items():
            pairs.setdefault(variant, []).extend(p for p in measured if p.status == "ok")
    return pairs


def slowed(side: SideRecord, ratio: float, dice: random.Random) -> SideRecord:
    """The same process, had each request cost `ratio` times the CPU, in a method of its own."""
    return side.model_copy(
        update={
            "bursts": {
                case: [_slowed_burst(burst, ratio) for burst in bursts]
                for case, bursts in side.bursts.items()
            },
            "stacks": {
                case: {event: _slowed_tree(tree, ratio, dice) for event, tree in trees.items()}
                for case, trees in side.stacks.items()
            },
        }
    )


def _slowed_tree(tree: StackTree, ratio: float, dice: random.Random) -> StackTree:
    """As many samples as before, of which chance has some meet the method: it is called where
    stacks are deepest."""
    stacks = tree.stacks()
    deepest = max((frames for frames, _ in stacks), key=len, default=())
    met = sum(dice.random() < (ratio - 1) / ratio for _ in range(tree.samples))
    weights = [samples for _, samples in stacks]
    left = Counter(dice.choices(range(len(stacks)), weights, k=tree.samples - met))
    kept = [(stacks[index][0], samples) for index, samples in left.items()]
    return StackTree.of([*kept, ((*deepest[:-1], INJECTED), met)]) if ratio > 1 else tree


def _slowed_burst(burst: BurstRecord, ratio: float) -> BurstRecord:
    cost_s = burst.cpu_per_request_s
    return burst.model_copy(
        update={
            "throughput_rps": burst.throughput_rps / ratio,
            "cpu_per_request_s": cost_s * ratio if cost_s is not None else None,
        }
    )


def load_s(group: VariantPairs) -> float:
    """How long warm-up and bursts of a pair take, both sides together."""
    warm_s = {
        s.case.workload.warmup_route or s.case.workload.route: s.case.warmup_min_s
        for s in group.schedules
    }
    bursts_s = sum(s.bursts * (s.burst_s + s.case.workload.delay_s) for s in group.schedules)
    return 2 * (sum(warm_s.values()) + bursts_s)


def measured(side: SideRecord, group: VariantPairs) -> SideRecord:
    """What a pair shows that goes only through the schedules of `group`."""
    case_ids = {schedule.case.id for schedule in group.schedules}
    return side.model_copy(
        update={
            "bursts": {case: bursts for case, bursts in side.bursts.items() if case in case_ids},
            "stacks": {case: trees for case, trees in side.stacks.items() if case in case_ids},
            "memory_peak_bytes": side.memory_peak_bytes if case_ids else None,
        }
    )


@dataclass
class Redrawn:
    """Measures by drawing recorded pairs; time passes as it did.

    Sides are swapped where that puts head in the place that it has in the pair asked for.
    """

    pairs: Pairs
    start_s: float
    slowdown_ratio: float
    dice: random.Random
    now_s: float = 0.0
    drawn: dict[str, list[PairRecord]] = field(default_factory=dict)

    def clock(self) -> float:
        return self.now_s

    def measure(self, group: VariantPairs, pair: int) -> PairRecord:
        self.now_s += self.start_s + load_s(group)
        recorded = self.dice.choice(self.pairs[group.variant])
        base, head = recorded.sides["base"], recorded.sides["head"]
        if (recorded.pair + pair) % 2:
            base, head = head, base
        drawn = PairRecord(
            pair=pair,
            status="ok",
            sides={
                "base": measured(base, group),
                "head": measured(slowed(head, self.slowdown_ratio, self.dice), group),
            },
        )
        self.drawn.setdefault(group.variant, []).append(drawn)
        return drawn
