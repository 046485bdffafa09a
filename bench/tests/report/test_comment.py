"""The comment of a pull request: short, within GitHub's limit, and nothing in it that acts."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from springbench.github.event import CommentMark, RunOrder
from springbench.report.comment import MAX_BYTES, Report, render
from springbench.report.comparison import Failure
from springbench.report.github_text import NAME_LIMIT, code
from springbench.results.comparison import Comparison, PairRecord, Statement
from springbench.results.run import Caution
from tests.comparisons import (
    BOUND,
    BROKEN,
    ERRORS,
    HEADERS,
    IMPROVEMENT,
    REGRESSION,
    SUSPECTED,
    UNCHANGED,
    UNDECIDED,
    WHY,
    comparison,
    finding,
)
from tests.draws import draws

Golden = Callable[[str, str], None]
MARKER = CommentMark(RunOrder(12, 1)).line()
RUN_URL = "https://github.example/octo/app/actions/runs/1"
HOSTILE = (
    "@octo/team <img src=x onerror=alert(1)> ![i](http://evil.example/p.png) `x` | a | b\n"
    "\n# title\r\n</details><!-- --> [l](javascript:alert(1)) #1 www.evil.example $x$ "
    "\u202egnp.exe \x1b[31m &lt;b&gt; " + "long " * 200
)
# what a rendered comment may hold; the cells' alignment is the only attribute beside our link
TAGS = re.compile(
    r"</?(?:h2|p|table|thead|tbody|tr|th|td|code|ul|li|details|summary)>"
    r'|<(?:th|td) style="text-align:right">'
    rf'|<a href="{re.escape(RUN_URL)}">|</a>|{re.escape(MARKER)}'
)


def html(text: str) -> str:
    """As GitHub's Markdown has it before its filter: with raw HTML, links and tables."""
    rendered: str = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    return rendered


def sharded(*statements: Statement, warned: bool = False) -> Comparison:
    document = comparison(*statements)
    document.head.label = "pull request 7 (1a2b3c4d5e6f)"
    document.warnings = document.warnings if warned else []
    return document


FACTS = (BROKEN, ERRORS, HEADERS, BOUND)
FACT_TEXTS = ("case", "base", "head", "note")
FAILED_PAIR = PairRecord(pair=0, status="failed", reason="head: killed: out of memory", sides={})


def with_failures() -> Report:
    document = sharded(UNCHANGED)
    document.pairs = {"boot4-jetty-virtual-jvm": [FAILED_PAIR]}
    return Report([document], [Failure("shard-2", "it left no comparison")], RUN_URL)


def explained() -> Report:
    document = sharded(REGRESSION, UNCHANGED)
    document.explanations = [WHY]
    return Report([document], (), RUN_URL)


def hostile() -> Report:
    document = comparison(
        finding("regression", 0.5, case=HOSTILE, metric=HOSTILE, note=HOSTILE),
        finding("undecided", 1e300, case="``` " + HOSTILE, note=HOSTILE),
        *(fact.model_copy(update=dict.fromkeys(FACT_TEXTS, HOSTILE)) for fact in FACTS),
    )
    document.base.label = document.head.label = HOSTILE
    document.host.cpu_model = document.host.host_class = HOSTILE
    document.comparison.id = HOSTILE
    document.comparison.finished_at = None
    document.warnings = [Caution(code="x", message=HOSTILE, remedy=HOSTILE)]
    document.explanations = [
        WHY.model_copy(update={"case": HOSTILE, "text": HOSTILE, "file": HOSTILE})
    ]
    document.pairs = {HOSTILE: [FAILED_PAIR.model_copy(update={"reason": HOSTILE})]}
    return Report([document], [Failure(HOSTILE, HOSTILE)], RUN_URL)


