"""The issue of an event: short, within GitHub's limit, and nothing in it that acts."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from springbench.report.comment import MAX_BYTES
from springbench.report.event_issue import (
    TITLE_LIMIT,
    Places,
    body,
    closing,
    commands,
    title,
)
from springbench.results.events import (
    Acknowledgement,
    AffectedSeries,
    Culprit,
    Event,
    Evidence,
    LastMeasured,
)
from springbench.results.published_comparison import PublishedExplanation
from tests.suspected import CASE, CPU, HOST_CLASS, OTHER_CASES, affected, commit, event

Golden = Callable[[str, str], None]
MARKER = "<!-- springbench-event regression-000000000005 state=open -->"
SITE = "https://octo.github.io/app/"
PLACES = Places("https://github.example/octo/app", SITE, {"regression-000000000005"})
HOSTILE = (
    "@octo/team <img src=x onerror=alert(1)> ![i](http://evil.example/p.png) `x` | a | b\n"
    "\n# title\r\n</details><!-- --> [l](javascript:alert(1)) #1 www.evil.example $x$ "
    "\u202egnp.exe \x1b[31m &lt;b&gt; " + "long " * 200
)
TAGS = re.compile(
    r"</?(?:h3|p|table|thead|tbody|tr|th|td|code|ul|li|strong|pre)>"
    r'|<code class="language-(?:sh|toml)">|<(?:th|td) style="text-align:right">'
    r'|<a href="https://(?:github\.example|octo\.github\.io)/[^"<>]*">|</a>'
    r'|<img src="https://octo\.github\.io/app/data/charts/[^"<>]*" alt="[^"<>]*" ?/?>'
    rf"|{re.escape(MARKER)}"
)
FAR = Culprit(before=commit(4), after=commit(9), exact=False)


def evidence(**fields: object) -> Evidence:
    standard = {
        "comparison": "gh-100-confirm",
        "base": commit(4).sha,
        "head": commit(5).sha,
        "host_class": HOST_CLASS,
        "case": CASE,
        "metric": CPU,
        "ratio": 1.078,
        "low_ratio": 1.07,
        "high_ratio": 1.09,
        "pairs": 8,
        "agrees": True,
        "independent": True,
        "url": "https://github.example/octo/app/actions/runs/100",
    }
    return Evidence.model_validate({**standard, **fields})


def regression(*series: AffectedSeries, **fields: object) -> Event:
    new_event = event(affected(1.08, low_ratio=1.07, high_ratio=1.09))
    if series:
        new_event = new_event.of_series([*series])
    standard = {"state": "confirmed", "shared": CASE, "evidence": [evidence()]}
    return new_event.model_copy(update={**standard, **fields})


def drift() -> Event:
    return regression(kind="drift", culprit=FAR, evidence=[evidence(agrees=None)])


def many() -> Event:
    affected_series = [affected(1.05 + n / 100, case) for n, case in enumerate(OTHER_CASES)]
    slower = affected(
        0.92, metric="throughput_rps", unit="rps", better="higher", before=48e3, after=44.2e3
    )
    return regression(
        *affected_series,
        slower,
        shared="every virtual case on boot4",
        evidence=[evidence(independent=False, agrees=None), evidence()],
    )


def hostile() -> Event:
    bad = commit(5).model_copy(update={"message": HOSTILE, "author": HOSTILE})
    return regression(
        affected(1.08, metric="x'; rm -rf ~ #", configuration="a-b"),
        shared=HOSTILE,
        culprit=Culprit(before=commit(4), after=bad, exact=True),
        evidence=[evidence(url="javascript:alert(1)", case="a/b/1", metric=HOSTILE, base="; rm")],
        environment_change=HOSTILE,
        acknowledgement=Acknowledgement(reason=HOSTILE, by=HOSTILE),
        state="acknowledged",
    )


def returned() -> Event:
    new_event = event(affected(0.92), before=7, after=8, direction="improvement")
    return new_event.model_copy(update={"id": "improvement-000000000008", "state": "confirmed"})


def fixed() -> Event:
    return regression(state="fixed", fixed_by=returned().id)


def ended() -> Event:
    last = LastMeasured(
        run="gh-77", sha="000000000009", time="2026-03-01T10:00:00Z", state="confirmed"
    )
    return regression(state="unmeasured", last_measured=last)


WHY = PublishedExplanation(
    case="boot4-tomcat-virtual-jvm/hello/64",
    event="cpu",
    text="grew most, in per cent of a request's CPU time before: Routes.hello (3.1 to 9.2)",
)
CASES = {
    "step": regression(),
    "explained": regression(explanations=[WHY]),
    "drift": drift(),
    "range": regression(culprit=FAR),
    "many": many(),
    "hostile": hostile(),
    "environment_change": regression(
        environment_change="kernel 6.1.9 to 6.1.10", moved="improvement-000000000005"
    ),
    "fixed": fixed(),
    "unmeasured": ended(),
    "acknowledged": regression(
        state="acknowledged", acknowledgement=Acknowledgement(reason="TLS by default", by="team")
    ),
}


def html(text: str) -> str:
    """As GitHub's Markdown has it before its filter: with raw HTML, links and tables."""
    rendered: str = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    return rendered


