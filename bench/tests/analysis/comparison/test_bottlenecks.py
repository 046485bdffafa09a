"""A head with another bottleneck than base is reported."""

from __future__ import annotations

import pytest

from springbench.analysis.comparison.facts import evaluate_bottlenecks
from springbench.matrix.rows import Matrix
from springbench.plan.cases import Case
from springbench.results.comparison import FactRecord, PairRecord, SideRecord, Verdict
from springbench.results.records import LoadRecord
from tests.comparisons import finding
from tests.samples import case as case_of
from tests.samples import no_errors

NAME = "boot4-tomcat-platform-jvm/pay/1000"


def window(throughput_rps: float, cpu_ratio: float = 0.1) -> LoadRecord:
    return LoadRecord(
        warmup_s=3.0,
        steady=True,
        window_begin_s=3.0,
        window_s=3.0,
        from_timeline=True,
        requests=1000,
        errors=no_errors(),
        error_ratio=0.0,
        throughput_rps=throughput_rps,
        server_cpu_ratio=cpu_ratio,
        server_cpu_peak_ratio=cpu_ratio,
        load_cpu_ratio=0.1,
    )


def facts(
    case: Case, base: LoadRecord, head: LoadRecord, verdict: Verdict = "regression"
) -> list[FactRecord]:
    sides = {"base": SideRecord(windows={case.id: [base]}), "head": SideRecord()}
    sides["head"].windows[case.id] = [head]
    pairs = [PairRecord.model_validate({"pair": n, "status": "ok", "sides": sides}) for n in (0, 1)]
    variant = case.variant.id
    throughput = finding(verdict, head.throughput_rps / base.throughput_rps, case=case.id)
    return evaluate_bottlenecks({variant: [case]}, {variant: pairs}, 1, [throughput])


@pytest.mark.parametrize(
    ("head_rps", "head_text"),
    [
        (200.0, "thread cap: 200 at once (server.tomcat.threads.max)"),
        (95.0, "not known: 95 at once"),
    ],
)
def test_a_new_limit_is_named(matrix: Matrix, head_rps: float, head_text: str) -> None:
    [fact] = facts(case_of(matrix, NAME), window(1000.0), window(head_rps))
    assert fact.base == "latency (the theoretical maximum)"
    assert fact.head == head_text
    assert fact.verdict == "changed"


def test_without_a_change_of_throughput_another_limit_is_none(matrix: Matrix) -> None:
    """Of identical builds both pairs may lie on the same side of a limit."""
    case = case_of(matrix, NAME)
    near = window(890.0), window(950.0)
    assert facts(case, *near, verdict="undecided") == []
    assert facts(case, *near, verdict="unchanged") == []
    assert facts(case, *near, verdict="suspected")
    assert facts(case, window(950.0), window(940.0), verdict="regression") == []


def test_the_same_limit_is_no_change(matrix: Matrix) -> None:
    case = case_of(matrix, NAME)
    assert facts(case, window(200.0), window(199.0)) == []
    assert facts(case, window(1000.0), window(996.0)) == []


def test_a_limit_of_another_size_says_how_many_wait_at_once(matrix: Matrix) -> None:
    [fact] = facts(case_of(matrix, NAME), window(200.0), window(100.0))
    assert "200 at once" in fact.base
    assert "100 of 1,000 requests waited at once" in (fact.note or "")
    assert "a semaphore" in (fact.note or "")
