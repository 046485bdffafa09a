"""Reads and checks `matrix.toml`: a mistake names the file, the line and what is allowed."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from springbench.errors import ConfigurationError
from springbench.rows import ROW_TYPES, Load, Matrix
from springbench.toml_lines import Location, line_of

TABLES = ("boots", "servers", "models", "runtimes", "workloads", "profiles")


def load_matrix(path: Path) -> Matrix:
    """The checked matrix. Raises `ConfigurationError` with one line for each mistake."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror}") from error
    return parse_matrix(text, str(path))


def parse_matrix(text: str, name: str = "matrix.toml") -> Matrix:
    """As `load_matrix`, from the file's text; `name` is what messages call it."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{name}: not valid TOML: {error}") from error
    try:
        matrix = Matrix.model_validate(data)
    except ValidationError as error:
        mistakes = [_describe(detail) for detail in error.errors()]
    else:
        mistakes = list(_mistakes(matrix))
    if mistakes:
        raise ConfigurationError("\n".join(_located(name, text, *each) for each in mistakes))
    return matrix


def _located(name: str, text: str, location: Location, message: str) -> str:
    line = line_of(text, location)
    where = f"{name}:{line}" if line else name
    key = ".".join(f"{part}" if isinstance(part, str) else f"[{part}]" for part in location)
    return f"{where}: {key.replace('.[', '[')}: {message}"


def _describe(detail: ErrorDetails) -> tuple[Location, str]:
    # pydantic names the branch of a union in the location; the file has no such key
    location = tuple(part for part in detail["loc"] if not _is_branch(part))
    if detail["type"] == "extra_forbidden":
        table = ".".join(part for part in location[:-1] if isinstance(part, str))
        allowed = ROW_TYPES[table].model_fields if table in ROW_TYPES else {}
        names = [field.alias or key for key, field in allowed.items()]
        return location, f"unknown key; allowed here: {', '.join(names)}"
    if detail["type"] == "missing":
        return location, "this key is missing"
    return location, f"{detail['msg']}; found {detail['input']!r}"


def _is_branch(part: str | int) -> bool:
    return isinstance(part, str) and (
        part == "PerCpu" or part.startswith(("literal[", "tuple[", "constrained", "function-"))
    )


def _mistakes(matrix: Matrix) -> Iterator[tuple[Location, str]]:
    """What a single row cannot know: duplicate ids and references to what is not there."""
    for table in TABLES:
        seen: set[str] = set()
        for index, row in enumerate(getattr(matrix, table)):
            if row.id in seen:
                yield (table, index, "id"), f"duplicate id {row.id!r}; each id stands once"
            seen.add(row.id)
    boots, models = _ids(matrix.boots), _ids(matrix.models)
    runtimes, servers = _ids(matrix.runtimes), _ids(matrix.servers)
    for index, server in enumerate(matrix.servers):
        here = ("servers", index)
        yield from _unknown((*here, "boots"), server.boots, boots)
        yield from _unknown((*here, "models"), server.models, models)
        yield from _unknown((*here, "runtimes"), server.runtimes, runtimes)
    for index, model in enumerate(matrix.models):
        yield from _unknown(
            ("models", index, "server_properties"), model.server_properties, servers
        )
    for index, cap in enumerate(matrix.caps):
        yield from _unknown(("caps", index, "server"), [cap.server], servers)
        for server in matrix.servers:
            if server.id == cap.server and cap.model not in server.models:
                yield ("caps", index, "model"), _lacks(cap.server, cap.model, server.models)
    for index, profile in enumerate(matrix.profiles):
        for position, load in enumerate(profile.loads):
            yield from _load_mistakes(matrix, ("profiles", index, "loads", position), load)


def _load_mistakes(matrix: Matrix, here: Location, load: Load) -> Iterator[tuple[Location, str]]:
    yield from _unknown((*here, "workload"), [load.workload], _ids(matrix.workloads))
    yield from _unknown((*here, "servers"), load.servers, _ids(matrix.servers))
    yield from _unknown((*here, "models"), load.models, _ids(matrix.models))
    yield from _unknown((*here, "runtimes"), load.runtimes, _ids(matrix.runtimes))
    if not isinstance(load.boots, str):
        yield from _unknown((*here, "boots"), load.boots, _ids(matrix.boots))
    if load.warmup_min_s > load.warmup_max_s:
        yield (*here, "warmup_min_s"), f"must not exceed warmup_max_s ({load.warmup_max_s:g})"
    chosen = [row for row in matrix.servers if not load.servers or row.id in load.servers]
    for server in chosen if load.servers else []:
        if load.models and not set(load.models) & set(server.models):
            yield (*here, "models"), _lacks(server.id, ", ".join(load.models), server.models)


def _lacks(server: str, model: str, models: Iterable[str]) -> str:
    return f"server {server!r} has no model {model!r}; it has: {', '.join(models)}"


def _unknown(
    location: Location, names: Iterable[str], known: list[str]
) -> Iterator[tuple[Location, str]]:
    for name in names:
        if name not in known:
            yield location, f"{name!r} is not declared; allowed: {', '.join(known)}"


def _ids(rows: Iterable[object]) -> list[str]:
    return [str(getattr(row, "id", "")) for row in rows]
