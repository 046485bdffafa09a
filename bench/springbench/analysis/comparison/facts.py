"""What a comparison says that is no ratio of noisy numbers: sides that failed, errors and slow
answers that were counted, and what is the same each time: an answer's size and headers, its
queries, an artifact's size, the collector of garbage. Pure.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from springbench import units
from springbench.analysis.assess import bottleneck_of
from springbench.analysis.comparison.methods import (
    LEAST_SHARE,
    changed_methods_of,
    detectable_share_of,
)
from springbench.analysis.comparison.verdicts import NOTABLE_RATIO, ComparedCase
from springbench.analysis.intervals import t_quantile
from springbench.analysis.profiles import changes_words, short_name
from springbench.plan.cases import Case
from springbench.results.comparison import (
    AnsweredRecord,
    FactRecord,
    FindingRecord,
    PairRecord,
    SideName,
    Verdict,
)
from springbench.results.records import TENTH_S, ConstantRateRecord, ForkRecord
from springbench.results.run import Bottleneck

# for errors: how surely head has more of them, by Fisher's exact test on all pairs together
SURE_P = 0.001
# one process may be an accident, and errors come in crowds, which that test does not know
AGREEING_PAIRS = 2
# of answers at a constant rate: so many times as many are slow in each process of one side as in
# any of the other, or so many times as many tenths of a second have one; that many of all answers
# are, and so many of the tenths have one. A stall of the host makes many answers slow in one or two
# of these, and one process may collect garbage more slowly than another.
SLOW_RATIO = 3.0
LEAST_SLOW = 0.001
LEAST_TENTHS = 0.25
SURE_PAIRS = 3
# of methods that changed: code that moved from one to the other costs a request next to nothing
MOVED_RATIO = 0.3
# of an answer's mean size: answers that were cut off at the end of a load shift it by less
LEAST_BYTES = 0.5
# of queries: a tenth of the requests takes one more
LEAST_QUERIES = 0.1
# a script of a few lines is no artifact that anybody has to carry
LEAST_ARTIFACT_BYTES = 100_000
# by how much more than its own spread it must move
SPREADS = 4
SIDES: tuple[SideName, SideName] = ("base", "head")
# what headers say of a moment and not of the server
_MOMENTARY = frozenset({"date", "etag", "last-modified", "expires", "age"})
MAX_NAMED = 6


def evaluate_facts(
    cases: Mapping[str, Sequence[ComparedCase]], pairs: Mapping[str, Sequence[PairRecord]]
) -> list[FactRecord]:
    """Facts of all variants, failures first. `cases` and `pairs` by variant."""
    failures: list[FactRecord] = []
    other_facts: list[FactRecord] = []
    for variant, compared in cases.items():
        measured = pairs.get(variant, [])
        failures += _failures(variant, measured)
        good = [pair for pair in measured if pair.status == "ok"]
        other_facts += _artifact(variant, good)
        other_facts += _collector(variant, good)
        for case in compared:
            other_facts += _errors(case.case, good)
            other_facts += _slow(case, good)
            other_facts += _methods(case, good)
            other_facts += _answer_bytes(case.case, good)
            other_facts += _headers(case.case, good)
            other_facts += _queries(case.case, good)
    return [*failures, *other_facts]


def _failures(variant: str, pairs: Sequence[PairRecord]) -> Iterator[FactRecord]:
    """A side that fails where the other does not; where both do nothing is compared."""
    failed = {
        side: [pair for pair in pairs if pair.status == "failed" and pair.failed_side == side]
        for side in SIDES
    }
    base, head = len(failed["base"]), len(failed["head"])
    if not head or base:
        return
    sure = head >= AGREEING_PAIRS and head * 2 >= len(pairs)
    yield FactRecord(
        case=variant,
        metric="failed",
        base=f"0 of {len(pairs)} failed",
        head=f"{head} of {len(pairs)} failed",
        verdict="regression" if sure else "suspected",
        worse=True,
        note=failed["head"][0].reason,
    )


def _errors(case: str, pairs: Sequence[PairRecord]) -> Iterator[FactRecord]:
    counts = [
        (pair.sides["base"].answered[case], pair.sides["head"].answered[case])
        for pair in pairs
        if all(case in side.answered for side in pair.sides.values())
    ]
    base_n, head_n = (sum(pair[side].requests for pair in counts) for side in (0, 1))
    if not base_n or not head_n:
        return
    base, head = (sum(pair[side].failed for pair in counts) for side in (0, 1))
    worse = sum(_rate(h) > _rate(b) for b, h in counts)
    better = sum(_rate(b) > _rate(h) for b, h in counts)
    verdict: Verdict = "unchanged"
    if _more_p(head, head_n, base, base_n) <= SURE_P:
        verdict = "regression" if worse >= AGREEING_PAIRS else "suspected"
    elif _more_p(base, base_n, head, head_n) <= SURE_P and better >= AGREEING_PAIRS:
        verdict = "improvement"
    yield FactRecord(
        case=case,
        metric="errors",
        base=f"{base:,} of {base_n:,}",
        head=f"{head:,} of {head_n:,}",
        verdict=verdict,
        worse=head * base_n > base * head_n,
        # none in n leaves room for 3 in n, at 95 % (the rule of three)
        note=None if head else f"fewer than 1 in {max(1, head_n // 3):,} would not show",
    )


def _slow(case: ComparedCase, pairs: Sequence[PairRecord]) -> Iterator[FactRecord]:
    """A side whose rare slow answers are others than those of the other one: no throughput shows
    them, and percentiles only those beyond them."""
    for percent in case.rates:
        loads = {
            side: [
                [at for at in pair.sides[side].at_rate(case.case, percent) if at.counts]
                for pair in pairs
            ]
            for side in SIDES
        }
        both = [(b, h) for b, h in zip(loads["base"], loads["head"], strict=True) if b and h]
        if len(both) < AGREEING_PAIRS:
            continue
        for is_worse in (True, False):
            few, many = ([pair[side] for pair in both] for side in (not is_worse, is_worse))
            if (found := _slower(few, many)) is None:
                continue
            over_s, less, more = found
            texts = (f"{units.share(less, 2)}", f"{units.share(more, 2)}")
            base, head = texts if is_worse else texts[::-1]
            verdict: Verdict = "regression" if is_worse else "improvement"
            yield FactRecord(
                case=case.case,
                metric="slow",
                base=f"{base} over {units.milliseconds(over_s)}",
                head=f"{head} over {units.milliseconds(over_s)}",
                verdict=verdict if len(both) >= SURE_PAIRS else "suspected",
                worse=is_worse,
                note=f"at {percent} % of capacity, in each process",
            )


def _methods(case: ComparedCase, pairs: Sequence[PairRecord]) -> Iterator[FactRecord]:
    """Methods that cost a request more or less CPU time than before, and what that comes to: code
    that only moved costs one method what it saves another."""
    sampled = [pair for pair in pairs if pair.sampled(case.case, "cpu")]
    if len(sampled) < AGREEING_PAIRS:
        return
    changes = changed_methods_of(case, "cpu", sampled)
    if not changes:
        yield _no_methods(case, sampled)
        return
    before, after = sum(c.base_share for c in changes), sum(c.head_share for c in changes)
    grew = after - before
    is_moved = abs(grew) < max(LEAST_SHARE, MOVED_RATIO * sum(abs(c.grew) for c in changes))
    verdict: Verdict = "regression" if grew > 0 else "improvement"
    if len(sampled) < SURE_PAIRS:
        verdict = "suspected"
    if is_moved or _contradicts(case.case, sampled, grew):
        verdict = "changed"
    names = ", ".join(short_name(change.method) for change in changes)
    notes = [f"of a request's CPU time before, in {len(sampled)} pairs of processes"]
    if len(changes) > 1:
        notes.append(changes_words(changes))
    yield FactRecord(
        case=case.case,
        metric="methods",
        base=f"{100 * before:.1f} %",
        head=f"{100 * after:.1f} % in {names}",
        verdict=verdict,
        worse=grew > 0,
        note="; ".join(notes),
    )


def _no_methods(case: ComparedCase, pairs: Sequence[PairRecord]) -> FactRecord:
    """That no method changed, and how much a new one would have to cost to be seen."""
    both = [sampled for pair in pairs if (sampled := pair.sampled(case.case, "cpu"))]
    base, head = (sum(trees[side].samples for trees in both) for side in (0, 1))
    return FactRecord(
        case=case.case,
        metric="methods",
        base=f"{base:,} samples",
        head=f"{head:,} samples",
        verdict="unchanged",
        note=f"a new method of less than {100 * detectable_share_of(case, 'cpu', pairs):.1f} % of "
        "a request would not surely show",
    )


def _contradicts(case: str, pairs: Sequence[PairRecord], grew: float) -> bool:
    """Whether what a request costs in all leaves no room for half of it."""
    ratios = []
    for pair in pairs:
        costs = [
            [burst.cpu_per_request_s for burst in side.bursts.get(case, [])]
            for side in (pair.sides["base"], pair.sides["head"])
        ]
        known = [[cost for cost in side if cost] for side in costs]
        if all(known):
            ratios.append(math.log(statistics.median(known[1]) / statistics.median(known[0])))
    if len(ratios) < SURE_PAIRS:
        return False
    error = statistics.stdev(ratios) / math.sqrt(len(ratios)) * t_quantile(len(ratios) - 1)
    room = statistics.fmean(ratios) * math.copysign(1, grew) + error
    return room < abs(math.log1p(grew)) / 2


_Loads = Sequence[ConstantRateRecord]


def _slower(few: Sequence[_Loads], many: Sequence[_Loads]) -> tuple[float, float, float] | None:
    """A limit beyond which each process of the second has far more answers than any of the first,
    and the shares of both, as medians. Of several, the one that tells them apart most clearly.
    """
    limits_s = sorted({slow.over_s for loads in many for at in loads for slow in at.slow})
    one = 1 / min(sum(at.requests for at in loads) for loads in (*few, *many))
    found = []
    for over_s in limits_s:
        less, more = ([_share(loads, over_s) for loads in side] for side in (few, many))
        fewer, spread = ([_tenths(loads, over_s) for loads in side] for side in (few, many))
        usual = statistics.median(less)
        far_more = min(more) >= SLOW_RATIO * max(less) or min(spread) >= SLOW_RATIO * max(fewer)
        enough = min(more) >= max(LEAST_SLOW, usual) and min(spread) >= LEAST_TENTHS
        if far_more and enough:
            clear = min(more) / (usual + one)
            found.append((clear, over_s, usual, statistics.median(more)))
    return max(found)[1:] if found else None


def _share(loads: _Loads, over_s: float) -> float:
    """Of the answers of a process, those that took longer."""
    slow = sum(slow.requests for at in loads for slow in at.slow if slow.over_s == over_s)
    return slow / sum(at.requests for at in loads)


def _tenths(loads: _Loads, over_s: float) -> float:
    """Of the tenths of a second, those in which one was due."""
    tenths = sum(slow.tenths for at in loads for slow in at.slow if slow.over_s == over_s)
    return tenths * TENTH_S / sum(at.window_s for at in loads)


def _rate(answered: AnsweredRecord) -> float:
    return answered.failed / answered.requests if answered.requests else 0.0


def _more_p(more: int, more_n: int, less: int, less_n: int) -> float:
    """How probable so many more failures are, were both sides alike: Fisher's exact test."""
    if not more:
        return 1.0
    from scipy.stats import hypergeom  # noqa: PLC0415 - see intervals.py

    return float(hypergeom.sf(more - 1, more_n + less_n, more + less, more_n))


