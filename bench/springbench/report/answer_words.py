"""The words around what an answer claims, in each language. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from springbench.analysis.answers import Verdict
from springbench.results.metrics import Metric

NOT_MEASURED: Final = "not measured"
# why no difference is claimed
NoClaim = Verdict | Literal["not measured"]


@dataclass(frozen=True)
class NoteWords:
    """Templates of the notes below an answer. What the harness says in them, as reasons and
    warnings, is English in each language."""

    least: str
    """How a cliff was found that only has to run; the next: that nothing is compared."""
    uncompared: str
    once: str
    rounds: str
    interleaved: str
    in_turn: str
    hosts: str
    not_measured: str
    """Of rows and why, as the next three."""
    no_evidence: str
    no_figure: str
    warning: str
    all_rows: str


@dataclass(frozen=True)
class ClaimWords:
    """Templates of one language; `change` has the subjects, the metric, whether it shrunk, and the
    size of the change."""

    notes: NoteWords
    claim: str
    change: Callable[[str, Metric, bool, str], str]
    no_claim: Mapping[NoClaim, str]
    """Of steps of which no difference is claimed, in the order in which they are listed; `low` and
    `high` are how much less or more than the baseline their intervals include, in per cent."""
    term: Callable[[Metric], str]
    all_subjects: str
    some_subjects: str
    of_subjects: str
    """A step with the subjects that it is about."""
    no_figure: str
    nowhere: str
    """Of a cliff, as the next three: no step is enough, the least step is, or one in between."""
    at_most: str
    between: str
    leaning: str
    span: str
    between_claims: str
    between_names: str
    before_last: str
    between_changes: str
    """Of a step: what grows from what shrinks."""
    finish: Callable[[str], str]
    """What is done to a sentence when all of it is there."""

    def listed(self, names: Sequence[str]) -> str:
        """`a`, `a and b`, `a, b and c`."""
        *first, last = names
        return f"{self.between_names.join(first)}{self.before_last}{last}" if first else last


def _change(subjects: str, metric: Metric, shrunk: bool, size: str) -> str:
    phrases = metric.phrases
    template = "change by {size}" if phrases is None else phrases[shrunk]
    return f"{subjects} {template.format(size=size)}"


def _change_in_chinese(subjects: str, metric: Metric, shrunk: bool, size: str) -> str:
    return f"{subjects}的{_label(metric)}{'减少' if shrunk else '增加'}{size}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _spaced(text: str) -> str:
    """With a blank wherever Latin letters or digits stand next to Chinese."""
    return re.sub(r"(?<=[A-Za-z0-9])(?=[一-鿿])|(?<=[一-鿿])(?=[A-Za-z0-9])", " ", text)


def _label(metric: Metric) -> str:
    return metric.label.zh.removesuffix(" *") if metric.label else metric.term or metric.name


ENGLISH = ClaimWords(
    notes=NoteWords(
        least="The smallest step that suffices ran in {runs} runs; where one process ended, a step "
        "is too small. Steps are not compared by their figures.",
        uncompared="No step was measured in the same round as the baseline, so nothing is "
        "compared.",
        once="One process of each, {how}: identical processes differ by several per cent, so no "
        "difference is significant. --forks 3 gives intervals.",
        rounds="{rounds} rounds of fresh processes, {how}; a step is compared with the baseline of "
        "its rounds. Brackets are 95 % intervals, which hold together for the steps of one server; "
        "no difference is claimed whose interval includes 100 %.",
        interleaved="loaded alternately",
        in_turn="measured one after the other",
        hosts="Runs of several hosts: ratios are those within each run, values are medians over "
        "all.",
        not_measured="not measured, {rows}: {why}",
        no_evidence="no evidence, {rows}: {why}",
        no_figure="no figure, {rows}: {why}",
        warning="{rows}: {why}",
        all_rows="all rows",
    ),
    claim="{step} makes {changes}",
    change=_change,
    no_claim={
        "tied": "{term} does not differ significantly for {steps} "
        "(95 % intervals: {low} to {high} %)",
        "once": "one process of each does not decide {term} for {steps}",
        "failed": "with {steps} the server did not run",
        "unknown": "{term} could not be compared for {steps}",
        NOT_MEASURED: "not measured here: {steps}",
    },
    term=lambda metric: metric.term or metric.name,
    all_subjects="all {count}",
    some_subjects="{count} of {all}",
    of_subjects="{step} ({subjects})",
    no_figure="no figure",
    nowhere="{subject} nowhere",
    at_most="{subject} at {high} or less",
    between="{subject} between {low} and {high}",
    leaning="{step} by the middle of its interval alone",
    span="{near} to {far}",
    between_claims="; ",
    between_names=", ",
    before_last=" and ",
    between_changes=" and ",
    finish=_capital,
)
CHINESE = ClaimWords(
    notes=NoteWords(
        least="足够的最小一级在 {runs} 次运行中都能运行；只要有一个进程中止，该级就算太小。"
        "各级之间不比较数值。",
        uncompared="没有任何一级与基准在同一轮中测量，因此不作比较。",
        once="各只有一个进程，{how}：相同的进程之间也会相差百分之几，因此不认定任何差异。"
        "--forks 3 可得到区间。",
        rounds="{rounds} 轮全新进程，{how}；每一级只与同一轮的基准比较。方括号内为 95 % 区间，"
        "对同一服务器的各级同时成立；区间包含 100 % 的，不认定存在差异。",
        interleaved="交替加载",
        in_turn="依次测量",
        hosts="来自多台主机的运行：比值取自各次运行之内，数值为全部运行的中位数。",
        not_measured="未测量，{rows}：{why}",
        no_evidence="不能作为证据，{rows}：{why}",
        no_figure="没有数值，{rows}：{why}",
        warning="{rows}：{why}",
        all_rows="所有行",
    ),
    claim="{step}使{changes}",
    change=_change_in_chinese,
    no_claim={
        "tied": "{steps}的{term}无显著差异（95 % 区间：{low} 至 {high} %）",
        "once": "{steps}各只有一个进程，{term}无法判断",
        "failed": "{steps}时服务器未能运行",
        "unknown": "{steps}的{term}无法比较",
        NOT_MEASURED: "此处未测量：{steps}",
    },
    term=_label,
    all_subjects="全部 {count} 个",
    some_subjects="{all} 个中的 {count} 个",
    of_subjects="{step}（{subjects}）",
    no_figure="无数值",
    nowhere="{subject} 各级均不够",
    at_most="{subject} 不超过 {high}",
    between="{subject} 介于 {low} 与 {high} 之间",
    leaning="{step} 仅凭区间中点判断",
    span="{near} 至 {far}",
    between_claims="；",
    between_names="、",
    before_last="和",
    between_changes="，并使",
    finish=_spaced,
)
