"""Limits of a service's owner in a comparison: what recorded pairs decide, and what they cannot."""

from __future__ import annotations

from typing import Any

import pytest

from springbench.analysis.comparison.verdicts import ComparedCase
from springbench.analysis.limits import (
    NOT_IN_PAIRS,
    NOT_OPTIMISED,
    LimitedVariant,
    evaluate_head,
)
from springbench.matrix.servers import Limits
from springbench.results.comparison import Comparison, HeadLimitRecord
from tests.recorded import recorded_comparison, swapped

ORDERS, TOMCAT = "app-orders-own-command", "boot4-tomcat-virtual-jvm"
ALL: dict[str, Any] = {
    "p99_ms": 50,
    "error_ratio": 0.5,
    "startup_s": 60,
    "memory_mib": 4096,
    "throughput_rps": 1,
}


def evaluate(
    comparison: Comparison,
    variant: str,
    *cases: ComparedCase,
    optimised: bool = True,
    **limits: Any,
) -> dict[str, HeadLimitRecord]:
    limited = LimitedVariant(Limits(**limits), cases, optimised)
    found = evaluate_head({variant: limited}, comparison.pairs)
    return {limit.name: limit for limit in found}


def hello(variant: str) -> ComparedCase:
    return ComparedCase(f"{variant}/hello/64", waits=False)


@pytest.mark.parametrize("variant", [ORDERS, TOMCAT])
def test_pairs_decide_what_does_not_hang_on_the_compilers(variant: str) -> None:
    recorded = recorded_comparison("orders-regression" if variant == ORDERS else "aa")
    found = evaluate(recorded, variant, hello(variant), optimised=False, **ALL)
    decided = {name: limit.verdict for name, limit in found.items() if limit.value is not None}
    assert decided == {"error_ratio": "kept", "startup_s": "kept", "memory_mib": "kept"}
    for name in ("p99_ms", "throughput_rps"):
        assert (found[name].verdict, found[name].reason) == ("undecided", NOT_OPTIMISED)
    # those of the process are of the variant, once
    assert (found["startup_s"].case, found["error_ratio"].case) == (variant, f"{variant}/hello/64")


def test_with_all_compilers_throughput_is_decided_and_p99_is_still_not_measured() -> None:
    found = evaluate(recorded_comparison("orders-regression"), ORDERS, hello(ORDERS), **ALL)
    assert (found["throughput_rps"].verdict, found["throughput_rps"].reason) == ("kept", None)
    assert (found["p99_ms"].verdict, found["p99_ms"].reason) == ("undecided", NOT_IN_PAIRS)


def test_a_slower_head_breaks_what_its_base_keeps() -> None:
    """The service of the recording answers more slowly at head, where both are far apart."""
    recorded = recorded_comparison("orders-regression")
    [finding] = [record for record in recorded.findings if record.metric == "throughput_rps"]
    between = (finding.base_median * finding.head_median) ** 0.5
    before = evaluate(swapped(recorded), ORDERS, hello(ORDERS), throughput_rps=between)
    after = evaluate(recorded, ORDERS, hello(ORDERS), throughput_rps=between)
    assert before["throughput_rps"].verdict == "kept"
    assert after["throughput_rps"].verdict == "broken"


def test_the_interval_is_that_of_the_processes() -> None:
    recorded = recorded_comparison("aa")
    starts = [pair.sides["head"].startup_s or 0.0 for pair in recorded.pairs[TOMCAT]]
    [found] = evaluate(recorded, TOMCAT, hello(TOMCAT), startup_s=max(starts)).values()
    assert found.low is not None
    assert found.high is not None
    assert found.low <= min(starts) <= max(starts) <= found.high
    assert found.verdict == "undecided"
    [far] = evaluate(recorded, TOMCAT, hello(TOMCAT), startup_s=min(starts) / 10).values()
    assert far.verdict == "broken"


def test_of_a_load_that_waits_windows_tell_the_latency() -> None:
    recorded = recorded_comparison("cap")
    pay = ComparedCase(f"{TOMCAT}/pay/1000", waits=True)
    found = evaluate(recorded, TOMCAT, pay, p99_ms=60_000, throughput_rps=1)
    assert {limit.verdict for limit in found.values()} == {"kept"}
    at_rate = evaluate(recorded, TOMCAT, pay, p99_ms=50, p99_at_rate=50)
    assert at_rate["p99_ms"].reason == NOT_IN_PAIRS


def test_without_pairs_nothing_is_decided_and_without_limits_nothing_is_said() -> None:
    empty = recorded_comparison("aa").model_copy(update={"pairs": {}})
    assert {limit.verdict for limit in evaluate(empty, TOMCAT, hello(TOMCAT), **ALL).values()} == {
        "undecided"
    }
    limited = LimitedVariant(None, (hello(TOMCAT),))
    assert evaluate_head({TOMCAT: limited}, recorded_comparison("aa").pairs) == []