def _same(values: Sequence[int | None]) -> int | None:
    """The value, where all processes have the same one."""
    first, *other_values = values or [None]
    return first if all(value == first for value in other_values) else None


def _answer_bytes(case: str, pairs: Sequence[PairRecord]) -> Iterator[FactRecord]:
    """Means over thousands of answers: where single ones vary, these still hardly do."""
    means = [
        [
            mean
            for pair in pairs
            if case in pair.sides[side].answered
            and (mean := pair.sides[side].answered[case].bytes_per_answer) is not None
        ]
        for side in SIDES
    ]
    if min(map(len, means)) < AGREEING_PAIRS:
        return
    base, head = (statistics.median(side) for side in means)
    spread = max(max(side) - min(side) for side in means)
    if abs(head - base) >= max(LEAST_BYTES, SPREADS * spread):
        yield _sized(case, "answer_bytes", base, head, f"{base:,.0f} bytes", f"{head:,.0f} bytes")


def _queries(case: str, pairs: Sequence[PairRecord]) -> Iterator[FactRecord]:
    """Requests that take another number of them in each process, the largest change by name."""
    answered = [
        (pair.sides["base"].answered[case], pair.sides["head"].answered[case])
        for pair in pairs
        if all(case in side.answered for side in pair.sides.values())
    ]
    changes = []
    for name in answered[0][0].queries_per_request if len(answered) >= AGREEING_PAIRS else ():
        base, head = (
            [
                by_name[name]
                for both in answered
                if name in (by_name := both[at].queries_per_request)
            ]
            for at in (0, 1)
        )
        if min(len(base), len(head)) < AGREEING_PAIRS:
            continue
        change = statistics.median(head) - statistics.median(base)
        spread = max(max(base) - min(base), max(head) - min(head))
        if abs(change) >= max(LEAST_QUERIES, SPREADS * spread):
            changes.append((abs(change), name, statistics.median(base), statistics.median(head)))
    if changes:
        _, name, before, after = max(changes)
        fact = _sized(case, "queries", before, after, f"{before:.3g}", f"{after:.3g}")
        also = f"; {len(changes) - 1} more of its requests" if len(changes) > 1 else ""
        yield fact.model_copy(update={"note": f"of {name}: {fact.note}{also}"})


