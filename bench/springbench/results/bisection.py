"""`bisect.json`, schema 1: what a bisection was asked, what it has measured, and its answer.

It is all that `--resume` needs: the answers so far lead to the next question.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from springbench.errors import ConfigurationError
from springbench.results.base import Record
from springbench.results.comparison import FindingRecord

BISECTION_SCHEMA_VERSION = 1
BISECTION_FILE = "bisect.json"

Kind = Literal[
    "culprit", "range", "no-change", "improvement", "unclear", "contradiction", "same-sources"
]


class BisectQuestion(Record):
    """What is looked for, and how it is measured. Commits by their full ids."""

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
    """The answer. `commits` are those that may be the culprit, oldest first.

    `checked` where the culprit was compared with the commit before it; `others` are ranges in which
    a smaller part of the change came; `broken` and `unclear` commits could not be judged.
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


def load_bisection(path: Path) -> Bisection:
    """The bisection in a folder or file. Raises `ConfigurationError` that says what is wrong."""
    file = path / BISECTION_FILE if path.is_dir() else path
    try:
        data = json.loads(file.read_bytes())
    except FileNotFoundError as error:
        raise ConfigurationError(
            f"{file}: there is no such bisection; `springbench bisect` names the folder that "
            "--resume takes"
        ) from error
    except OSError as error:
        raise ConfigurationError(f"{file}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(
            f"{file}: not valid JSON; it was cut short or changed: start a new bisection"
        ) from error
    version = data.get("schema") if isinstance(data, dict) else None
    if version != BISECTION_SCHEMA_VERSION:
        raise ConfigurationError(
            f"{file}: schema {version!r}; this springbench goes on with schema "
            f"{BISECTION_SCHEMA_VERSION}: use the version that began it, or start a new bisection"
        )
    try:
        found = Bisection.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ConfigurationError(f"{file}: {where}: {first['msg']}") from error
    _check_whole(file, found)
    return found


def _check_whole(file: Path, found: Bisection) -> None:
    """Raises `ConfigurationError` where its answers are about commits that it does not have."""
    known = {commit.sha for commit in found.commits}
    named = {sha for each in found.answers for sha in (each.base, each.head, each.broken) if sha}
    if len(known) < 1 or len(known) != len(found.commits) or not named <= known:
        raise ConfigurationError(
            f"{file}: its answers do not fit its commits; it was changed: start a new bisection"
        )
