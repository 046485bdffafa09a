"""A comparison spends its budget where it is needed, and calls a change one when it is sure."""

from __future__ import annotations

import re

import pytest

from springbench.analysis.comparison.verdicts import MIN_PAIRS
from springbench.compare.groups import VariantPairs
from springbench.compare.scheduler import CONFIRMING_PAIRS, MAX_FAILED, MAX_PAIRS, SCREENING_PAIRS
from springbench.matrix.rows import Matrix
from springbench.messages import show_messages
from springbench.results.comparison import AnsweredRecord, FindingRecord, PairRecord, SideRecord
from tests.draws import draws
from tests.schedulers import BASE, PAIR_S, Simulated, side, variant_pairs


def verdicts(findings: list[FindingRecord], metric: str) -> set[str]:
    return {finding.verdict for finding in findings if finding.metric == metric}


def test_identical_sides_raise_no_alarm(matrix: Matrix) -> None:
    """In up to 60 comparisons with 20 findings each, hardly one is called a change."""
    alarms = [
        finding
        for seed in range(draws(60))
        for finding in Simulated(noise=0.03, seed=seed).scheduler(matrix).execute()
        if finding.verdict in ("regression", "improvement")
    ]
    assert len(alarms) <= 3


@pytest.mark.parametrize(
    ("metric", "change", "verdict"),
    [
        ("throughput_rps", 1 / 1.10, "regression"),
        ("throughput_rps", 1.10, "improvement"),
        ("memory_idle_bytes", 1.20, "regression"),
        ("startup_s", 0.8, "improvement"),
    ],
)
def test_a_change_in_all_servers_is_found_and_named(
    matrix: Matrix, metric: str, change: float, verdict: str
) -> None:
    simulated = Simulated({metric: change}, noise=0.015)
    findings = simulated.scheduler(matrix, budget_s=1200.0).execute()
    assert verdicts(findings, metric) == {verdict}
    found = next(f for f in findings if f.metric == metric)
    assert found.ratio == pytest.approx(change, rel=0.04)
    assert found.low_ratio <= found.ratio <= found.high_ratio
    assert found.confirmed is True
    other_verdicts = {f.verdict for f in findings if f.metric != metric}
    assert "regression" not in other_verdicts


def test_the_budget_is_kept(matrix: Matrix) -> None:
    for budget_s in (60.0, 300.0, 600.0):
        simulated = Simulated({"throughput_rps": 0.9}, noise=0.2)
        simulated.scheduler(matrix, budget_s).execute()
        assert simulated.now_s <= budget_s


def test_a_candidate_change_is_measured_again_before_it_is_called_one(matrix: Matrix) -> None:
    """Screening takes the whole budget: what it suspects stays that, and says why."""
    screening_s = SCREENING_PAIRS * len(variant_pairs(matrix)) * PAIR_S + 10
    findings = Simulated({"throughput_rps": 0.8}).scheduler(matrix, screening_s).execute()
    assert verdicts(findings, "throughput_rps") == {"suspected"}
    notes = {f.note for f in findings if f.metric == "throughput_rps"}
    assert notes == {"no time was left to measure it again"}


def test_a_candidate_change_takes_the_time_that_is_too_short_for_a_whole_pair(
    matrix: Matrix,
) -> None:
    """Everything is undecided, and one thing suspected: that alone still fits."""
    groups = variant_pairs(matrix)
    start_s = 15.0
    screening_s = SCREENING_PAIRS * sum(start_s + group.loads_s for group in groups)
    [load_s] = [s.load_s for s in groups[0].schedules if s.case.workload.id == "hello"]
    simulated = Simulated({"throughput_rps": 0.5}, noise=0.06, start_s=start_s)
    # hello alone, with some reserve; the whole pair of hello and pay takes longer
    findings = simulated.scheduler(matrix, screening_s + 1.2 * (start_s + 2 * load_s) + 8).execute()
    assert ("hello",) in simulated.workloads[-1:]
    assert len(simulated.measured) == SCREENING_PAIRS * len(groups) + 1
    measured = {f.confirmed for f in findings if f.case.startswith(simulated.measured[-1][0])}
    assert True in measured


def test_time_that_is_too_short_for_all_that_is_undecided_goes_to_one_load(matrix: Matrix) -> None:
    groups = variant_pairs(matrix)
    start_s = 15.0
    screening_s = SCREENING_PAIRS * sum(start_s + group.loads_s for group in groups)
    [load_s] = [s.load_s for s in groups[0].schedules if s.case.workload.id == "hello"]
    simulated = Simulated(noise=0.06, start_s=start_s)
    findings = simulated.scheduler(matrix, screening_s + 1.2 * (start_s + 2 * load_s) + 8).execute()
    assert verdicts(findings, "throughput_rps") >= {"undecided"}
    assert len(simulated.measured) == SCREENING_PAIRS * len(groups) + 1
    assert simulated.workloads[-1] == ("hello",)