def _artifact(variant: str, pairs: Sequence[PairRecord]) -> Iterator[FactRecord]:
    if len(pairs) < AGREEING_PAIRS:
        return
    base, head = (_same([pair.sides[side].artifact_bytes for pair in pairs]) for side in SIDES)
    if not base or not head or abs(head - base) < LEAST_ARTIFACT_BYTES:
        return
    # builds of the same sources differ by a few bytes of dates
    if abs(math.log(head / base)) >= math.log1p(NOTABLE_RATIO / 10):
        shown = units.size(base), units.size(head)
        yield _sized(variant, "artifact_bytes", base, head, *shown)


def _collector(variant: str, pairs: Sequence[PairRecord]) -> Iterator[FactRecord]:
    """What a JVM, its flags or its memory chose. A process that does not tell tells of nothing."""
    names = [{pair.sides[side].collector for pair in pairs} for side in SIDES]
    if len(pairs) < AGREEING_PAIRS or any(len(of_side) != 1 for of_side in names):
        return
    base, head = (of_side.pop() for of_side in names)
    if base and head and base != head:
        yield FactRecord(
            case=variant,
            metric="collector",
            base=base,
            head=head,
            verdict="changed",
            note="the same in each process",
        )


def _sized(
    case: str, metric: str, base: float, head: float, base_words: str, head_words: str
) -> FactRecord:
    change = f"{100 * (head / base - 1):+.1f} %, " if base else ""
    notable = not base or not head or abs(math.log(head / base)) >= math.log1p(NOTABLE_RATIO)
    verdict: Verdict = "changed"
    if notable:
        verdict = "regression" if head > base else "improvement"
    return FactRecord.model_validate(
        {
            "case": case,
            "metric": metric,
            "base": base_words,
            "head": head_words,
            "verdict": verdict,
            "worse": head > base,
            "note": f"{change}the same in each process",
        }
    )


