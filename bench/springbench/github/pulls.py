"""The number of a pull request whose run was measured, where the event does not name it."""

from __future__ import annotations

from typing import Any

from springbench.errors import ConfigurationError, HostError
from springbench.github.api import Api
from springbench.github.event import Head


def find_pull_request(api: Api, repo: str, head: Head) -> int | None:
    """The open pull request whose newest commit is `head`; None where it was closed or moved on,
    or where the fork is gone that would name it.

    Raises `ConfigurationError` where several have that commit, and as `Api.pages` does.
    """
    if not (head.owner and head.branch):
        return None
    pages = api.pages(f"/repos/{repo}/pulls", state="open", head=f"{head.owner}:{head.branch}")
    found = [int(each["number"]) for page in pages for each in page if _is_of(each, head)]
    if len(found) > 1:
        raise ConfigurationError(
            f"{repo}: {len(found)} open pull requests have the commit {head.sha[:12]}; "
            "--pull-request says which is meant"
        )
    return found[0] if found else None


def _is_of(pull: dict[str, Any], head: Head) -> bool:
    try:
        return bool(pull["head"]["sha"] == head.sha)
    except (KeyError, TypeError) as error:
        raise HostError("GitHub's list of pull requests is not as expected") from error