def test_what_is_settled_gets_no_more_pairs(matrix: Matrix) -> None:
    simulated = Simulated(noise=0.001)
    findings = simulated.scheduler(matrix, budget_s=3600.0).execute()
    assert {finding.verdict for finding in findings} == {"unchanged"}
    assert len(simulated.measured) == SCREENING_PAIRS * len(variant_pairs(matrix))


def test_what_no_pair_could_settle_gets_none(matrix: Matrix) -> None:
    """Where identical sides differ by half, ten pairs say as little as two."""
    simulated = Simulated(noise=0.5, seed=3)
    findings = simulated.scheduler(matrix, budget_s=3600.0).execute()
    assert {finding.verdict for finding in findings} == {"undecided"}
    assert len(simulated.measured) <= MAX_PAIRS // 2 * len(variant_pairs(matrix))


def test_idle_memory_is_measured_again_without_any_load(matrix: Matrix) -> None:
    simulated = Simulated({"memory_idle_bytes": 1.2}, noise=0.002)
    findings = simulated.scheduler(matrix, budget_s=1200.0).execute()
    assert verdicts(findings, "memory_idle_bytes") == {"regression"}
    screened = SCREENING_PAIRS * len(variant_pairs(matrix))
    assert set(simulated.workloads[:screened]) == {("hello", "pay"), ("pay",)}
    assert set(simulated.workloads[screened:]) == {()}


def test_a_change_of_hello_is_confirmed_on_hello_alone(matrix: Matrix) -> None:
    simulated = Simulated({"throughput_rps": 0.8}, noise=0.002)
    simulated.scheduler(matrix, budget_s=1200.0).execute()
    screened = SCREENING_PAIRS * len(variant_pairs(matrix))
    assert set(simulated.workloads[screened:]) == {("hello",)}


def test_peak_memory_is_measured_again_under_its_own_load(matrix: Matrix) -> None:
    """With `hello` still open too, a pair without `pay` would show nothing of it."""
    changes = {"memory_peak_bytes": 1.3, "throughput_rps": 0.8}
    simulated = Simulated(changes, noise=0.002)
    findings = simulated.scheduler(matrix, budget_s=1200.0).execute()
    assert verdicts(findings, "memory_peak_bytes") == {"regression"}
    screened = SCREENING_PAIRS * len(variant_pairs(matrix))
    assert all("pay" in loads for loads in simulated.workloads[screened:])


def test_rounds_go_over_all_variants_before_any_comes_again(matrix: Matrix) -> None:
    simulated = Simulated()
    simulated.scheduler(matrix).execute()
    first = [variant for variant, _ in simulated.measured[: len(variant_pairs(matrix))]]
    assert len(set(first)) == len(first)


def test_ctrl_c_keeps_what_was_measured(matrix: Matrix) -> None:
    simulated = Simulated()
    scheduler = simulated.scheduler(matrix, budget_s=1200.0)
    plain = scheduler.measure
    screened = SCREENING_PAIRS * len(scheduler.variant_pairs)

    def interrupted(group: object, pair: int) -> PairRecord:
        if len(simulated.measured) == screened + 1:
            raise KeyboardInterrupt
        return plain(group, pair)  # type: ignore[arg-type]

    scheduler.measure = interrupted
    findings = scheduler.execute()
    assert scheduler.interrupted
    assert {finding.pairs for finding in findings} == {2, 3}


def test_a_load_generator_at_its_limit_raises_no_alarm(matrix: Matrix) -> None:
    simulated = Simulated()
    scheduler = simulated.scheduler(matrix)

    def measure(group: object, pair: int) -> PairRecord:
        simulated.now_s += PAIR_S
        slow = {**BASE, "throughput_rps": 20_000.0}
        sides = {
            "base": side(group, BASE, load_cpu_ratio=1.0),  # type: ignore[arg-type]
            "head": side(group, slow, load_cpu_ratio=1.0),  # type: ignore[arg-type]
        }
        return PairRecord.model_validate({"pair": pair, "status": "ok", "sides": sides})

    scheduler.measure = measure
    assert "throughput_rps" not in {finding.metric for finding in scheduler.execute()}
    hello = [
        case.case
        for group in scheduler.variant_pairs
        for case in group.cases
        if "/hello/" in case.case
    ]
    assert scheduler.load_bottleneck() == hello


