"""A job of GitHub Actions: what it was asked for, and how git of its steps reaches the repository.

Nothing of it passes through a shell. The inputs of a workflow, or a row of a matrix, and the
repository's variables come as two JSON objects in the environment.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any

from springbench.errors import ConfigurationError
from springbench.untrusted import parse_json

INPUTS = "SPRINGBENCH_INPUTS"
VARIABLES = "SPRINGBENCH_VARS"
TOKEN = "GITHUB_TOKEN"  # noqa: S105 - the name of one
# what a workflow hands on to one that it calls: its own inputs, as one input
HANDED_ON = "options"
_BOT = "github-actions[bot]"
_BOT_EMAIL = "41898282+github-actions[bot]@users.noreply.github.com"
_DIGEST_LENGTH = 8


@dataclass(frozen=True)
class Job:
    """What a step is to do. Values are texts, `true` for a box that is ticked; empty ones are left
    out of both mappings."""

    inputs: Mapping[str, str]
    variables: Mapping[str, str]
    event: str
    server: str
    repository: str
    run_id: str

    @property
    def address(self) -> str:
        """The repository's page, which is its address for git too."""
        return f"{self.server}/{self.repository}"

    @property
    def run_url(self) -> str:
        """The page of this workflow run."""
        return f"{self.address}/actions/runs/{self.run_id}"

    def inputs_or(self, **variables: str) -> dict[str, str]:
        """The inputs; one that is empty has the value of the repository's variable of that name."""
        stand_ins = {
            name: self.variables[variable]
            for name, variable in variables.items()
            if variable in self.variables
        }
        return {**stand_ins, **self.inputs}


def read_job(environment: Mapping[str, str]) -> Job:
    """The job that this environment belongs to. Raises `ConfigurationError` for damaged values."""
    inputs = _object(environment, INPUTS)
    handed_on = inputs.pop(HANDED_ON, None)
    # the called workflow's own go before those of its caller
    inputs = {**(_parsed(str(handed_on), HANDED_ON) if handed_on else {}), **_filled(inputs)}
    return Job(
        inputs=_texts(inputs),
        variables=_texts(_object(environment, VARIABLES)),
        event=environment.get("GITHUB_EVENT_NAME", ""),
        server=environment.get("GITHUB_SERVER_URL", "https://github.com"),
        repository=environment.get("GITHUB_REPOSITORY", ""),
        run_id=environment.get("GITHUB_RUN_ID", "local"),
    )


def with_digest(name: str, text: str) -> str:
    """The name, and a short digest of the text unless that is empty."""
    digest = hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_LENGTH] if text else ""
    return "-".join(part for part in (name, digest) if part)


def trust_workspace(environment: MutableMapping[str, str]) -> None:
    """Let git read what this job has checked out, whoever owns it: in a job with `container:` that
    is another user.

    The job builds and starts what lies there anyway. No configuration is written, and no other
    folder is trusted.
    """
    if workspace := environment.get("GITHUB_WORKSPACE"):
        # its submodules, too; git before 2.46 takes the second one for a name
        for trusted in (workspace, f"{workspace}/*"):
            _configure_git(environment, "safe.directory", trusted)


def authenticate_git(environment: MutableMapping[str, str], job: Job) -> None:
    """Let git reach this repository with the job's token, and sign commits as GitHub's own.

    No file, address or command line holds the token. Only for steps that build and start nothing:
    every process that they start inherits it.
    """
    environment["GIT_TERMINAL_PROMPT"] = "0"
    for role in ("AUTHOR", "COMMITTER"):
        environment[f"GIT_{role}_NAME"], environment[f"GIT_{role}_EMAIL"] = _BOT, _BOT_EMAIL
    if token := environment.get(TOKEN):
        basic = base64.b64encode(f"x-access-token:{token}".encode()).decode()
        # first, so that no log shows it
        print(f"::add-mask::{basic}", flush=True)  # noqa: T201
        header = f"AUTHORIZATION: basic {basic}"
        _configure_git(environment, f"http.{job.server}/.extraheader", header)


def _configure_git(environment: MutableMapping[str, str], name: str, value: str) -> None:
    count = int(environment.get("GIT_CONFIG_COUNT") or 0)
    environment[f"GIT_CONFIG_KEY_{count}"] = name
    environment[f"GIT_CONFIG_VALUE_{count}"] = value
    environment["GIT_CONFIG_COUNT"] = str(count + 1)


def _object(environment: Mapping[str, str], name: str) -> dict[str, Any]:
    return _parsed(environment.get(name) or "{}", name)


def _parsed(text: str, name: str) -> dict[str, Any]:
    """The object of that text; `null` is one without values, as GitHub writes it."""
    try:
        found = parse_json(text.encode())
    except ValueError as error:
        raise ConfigurationError(f"{name}: not valid JSON ({error})") from error
    if found is not None and not isinstance(found, dict):
        raise ConfigurationError(f"{name}: allowed: a JSON object, like ${{{{ toJSON(inputs) }}}}")
    return _filled(found or {})


def _filled(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value not in (None, "", False)}


def _texts(values: Mapping[str, Any]) -> dict[str, str]:
    return {name: "true" if value is True else str(value) for name, value in values.items()}
