"""Comparisons without processes: pairs are drawn, and time passes when somebody measures."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from springbench.compare.groups import VariantPairs
from springbench.compare.scheduler import PairScheduler
from springbench.matrix.rows import Matrix
from springbench.measure.pair import PairSetup, Schedule
from springbench.plan.plan import make_plan
from springbench.results.comparison import BurstRecord, PairRecord, SideRecord

PAIR_S = 40.0
BASE = {
    "throughput_rps": 40_000.0,
    "cpu_per_request_s": 200e-6,
    "memory_idle_bytes": 300.0 * (1 << 20),
    "memory_peak_bytes": 380.0 * (1 << 20),
    "startup_s": 3.6,
}


@dataclass
class Simulated:
    """A host on which head differs from base by `changes` (ratios), with noise between pairs."""

    changes: Mapping[str, float] = field(default_factory=dict)
    noise: float = 0.02
    seed: int = 1
    pair_s: float = PAIR_S
    start_s: float | None = None
    """Of a pair beside its loads; None where each takes `pair_s`, whatever it goes through."""
    now_s: float = 0.0
    measured: list[tuple[str, int]] = field(default_factory=list)
    workloads: list[tuple[str, ...]] = field(default_factory=list)

    def clock(self) -> float:
        return self.now_s

    def measure(self, group: VariantPairs, pair: int) -> PairRecord:
        self.now_s += self.pair_s if self.start_s is None else self.start_s + group.loads_s
        self.measured.append((group.variant, pair))
        self.workloads.append(tuple(s.case.workload.id for s in group.schedules))
        dice = random.Random(f"{self.seed} {group.variant} {pair}")
        noise = {name: math.exp(dice.gauss(0, self.noise)) for name in BASE}
        head = {
            name: value * noise[name] * self.changes.get(name, 1.0) for name, value in BASE.items()
        }
        return PairRecord(
            pair=pair,
            status="ok",
            sides={"base": side(group, BASE), "head": side(group, head)},
        )

    def scheduler(self, matrix: Matrix, budget_s: float = 600.0) -> PairScheduler:
        return PairScheduler(
            variant_pairs(matrix),
            budget_s,
            saved=lambda _: None,
            measure=self.measure,
            clock=self.clock,
        )


def side(
    group: VariantPairs, values: Mapping[str, float], load_cpu_ratio: float = 0.5
) -> SideRecord:
    """One side on which every burst of every case shows these values."""
    burst = BurstRecord(
        throughput_rps=values["throughput_rps"],
        cpu_per_request_s=values["cpu_per_request_s"],
        error_ratio=0.0,
        load_cpu_ratio=load_cpu_ratio,
    )
    return SideRecord(
        startup_s=values["startup_s"],
        memory_idle_bytes=int(values["memory_idle_bytes"]),
        memory_peak_bytes=int(values["memory_peak_bytes"]),
        bursts={case.case: [burst, burst] for case in group.cases},
    )


def variant_pairs(matrix: Matrix) -> list[VariantPairs]:
    """Those of the profile `pr`."""
    return [
        VariantPairs(
            PairSetup(variant, {}, max(case.connections for case in cases)),
            tuple(Schedule(case, 2, 1.0) for case in cases),
        )
        for variant, cases in make_plan(matrix, "pr").by_variant().items()
    ]