@pytest.mark.parametrize(
    ("name", "report"),
    [
        ("regression", Report([sharded(UNCHANGED, REGRESSION, UNDECIDED)], (), RUN_URL)),
        ("improvement", Report([sharded(IMPROVEMENT, UNCHANGED, warned=True)], (), RUN_URL)),
        ("suspected", Report([sharded(SUSPECTED, UNCHANGED)], (), RUN_URL, head="c" * 40)),
        (
            "fork",
            Report(
                [sharded(REGRESSION)],
                (),
                RUN_URL,
                head="c" * 40,
                fork="some-stranger",
                site="https://octo.github.example/app/",
                page="https://github.example/octo/app/actions/runs/2/artifacts/3",
            ),
        ),
        ("undecided", Report([sharded(UNDECIDED, UNCHANGED)], (), RUN_URL)),
        ("quiet", Report([sharded(UNCHANGED)], (), RUN_URL)),
        ("failed", with_failures()),
        ("facts", Report([sharded(BROKEN, ERRORS, HEADERS, BOUND, UNCHANGED)], (), RUN_URL)),
        ("explained", explained()),
        ("hostile", hostile()),
    ],
)
def test_the_whole_comment(name: str, report: Report, golden: Golden) -> None:
    golden(f"comment-{name}.md", render(report, MARKER))


@pytest.mark.parametrize(
    ("report", "mark"),
    [
        (Report([sharded(REGRESSION)], [Failure("shard-2", "x")]), "🔴"),
        (Report([sharded(IMPROVEMENT)], [Failure("shard-2", "x")]), "❌"),
        (Report([sharded(SUSPECTED, IMPROVEMENT)]), "🟠"),
        (Report([sharded(SUSPECTED)], [Failure("shard-2", "x")]), "❌"),
        (Report([sharded(finding("suspected", 1.3), UNCHANGED)]), "⚪"),
        (Report([sharded(finding("suspected", 1.3), IMPROVEMENT)]), "🟢"),
        (Report([], [Failure("shard-1", "x")]), "❌"),
        (Report([sharded()]), "❌"),
        (Report([sharded(HEADERS.model_copy(update={"verdict": "unchanged"}))]), "❌"),
        (Report([sharded(IMPROVEMENT), sharded(UNDECIDED)]), "🟢"),
        (Report([sharded(UNCHANGED), sharded(UNDECIDED)]), "⚪"),
        (Report([sharded(BROKEN, IMPROVEMENT)]), "🔴"),
        (Report([sharded(HEADERS, UNDECIDED)]), "🔵"),
        (Report([sharded(HEADERS, IMPROVEMENT)]), "🟢"),
        (Report([sharded(UNCHANGED), sharded(UNCHANGED)]), "✅"),
    ],
)
def test_the_gravest_thing_gives_the_mark(report: Report, mark: str) -> None:
    first, second = render(report, MARKER).splitlines()[:2]
    assert first == MARKER
    assert second.startswith(f"## {mark} springbench: ")


def test_shards_on_several_hosts_are_one_comment() -> None:
    other = sharded(REGRESSION)
    other.host.host_class = "another-class"
    text = render(Report([sharded(UNCHANGED), other], (), RUN_URL))
    assert "10 % slower (8 to 12 %); 1 unchanged" in text
    assert text.count("Smallest detectable change") == 2
    assert text.count("Base `main (0123456789ab)`") == 1


@pytest.mark.parametrize("regressions", [0, 10, 10_000])
def test_ten_thousand_findings_are_within_the_limit(regressions: int) -> None:
    findings = [
        finding("regression", 0.9 - 0.00001 * index, case=f"boot4-tomcat-platform-jvm/pay/{index}")
        for index in range(regressions)
    ]
    findings += [
        finding("unchanged", 1.0, case=f"boot4-jetty-virtual-jvm/hello/{index}")
        for index in range(10_000 - regressions)
    ]
    text = render(Report([sharded(*findings)], (), RUN_URL), MARKER)
    assert 0.9 * MAX_BYTES < len(text.encode()) <= MAX_BYTES
    shown = sum(line.startswith("| `") for line in text.splitlines())
    assert f"{10_000 - shown:d} rows left out" in text
    assert RUN_URL in text
    # what changed stays as long as there is room, the greatest change first
    assert text.count("🔴 regression |") == (regressions if regressions < 100 else shown)
    if regressions:
        worst = next(line for line in text.splitlines() if line.startswith("| `"))
        assert f"/{regressions - 1}`" in worst