def test_failed_pairs_say_nothing(matrix: Matrix) -> None:
    simulated = Simulated()
    scheduler = simulated.scheduler(matrix)

    def measure(group: object, pair: int) -> PairRecord:
        simulated.now_s += PAIR_S
        records = {"base": SideRecord(), "head": SideRecord()}
        return PairRecord(pair=pair, status="failed", reason="boom", sides=records)

    messages: list[str] = []
    scheduler.measure = measure
    show_messages(messages.append)
    assert scheduler.execute() == []
    assert sum("failed: boom" in line for line in messages) == MAX_FAILED * len(
        variant_pairs(matrix)
    )


def test_a_head_that_never_answers_is_a_regression_named_first(matrix: Matrix) -> None:
    simulated = Simulated()
    scheduler = simulated.scheduler(matrix)
    plain, broken = scheduler.measure, scheduler.variant_pairs[0].variant

    def measure(group: VariantPairs, pair: int) -> PairRecord:
        if group.variant != broken:
            return plain(group, pair)
        simulated.now_s += PAIR_S
        return PairRecord(pair=pair, status="failed", failed_side="head", reason="killed", sides={})

    scheduler.measure = measure
    scheduler.execute()
    first = scheduler.facts()[0]
    assert (first.case, first.metric, first.verdict) == (broken, "failed", "regression")
    assert len(scheduler.pairs[broken]) == MAX_FAILED
    assert broken not in " ".join(scheduler.unmeasured_cases())


def test_errors_that_one_process_had_are_looked_at_again(matrix: Matrix) -> None:
    """What a single process shows may be an accident; a second one settles it."""
    simulated = Simulated(noise=0.001)
    scheduler = simulated.scheduler(matrix, budget_s=3600.0)
    plain, group = scheduler.measure, scheduler.variant_pairs[0]
    hello = next(case.case for case in group.cases if not case.waits)

    def measure(requested_group: VariantPairs, pair: int) -> PairRecord:
        record = plain(requested_group, pair)
        for name, side_ in record.sides.items():
            once = requested_group.variant == group.variant and pair == 0 and name == "head"
            side_.answered[hello] = AnsweredRecord(requests=40_000, failed=40 if once else 0)
        return record

    scheduler.measure = measure
    scheduler.execute()
    assert len(scheduler.pairs[group.variant]) == SCREENING_PAIRS + CONFIRMING_PAIRS
    assert all(
        len(pairs) == SCREENING_PAIRS
        for variant, pairs in scheduler.pairs.items()
        if variant != group.variant
    )


def test_what_no_time_was_left_for_is_said(matrix: Matrix) -> None:
    scheduler = Simulated().scheduler(matrix, budget_s=2.5 * PAIR_S)
    scheduler.execute()
    cases = [case.case for group in scheduler.variant_pairs[1:] for case in group.cases]
    assert scheduler.unmeasured_cases() == cases
    ample = Simulated().scheduler(matrix, budget_s=3600.0)
    ample.execute()
    assert ample.unmeasured_cases() == []


@pytest.mark.parametrize("pairs", range(2, 15))
def test_a_budget_for_a_few_pairs_is_spent_where_they_say_something(
    matrix: Matrix, pairs: int
) -> None:
    """Five variants with two pairs each say more than ten with one."""
    simulated = Simulated()
    scheduler = simulated.scheduler(matrix, budget_s=(pairs + 1) * PAIR_S)
    scheduler.execute()
    assert len(scheduler.pairs) == min(pairs // MIN_PAIRS, len(scheduler.variant_pairs))
    assert all(len(pairs_of_variant) >= MIN_PAIRS for pairs_of_variant in scheduler.pairs.values())


@pytest.mark.parametrize("pair_s", [20.0, 40.0, 90.0])
def test_what_is_left_lies_between_the_least_and_the_most_that_is_said(
    matrix: Matrix, pair_s: float
) -> None:
    simulated = Simulated({"throughput_rps": 0.9}, pair_s=pair_s)
    scheduler = simulated.scheduler(matrix, budget_s=1200.0)
    messages: list[tuple[float, str]] = []
    show_messages(lambda line: messages.append((simulated.now_s, line)))
    scheduler.execute()
    lefts = [
        (simulated.now_s - at_s, *bounds_s(line))
        for at_s, line in messages
        if line.endswith("left")
    ]
    # the first pair of all is only known by its plan
    for left_s, least_s, most_s in lefts[1:]:
        # a budget that ends it leaves less than a pair
        assert least_s <= max(1.25 * left_s, left_s + pair_s * (least_s == most_s))
        assert left_s <= most_s + 1
    assert len({line.partition(", ")[2] for _, line in messages}) == len(messages)


def bounds_s(line: str) -> tuple[float, float]:
    """The least and the most of a line such as `… pair 2, 1 min 20 s to 5 min 00 s left`."""
    ends = [
        60 * int(minutes or 0) + int(seconds)
        for minutes, seconds in re.findall(r"(?:(\d+) min )?(\d+) s\b", line)
    ]
    return ends[0], ends[-1]
