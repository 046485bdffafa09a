"""What is published of a comparison, and what is refused or left out of it."""

from __future__ import annotations

import json
from collections.abc import Callable

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.errors import ConfigurationError
from springbench.history.condense_comparison import Occasion, condense_comparison
from springbench.matrix.rows import Matrix
from springbench.results.comparison import Comparison, ExplanationRecord
from springbench.results.published_comparison import PublishedComparison
from springbench.results.run import Caution
from springbench.results.schema import schemas
from tests.comparisons import BROKEN, CASE, REGRESSION, finding
from tests.history.histories import STARTUP, raw_comparison

Spoil = Callable[[Comparison], None]


@pytest.fixture
def comparison(matrix: Matrix) -> Comparison:
    return raw_comparison(matrix, 7)


def condensed(comparison: Comparison, **fields: object) -> PublishedComparison:
    return condense_comparison(comparison, Occasion(**fields)).comparison  # type: ignore[arg-type]


def test_commits_findings_and_facts_are_published(comparison: Comparison) -> None:
    published = condensed(comparison, purpose="push", url="https://example.org/1")
    assert (published.base.sha, published.head.sha) == ("000000060000", "000000070000")
    assert published.head.time < published.started_at < (published.finished_at or "")
    assert [row.metric for row in published.findings] == ["throughput_rps", "startup_s"]
    first = published.findings[0]
    assert (first.low_ratio, first.ratio, first.high_ratio) == (0.931, 0.95, 0.969)
    assert published.facts == [BROKEN]
    assert (published.purpose, published.url) == ("push", "https://example.org/1")
    assert published.marks == []


def test_it_keeps_to_its_schema(comparison: Comparison) -> None:
    schema = json.loads(schemas()["published-comparison.schema.json"])
    text = condensed(comparison).model_dump_json(by_alias=True, exclude_none=True)
    jsonschema.validate(json.loads(text), schema)


def test_the_id_is_the_same_each_time_and_another_on_another_host(comparison: Comparison) -> None:
    first = condensed(comparison).id
    assert first.startswith("compared-00007-")
    # what was measured since does not make another comparison of it
    comparison.findings = comparison.findings[:1]
    assert condensed(comparison, purpose="confirm").id == first
    comparison.host.fingerprint = "ffffffff"
    assert condensed(comparison).id != first


def by_commit_and_jars(comparison: Comparison) -> None:
    comparison.base.kind = "jars"


def of_stored_runs(comparison: Comparison) -> None:
    comparison.comparison.interleaved = False


def without_a_hash(comparison: Comparison) -> None:
    comparison.head.sha = None


def with_no_hash(comparison: Comparison) -> None:
    comparison.head.sha = "$(reboot)" * 5


def unknown_commit(comparison: Comparison) -> None:
    comparison.head.author = None


def with_itself(comparison: Comparison) -> None:
    comparison.head = comparison.base


def drifted(comparison: Comparison) -> None:
    comparison.warnings.append(Caution(code="canary", message="off by 40 %"))


def of_tomorrow(comparison: Comparison) -> None:
    comparison.comparison.started_at = "2199-01-01T00:00:00+00:00"


def of_no_time(comparison: Comparison) -> None:
    comparison.comparison.started_at = "yesterday"


def of_no_year(comparison: Comparison) -> None:
    comparison.comparison.started_at = "0001-01-01T00:00:00+23:00"


def commit_of_no_time(comparison: Comparison) -> None:
    comparison.base.time = "\n##[error]"


def without_statements(comparison: Comparison) -> None:
    comparison.findings, comparison.facts = [], []


def with_an_id_that_leads_out(comparison: Comparison) -> None:
    comparison.comparison.id = "../../index"


def of_a_class_that_leads_out(comparison: Comparison) -> None:
    comparison.host.host_class = "a/../b"


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (by_commit_and_jars, "base is of kind jars"),
        (of_stored_runs, "measured at different times"),
        (without_a_hash, "head has no hash"),
        (with_no_hash, "head has no hash"),
        (unknown_commit, "nothing is known of head's commit 000000070000"),
        (with_itself, "base and head are one commit"),
        (drifted, "the canary says that the host had drifted"),
        (of_tomorrow, "still to come"),
        (of_no_time, "'yesterday' is no time like"),
        (of_no_year, "is no time like"),
        (commit_of_no_time, "is no time like"),
        (without_statements, "it says nothing"),
        (with_an_id_that_leads_out, "id cannot be published"),
        (of_a_class_that_leads_out, "class cannot be published"),
    ],
)
def test_what_is_unsound_is_refused_with_the_reason(
    comparison: Comparison, spoil: Spoil, words: str
) -> None:
    spoil(comparison)
    with pytest.raises(ConfigurationError) as caught:
        condensed(comparison)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_drifted_is_published_by_force_and_marked(comparison: Comparison) -> None:
    drifted(comparison)
    comparison.warnings.append(Caution(code="shared-host", message="others use it"))
    comparison.comparison.finished_at = None
    published = condense_comparison(comparison, Occasion(marks=("mine",)), force=True).comparison
    assert published.marks == ["drifted", "mine", "shared-host", "unfinished"]