def test_everything_too_long_at_once_is_within_the_limit() -> None:
    long = hostile()
    pairs = {f"{index} {HOSTILE}": [FAILED_PAIR] for index in range(500)}
    for document in long.comparisons:
        document.pairs = pairs
        document.warnings = [
            Caution(code="x", message=f"{index} {'🙂' * 9999}") for index in range(500)
        ]
        document.findings = document.findings * 5000
        document.comparison.measured_s = 1e308
    text = render(Report(list(long.comparisons) * 100, [*long.failures] * 1000, RUN_URL), MARKER)
    assert len(text.encode()) <= MAX_BYTES
    assert_sanitize(text)


def test_the_hostile_comment_does_nothing() -> None:
    assert_sanitize(render(hostile(), MARKER))


@given(st.lists(st.text(), min_size=6, max_size=6), st.floats(allow_nan=False))
@settings(max_examples=draws(200))
def test_no_text_acts(texts: list[str], number: float) -> None:
    document = comparison(
        finding(
            "regression", 0.9, case=texts[0], metric=texts[1], note=texts[2], base_median=number
        ),
        finding("unchanged", number, case=texts[1], low_ratio=number, detectable_ratio=number),
        *(
            fact.model_copy(update=dict(zip(FACT_TEXTS, texts, strict=False)))
            for fact in (BROKEN, HEADERS)
        ),
    )
    document.base.label, document.host.cpu_model = texts[3], texts[4]
    document.warnings = [Caution(code="x", message=texts[5], remedy=texts[0])]
    text = render(Report([document], [Failure(texts[2], texts[3])], RUN_URL), MARKER)
    assert_sanitize(text)
    plain = comparison(REGRESSION, UNCHANGED, BROKEN, HEADERS)
    same = render(Report([plain], [Failure("a", "b")], RUN_URL), MARKER)
    assert len(text.split("\n")) == len(same.split("\n")), "the input has broken a line"


@given(st.text(max_size=400))
def test_a_quoted_text_is_one_code_span(text: str) -> None:
    quoted = code(text)
    inside = quoted[1:-1]
    assert quoted[0] == quoted[-1] == "`"
    assert 0 < len(inside) <= NAME_LIMIT + 1
    assert inside.isprintable()
    assert not set(inside) & set("`|<>@$#\\")
    assert "://" not in inside
    assert re.fullmatch(r"<p>x <code>[^<]*</code> y</p>\n", html(f"x {quoted} y"))


def assert_sanitize(text: str) -> None:
    """No tag but our own, no mention, no link but ours, no image, no control character."""
    rendered = html(text)
    assert "<" not in TAGS.sub("", rendered), TAGS.sub("", rendered)
    assert rendered.count("<a ") == 1
    remaining_text = (
        text.replace(RUN_URL, "").replace(MARKER, "").replace("springbench-comment", "")
    )
    assert "@" not in remaining_text
    assert "<" not in re.sub(r"</?(?:details|summary)>", "", remaining_text)
    assert all(c.isprintable() or c == "\n" for c in text)
    heads = [line for line in text.split("\n") if line.startswith("| case |")]
    rows = [line for line in text.split("\n") if line.startswith("|")]
    assert heads
    assert {line.count("|") for line in rows} == {8}


def test_of_a_service_nothing_is_asked_that_its_workflows_cannot_do() -> None:
    case = "app-orders-own-jvm/orders-17/64"
    report = Report([sharded(finding("regression", 0.8, case=case))], (), RUN_URL, fork="stranger")
    body = render(report)
    assert "`orders-17` of orders" in body
    assert "*Re-run all jobs* measures it again" in body
    assert "started with" not in body
    assert "report-page" not in body
    assert "built and ran the code of `stranger`" in body


def test_nothing_that_a_strangers_job_has_uploaded_is_a_page_to_open() -> None:
    comparisons = explained().comparisons
    own_text, stranger_text = (
        render(Report(comparisons, (), RUN_URL, fork=owner)) for owner in (None, "stranger")
    )
    assert "Flame graph: in the artifacts" in own_text
    assert "Open no page" not in own_text
    assert "Flame graph" not in stranger_text
    assert "report-page" not in stranger_text
    assert "Open no page that it has uploaded" in stranger_text


def test_a_page_made_of_the_checked_comparison_is_linked() -> None:
    page = "https://github.example/octo/app/actions/runs/2/artifacts/3"
    body = render(Report([sharded(UNCHANGED)], (), RUN_URL, fork="stranger", page=page))
    assert f"[The comparison as a page]({page})" in body
