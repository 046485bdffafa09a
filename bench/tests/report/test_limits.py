"""Limits of a service's owner in reports of a comparison."""

from __future__ import annotations

from xml.etree import ElementTree

from springbench.report import junit, limits
from springbench.report.comment import Report, render
from springbench.results.comparison import Comparison, HeadLimitRecord
from tests.comparisons import comparison, finding

CASE = "app-orders-own-jvm/hello/64"


def limit(name: str, metric: str, verdict: str, **fields: object) -> HeadLimitRecord:
    return HeadLimitRecord.model_validate(
        {"name": name, "metric": metric, "verdict": verdict, "case": CASE, **fields}
    )


STARTUP = limit("startup_s", "startup_s", "broken", limit=8, value=9.1, low=9, high=9.2)
MEMORY = limit("memory_mib", "memory_peak_bytes", "kept", limit=1e9, value=4e8, low=4e8, high=4e8)
P99 = limit("p99_ms", "latency_p99_s", "undecided", limit=0.05, reason="<b>C1</b> alone")


def limited(*found: HeadLimitRecord) -> Comparison:
    document = comparison(finding("unchanged", 1.001, case=CASE))
    return document.model_copy(update={"limits": list(found)})


def test_those_that_are_broken_stand_first_and_what_is_undecided_has_its_reason() -> None:
    assert limits.rows([MEMORY, P99, STARTUP]) == [
        ("startup_s", CASE, "≤ 8.00 s", "9.10 s", "9.00 s to 9.20 s", "🔴 broken"),
        ("p99_ms", CASE, "≤ 50.00 ms", "–", "–", "⚪ undecided: <b>C1</b> alone"),
        ("memory_mib", CASE, "≤ 954 MiB", "381 MiB", "381 MiB to 381 MiB", "✔️ kept"),
    ]
    assert limits.broken_words([MEMORY, P99]) == ""
    assert limits.broken_words([STARTUP] * 5) == (
        "Head breaks 5 limits: "
        + "startup at most 8.00 s, measured 9.10 s [9.00 s, 9.20 s]; " * 3
        + "2 more."
    )


def test_a_comment_begins_with_a_broken_limit_and_shows_nothing_of_a_stranger_s_as_markup() -> None:
    text = render(Report([limited(MEMORY, P99, STARTUP)]))
    title = text.splitlines()[0]
    assert title.startswith("## 🔴 springbench: Head breaks 1 limit: `startup at most 8.00 s, ")
    assert text.count("undecided: ") == 1
    assert "<b>C1" not in text
    quiet = render(Report([limited(MEMORY)]))
    assert quiet.startswith("## ✅ springbench: all quiet.")
    assert "✔️ kept" in quiet


def test_an_unknown_metric_and_absurd_numbers_stay_small() -> None:
    strange = limit("x" * 5000, "of-tomorrow", "broken", limit=1e308, value=1e308, low=0, high=0)
    wide = STARTUP.model_copy(update={"limit": 1e308, "value": 1e308})
    text = render(Report([limited(*[strange, wide] * 500)]))
    assert len(text.encode()) < 65_536
    assert "rows left out here" in text


def test_junit_has_a_test_for_each() -> None:
    root = ElementTree.fromstring(junit.render(limited(MEMORY, P99, STARTUP)))  # noqa: S314 - our own
    found = {case.get("name"): [child.tag for child in case] for case in root.iter("testcase")}
    assert found[f"{CASE} startup_s"] == ["failure"]
    assert found[f"{CASE} p99_ms"] == ["skipped"]
    assert found[f"{CASE} memory_mib"] == []
