"""The issue of an event: title, body, and what is said when it closes or comes back. Pure.

Texts of others (messages, authors, names of cases) stand in code spans, where GitHub looks for
neither mentions nor links; hashes are linked only where they are hashes.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass

from springbench.report.comment import FRAME_BYTES, MAX_BYTES
from springbench.report.comparison import comparing, value_words
from springbench.report.event_words import (
    change_words,
    evidence_words,
    fixing,
    last_words,
    signed,
)
from springbench.report.github_text import ByteBudget, code, link, sentence, size
from springbench.report.headline import CASE, interval_words, metric_words
from springbench.report.markdown import table_lines
from springbench.results.events import AffectedSeries, Event, Evidence
from springbench.results.history_names import EVENT_ID, CommitRow, profile_of
from springbench.untrusted import clipped, one_line

TITLE_LIMIT = 200
MAX_AFFECTED_SERIES = 100
MOST_EVIDENCE = 30
NUMBER_LIMIT = 40
COLUMNS = ("case", "metric", "before", "after", "change", "95 % interval", "measured as")
LEFT_ALIGNED = frozenset({"case", "metric", "measured as"})
_SHA = re.compile(r"[0-9a-f]{7,40}")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,80}")
# titles are plain texts, but mails and other tools read them too
_TITLE_STAND_INS = str.maketrans({"@": "＠", "<": "‹", ">": "›", "`": "'", "#": "＃"})


@dataclass(frozen=True)
class Places:
    """Addresses that an issue links: of the repository and of the page, where they are known.

    `charts` are the events that the history has a picture of.
    """

    repository: str | None
    site: str | None = None
    charts: Container[str] = frozenset()

    def commit(self, sha: str) -> str | None:
        return f"{self.repository}/commit/{sha}" if self.repository else None

    def range(self, before: str, after: str) -> str | None:
        return f"{self.repository}/compare/{before}...{after}" if self.repository else None

    def chart(self, event: Event) -> str | None:
        if not self.site or event.id not in self.charts:
            return None
        return f"{self.site.rstrip('/')}/data/charts/{event.id}.svg"


def title(event: Event) -> str:
    """`Regression: every virtual case: CPU per request +8 % since 0123456789ab`."""
    first, *other_changes = event.changes
    more = f" and {len(other_changes)} more" if other_changes else ""
    what = f"{metric_words(first.metric)} {signed(first.ratio)}{more}"
    since = f" {_begin(event)}"
    room = TITLE_LIMIT - len(what) - len(since) - 20
    text = f"{event.direction.capitalize()}: {clipped(event.shared, room)}: {what}{since}"
    return clipped(one_line(text), TITLE_LIMIT).translate(_TITLE_STAND_INS)


def _begin(event: Event) -> str:
    if event.kind == "drift":
        return f"slowly since {event.culprit.before.sha}"
    if event.culprit.exact:
        return f"since {event.culprit.after.sha}"
    return f"after {event.culprit.before.sha}"


def body(
    event: Event,
    events: Sequence[Event],
    places: Places,
    first_line: str = "",
    limit: int = MAX_BYTES,
) -> str:
    """The body, at most `limit` bytes long; of long lists the last rows are left out."""
    head = [*([first_line] if first_line else []), *_head(event, events, places)]
    foot = [*_reproducing(event), *_what_to_do(event), *_foot(places)]
    budget = ByteBudget(limit - FRAME_BYTES - size([*head, *foot]))
    affected_series, evidence = _affected_series(event, budget), _evidence(event, places, budget)
    return "\n".join([*head, *affected_series, *evidence, *foot]) + "\n"


def closing(event: Event, events: Sequence[Event], places: Places) -> str:
    """Why the issue is closed."""
    if event.state == "fixed":
        return f"Fixed: the level is back {_fix(event, events, places)}."
    if event.state == "acknowledged":
        return _acknowledged(event)
    if event.state == "unmeasured":
        return _unmeasured(event)
    return (
        "A later comparison in pairs does not show this change: it was no change of the server's. "
        "What it rests on is in the description."
    )


def reopening(event: Event) -> str:
    """Why it is open again."""
    return f"It is back: {change_words(event, code)}. The description says what it rests on now."


def removed() -> str:
    """Why the issue of an event is closed that the history does not have any more."""
    return (
        "The history has no such event any more: with later runs the change lies at another "
        "commit, or is none."
    )


def commands(event: Event) -> list[str]:
    """What measures it again; none where its names could do something in a shell."""
    before, after = event.culprit.before.sha, event.culprit.after.sha
    if event.harness:
        # springbench has not measured it, and cannot
        return []
    fit = [w for w in event.affected_series if CASE.fullmatch(w.case) and _NAME.fullmatch(w.metric)]
    if not fit or not (_SHA.fullmatch(before) and _SHA.fullmatch(after)):
        return []
    affected = max(fit, key=lambda w: max(w.ratio, 1 / w.ratio) if w.ratio > 0 else 0)
    profile = profile_of(affected.configuration)
    *check_out, again = comparing(affected.case, before, after)
    again += f" --only '{affected.case}'"
    if re.fullmatch(r"[a-z][a-z0-9-]{0,40}", profile) and profile != "compare":
        again += f" --profile {profile}"
    # a drift is in all of its commits a little: no half of them has it
    if check_out or event.culprit.exact or event.kind == "drift":
        return [*check_out, *(["# build both"] if check_out else []), again]
    halve = (
        f"springbench bisect {before} {after} --case '{affected.case}' --metric {affected.metric}"
    )
    return [again, halve]


def _head(event: Event, events: Sequence[Event], places: Places) -> list[str]:
    lines = [f"**{sentence(event.shared)}: {change_words(event, code)}**", ""]
    lines.append(f"{_state(event, events, places)} {_where(event, places)}")
    if event.environment_change:
        lines += [
            "",
            f"⚠️ The host changed at the same place: {sentence(event.environment_change)}. ",
        ]
        lines[-1] += "Comparisons in pairs, on one host, decide."
    if event.moved:
        lines += ["", f"Cost that moved: the other direction is {code(event.moved)}."]
    for explanation in event.explanations:
        lines += ["", f"Why {code(explanation.case)}: {sentence(explanation.text)}."]
    if chart := places.chart(event):
        lines += ["", f"!{link('The series over the commits', chart)}"]
    return lines


def _state(event: Event, events: Sequence[Event], places: Places) -> str:
    if event.state == "fixed":
        return f"Fixed {_fix(event, events, places)}."
    if event.state == "acknowledged":
        return _acknowledged(event)
    if event.state == "unmeasured":
        return _unmeasured(event)
    if event.harness and event.state == "suspected":
        return (
            f"Suspected: the series that {event.harness} measured show it, and no comparison of "
            f"springbench can confirm it. To be sure, measure both commits again with "
            f"{event.harness}, on one host."
        )
    return {
        "confirmed": "Confirmed by another job.",
        "suspected": "Suspected: no other job has confirmed it as it is now.",
        "rejected": "Rejected: another job has compared the commits and does not see it.",
    }[event.state]


def _fix(event: Event, events: Sequence[Event], places: Places) -> str:
    by = fixing(event, events)
    if by is None:
        return f"by {code(event.fixed_by or 'an event that the history does not name')}"
    if by.culprit.exact:
        return f"by {_commit(by.culprit.after, places)}"
    return f"by a commit {_between(by, places)}"


def _acknowledged(event: Event) -> str:
    known = event.acknowledgement
    reason = sentence(known.reason) if known else "without a reason"
    by = f", by {code(known.by)}" if known and known.by else ""
    return f"Acknowledged: {reason}{by}."


def _unmeasured(event: Event) -> str:
    return (
        "No longer measured: none of its series is in the newest runs, so that nobody would see it "
        f"fixed. It was {last_words(event, code)}. Where they are measured again it opens again."
    )


def _where(event: Event, places: Places) -> str:
    if event.kind == "drift":
        return f"It came slowly, {_between(event, places)}."
    if event.culprit.exact:
        author = code(event.culprit.after.author)
        before = event.culprit.before.sha
        compared = _range(before, event.culprit.after.sha, places)
        return f"Culprit: {_commit(event.culprit.after, places)} by {author}{compared}."
    return f"It lies {_between(event, places)}; noise, or what was measured, splits it no further."


def _between(event: Event, places: Places) -> str:
    before, after = event.culprit.before, event.culprit.after
    return (
        f"after {_commit(before, places)}, up to {_commit(after, places)}"
        f"{_range(before.sha, after.sha, places)}"
    )


def _commit(commit: CommitRow, places: Places) -> str:
    address = places.commit(commit.sha) if _SHA.fullmatch(commit.sha) else None
    return f"{link(code(commit.sha), address)} {code(commit.message)}"


def _range(before: str, after: str, places: Places) -> str:
    fit = _SHA.fullmatch(before) and _SHA.fullmatch(after)
    address = places.range(before, after) if fit else None
    return f" ({link('what changed', address)})" if address else ""


def _affected_series(event: Event, budget: ByteBudget) -> list[str]:
    ordered = sorted(event.affected_series, key=lambda w: -abs(w.ratio - 1))[:MAX_AFFECTED_SERIES]
    head, rule, *rows = table_lines(COLUMNS, [_row(w) for w in ordered], LEFT_ALIGNED, cell=str)
    shown_rows = budget.take(rows)
    count = len(event.affected_series)
    lines = ["", f"### {count} series", "", head, rule, *shown_rows]
    return [*lines, *_left_out(count - len(shown_rows))]


def _row(affected: AffectedSeries) -> tuple[str, ...]:
    numbers = (
        "–" if value is None else value_words(value, affected.unit)
        for value in (affected.before, affected.after)
    )
    within = interval_words(affected.low_ratio, affected.high_ratio)
    return (
        code(affected.case),
        metric_words(affected.metric, code),
        *(clipped(number, NUMBER_LIMIT) for number in numbers),
        signed(affected.ratio),
        within,
        f"{code(affected.configuration)} on {code(affected.host_class)}",
    )


def _evidence(event: Event, places: Places, budget: ByteBudget) -> list[str]:
    if event.harness:
        return []
    lines = ["", "### Comparisons in pairs", ""]
    if not event.evidence:
        return [*lines, "None by another job yet."]
    # what was made to check it counts, and stands first
    ordered = sorted(event.evidence, key=lambda evidence: not evidence.independent)
    shown_lines = budget.take([_finding(evidence, places) for evidence in ordered[:MOST_EVIDENCE]])
    return [*lines, *shown_lines, *_left_out(len(ordered) - len(shown_lines))]


def _finding(evidence: Evidence, places: Places) -> str:
    job = link(code(evidence.comparison), evidence.url)
    between = _range(evidence.base, evidence.head, places)
    return f"- {job}: {evidence_words(evidence, code)}{between}"


def _left_out(number: int) -> list[str]:
    if not number:
        return []
    return ["", f"{number} more left out here; `springbench history --json` has all."]


def _reproducing(event: Event) -> list[str]:
    lines = commands(event)
    if not lines:
        return []
    return ["", "### To see it yourself", "", "```sh", *lines, "```"]


def _what_to_do(event: Event) -> list[str]:
    if not event.is_open or not re.fullmatch(EVENT_ID, event.id):
        return []
    return [
        "",
        "If that is meant: a row in `bench/acknowledged.toml` (beside the matrix) closes this.",
        "",
        "```toml",
        "[[events]]",
        f'id = "{event.id}"',
        'reason = "why it is to stay"',
        "```",
    ]


def _foot(places: Places) -> list[str]:
    return ["", link("The dashboard", places.site)] if places.site else []
