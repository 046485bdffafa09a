"""The answer to a question as a history keeps it: part of a published run, and of the index."""

from __future__ import annotations

from typing import Literal

from springbench.results.base import Record
from springbench.results.history_names import HostClass, RunId

StepVerdict = Literal["higher", "lower", "tied", "once", "failed", "unknown"]
"""Of a step relative to the baseline: different, not statistically distinguishable, measured once,
not able to run, or not measured in a round with it."""


class AnsweredValue(Record):
    """The median of a metric over processes, and its interval at 95 %, in its base unit."""

    median: float
    low: float
    high: float


class AnsweredRatio(Record):
    """A step ÷ the baseline, and its interval at 95 %; no edges where one round alone has both."""

    ratio: float
    low: float | None = None
    high: float | None = None
    verdict: StepVerdict


class AnsweredRow(Record):
    """A step of one subject (a server, mostly), with what is known of each metric.

    `not_measured` says why nothing is; `failed`: it did not start, or ended under load.
    """

    case: str
    subject: str
    step: str
    processes: int
    values: dict[str, AnsweredValue] = {}
    ratios: dict[str, AnsweredRatio] = {}
    bottleneck: str | None = None
    not_measured: str | None = None
    failed: bool = False


class AnswerWords(Record):
    """An answer in one language: the question, its sentences, and what its steps are called."""

    question: str
    sentences: list[str]
    steps: dict[str, str]


class PublishedAnswer(Record):
    """What a run answers to a question on one host class, as `springbench ask` prints it.

    `rows` are in the order of the ladder, subject after subject. `rounds`: the most in which steps
    of one subject met; `interleaved`: whether they were loaded alternately. `notes` say how sure it
    is, what was not measured or is no evidence, and where it is from. `commands` measure it again.
    """

    question: str
    host_class: HostClass
    run: RunId
    started_at: str
    profile: str
    """Of the run: that of the question, or another one that has some of its cases."""
    is_own: bool
    host: str
    commands: list[str]
    baseline: str
    metrics: list[str]
    rounds: int
    interleaved: bool
    en: AnswerWords
    zh: AnswerWords | None = None
    rows: list[AnsweredRow]
    notes: list[str]
