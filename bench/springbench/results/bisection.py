"""`bisect.json`, schema 1: what a bisection was asked, what it has measured, and its answer.

It is all that `--resume` needs: the answers so far lead to the next question.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from springbench.errors import ConfigurationError
from springbench.results.base import Record
from springbench.results.comparison import FindingRecord
from springbench.results.events import Direction
from springbench.results.untrusted import FileKind, load_record

BISECTION_SCHEMA_VERSION = 1
BISECTION_FILE = "bisect.json"

Kind = Literal[
    "culprit", "range", "no-change", "opposite", "unclear", "contradiction", "same-sources"
]


class BisectQuestion(Record):
    """What is looked for, and how it is measured. Commits by their full ids."""

    direction: Direction = "regression"

    good: str
    bad: str
    case: str
    metric: str
    profile: str
    plan_digest: str
    budget_s: float
    step_budget_s: float


class BisectCommit(Record):
    """A commit that may be the culprit. `sources` is the same where a build reads the same."""

    sha: str
    sources: str
    message: str = ""


class BisectAnswer(Record):
    """What one comparison said. `base` and `head` are commits.

    Without a finding, and without a commit that does not run, it could not tell. There is no
    comparison where both have the same sources, or where one was not built.
    """

    base: str
    head: str
    comparison: str | None = None
    finding: FindingRecord | None = None
    same_sources: bool = False
    broken: str | None = None
    reason: str | None = None


class CommitSpan(Record):
    """The commits after one and up to another."""

    after: str
    until: str


class BisectOutcome(Record):
    """The answer; `opposite` where the metric changed the other way.

    `commits` are those that may be the culprit, oldest first; `checked` where the culprit was
    compared with the commit before it; `others` are ranges in which a smaller part of the change
    came; `broken` and `unclear` commits could not be evaluated.
    """

    kind: Kind
    reason: str
    span: CommitSpan
    commits: list[str] = []
    checked: bool | None = None
    finding: FindingRecord | None = None
    others: list[CommitSpan] = []
    broken: list[str] = []
    unclear: list[str] = []


class Bisection(Record):
    """The whole file. `commits` are the good end, then those whose build may differ from it.

    `passed_over` counts those that touch nothing that the build reads.
    """

    schema_: Literal[1] = Field(default=1, alias="schema")
    id: str
    started_at: str
    question: BisectQuestion
    commits: list[BisectCommit]
    passed_over: int = 0
    answers: list[BisectAnswer] = []
    measured_s: float = 0.0
    outcome: BisectOutcome | None = None


BISECTION = FileKind(
    Bisection,
    BISECTION_SCHEMA_VERSION,
    "bisection",
    "`springbench bisect` begins one, and names the folder that --resume takes",
)


def load_bisection(path: Path) -> Bisection:
    """The bisection in a folder or file. Raises `ConfigurationError` that says what is wrong."""
    file = path / BISECTION_FILE if path.is_dir() else path
    found = load_record(file, BISECTION)
    _check_whole(file, found)
    return found


def _check_whole(file: Path, found: Bisection) -> None:
    """Raises `ConfigurationError` where its answers are about commits that it does not have."""
    known = {commit.sha for commit in found.commits}
    named = {
        sha for answer in found.answers for sha in (answer.base, answer.head, answer.broken) if sha
    }
    if len(known) < 1 or len(known) != len(found.commits) or not named <= known:
        raise ConfigurationError(
            f"{file}: its answers do not fit its commits; it was changed: start a new bisection"
        )
