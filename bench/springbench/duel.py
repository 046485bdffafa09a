"""Executes a comparison: rounds of fork pairs within a time budget, then the verdicts.

Screening gives every variant the same number of pairs. What looks like a change then is
measured again with fresh pairs, and what is settled gets no more.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from springbench.analysis.paired import ComparedCase, Judged, as_record, confirms, judge_pairs
from springbench.measure.pair import Contender, Schedule, SideName, measure_pair
from springbench.measure.records import PairRecord
from springbench.results.comparison import FindingRecord

SCREENING_PAIRS = 3
CONFIRMING_PAIRS = 2
MAX_PAIRS = 10
# kept back for stopping the last processes and writing the report
RESERVE_S = 5.0


@dataclass(frozen=True)
class Bout:
    """Everything compared on one variant."""

    variant: str
    contenders: Mapping[SideName, Contender]
    schedules: tuple[Schedule, ...]

    @property
    def cases(self) -> list[ComparedCase]:
        return [
            ComparedCase(schedule.case.id, latency_bound=schedule.case.workload.delay_s > 0)
            for schedule in self.schedules
        ]


Measure = Callable[[Bout, int], PairRecord]


def measure_bout(bout: Bout, pair: int) -> PairRecord:
    """The real measurement of one pair."""
    return measure_pair(bout.contenders, bout.schedules, pair)


@dataclass
class Duel:
    """A comparison under way."""

    bouts: Sequence[Bout]
    budget_s: float
    saved: Callable[[Duel], None]
    notify: Callable[[str], None]
    measure: Measure = measure_bout
    clock: Callable[[], float] = time.monotonic
    pairs: dict[str, list[PairRecord]] = field(default_factory=dict)
    suspects: dict[tuple[str, str], int] = field(default_factory=dict)
    interrupted: bool = False
    _begin_s: float = 0.0
    _longest_s: dict[str, float] = field(default_factory=dict)

    def execute(self) -> list[FindingRecord]:
        """Measure until all is settled or the budget is used up; then say what was found."""
        self._begin_s = self.clock()
        try:
            self._screen()
            while (bout := self._next_unsettled()) is not None:
                self._measure(bout)
        except KeyboardInterrupt:
            self.interrupted = True
        return self.findings()

    @property
    def elapsed_s(self) -> float:
        """Time used so far."""
        return self.clock() - self._begin_s

    def findings(self) -> list[FindingRecord]:
        """What the pairs measured so far say."""
        return [as_record(judged, self._confirmed(judged)) for judged in self._judge()]

    def _screen(self) -> None:
        for _ in range(SCREENING_PAIRS):
            for bout in self.bouts:
                if self._fits(bout):
                    self._measure(bout)

    def _measure(self, bout: Bout) -> None:
        done = self.pairs.setdefault(bout.variant, [])
        begin_s = self.clock()
        left_s = max(0.0, self.budget_s - self.elapsed_s)
        self.notify(f"{bout.variant} pair {len(done) + 1}, {left_s:.0f} s of the budget left")
        done.append(self.measure(bout, len(done)))
        took_s = self.clock() - begin_s
        self._longest_s[bout.variant] = max(took_s, self._longest_s.get(bout.variant, 0.0))
        self.saved(self)

    def _fits(self, bout: Bout) -> bool:
        """Whether another pair can end within the budget, by the longest so far."""
        known = self._longest_s.get(bout.variant) or max(self._longest_s.values(), default=0.0)
        return self.elapsed_s + known * 1.05 + RESERVE_S <= self.budget_s

    def _next_unsettled(self) -> Bout | None:
        """The bout that gains most from another pair: suspects first, then the fewest pairs."""
        judged = self._judge()
        self._note_suspects(judged)
        rank: dict[str, int] = {}
        for each in judged:
            bout = self._bout_of(each)
            needed = self._needed(each, len(self.pairs[bout.variant]))
            rank[bout.variant] = min(rank.get(bout.variant, 2), needed)
        waiting = [
            bout
            for bout in self.bouts
            if rank.get(bout.variant, 1) < 2
            and len(self.pairs.get(bout.variant, [])) < MAX_PAIRS
            and self._fits(bout)
        ]
        return min(
            waiting,
            key=lambda b: (rank.get(b.variant, 1), len(self.pairs.get(b.variant, []))),
            default=None,
        )

    def _needed(self, judged: Judged, pairs: int) -> int:
        """0: a suspicion to confirm; 1: undecided; 2: settled."""
        verdict = judged.finding.verdict
        if verdict in ("regression", "improvement"):
            since = self.suspects[_name(judged)]
            return 0 if pairs - since < CONFIRMING_PAIRS else 2
        return 1 if verdict == "undecided" else 2

    def _note_suspects(self, judged: Sequence[Judged]) -> None:
        """Remember after how many pairs a change was first suspected."""
        for each in judged:
            if each.finding.verdict in ("regression", "improvement"):
                self.suspects.setdefault(_name(each), len(self._pairs_of(each)))

    def _pairs_of(self, judged: Judged) -> list[PairRecord]:
        return self.pairs.get(self._bout_of(judged).variant, [])

    def _bout_of(self, judged: Judged) -> Bout:
        case = judged.finding.key.case
        return next(b for b in self.bouts if any(c.case == case for c in b.cases))

    def _confirmed(self, judged: Judged) -> bool | None:
        since = self.suspects.get(_name(judged))
        if since is None:
            return None
        return confirms(judged, self._pairs_of(judged)[since:])

    def _judge(self) -> list[Judged]:
        return judge_pairs({bout.variant: bout.cases for bout in self.bouts}, self.pairs)


def _name(judged: Judged) -> tuple[str, str]:
    return judged.finding.key.case, judged.finding.key.metric
