"""Answers, and verdicts on claims, as a history keeps them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Literal

from springbench.results.base import Record
from springbench.results.history_names import HostClass, RunId
from springbench.results.run import BottleneckKind

StepVerdict = Literal["higher", "lower", "tied", "once", "failed", "unknown"]
"""Of a step relative to the baseline: different, not statistically distinguishable, measured once,
not able to run, or not measured in a round with it."""

ClaimVerdict = Literal["holds", "does-not-hold", "bottleneck", "not-warmed-up", "undecided"]


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

    `processes` were started, and of `counted` the load is evidence (null: that was not kept).
    `not_measured` says why nothing is known; `failed`: it did not start, or ended under load.
    """

    case: str
    subject: str
    step: str
    processes: int
    counted: int | None = None
    values: dict[str, AnsweredValue] = {}
    ratios: dict[str, AnsweredRatio] = {}
    bottleneck: str | None = None
    bottleneck_kind: BottleneckKind | None = None
    not_measured: str | None = None
    failed: bool = False


class PublishedCliff(Record):
    """Where a subject has its cliff: above the step `low` and at most at `high`.

    Without `low` even the least step has what is looked for, without `high` not even the baseline.
    `undecided` says why it was not narrowed down to two neighbours, `leaning` which end is decided
    by the middle of its interval alone.
    """

    subject: str
    low: str | None = None
    high: str | None = None
    undecided: str | None = None
    leaning: str | None = None


class AnswerWords(Record):
    """An answer in one language: the question, its sentences, what its steps are called, and its
    notes where they are not those of the answer."""

    question: str
    sentences: list[str]
    steps: dict[str, str]
    notes: list[str] = []


class Concluded(Record, ABC):
    """What a run says of a question or a claim on one host class.

    `is_own`: whether the run is of the profile that measures it, and not of another one that has
    some of its cases.
    """

    host_class: HostClass
    run: RunId
    started_at: str
    is_own: bool

    @property
    @abstractmethod
    def about(self) -> str:
        """The id of the question or the claim."""

    @property
    @abstractmethod
    def is_decided(self) -> bool:
        """Whether it has intervals that may decide something."""

    @property
    def key(self) -> tuple[bool, bool, str, str]:
        """The better one has the greater: one that decides, of its own profile, then the newer."""
        return self.is_decided, self.is_own, self.started_at, self.run


class PublishedAnswer(Concluded):
    """What a run answers to a question, as `springbench ask` prints it.

    `rows` are in the order of the ladder, subject after subject. `rounds`: the most in which steps
    of one subject met; `interleaved`: whether they were loaded alternately. `notes` say how sure it
    is, what was not measured or is no evidence, and where it is from. `commands` measure it again.
    `cliffs`: one of each subject, where the question looks for the least step that is enough.
    """

    question: str
    host: str
    commands: list[str]
    baseline: str
    metrics: list[str]
    rounds: int
    interleaved: bool
    en: AnswerWords
    zh: AnswerWords | None = None
    rows: list[AnsweredRow]
    cliffs: list[PublishedCliff] = []
    notes: list[str]

    @property
    def about(self) -> str:
        return self.question

    @property
    def is_decided(self) -> bool:
        # what only has to run is compared with nothing, and decided all the same
        return self.rounds > 1 or any(cliff.undecided is None for cliff in self.cliffs)


class PublishedClaim(Concluded):
    """Whether a run agrees with what others have published, as `springbench claims` prints it.

    `words` are the verdict in a few words, `reason` says why; `ratio` is what was measured, with
    its interval at 95 %, and `claimed` what was published.
    """

    claim: str
    verdict: ClaimVerdict
    words: str
    reason: str | None = None
    claimed: str
    ratio: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def about(self) -> str:
        return self.claim

    @property
    def is_decided(self) -> bool:
        return self.verdict != "undecided"
