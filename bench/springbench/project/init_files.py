"""The files that `init` writes: what describes a service, and workflows that call springbench's."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence

import yaml

from springbench.errors import ConfigurationError
from springbench.matrix.service_rows import CONNECTIONS

FOLDER = ".github/workflows"
NAME = "benchmark"
SCHEMA = "springbench.schema.json"
_SCHEMA_LINE = "#:schema "
_REFERENCE = re.compile(r"([\w.-]+/[\w.-]+)@([\w./-]+)")


def service_toml(
    name: str | None,
    *,
    jar: str | None,
    command: Sequence[str] | None,
    health: str | None,
    health_status: int | None = None,
    routes: Iterable[str],
    headers: Mapping[str, Mapping[str, str]] | None = None,
    connections: Sequence[int],
    protocols: Sequence[str] = (),
    certificate: str | None = None,
    properties: Mapping[str, str] | None = None,
    notes: Iterable[str] = (),
    remarks: Iterable[str] = (),
    schema: str | None = None,
    declared: str = "",
) -> str:
    """The file of one service; `notes` become comments above it, `remarks` below it, and `schema`
    is for editors. `headers` are those of routes, by path; `declared` is what a person has written
    of the file, which stays as it is, and None stands for keys that are in there."""
    # editors look for it in the first line
    first = [] if schema is None else [f"{_SCHEMA_LINE}{schema}"]
    if declared.startswith(_SCHEMA_LINE):
        schema_line, _, declared = declared.partition("\n")
        first = [schema_line]
    lines = [*first, *(f"# {note}" for note in notes), ""]
    keys: dict[str, object] = {
        "name": name,
        "jar": jar,
        "command": command,
        "health": health,
        "health_status": health_status,
        "protocols": protocols or None,
        "certificate": certificate,
        "properties": properties or None,
    }
    lines += [f"{key} = {_written(value)}" for key, value in keys.items() if value is not None]
    if declared.strip():
        lines += ["", declared.strip()]
    for route in routes:
        lines += ["", "[[routes]]", f"path = {_quoted(route)}"]
        if headers and route in headers:
            lines.append(f"headers = {_written(headers[route])}")
        if list(connections) != [CONNECTIONS]:
            lines.append(f"connections = {_written([*connections])}")
    if below := [f"# {remark}" for remark in remarks]:
        lines += ["", *below]
    return "\n".join(lines).lstrip("\n") + "\n"


def _written(value: object) -> str:
    """A text, number, list or table as TOML has it."""
    if isinstance(value, Mapping):
        pairs = (f"{_quoted(name)} = {_written(item)}" for name, item in value.items())
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_written, value))}]"
    return _quoted(value) if isinstance(value, str) else str(value)


def _quoted(text: str) -> str:
    # a JSON string is a TOML string
    return json.dumps(text, ensure_ascii=False)


def workflow_files(
    springbench: str, build: str | None, branch: str, path: str = "", *, folder: str = ""
) -> dict[str, str]:
    """The text of each file, by its name. `springbench` is OWNER/NAME@REF.

    `build` makes the service on a runner; `branch` is a pattern of branches whose pushes are
    measured; `path` is the folder of the history branch that springbench writes below, `folder`
    that of the service, empty for the top. Raises `ConfigurationError` for another reference.
    """
    repository, ref = parts_of(springbench)
    service = _inputs(folder=folder, build=build, path=path)
    return {
        f"{NAME}.yml": _benchmark(repository, ref, branch, service),
        f"{NAME}-comment.yml": _comment(repository, ref, path),
        f"{NAME}-confirm.yml": _confirm(repository, ref, branch, service),
    }


def parts_of(springbench: str) -> tuple[str, str]:
    """The repository of OWNER/NAME@REF, and the ref. Raises `ConfigurationError` for another."""
    found = _REFERENCE.fullmatch(springbench)
    if found is None:
        raise ConfigurationError(
            f"--workflow {springbench!r}: allowed: OWNER/springbench@v1, where springbench is "
            "fetched from, and its tag, branch or commit"
        )
    return found[1], found[2]


def schema_at(springbench: str) -> str:
    """Address of the schema of a `springbench.toml`, in the repository and at the ref of it."""
    repository, ref = parts_of(springbench)
    return f"https://raw.githubusercontent.com/{repository}/{ref}/bench/schema/{SCHEMA}"


def branch_pattern(branch: str) -> str:
    """What matches that branch alone: a plus, and a `!` at the front, mean something to GitHub."""
    return re.sub(r"\+|^!", r"\\\g<0>", branch)


def _benchmark(repository: str, ref: str, branch: str, inputs: str) -> str:
    return f"""\
name: {NAME}
on:
  push: {{ branches: [{_scalar(branch)}] }}
  pull_request:
  workflow_dispatch:
permissions: {{}}
jobs:
  service:
    permissions:
      contents: write # the history branch, by the jobs that publish
      statuses: read
    uses: {repository}/.github/workflows/service.yml@{ref}
{inputs}"""


def _comment(repository: str, ref: str, path: str) -> str:
    return f"""\
name: {NAME}-comment
on:
  workflow_run: {{ workflows: [{NAME}], types: [completed] }}
permissions: {{}}
jobs:
  comment:
    permissions:
      actions: read
      contents: read
      pull-requests: write
    uses: {repository}/.github/workflows/service-comment.yml@{ref}
{_inputs(path=path)}"""


def _confirm(repository: str, ref: str, branch: str, inputs: str) -> str:
    return f"""\
name: {NAME}-confirm
on:
  schedule: [{{ cron: '41 5,11,17,23 * * *' }}]
  workflow_run: {{ workflows: [{NAME}], branches: [{_scalar(branch)}], types: [completed] }}
  workflow_dispatch:
permissions: {{}}
jobs:
  confirm:
    permissions:
      contents: write # the history branch, by the job that publishes
      issues: write # one for each confirmed regression
    uses: {repository}/.github/workflows/service-confirm.yml@{ref}
{inputs}"""


def _inputs(**values: str | None) -> str:
    """What a job gives the workflow that it calls; nothing where there is no value."""
    lines = [f"      {name}: {_scalar(value)}\n" for name, value in values.items() if value]
    return "".join(["    with:\n", *lines]) if lines else ""


def _scalar(text: str) -> str:
    """Text as YAML has it, quoted where it would mean something else."""
    written = yaml.safe_dump([text], default_flow_style=True, allow_unicode=True, width=math.inf)
    return written.strip()[1:-1]
