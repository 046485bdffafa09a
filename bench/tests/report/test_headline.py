"""The one sentence of a comparison: what changed, by how much, and how surely."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.report.headline import headline, subject_of_case
from springbench.results.comparison import FactRecord, FindingRecord
from tests.comparisons import (
    BOUND,
    BROKEN,
    ERRORS,
    HEADERS,
    IMPROVEMENT,
    METHODS,
    REGRESSION,
    UNCHANGED,
    UNDECIDED,
    finding,
)

PAY = "boot4-jetty-platform-native/pay/1000"
CPU = {"metric": "cpu_per_request_s", "unit": "s", "better": "lower"}
SLOWER = finding("regression", 0.72, low_ratio=0.68, high_ratio=0.77)
COSTLIER = finding("regression", 1.4, low_ratio=1.3, high_ratio=1.5, **CPU)


def test_one_cause_in_two_metrics_is_one_change_with_its_size() -> None:
    assert headline([COSTLIER, UNCHANGED, SLOWER], "merging this") == (
        "Merging this makes hello on Tomcat virtual 28 % slower (23 to 32 %), "
        "CPU per request +40 %; 1 unchanged."
    )


@pytest.mark.parametrize(
    ("metric", "better", "ratio", "expected"),
    [
        ("throughput_rps", "higher", 1.1, "10 % faster (8 to 12 %)"),
        ("cpu_per_request_s", "lower", 0.9, "take 10 % less CPU per request (8 to 12 %)"),
        ("memory_peak_bytes", "lower", 1.1, "take 10 % more memory at its peak (8 to 12 %)"),
        ("memory_idle_bytes", "lower", 1.1, "take 10 % more memory at idle (8 to 12 %)"),
        ("startup_s", "lower", 1.1, "take 10 % longer to start (8 to 12 %)"),
        ("startup_s", "lower", 0.9, "start 10 % sooner (8 to 12 %)"),
        ("latency_p99_s", "lower", 1.1, "take 10 % longer at p99 (8 to 12 %)"),
        (
            "open_loop_50_latency_p99_s",
            "lower",
            1.1,
            "take 10 % longer at p99, at 50 % of capacity (8 to 12 %)",
        ),
        (
            "open_loop_80_cpu_per_request_s",
            "lower",
            0.9,
            "take 10 % less CPU per request, at 80 % of capacity (8 to 12 %)",
        ),
        ("threads_max", "lower", 1.1, "keep 10 % more threads (8 to 12 %)"),
        ("gc_pauses", "lower", 1.1, "change its gc_pauses by 10 % (8 to 12 %)"),
    ],
)
def test_each_metric_is_said_in_words(
    metric: str, better: str, ratio: float, expected: str
) -> None:
    verdict = "improvement" if (ratio > 1) == (better == "higher") else "regression"
    limits = {"low_ratio": ratio - 0.02, "high_ratio": ratio + 0.02}
    found = finding(verdict, ratio, metric=metric, better=better, case=PAY, **limits)
    assert headline([found]) == f"Head makes pay on Jetty platform native {expected}."


def test_the_greatest_comes_first_and_the_rest_is_counted() -> None:
    other_findings = [
        finding("regression", 0.95, case=f"boot4-netty-reactive-jvm/a/{n}") for n in (1, 2)
    ]
    sentence = headline([*other_findings, SLOWER, IMPROVEMENT, UNDECIDED])
    assert sentence.startswith("Head makes hello on Tomcat virtual 28 % slower")
    assert sentence.endswith("; 2 more regressions; 1 improvement; 1 undecided.")


def test_what_is_suspected_is_said_beside_what_is_sure() -> None:
    suspected = finding("suspected", 0.72, case=PAY)
    assert headline([REGRESSION, suspected]).startswith("Head makes hello on Tomcat virtual 10 %")
    assert "; suspected: head makes pay on Jetty platform native 28 %" in headline(
        [REGRESSION, suspected]
    )
    assert headline([suspected, UNCHANGED]).startswith("Suspected: head makes pay on Jetty")


def test_what_fails_is_said_before_what_is_slower() -> None:
    sentence = headline([REGRESSION, HEADERS, BROKEN, BOUND], "merging this")
    assert sentence.startswith(
        "Merging this breaks boot4-jetty-platform-jvm: 2 of 2 failed; merging this makes hello on "
        "Tomcat virtual 10 % slower"
    )
    assert sentence.endswith(
        "; with it pay on Tomcat platform is limited by thread cap: 200 at once "
        "(server.tomcat.threads.max), no longer by latency (the theoretical maximum); "
        "1 more changed case."
    )


def test_errors_are_said_by_their_number() -> None:
    assert headline([UNCHANGED, ERRORS], "merging this") == (
        "Merging this makes hello on Tomcat virtual fail 37 of 81,000 requests, before it was "
        "0 of 80,000; 1 unchanged."
    )


def test_a_method_is_named_where_no_throughput_shows_it() -> None:
    assert headline([UNCHANGED, METHODS]) == (
        "Head makes hello on Tomcat virtual need more CPU time: 3.0 % in Routes.hello, before it "
        "was 0.1 %; 1 unchanged."
    )
    assert headline([REGRESSION, METHODS]) == headline([REGRESSION])
    moved = METHODS.model_copy(update={"verdict": "changed", "base": "3.1 %"})
    assert headline([moved]) == (
        "Head has hello on Tomcat virtual spend its CPU time elsewhere: 3.0 % in Routes.hello, "
        "not 3.1 %."
    )


def test_a_new_bottleneck_is_said_with_the_old_one() -> None:
    assert headline([BOUND]) == (
        "With it pay on Tomcat platform is limited by thread cap: 200 at once "
        "(server.tomcat.threads.max), no longer by latency (the theoretical maximum)."
    )


def test_nothing_and_nothing_new() -> None:
    assert headline([]) == "Nothing could be compared."
    assert headline([UNCHANGED, UNDECIDED]) == "No change was found: 1 unchanged, 1 undecided."


def test_an_interval_that_holds_both_directions_has_signs() -> None:
    wide = finding("suspected", 0.9, low_ratio=0.7, high_ratio=1.1)
    assert "(-30 % to +10 %)" in headline([wide])


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.098, 0.104, "(89.6 to 90.2 %)"),
        (0.098, 0.12, "(88 to 90 %)"),
        (0.1, 0.1, "(90.0 to 90.0 %)"),
    ],
)
def test_the_edges_of_an_interval_are_distinguished(low: float, high: float, expected: str) -> None:
    narrow = finding("regression", 0.101, low_ratio=low, high_ratio=high)
    assert expected in headline([narrow])


@pytest.mark.parametrize("case", ["", "x", "a/b/c", "boot4-tomcat-virtual-jvm/hello", "`@all`/x/1"])
def test_a_case_of_another_form_is_quoted_as_it_is(case: str) -> None:
    assert subject_of_case(case, lambda text: f"<{text}>") == f"<{case}>"


@given(
    st.lists(
        st.builds(
            finding,
            st.sampled_from(["regression", "improvement", "suspected", "unchanged", "undecided"]),
            st.floats(1e-300, 1e300),
        ),
        max_size=5,
    )
)
def test_it_is_a_short_sentence_whatever_was_measured(findings: list[FindingRecord]) -> None:
    sentence = headline(findings)
    assert sentence.endswith(".")
    assert len(sentence) < 400
    assert sentence[0].isupper()


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("app-orders-own-command/hello/64", "hello of orders"),
        ("app-orders-own-jvm/orders-17/64", "orders-17 of orders"),
        ("app-orders-own-command_256m/orders-17/64", "orders-17 of orders 256m"),
        ("boot4-tomcat-virtual-jvm_256m/hello/64", "hello on Tomcat virtual 256m"),
        ("app-orders-virtual-jvmaot/a/1", "a of orders virtual jvmaot"),
        ("apple-orders-own-jvm/a/1", "a on Orders own"),
    ],
)
def test_a_service_is_called_by_its_name(case: str, expected: str) -> None:
    assert subject_of_case(case) == expected


def test_an_artifact_of_equal_size_is_no_measurement() -> None:
    size = FactRecord(
        case="app-orders-own-jvm",
        metric="artifact_bytes",
        base="9 MB",
        head="9 MB",
        verdict="unchanged",
    )
    assert headline([size]) == "Nothing could be compared: no two pairs were measured."
    assert "1 unchanged" in headline([size, UNDECIDED])
    assert headline([size.model_copy(update={"verdict": "changed", "head": "8 MB"})]) == (
        "Head makes the artifact of app-orders-own-jvm shrink from 9 MB to 8 MB."
    )
