"""A clone whose servers get slower, and what stands in for comparisons of its commits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from springbench.compare.execute import LiveComparison
from springbench.compare.sides import RequestedSide
from springbench.errors import BuildError
from springbench.plan.plan import Plan
from springbench.results.comparison import Comparison, FindingRecord, PairRecord
from tests.comparisons import comparison, finding
from tests.repositories import Repository

PR_CASE = "boot4-tomcat-virtual-jvm/hello/64"
WHAT = ("--case", PR_CASE, "--metric", "throughput_rps")
STEP_S = 100.0
Run = Callable[..., tuple[int, str, str]]


@dataclass
class Bench:
    """A clone whose servers get slower, and what stands in for comparisons of its commits."""

    clone: Repository
    results: Path
    levels: dict[str, float] = field(default_factory=dict)
    unbuildable: set[str] = field(default_factory=set)
    dying: set[str] = field(default_factory=set)
    interrupted_after: int = 1000
    compared: list[tuple[str, str]] = field(default_factory=list)
    budgets: list[float] = field(default_factory=list)

    def commit(self, level: float, message: str = "a change", path: str = "servers/A.java") -> str:
        sha = self.clone.commit({path: str(len(self.levels))}, message)
        self.levels[sha] = level
        return sha

    def history(self, count: int, culprit: int, size: float = 0.2) -> list[str]:
        """Commits of which one, and all after it, serve that much less."""
        return [
            self.commit(1 - size if number >= culprit else 1.0, f"change {number}")
            for number in range(count + 1)
        ]

    def compare(
        self,
        sides: Sequence[RequestedSide],
        plan: Plan,
        budget_s: float,
        results: Path,
        *_: object,
        metrics: frozenset[str],
        **__: object,
    ) -> LiveComparison:
        assert [case.id for case in plan.cases] == [PR_CASE]
        assert metrics == {"throughput_rps"}
        base, head = (side.info.sha or "" for side in sides)
        if len(self.compared) == self.interrupted_after:
            return self._live(comparison(), results, interrupted=True)
        self.compared.append((base, head))
        self.budgets.append(budget_s)
        if not self.unbuildable.isdisjoint((base, head)):
            raise BuildError("Maven failed with exit code 1\n[ERROR] a line of the log")
        found = comparison()
        for name, sha in (("base", base), ("head", head)):
            if sha in self.dying:
                dead = {"pair": 0, "status": "failed", "reason": "it \x1b[31mdied", "sides": {}}
                pair = PairRecord.model_validate({**dead, "failed_side": name})
                found.pairs = {"v": [pair, pair]}
                return self._live(found, results)
        found.findings = [self._finding(self.levels[head] / self.levels[base])]
        return self._live(found, results)

    def _finding(self, ratio: float) -> FindingRecord:
        verdict = "regression" if ratio < 0.97 else "improvement" if ratio > 1.03 else "unchanged"
        low, high = ratio * 0.99, ratio * 1.01
        return finding(verdict, ratio, case=PR_CASE, low_ratio=low, high_ratio=high)

    def _live(
        self, found: Comparison, results: Path, *, interrupted: bool = False
    ) -> LiveComparison:
        found.comparison.measured_s = STEP_S
        return LiveComparison(found, results / "there", interrupted, failed=False)

    @property
    def folder(self) -> Path:
        [folder] = self.results.iterdir()
        return folder
