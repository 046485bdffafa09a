"""The API as a job reaches it: address and token from its environment."""

from __future__ import annotations

import re
from collections.abc import Mapping

from springbench.errors import ConfigurationError
from springbench.github.api import Api

GITHUB_API = "https://api.github.com"
_REPO = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,99}/(?!\.\.?$)[A-Za-z0-9._-]{1,100}")


def api_of_job(environment: Mapping[str, str]) -> Api:
    """The API with the token of GITHUB_TOKEN. Raises `ConfigurationError` without one."""
    token = environment.get("GITHUB_TOKEN", "").strip()
    if not token.isascii() or not token.isprintable() or not token:
        raise ConfigurationError(
            "GITHUB_TOKEN is not set, or no token: give the job's, as "
            "`env: GITHUB_TOKEN: ${{ github.token }}`; `comment --dry-run` needs none"
        )
    return Api(environment.get("GITHUB_API_URL") or GITHUB_API, token)


def checked_repo(repo: str | None) -> str:
    """The repository as OWNER/NAME, fit for an address. Raises `ConfigurationError`."""
    if not repo or not _REPO.fullmatch(repo):
        raise ConfigurationError(f"--repo {repo or ''!r}: allowed: OWNER/NAME, like octo/app")
    return repo
