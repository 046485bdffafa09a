"""The text of a `springbench.toml`, as a person would write it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from springbench.matrix.service_rows import CONNECTIONS


def service_toml(
    name: str,
    *,
    jar: str | None,
    command: Sequence[str] | None,
    health: str | None,
    routes: Iterable[str],
    connections: Sequence[int],
    notes: Iterable[str] = (),
    schema: str | None = None,
) -> str:
    """The file of one service; `notes` become comments above it, and `schema` is for editors."""
    # editors look for it in the first line
    first = [] if schema is None else [f"#:schema {schema}"]
    lines = [*first, *(f"# {note}" for note in notes), "", f"name = {_quoted(name)}"]
    if jar is not None:
        lines.append(f"jar = {_quoted(jar)}")
    if command is not None:
        lines.append(f"command = [{', '.join(map(_quoted, command))}]")
    if health is not None:
        lines.append(f"health = {_quoted(health)}")
    for route in routes:
        lines += ["", "[[routes]]", f"path = {_quoted(route)}"]
        if list(connections) != [CONNECTIONS]:
            lines.append(f"connections = [{', '.join(map(str, connections))}]")
    return "\n".join(lines).lstrip("\n") + "\n"


def _quoted(text: str) -> str:
    # a JSON string is a TOML string
    return json.dumps(text, ensure_ascii=False)
