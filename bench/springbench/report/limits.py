"""Whether head keeps the limits of its owner, as rows and as a sentence. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from springbench import units
from springbench.results.comparison import HeadLimitRecord
from springbench.results.metrics import BY_NAME
from springbench.results.notes import limit_words
from springbench.results.run import LimitVerdict
from springbench.untrusted import clipped

COLUMNS = ("limit", "case", "allowed", "head", "95 % interval", "verdict")
LEFT_ALIGNED = frozenset({"limit", "case", "verdict"})
_ORDER: tuple[LimitVerdict, ...] = ("broken", "undecided", "kept")
_MARKS: Mapping[LimitVerdict, str] = {
    "broken": "🔴 broken",
    "undecided": "⚪ undecided",
    "kept": "✔️ kept",
}
_NUMBER_LIMIT = 40
_WORDS_LIMIT = 200
_MOST_NAMED = 3
Quote = Callable[[str], str]


def rows(limits: Sequence[HeadLimitRecord], quote: Quote = str) -> list[tuple[str, ...]]:
    """A row of texts for each, those that are broken first. `quote` makes names harmless."""
    ordered = sorted(limits, key=lambda limit: _ORDER.index(limit.verdict))
    return [_row(limit, quote) for limit in ordered]


def broken_words(limits: Sequence[HeadLimitRecord], quote: Quote = str) -> str:
    """`Head breaks 1 limit: startup at most 8.00 s, measured 9.10 s [9.00 s, 9.20 s].`

    Empty where none is broken.
    """
    broken = [limit for limit in limits if limit.verdict == "broken"]
    if not broken:
        return ""
    named = [quote(clipped(limit_words(limit), _WORDS_LIMIT)) for limit in broken[:_MOST_NAMED]]
    more = len(broken) - len(named)
    listed = "; ".join([*named, *([f"{more} more"] if more else [])])
    return f"Head breaks {units.counted(len(broken), 'limit')}: {listed}."


def _row(limit: HeadLimitRecord, quote: Quote) -> tuple[str, ...]:
    metric = BY_NAME.get(limit.metric)

    def words(value: float | None) -> str:
        if value is None:
            return units.ABSENT
        return clipped(metric.cell(value) if metric else f"{value:g}", _NUMBER_LIMIT)

    verdict = _MARKS[limit.verdict]
    if limit.verdict == "undecided" and limit.value is None:
        verdict += f": {quote(limit.reason or 'it was not measured')}"
    bound = "≥" if metric and metric.better == "higher" else "≤"
    within = f"{words(limit.low)} to {words(limit.high)}"
    return (
        quote(limit.name),
        quote(limit.case),
        f"{bound} {words(limit.limit)}",
        words(limit.value),
        units.ABSENT if limit.value is None else within,
        verdict,
    )
