"""What a comparison says without statistics over ratios: it must neither miss nor cry wolf."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.analysis.comparison.facts import evaluate_facts
from springbench.analysis.comparison.verdicts import ComparedCase
from springbench.results.comparison import (
    AnsweredRecord,
    BurstRecord,
    FactRecord,
    PairRecord,
    SideName,
    SideRecord,
)
from springbench.results.records import ConstantRateRecord, RateFlaw, SlowRecord
from springbench.results.stacks import StackTree

VARIANT = "boot4-tomcat-virtual-jvm"
CASE = f"{VARIANT}/hello/64"
N = 40_000
Slow = Sequence[tuple[float, int, int]]


def side(
    failed: int = 0,
    answer_bytes: float = 150,
    headers: Sequence[str] = ("Content-Type", "Date"),
    artifact_bytes: int = 30_000_000,
    collector: str | None = "Serial",
) -> SideRecord:
    answered = AnsweredRecord(
        requests=N,
        failed=failed,
        answers=N if answer_bytes else 0,
        bytes=round(N * answer_bytes),
        headers=dict.fromkeys(headers, "x"),
    )
    return SideRecord(artifact_bytes=artifact_bytes, collector=collector, answered={CASE: answered})


def pair(base: SideRecord, head: SideRecord) -> PairRecord:
    return PairRecord(pair=0, status="ok", sides={"base": base, "head": head})


def failed(failed_side: SideName | None, reason: str = "out of memory at 1 GiB") -> PairRecord:
    return PairRecord(pair=0, status="failed", failed_side=failed_side, reason=reason, sides={})


def facts(*pairs: PairRecord) -> list[FactRecord]:
    return evaluate_facts({VARIANT: [ComparedCase(CASE, waits=False)]}, {VARIANT: pairs})


def one(metric: str, *pairs: PairRecord) -> FactRecord | None:
    found = [fact for fact in facts(*pairs) if fact.metric == metric]
    assert len(found) <= 1
    return found[0] if found else None


def test_two_sides_alike_say_that_errors_were_looked_for_and_nothing_else() -> None:
    [fact] = facts(pair(side(), side()), pair(side(), side()))
    assert (fact.metric, fact.verdict) == ("errors", "unchanged")
    assert (fact.base, fact.head) == ("0 of 80,000", "0 of 80,000")
    assert fact.note == "fewer than 1 in 26,666 would not show"


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [
        # (base, head) of each pair
        ([(0, 8), (0, 9)], "regression"),
        ([(0, 16), (0, 0)], "suspected"),
        ([(0, 1), (0, 1)], "unchanged"),
        ([(5, 6), (6, 5)], "unchanged"),
        ([(5, 60), (6, 55)], "regression"),
        ([(60, 5), (55, 6)], "improvement"),
        ([(16, 0), (0, 0)], "unchanged"),
    ],
)
def test_errors_are_counted_and_must_show_in_two_processes(
    counts: list[tuple[int, int]], verdict: str
) -> None:
    fact = one("errors", *(pair(side(base), side(head)) for base, head in counts))
    assert fact is not None
    assert fact.verdict == verdict
    if verdict in ("regression", "suspected"):
        assert fact.is_worse


@given(st.lists(st.integers(0, 50), min_size=2, max_size=6))
def test_the_same_errors_on_both_sides_are_no_change(counts: list[int]) -> None:
    fact = one("errors", *(pair(side(n), side(n)) for n in counts))
    assert fact is not None
    assert fact.verdict == "unchanged"


@pytest.mark.parametrize(
    ("pairs", "verdict"),
    [
        ([failed("head"), failed("head")], "regression"),
        ([failed("head")], "suspected"),
        ([failed("head"), pair(side(), side()), failed("head")], "regression"),
        ([failed("head"), pair(side(), side()), pair(side(), side())], "suspected"),
        ([failed("base"), failed("base")], None),
        ([failed("head"), failed("base")], None),
        ([failed(None), failed(None)], None),
    ],
)
def test_a_side_that_fails_alone_is_named(pairs: list[PairRecord], verdict: str | None) -> None:
    fact = one("failed", *pairs)
    assert (fact.verdict if fact else None) == verdict
    if fact:
        assert fact.case == VARIANT
        assert fact.note == "out of memory at 1 GiB"
        assert facts(*pairs)[0] is not None
        assert facts(*pairs)[0].metric == "failed"


@pytest.mark.parametrize(
    ("head_bytes", "verdict"),
    [(150, None), (151, "changed"), (149, "changed"), (160, "regression"), (120, "improvement")],
)
def test_an_answer_of_another_size_is_reported_exactly(
    head_bytes: int, verdict: str | None
) -> None:
    record = pair(side(), side(answer_bytes=head_bytes))
    fact = one("answer_bytes", record, record)
    assert (fact.verdict if fact else None) == verdict


@pytest.mark.parametrize(
    "head_bytes",
    [
        (150.3, 150.3),  # cut off at the end of the load
        (150, 157),  # it varies from process to process
        (160,),  # seen in one process only
        (0, 0),  # nothing was answered
    ],
)
def test_answers_that_vary_by_themselves_are_no_fact(head_bytes: tuple[float, ...]) -> None:
    pairs = [pair(side(), side(answer_bytes=size)) for size in head_bytes]
    assert one("answer_bytes", *pairs) is None


def test_answers_that_differ_among_themselves_are_compared_by_their_mean() -> None:
    """Of a random word in each answer, thousands have the same mean."""
    noise = (0.02, -0.03, 0.01)
    alike = [pair(side(answer_bytes=141 + e), side(answer_bytes=141 - e)) for e in noise]
    assert one("answer_bytes", *alike) is None
    larger = [pair(side(answer_bytes=141 + e), side(answer_bytes=147 - e)) for e in noise]
    fact = one("answer_bytes", *larger)
    assert fact is not None
    assert (fact.verdict, fact.head) == ("regression", "147 bytes")


def test_another_garbage_collector_is_reported() -> None:
    record = pair(side(), side(collector="G1"))
    fact = one("collector", record, record)
    assert fact is not None
    assert (fact.case, fact.verdict) == (VARIANT, "changed")
    assert (fact.base, fact.head) == ("Serial", "G1")


@pytest.mark.parametrize("heads", [("G1",), ("G1", "Serial"), (None, None), ("Serial", "Serial")])
def test_a_collector_that_is_the_same_or_not_surely_another_is_no_fact(
    heads: tuple[str | None, ...],
) -> None:
    assert one("collector", *(pair(side(), side(collector=name)) for name in heads)) is None


def test_headers_added_and_gone_are_named() -> None:
    record = pair(side(headers=("A", "Vary")), side(headers=("a", "Connection", "X-Trace")))
    fact = one("headers", record, record)
    assert fact is not None
    assert (fact.base, fact.head, fact.verdict) == ("vary", "connection, x-trace", "changed")


def test_the_order_case_and_moment_of_headers_say_nothing() -> None:
    record = pair(side(headers=("A", "B", "Date")), side(headers=("b", "a", "ETag")))
    assert one("headers", record, record) is None


def test_a_line_more_in_a_script_is_no_larger_artifact() -> None:
    record = pair(side(artifact_bytes=400), side(artifact_bytes=500))
    assert one("artifact_bytes", record, record) is None


@pytest.mark.parametrize(
    ("head_bytes", "verdict"),
    [(30_000_900, None), (30_200_000, "changed"), (33_000_000, "regression")],
)
def test_an_artifact_that_grew_is_reported(head_bytes: int, verdict: str | None) -> None:
    record = pair(side(), side(artifact_bytes=head_bytes))
    fact = one("artifact_bytes", record, record)
    assert (fact.verdict if fact else None) == verdict


def with_queries(**by_request: float) -> SideRecord:
    record = side()
    record.answered[CASE].queries_per_request = by_request
    return record


@pytest.mark.parametrize(
    ("base", "head", "verdict", "shown"),
    [
        ({"read": 1, "list": 1}, {"read": 1, "list": 1}, None, ""),
        # a query for each line of an order
        ({"read": 1, "list": 1}, {"read": 4, "list": 1}, "regression", "1 4 of read: +300.0 %"),
        ({"list": 21}, {"list": 2}, "improvement", "21 2 of list: -90.5 %"),
        ({"list": 100}, {"list": 101}, "changed", "100 101 of list: +1.0 %"),
        # what a cache answered, and no longer does; and the other way round
        ({"read": 0}, {"read": 1}, "regression", "0 1 of read: "),
        ({"read": 1}, {"read": 0}, "improvement", "1 0 of read: -100.0 %"),
        ({"a": 1, "b": 2}, {"a": 2, "b": 4}, "regression", "2 4 of b: +100.0 %"),
        # one request in twenty asks once more now and then
        ({"read": 1}, {"read": 1.05}, None, ""),
        ({}, {"read": 1}, None, ""),
    ],
)
def test_another_number_of_queries_is_a_fact(
    base: dict[str, float], head: dict[str, float], verdict: str | None, shown: str
) -> None:
    record = pair(with_queries(**base), with_queries(**head))
    fact = one("queries", record, record)
    assert (fact.verdict if fact else None) == verdict
    if fact:
        assert f"{fact.base} {fact.head} {fact.note}".startswith(shown)
        assert "the same in each process" in (fact.note or "")
    assert one("queries", record) is None, "one process may be an accident"


def test_queries_that_vary_by_themselves_are_no_change() -> None:
    varying = [with_queries(read=count) for count in (3.0, 5.0, 4.0, 6.0)]
    assert one("queries", pair(varying[0], varying[2]), pair(varying[1], varying[3])) is None


REQUESTS = 12_000


def with_slow(
    *slow: tuple[float, int, int], requests: int = REQUESTS, flaws: Sequence[RateFlaw] = ()
) -> SideRecord:
    """A process whose load at a constant rate had so many slow answers: over how many seconds, how
    many, and in how many tenths of its two seconds."""
    record = ConstantRateRecord(
        capacity_percent=50,
        offered_rps=requests / 2,
        window_s=2.0,
        achieved_rps=requests / 2,
        requests=requests,
        unanswered=0,
        error_ratio=0.0,
        slow=[SlowRecord(over_s=over_s, requests=n, tenths=tenths) for over_s, n, tenths in slow],
        flaws=list(flaws),
    )
    return SideRecord(constant_rates={CASE: [record]})


def slow_fact(pairs: Sequence[tuple[SideRecord, SideRecord]]) -> FactRecord | None:
    cases = {VARIANT: [ComparedCase(CASE, waits=False, rates=(50,))]}
    found = evaluate_facts(cases, {VARIANT: [pair(*sides) for sides in pairs]})
    return next((fact for fact in found if fact.metric == "slow"), None)


# collections of garbage: in some tenths of a second, and not the same in each process
USUAL = ((0.005, 90, 8), (0.010, 8, 2))
BUSIER = ((0.005, 500, 19), (0.010, 110, 9), (0.015, 3, 1))
# one request in a hundred waits 30 ms
WAITING = ((0.005, 220, 20), (0.010, 130, 20), (0.030, 119, 20))


@pytest.mark.parametrize("few", [(USUAL, USUAL, USUAL), (USUAL, BUSIER, USUAL)])
def test_a_rare_slow_answer_is_found_that_no_percentile_shows(few: Sequence[Slow]) -> None:
    processes = [(with_slow(*base), with_slow(*WAITING)) for base in few]
    found = slow_fact(processes)
    assert found
    assert (found.verdict, found.is_worse) == ("regression", True)
    assert (found.base, found.head) == ("0.00 % over 30.00 ms", "0.99 % over 30.00 ms")
    better = slow_fact([(head, base) for base, head in processes])
    assert better
    assert (better.verdict, better.is_worse) == ("improvement", False)
    two = slow_fact(processes[:2])
    assert two
    assert two.verdict == "suspected"
    assert slow_fact(processes[:1]) is None


def test_a_stall_of_the_host_hides_no_slow_answers_of_head() -> None:
    """A hundred at once are half as many as head has in all of its two seconds."""
    bases = (((0.005, 205, 3), (0.010, 90, 1)), USUAL, ((0.005, 100, 5), (0.010, 20, 1)))
    head = (0.005, 270, 20), (0.010, 200, 20)
    found = slow_fact([(with_slow(*base), with_slow(*head)) for base in bases])
    assert found
    assert found.verdict == "regression"
    assert (found.base, found.head) == ("0.17 % over 10.00 ms", "1.67 % over 10.00 ms")


@pytest.mark.parametrize(
    "head",
    [
        # a stall of the host: many at once
        ((0.005, 700, 3), (0.030, 500, 2)),
        # not three times as many as in the busiest process of base
        ((0.005, 1300, 20), (0.010, 320, 20)),
        # too few to matter
        ((0.005, 90, 8), (0.010, 20, 9), (0.030, 9, 9)),
        USUAL,
    ],
)
def test_what_a_host_or_a_collector_does_is_no_slow_answer_of_head(head: Slow) -> None:
    bases = (USUAL, BUSIER, USUAL, USUAL)
    assert slow_fact([(with_slow(*base), with_slow(*head)) for base in bases]) is None


def test_one_process_in_which_it_does_not_show_is_enough_to_say_nothing() -> None:
    heads = (WAITING, WAITING, USUAL, WAITING)
    assert slow_fact([(with_slow(*USUAL), with_slow(*head)) for head in heads]) is None


def test_a_load_that_does_not_count_is_no_evidence() -> None:
    disturbed = (with_slow(*USUAL), with_slow(*USUAL, flaws=["stolen"]))
    good = (with_slow(*USUAL), with_slow(*WAITING))
    found = slow_fact([disturbed, good, disturbed, good])
    assert found
    assert found.verdict == "suspected"


# what a request costs, in a thousand samples
RUN, SERVE, HELLO = "java/Thread.run", "org/Server.serve", "app/Routes.hello"
BURN, MOVED = (RUN, SERVE, HELLO, "app/Routes.burn"), (RUN, SERVE, "app/Helper.burn")
USUAL_STACKS: dict[tuple[str, ...], int] = {
    (RUN,): 50,
    (RUN, SERVE): 750,
    (RUN, SERVE, HELLO): 150,
    BURN: 50,
}


def with_stacks(cost_s: float = 1e-4, **changed: int) -> SideRecord:
    """A process with these samples, and CPU per request; `burn` and `moved` take the place of the
    samples of a method."""
    stacks = dict(USUAL_STACKS)
    for frames, name in ((BURN, "burn"), (MOVED, "moved")):
        if name in changed:
            stacks[frames] = changed[name]
    burst = BurstRecord(
        throughput_rps=1 / cost_s, cpu_per_request_s=cost_s, error_ratio=0.0, load_cpu_ratio=0.1
    )
    tree = StackTree.of(stacks.items())
    return SideRecord(bursts={CASE: [burst]}, stacks={CASE: {"cpu": tree}})


def methods_fact(*pairs: PairRecord) -> FactRecord | None:
    cases = {VARIANT: [ComparedCase(CASE, waits=False, by_first_compiler=True)]}
    found = evaluate_facts(cases, {VARIANT: pairs})
    return next((fact for fact in found if fact.metric == "methods"), None)


def test_a_method_that_costs_more_is_named_before_any_throughput_shows_it() -> None:
    costs_s = (1.01e-4, 1.06e-4, 1.03e-4)
    pairs = [pair(with_stacks(), with_stacks(cost_s, burn=80)) for cost_s in costs_s]
    fact = methods_fact(*pairs)
    assert fact
    assert (fact.base, fact.head) == ("5.0 %", "8.0 % in Routes.burn")
    assert (fact.verdict, fact.is_worse) == ("regression", True)
    better = methods_fact(*(pair(p.sides["head"], p.sides["base"]) for p in pairs))
    assert better
    assert (better.verdict, better.is_worse) == ("improvement", False)


def test_two_processes_may_be_an_accident() -> None:
    two = [pair(with_stacks(), with_stacks(moved=80)) for _ in range(2)]
    fact = methods_fact(*two)
    assert fact
    assert fact.verdict == "suspected"
    assert methods_fact(two[0]) is None


def test_code_that_moved_is_no_regression() -> None:
    fact = methods_fact(*(pair(with_stacks(), with_stacks(burn=0, moved=50)) for _ in range(3)))
    assert fact
    assert (fact.verdict, fact.base) == ("changed", "5.0 %")
    assert "Routes.burn (5.0 to 0.0)" in (fact.note or "")
    assert "Helper.burn (0.0 to 5.0)" in (fact.note or "")


def test_a_request_that_costs_no_more_in_all_is_no_regression() -> None:
    """What a method costs more, others cost less, each by too little to be named."""
    costs_s = (0.99e-4, 1.0e-4, 1.01e-4)
    pairs = [pair(with_stacks(), with_stacks(cost_s, moved=80)) for cost_s in costs_s]
    fact = methods_fact(*pairs)
    assert fact
    assert fact.verdict == "changed"


def test_builds_that_are_the_same_have_no_method_that_changed() -> None:
    fact = methods_fact(*(pair(with_stacks(), with_stacks()) for _ in range(4)))
    assert fact
    assert (fact.verdict, fact.base) == ("unchanged", "4,000 samples")
    assert fact.note == "a new method of less than 0.6 % of a request would not surely show"
    assert methods_fact(*(pair(SideRecord(), SideRecord()) for _ in range(4))) is None