@pytest.mark.parametrize("name", CASES)
def test_bodies_read_as_they_are_meant(name: str, golden: Golden) -> None:
    about, events = CASES[name], [CASES[name], returned()]
    text = f"{title(about)}\n\n{body(about, events, PLACES, MARKER)}"
    if not about.is_open:
        text += f"\n---\n{closing(about, events, PLACES)}\n"
    golden(f"issue-{name}.md", text)


@pytest.mark.parametrize("name", CASES)
def test_nothing_in_a_body_acts(name: str) -> None:
    rendered = html(body(CASES[name], [CASES[name]], PLACES, MARKER))
    assert re.sub(r"[^<>]", "", TAGS.sub("", rendered)) == ""
    # a mention would be outside of every span of code
    outside = re.sub(r"<code.*?</code>", "", rendered, flags=re.DOTALL)
    assert not re.search(r"@\w|(?<!&)#\d", re.sub(r"<[^>]*>", "", outside))
    assert "javascript:" not in re.sub(r"<code.*?</code>", "", rendered, flags=re.DOTALL)


def test_a_body_of_thousands_of_series_fits_and_says_what_is_left_out() -> None:
    one = affected(1.08, "boot4-" + "x" * 100 + "-virtual-jvm/hello/64", configuration="c" * 60)
    huge = regression(affected_series=[one] * 5000, evidence=[evidence()] * 3000)
    text = body(huge, [huge], PLACES, MARKER)
    assert len(text.encode()) <= MAX_BYTES
    assert "4900 more left out here" in text
    assert "2970 more left out here" in text
    assert "springbench compare" in text
    small = body(huge, [huge], PLACES, MARKER, limit=8_000)
    assert len(small.encode()) <= 8_000
    assert "### To see it yourself" in small


@given(text=st.text(max_size=300))
def test_titles_are_one_line_of_bounded_length_and_mention_nobody(text: str) -> None:
    heading = title(regression(shared=text))
    assert len(heading) <= TITLE_LIMIT
    assert len(heading.splitlines()) == 1
    assert not set("@`<>") & set(heading)


def test_commands_hold_nothing_that_a_shell_obeys() -> None:
    assert commands(hostile()) == []
    for sha in ("$(reboot)", "--x", "000000000005; x"):
        bad = regression(culprit=Culprit(before=commit(4), after=commit(5), exact=True))
        bad = bad.model_copy(deep=True)
        bad.culprit.before.sha = sha
        assert commands(bad) == []
    assert commands(regression()) == [
        f"springbench compare {commit(4).sha} {commit(5).sha} --only '{CASE}' --profile nightly"
    ]
    assert commands(regression(culprit=FAR))[1] == (
        f"springbench bisect {commit(4).sha} {commit(9).sha} --case '{CASE}' --metric {CPU}"
    )


def test_a_service_is_checked_out_and_built_by_who_knows_how() -> None:
    affected_series = [
        series.model_copy(update={"case": "app-orders-own-jvm/orders-17/64"})
        for series in regression().affected_series
    ]
    for culprit in (regression().culprit, FAR):
        *check_out, note, again = commands(
            regression(affected_series=affected_series, culprit=culprit)
        )
        assert [line.split()[:3] for line in check_out] == [["git", "worktree", "add"]] * 2
        assert note == "# build both"
        folders = [line.split()[3] for line in check_out]
        assert again.startswith(f"springbench compare {' '.join(folders)} --only 'app-orders-own-")


def test_a_fix_that_the_history_does_not_name_is_said() -> None:
    assert "by `improvement-000000000008`" in closing(fixed(), [fixed()], PLACES)