def test_clocks_that_ran_backwards_cost_no_negative_time(comparison: Comparison) -> None:
    comparison.comparison.finished_at = "2020-01-01T00:00:00+00:00"
    comparison.head.time = "2199-01-01T00:00:00+00:00"
    published = condensed(comparison)
    assert published.finished_at == published.head.time == published.started_at


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"ratio": 0.0}, "is 0"),
        ({"ratio": -1.0}, "impossible"),
        ({"ratio": float("nan")}, "impossible"),
        ({"ratio": 1e9, "high_ratio": 1e9}, "impossible"),
        ({"high_ratio": float("inf")}, "impossible"),
        ({"low_ratio": 2.0}, "outside of"),
        ({"p_value": 7.0}, "probability"),
        ({"pairs": 0}, "0 pairs"),
        ({"better": "lower"}, "takes lower as better"),
        ({"unit": "s"}, "in s"),
        ({"metric": "luck"}, "does not know"),
        ({"case": "../../x"}, "no name of a case"),
        ({"metric": "startup_s", "unit": "s", "better": "lower"}, "stand there before"),
    ],
)
def test_what_nothing_can_have_measured_is_left_out_alone(
    comparison: Comparison, fields: dict[str, object], words: str
) -> None:
    comparison.findings = [STARTUP, REGRESSION.model_copy(update=fields)]
    condensed = condense_comparison(comparison, Occasion())
    assert [row.metric for row in condensed.comparison.findings] == ["startup_s"]
    (line,) = condensed.left_out
    assert line.startswith("finding 2 is left out: ")
    assert words in line


def test_a_fact_of_no_case_is_left_out_and_long_words_are_cut(comparison: Comparison) -> None:
    long = BROKEN.model_copy(update={"base": "x" * 5000, "head": "one\n## two"})
    comparison.facts = [BROKEN.model_copy(update={"case": "<script>"}), long]
    condensed = condense_comparison(comparison, Occasion())
    (fact,) = condensed.comparison.facts
    assert (len(fact.base), fact.head) == (400, "one")
    assert condensed.left_out == ("fact 1 is left out: it is of no case and no variant",)


def test_explanations_are_published_but_for_one_of_no_case(comparison: Comparison) -> None:
    why = ExplanationRecord(case=CASE, event="cpu", text="grew most: a\nb", file="a.html")
    comparison.explanations = [why.model_copy(update={"case": "<script>"}), why]
    condensed = condense_comparison(comparison, Occasion())
    (one,) = condensed.comparison.explanations
    assert (one.case, one.event, one.text) == (CASE, "cpu", "grew most: a")
    assert condensed.left_out == ("explanation 1 is left out: its case is no name of a case",)


@given(
    st.floats(0.01, 100),
    st.floats(0, 1),
    st.floats(1, 1e6),
    st.text(max_size=400),
    st.text(max_size=400),
)
def test_whatever_is_published_reads_back(
    matrix: Matrix, ratio: float, low: float, high: float, message: str, author: str
) -> None:
    comparison = raw_comparison(matrix, 7)
    comparison.head.message, comparison.head.author = message, author
    comparison.findings = [
        finding("unchanged", ratio, case=CASE, low_ratio=ratio * low, high_ratio=ratio * high)
    ]
    published = condensed(comparison)
    text = published.model_dump_json(by_alias=True, exclude_none=True)
    assert PublishedComparison.model_validate_json(text) == published
    assert len(published.head.message.splitlines()) <= 1
    (one,) = published.findings
    assert one.low_ratio <= one.ratio <= one.high_ratio


def test_options_of_both_sides_are_published(comparison: Comparison) -> None:
    assert condensed(comparison).java_options == []
    comparison.comparison.java_options = ["-XX:TieredStopAtLevel=1"]
    assert condensed(comparison).java_options == ["-XX:TieredStopAtLevel=1"]


@pytest.mark.parametrize("option", ["", "no option", "-XX\nnext", "-" + "x" * 300])
def test_what_is_no_option_is_not_published(comparison: Comparison, option: str) -> None:
    comparison.comparison.java_options = [option]
    with pytest.raises(ConfigurationError, match="java_options"):
        condensed(comparison)
