"""JUnit XML: what CI systems that are not GitHub's read."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from springbench.matrix.rows import Matrix
from springbench.report.junit import render
from springbench.results.comparison import PairRecord
from springbench.results.run import LimitRecord
from tests.comparisons import BROKEN, REGRESSION, SUSPECTED, UNCHANGED, UNDECIDED, comparison
from tests.samples import full_run


def outcomes(text: str) -> list[tuple[str, str]]:
    """Names of the tests, each with `failure`, `skipped` or `passed`."""
    root = ET.fromstring(text)  # noqa: S314 - our own
    cases = list(root.iter("testcase"))
    found = [
        (case.attrib["name"], next((e.tag for e in case if e.tag != "system-out"), "passed"))
        for case in cases
    ]
    for kind, counted in (("failure", "failures"), ("skipped", "skipped")):
        assert int(root.attrib[counted]) == [how for _, how in found].count(kind)
        assert len(root.findall(f"testsuite/testcase/{kind}")) == int(root.attrib[counted])
    assert int(root.attrib["tests"]) == len(cases)
    return found


def test_what_is_not_decided_has_not_passed() -> None:
    stored = comparison(UNCHANGED, REGRESSION, UNDECIDED, SUSPECTED, BROKEN)
    found = [how for _, how in outcomes(render(stored))]
    assert sorted(found) == ["failure", "failure", "passed", "skipped", "skipped"]


def test_what_could_not_be_compared_is_a_failure() -> None:
    failed = PairRecord(pair=0, status="failed", reason="head: out of memory", sides={})
    stored = comparison().model_copy(update={"pairs": {"app-orders-own-jvm": [failed]}})
    [(name, how)] = outcomes(render(stored))
    assert (name, how) == ("app-orders-own-jvm measured", "failure")
    assert "1 of 1 fork pairs: head: out of memory" in render(stored)


def test_a_run_has_its_cases_and_their_limits(matrix: Matrix) -> None:
    run = full_run(matrix)
    first = run.results[0]
    first.limits = [
        LimitRecord(
            name=name,
            metric="startup_s",
            limit=2.0,
            verdict=verdict,
            value=1.0,
            low=0.9,
            high=1.1,
        )
        for name, verdict in (("a", "kept"), ("b", "broken"), ("c", "undecided"))
    ]
    found = dict(outcomes(render(run)))
    limits = [found[f"{first.case} {name}"] for name in ("a", "b", "c")]
    assert limits == ["passed", "failure", "skipped"]
    statuses = {"ok": "passed", "failed": "failure", "skipped": "skipped"}
    for result in run.results:
        assert found[result.case] == statuses[result.status]


@given(st.text(max_size=60))
def test_no_name_breaks_the_document(text: str) -> None:
    hostile = REGRESSION.model_copy(update={"case": f"a{text}"})
    assert [how for _, how in outcomes(render(comparison(hostile)))] == ["failure"]
