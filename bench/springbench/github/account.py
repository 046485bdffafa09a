"""The account that a token writes as, and what is its own."""

from __future__ import annotations

from typing import Any

from springbench.errors import ConfigurationError
from springbench.github.api import Api


def login_of(api: Api) -> str:
    """The account that the token writes as; only GraphQL tells it to the token of a job."""
    answer = api.graphql("query { viewer { login } }")
    try:
        return str(answer["data"]["viewer"]["login"])
    except (KeyError, TypeError) as error:
        raise ConfigurationError(
            "GitHub does not say whom GITHUB_TOKEN belongs to; give the token of the job"
        ) from error


def is_author(user: dict[str, Any], login: str) -> bool:
    """Logins are unique, apart from the suffix that GraphQL leaves out of an app's."""
    name = user.get("login")
    return name == login or (user.get("type") == "Bot" and name == f"{login}[bot]")
