"""Facts that the event of a job vouches for: the pull request, and the run that measured.

The file that GITHUB_EVENT_PATH names is GitHub's own; branch names in it are a stranger's choice.
Imports no HTTP client.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from springbench.errors import ConfigurationError
from springbench.matrix.service_name import IDENTIFIER
from springbench.results.history_names import EVENT_ID
from springbench.untrusted import parse_model, read_file

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class Head:
    """Commit that was measured, of a branch of somebody's repository; `owner` and `branch` are
    empty where that is gone."""

    owner: str
    branch: str
    sha: str


@dataclass(frozen=True)
class EventContext:
    """Place of the comment, and its run. Where the number is None, `head` leads to it.

    `is_fork` says that the commit is of another repository, whoever may write there; `was_ended`
    that the run did not come to its end: over its time, stopped by hand, or overtaken by a push.
    `workflow` is GitHub's number of its workflow; 0 where the event does not tell it.
    """

    pull_request: int | None
    head: Head
    order: RunOrder
    run_url: str
    is_fork: bool = False
    was_ended: bool = False
    workflow: int = 0


class _Owner(BaseModel):
    login: str


class _Repository(BaseModel):
    id: int
    owner: _Owner | None = None


class _Identity(BaseModel):
    id: int


class _End(BaseModel):
    # null where the fork has been removed, here and below
    repo: _Identity | None = None


class _Listed(BaseModel):
    number: int
    base: _End
    head: _End


class _Head(BaseModel):
    ref: str
    sha: str
    repo: _Repository | None = None


class _Base(BaseModel):
    repo: _Identity


class _Pull(BaseModel):
    number: int
    head: _Head
    base: _Base


class _WorkflowRun(BaseModel):
    event: str
    head_branch: str | None = None
    head_sha: str
    head_repository: _Repository | None = None
    html_url: str
    run_number: int
    run_attempt: int
    workflow_id: int = 0
    conclusion: str | None = None
    pull_requests: list[_Listed] | None = None


class _RunEvent(BaseModel):
    repository: _Repository
    workflow_run: _WorkflowRun


class _PullEvent(BaseModel):
    pull_request: _Pull


def read_event(file: Path, environment: Mapping[str, str]) -> EventContext:
    """The context of a `workflow_run` or `pull_request` event. Raises `ConfigurationError`."""
    named = read_as(file, _Kind)
    if named.workflow_run is not None:
        return _of_run(read_as(file, _RunEvent), file)
    if named.pull_request is not None:
        return _of_pull(read_as(file, _PullEvent), environment)
    raise _wrong_event(file)


def read_as(file: Path, model: type[M]) -> M:
    """As much of an event as `model` has. Raises `ConfigurationError` with what is wrong."""
    try:
        return parse_model(read_file(file), model)
    except OSError as error:
        raise ConfigurationError(f"--event {file}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise ConfigurationError(f"--event {file}: {error}") from error


class _Kind(BaseModel):
    workflow_run: dict[str, Any] | None = None
    pull_request: dict[str, Any] | None = None


def _of_run(event: _RunEvent, file: Path) -> EventContext:
    run = event.workflow_run
    if run.event not in ("pull_request", "pull_request_target"):
        raise _wrong_event(file)
    # the list names pull requests to other repositories of the network too, and is empty for forks
    head = run.head_repository
    numbers = [
        pull.number
        for pull in run.pull_requests or []
        if head and _ids(pull) == (event.repository.id, head.id)
    ]
    return EventContext(
        pull_request=numbers[0] if len(numbers) == 1 else None,
        head=Head(_owner(head), run.head_branch or "", run.head_sha),
        order=RunOrder(run.run_number, run.run_attempt),
        run_url=run.html_url,
        is_fork=head is None or event.repository.id != head.id,
        was_ended=run.conclusion in ("cancelled", "timed_out"),
        workflow=run.workflow_id,
    )


def _ids(listed: _Listed) -> tuple[int | None, int | None]:
    base, head = listed.base.repo, listed.head.repo
    return base.id if base else None, head.id if head else None


def _owner(repository: _Repository | None) -> str:
    """Empty where the account, or the repository, is gone."""
    return repository.owner.login if repository and repository.owner else ""


def _of_pull(event: _PullEvent, environment: Mapping[str, str]) -> EventContext:
    pull = event.pull_request
    server = environment.get("GITHUB_SERVER_URL", "https://github.com")
    repo, run = environment.get("GITHUB_REPOSITORY", ""), environment.get("GITHUB_RUN_ID", "")
    return EventContext(
        pull_request=pull.number,
        head=Head(_owner(pull.head.repo), pull.head.ref, pull.head.sha),
        order=RunOrder(
            _whole_number(environment.get("GITHUB_RUN_NUMBER")),
            _whole_number(environment.get("GITHUB_RUN_ATTEMPT")),
        ),
        run_url=f"{server}/{repo}/actions/runs/{run}",
        is_fork=pull.head.repo is None or pull.head.repo.id != pull.base.repo.id,
    )


def _whole_number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() else 0


def _wrong_event(file: Path) -> ConfigurationError:
    return ConfigurationError(
        f"--event {file}: allowed: a pull_request event, or the workflow_run event of one; "
        "elsewhere give --pull-request"
    )


# --- Hidden first lines of what we have written on GitHub -----------------------------------------
# Which run a comment comes from, which event an issue is about.


# at the very beginning of the body: words of others that are quoted further down do not count
_MARKER = re.compile(
    r"<!-- springbench-comment run=(?P<run>[0-9]{1,15}) attempt=(?P<attempt>[0-9]{1,9})"
    rf"(?: workflow=(?P<workflow>[0-9]{{1,15}}))?(?: service=(?P<service>{IDENTIFIER}))? -->"
)
_EVENT_MARKER = re.compile(
    rf"<!-- springbench-event (?P<id>{EVENT_ID.strip('^$')}) state=(?P<state>[a-z]{{1,20}}) -->"
)


@dataclass(frozen=True, order=True)
class RunOrder:
    """Which run of a workflow writes; 0 where nobody said."""

    number: int = 0
    attempt: int = 0


@dataclass(frozen=True)
class CommentMark:
    """What a comment is of, and the run that it comes from.

    One of springbench's own benchmark names neither workflow nor service. Where services are
    compared, each has a comment for each workflow that compares it, as the numbers of runs are
    those of one workflow; the one without a service is of a run that left nothing.
    """

    order: RunOrder = field(default=RunOrder())
    workflow: int = 0
    service: str = ""

    @classmethod
    def of(cls, body: str) -> CommentMark | None:
        """The mark that a comment begins with; None where it is no comment of springbench."""
        found = _MARKER.match(body)
        if found is None:
            return None
        order = RunOrder(int(found["run"]), int(found["attempt"]))
        return cls(order, int(found["workflow"] or 0), found["service"] or "")

    def line(self) -> str:
        """The hidden first line of the comment."""
        workflow = f" workflow={self.workflow}" if self.workflow else ""
        service = f" service={self.service}" if self.service else ""
        order = f"run={self.order.number} attempt={self.order.attempt}"
        return f"<!-- springbench-comment {order}{workflow}{service} -->"

    @property
    def is_of_one_of_several(self) -> bool:
        """Whether a pull request may have comments of others as well."""
        return bool(self.workflow or self.service)

    def is_of_same(self, other: CommentMark) -> bool:
        """Whether both are of one service, by one workflow."""
        return (self.workflow, self.service) == (other.workflow, other.service)

    def replaces_failure(self, other: CommentMark) -> bool:
        """Whether the other one says that an earlier run of the workflow left nothing."""
        is_failure = bool(other.workflow) and not other.service
        return is_failure and self.workflow == other.workflow and self.order >= other.order


@dataclass(frozen=True)
class EventMark:
    """Which event an issue is about, and the state that was reported last."""

    id: str
    state: str

    @classmethod
    def of(cls, body: str) -> EventMark | None:
        """The mark that an issue begins with; None where it is none of ours."""
        found = _EVENT_MARKER.match(body)
        return cls(found["id"], found["state"]) if found else None

    def line(self) -> str:
        """The hidden first line of the issue."""
        return f"<!-- springbench-event {self.id} state={self.state} -->"
