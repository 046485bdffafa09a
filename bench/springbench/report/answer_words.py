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
class ClaimWords:
    """Templates of one language; `change` has the subjects, the metric, whether it shrunk, and the
    size of the change."""

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
    return f"{subjects} 的{_label(metric)}{'减少' if shrunk else '增加'} {size}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _spaced(text: str) -> str:
    """With a blank wherever Latin letters or digits stand next to Chinese."""
    return re.sub(r"(?<=[A-Za-z0-9])(?=[一-鿿])|(?<=[一-鿿])(?=[A-Za-z0-9])", " ", text)


def _label(metric: Metric) -> str:
    return metric.label.zh.removesuffix(" *") if metric.label else metric.term or metric.name


ENGLISH = ClaimWords(
    claim="{step} makes {changes}",
    change=_change,
    no_claim={
        "tied": "{term} shows no statistically significant difference for {steps} "
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
    finish=_capital,
)
CHINESE = ClaimWords(
    claim="{step}使 {changes}",
    change=_change_in_chinese,
    no_claim={
        "tied": "{steps}的{term}没有统计上的显著差异（95 % 区间：{low} 至 {high} %）",
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
    before_last=" 和 ",
    finish=_spaced,
)
