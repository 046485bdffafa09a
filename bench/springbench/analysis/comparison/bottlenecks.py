"""What limits each side, where that is another thing on head than on base. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from springbench.analysis.assess import bottleneck_of
from springbench.analysis.comparison.facts import AGREEING_PAIRS
from springbench.plan.cases import Case
from springbench.results.comparison import FactRecord
from springbench.results.pairs import PairRecord, SideName
from springbench.results.records import ForkRecord
from springbench.results.run import Bottleneck

# twice as far as the rules of a bound call near
MOVED_RATIO = 0.06


def evaluate_bottlenecks(
    cases: Mapping[str, Sequence[Case]],
    pairs: Mapping[str, Sequence[PairRecord]],
    server_cpus: int,
) -> list[FactRecord]:
    """The cases whose throughput moved, and with it what limits it. By variant.

    Only of windows: bursts of a busy server are limited by its CPU, or are left out.
    """
    found = []
    for variant, of_variant in cases.items():
        good = [pair for pair in pairs.get(variant, []) if pair.status == "ok"]
        for case in of_variant:
            base, head = (_bottleneck(case, side, good, server_cpus) for side in ("base", "head"))
            if base and head and base.label != head.label and _moved(case.id, good):
                found.append(_fact(case.id, base, head))
    return found


def _bottleneck(
    case: Case, side: SideName, pairs: Sequence[PairRecord], server_cpus: int
) -> Bottleneck | None:
    forks = [
        ForkRecord(fork=pair.pair, status="ok", load=window)
        for pair in pairs
        for window in pair.sides[side].windows.get(case.id, [])
    ]
    return bottleneck_of(forks, case, server_cpus) if forks else None


def _moved(case: str, pairs: Sequence[PairRecord]) -> bool:
    """Whether the throughput went the same way in each pair, and far: near a limit the rules of a
    bound may say either, and labels have numbers that hardly ever are the same."""
    logs = [
        math.log(head.throughput_rps / base.throughput_rps)
        for pair in pairs
        for base, head in zip(
            pair.sides["base"].windows.get(case, []),
            pair.sides["head"].windows.get(case, []),
            strict=False,
        )
        if base.throughput_rps > 0 and head.throughput_rps > 0
    ]
    least, most = min(logs, default=0.0), max(logs, default=0.0)
    enough = len(logs) >= AGREEING_PAIRS and least * most > 0
    return enough and min(abs(least), abs(most)) >= math.log1p(MOVED_RATIO)


def _fact(case: str, base: Bottleneck, head: Bottleneck) -> FactRecord:
    text = head.text if not head.remedy else f"{head.text} To change that: {head.remedy}"
    return FactRecord(
        case=case,
        metric="bottleneck",
        base=base.label,
        head=head.label,
        verdict="changed",
        note=text,
    )