def _headers(case: str, pairs: Sequence[PairRecord]) -> Iterator[FactRecord]:
    base, head = (
        {
            frozenset(name.lower() for name in pair.sides[side].answered[case].headers)
            for pair in pairs
            if case in pair.sides[side].answered
        }
        for side in SIDES
    )
    # what varies from process to process is nobody's change
    if len(pairs) < AGREEING_PAIRS or len(base) != 1 or len(head) != 1:
        return
    removed, added = (
        sorted((one - other) - _MOMENTARY) for one, other in ((*base, *head), (*head, *base))
    )
    if removed or added:
        yield FactRecord(
            case=case,
            metric="headers",
            base=_named(removed),
            head=_named(added),
            verdict="changed",
            note="each side's own headers, which the other does not send",
        )


def _named(names: Sequence[str]) -> str:
    more = len(names) - MAX_NAMED
    text = ", ".join(names[:MAX_NAMED])
    return f"{text} and {more} more" if more > 0 else text or "–"


# --- What limits each side, where that is another thing on head than on base ----------------------


_CHANGED: Collection[Verdict] = ("regression", "improvement", "suspected")
# twice as far as the rules of a bottleneck call near: labels have numbers, which always differ
_FAR_RATIO = 0.06


def evaluate_bottlenecks(
    cases: Mapping[str, Sequence[Case]],
    pairs: Mapping[str, Sequence[PairRecord]],
    server_cpus: int,
    findings: Iterable[FindingRecord],
) -> list[FactRecord]:
    """The cases whose throughput changed far, as found, and with it what limits it. By variant.

    Only of windows: bursts of a busy server are limited by its CPU, or are left out. Near a limit
    the rules of a bottleneck may say either, so that another one is no change by itself.
    """
    changed = {
        finding.case
        for finding in findings
        if finding.metric == "throughput_rps"
        and finding.verdict in _CHANGED
        and abs(math.log(finding.ratio)) >= math.log1p(_FAR_RATIO)
    }
    found = []
    for variant, of_variant in cases.items():
        good = [pair for pair in pairs.get(variant, []) if pair.status == "ok"]
        for case in of_variant:
            base, head = (_bottleneck(case, side, good, server_cpus) for side in ("base", "head"))
            if case.id in changed and base and head and base.label != head.label:
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
