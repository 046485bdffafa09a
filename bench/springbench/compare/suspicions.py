"""Changes that pairs made suspect: only pairs that come after that can confirm one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from springbench.analysis.comparison.paired import Judged, confirms
from springbench.results.comparison import Verdict
from springbench.results.pairs import PairRecord

CONFIRMING_PAIRS = 2


@dataclass(frozen=True)
class _Suspicion:
    verdict: Verdict
    since: int
    """How many pairs there were when it was raised."""


@dataclass
class Suspicions:
    """Those of a comparison, by case and metric, for as long as they are."""

    _raised: dict[tuple[str, str], _Suspicion] = field(default_factory=dict)

    def note(self, judged: Judged, pairs: int) -> None:
        """Remember after how many pairs a change was suspected.

        One that comes again, or turns round, is a new one: the pairs that raised it are not fresh.
        """
        name, verdict = _name(judged), judged.finding.verdict
        if not judged.finding.is_change:
            self._raised.pop(name, None)
        elif name not in self._raised or self._raised[name].verdict != verdict:
            self._raised[name] = _Suspicion(verdict, pairs)

    def confirmed(self, judged: Judged, pairs: Sequence[PairRecord]) -> bool | None:
        """Whether the pairs since then say the same; None where nothing was suspected."""
        suspicion = self._raised.get(_name(judged))
        if suspicion is None or suspicion.verdict != judged.finding.verdict:
            return None
        return confirms(judged, pairs[suspicion.since :])

    def is_settled(self, judged: Judged, pairs: Sequence[PairRecord]) -> bool:
        """Whether no further pair is needed for a change that was noted."""
        fresh = len(pairs) - self._raised[_name(judged)].since
        return fresh >= CONFIRMING_PAIRS or self.confirmed(judged, pairs) is True


def _name(judged: Judged) -> tuple[str, str]:
    return judged.finding.key.case, judged.finding.key.metric
