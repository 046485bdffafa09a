"""Reads and checks `matrix.toml`: a mistake names the file, the line and what is allowed.

A `springbench.toml` of one service is read in the same way, and becomes a matrix.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from springbench.matrix.mistakes import (
    BUILD_PLACES,
    PREPARE_PLACES,
    PROPERTIES_PLACE,
    PROPERTY_PLACES,
    PROTOCOL_PLACES,
    START_PLACES,
    SYSTEM_PROPERTIES_PLACE,
    TRAIN_END_PLACES,
    Mistake,
    duplicate_ids,
    setting_mistakes,
    unknown,
    wrong_places,
)
from springbench.matrix.profiles import Load
from springbench.matrix.request_files import (
    mix_mistakes,
    request_mistakes,
    text_mistakes,
    with_files,
)
from springbench.matrix.requests import Login, RequestRow
from springbench.matrix.rows import Matrix
from springbench.matrix.servers import HTTP1, Model, Runtime, Server
from springbench.matrix.service import DEFAULTS, as_matrix, is_service, mistakes_of
from springbench.matrix.service_rows import SERVICE_ROW_TYPES, Service
from springbench.matrix.templates import ID_PLACE
from springbench.matrix.toml_file import parse_rows, parse_text, read_text
from springbench.matrix.toml_lines import Location
from springbench.matrix.workloads import (
    KEPT_CONNECTIONS,
    Cap,
    DatabaseTable,
    Mix,
    Workload,
)

logger = logging.getLogger(__name__)

TABLES = ("boots", "servers", "models", "runtimes", "protocols", "workloads", "mixes", "profiles")

# a table, a key of its rows, and the table that has the ids which may stand there
_REFERENCES = (
    ("runtimes", "boots", "boots"),
    ("servers", "boots", "boots"),
    ("servers", "models", "models"),
    ("servers", "runtimes", "runtimes"),
    ("servers", "routes", "workloads"),
    ("models", "server_properties", "servers"),
    ("models", "server_notes", "servers"),
    ("protocols", "servers", "servers"),
    ("protocols", "runtimes", "runtimes"),
    ("workloads", "servers", "servers"),
    ("workloads", "runtimes", "runtimes"),
    ("workloads", "server_properties", "servers"),
)
HasLogin = TypeVar("HasLogin", Server, Workload, Mix)


def load_matrix(path: Path) -> Matrix:
    """The checked matrix. Raises `ConfigurationError` with one line for each mistake."""
    return parse_matrix(read_text(path), str(path), path.parent)


def parse_matrix(text: str, name: str = "matrix.toml", folder: Path = Path()) -> Matrix:
    """As `load_matrix`, from the file's text; `name` is what messages call it.

    The paths of a service are relative to `folder`.
    """
    data = parse_text(text, name)
    if is_service(data):
        return parse_service(data, name, folder, text)
    matrix = parse_rows(text, name, Matrix, partial(_mistakes, folder=folder), data=data)
    workloads = tuple(_with_login(with_files(row, folder), folder) for row in matrix.workloads)
    servers = tuple(_with_login(row, folder) for row in matrix.servers)
    mixes = tuple(_with_login(row, folder) for row in matrix.mixes)
    return matrix.model_copy(update={"workloads": workloads, "servers": servers, "mixes": mixes})


def _with_login(row: HasLogin, folder: Path) -> HasLogin:
    login = row.login and with_files(row.login, folder)
    return row.model_copy(update={"login": login})


def parse_service(data: dict[str, Any], name: str, folder: Path, text: str = "") -> Matrix:
    """The matrix of one service. Raises `ConfigurationError` as `parse_matrix` does."""
    if "needs" in data and "services" not in data:
        # how the key was called before the first release
        logger.info(f"{name}: [[needs]] is called [[services]] now; write that")
        data = {**data, "services": data["needs"]}
        del data["needs"]
    more = partial(mistakes_of, folder=folder)
    service = parse_rows(text, name, Service, more, SERVICE_ROW_TYPES, data)
    return as_matrix(service, folder, load_matrix(DEFAULTS))


def _mistakes(matrix: Matrix, folder: Path = Path()) -> Iterator[Mistake]:
    """Mistakes that a single row cannot know: duplicate ids and references to what is not there.

    The files of requests are relative to `folder`.
    """
    for table in TABLES:
        rows = getattr(matrix, table)
        yield from duplicate_ids(table, (row.id for row in rows)) or duplicate_ids(
            table, (getattr(row, "name", None) or row.id for row in rows), "name"
        )
    for table, key, known in _REFERENCES:
        for index, row in enumerate(getattr(matrix, table)):
            yield from unknown((table, index, key), getattr(row, key), _ids(getattr(matrix, known)))
    yield from _request_mistakes(matrix, folder)
    yield from _server_mistakes(matrix)
    for index, runtime in enumerate(matrix.runtimes):
        yield from _runtime_mistakes(("runtimes", index), runtime, matrix.word_lists)
    for name, words in matrix.word_lists.items():
        if name in (*PREPARE_PLACES, *TRAIN_END_PLACES):
            yield ("word_lists", name), f"{{{name}}} is a place to fill in; name the list otherwise"
        for position, word in enumerate(words):
            yield from wrong_places(("word_lists", name, position), word, START_PLACES)
    for index, model in enumerate(matrix.models):
        if model.image:
            yield from _image_mistakes(matrix, ("models", index, "image"), model.image)
        yield from _property_mistakes(("models", index), model)
    yield from _protocol_mistakes(matrix)
    yield from _cap_mistakes(matrix, "caps", matrix.caps)
    yield from _cap_mistakes(matrix, "caches", matrix.caches)
    yield from _database_mistakes(matrix)
    for index, profile in enumerate(matrix.profiles):
        for position, load in enumerate(profile.loads):
            yield from _load_mistakes(matrix, ("profiles", index, "loads", position), load)


def _request_mistakes(matrix: Matrix, folder: Path) -> Iterator[Mistake]:
    mixed = {name for mix in matrix.mixes if mix.login for name in mix.workloads}
    all_log_in = any(server.login for server in matrix.servers)
    for index, workload in enumerate(matrix.workloads):
        location: Location = ("workloads", index)
        has_login = all_log_in or workload.login is not None or workload.id in mixed
        yield from request_mistakes(location, workload, "route", folder, has_login=has_login)
        yield from _login_mistakes(location, workload.login, folder)
        if workload.warmup_route is not None:
            texts: list[tuple[Location, str]] = [(("warmup_route",), workload.warmup_route)]
            yield from text_mistakes(location, texts, RequestRow(), has_login=False)
    for index, server in enumerate(matrix.servers):
        location = ("servers", index)
        rows = {workload.id: workload for workload in matrix.workloads}
        for name, route in server.routes.items():
            if name in rows:
                row = with_files(rows[name], folder) if rows[name].rows else RequestRow()
                texts = [(("routes", name), route)]
                yield from text_mistakes(location, texts, row, has_login=server.login is not None)
        yield from _login_mistakes(location, server.login, folder)
    known = [*_ids(matrix.workloads)]
    for index, mix in enumerate(matrix.mixes):
        yield from mix_mistakes(("mixes", index, "workloads"), mix.workloads, known)
        if mix.id in known:
            yield ("mixes", index, "id"), f"a workload is called {mix.id!r}; give it another name"
        location = ("mixes", index)
        headers: list[tuple[Location, str]] = [
            (("headers", name), text) for name, text in mix.headers.items()
        ]
        has_login = all_log_in or mix.login is not None
        yield from text_mistakes(location, headers, RequestRow(), has_login=has_login)
        yield from _login_mistakes(location, mix.login, folder)


def _login_mistakes(location: Location, login: Login | None, folder: Path) -> Iterator[Mistake]:
    if login is not None:
        yield from request_mistakes((*location, "login"), login, "path", folder, has_login=False)


def _server_mistakes(matrix: Matrix) -> Iterator[Mistake]:
    for index, server in enumerate(matrix.servers):
        location = ("servers", index)
        varied = {workload.id for workload in matrix.workloads if workload.ids is not None}
        for name, route in server.routes.items():
            if (ID_PLACE in route) != (name in varied):
                verb = "must hold" if name in varied else "cannot hold"
                yield (*location, "routes", name), f"{verb} {ID_PLACE}, as the workload's own route"
        yield from wrong_places((*location, "module"), server.module, BUILD_PLACES)
        yield from wrong_places((*location, "artifact"), server.artifact, BUILD_PLACES)


def _image_mistakes(matrix: Matrix, location: Location, image: str) -> Iterator[Mistake]:
    yield from unknown(location, [image], _ids(matrix.models))
    if any(model.id == image and model.image for model in matrix.models):
        allowed = ", ".join(model.id for model in matrix.models if not model.image)
        yield location, f"{image!r} has no image of its own; allowed: {allowed}"


def _property_mistakes(location: Location, model: Model) -> Iterator[Mistake]:
    tables: list[tuple[Location, dict[str, str]]] = [(("properties",), model.properties)]
    for server, properties in model.server_properties.items():
        tables.append((("server_properties", server), properties))
    for table, properties in tables:
        for key, value in properties.items():
            yield from wrong_places((*location, *table, key), value, PROPERTY_PLACES)


def _runtime_mistakes(
    location: Location, runtime: Runtime, lists_of_words: Iterable[str]
) -> Iterator[Mistake]:
    """Places that do not exist, and steps of which one needs the other."""
    whole_words = {PROPERTIES_PLACE, SYSTEM_PROPERTIES_PLACE} | {
        f"{{{name}}}" for name in lists_of_words
    }
    lists = {
        ("start",): (runtime.start, START_PLACES),
        ("train",): (runtime.train, START_PLACES),
        ("train_end",): (runtime.train_end, TRAIN_END_PLACES),
    } | {
        ("prepare", number): (command, PREPARE_PLACES)
        for number, command in enumerate(runtime.prepare)
    }
    for key, (words, allowed) in lists.items():
        for position, word in enumerate(words):
            # what ends a training is filled in by itself: nothing stands there for several words
            if word not in whole_words or key == ("train_end",):
                yield from wrong_places((*location, *key, position), word, allowed)
    if bool(runtime.train) != bool(runtime.train_requests):
        yield location, "train and train_requests stand together, or neither does"
    if (runtime.prepare or runtime.train) and not runtime.makes:
        yield location, "prepare and train need makes: the file that they leave in {prepared}"


def _protocol_mistakes(matrix: Matrix) -> Iterator[Mistake]:
    taken = {*_ids(matrix.workloads), *_ids(matrix.mixes)}
    for index, protocol in enumerate(matrix.protocols):
        location = ("protocols", index)
        if protocol.is_http2 and protocol.generator == "wrk":
            yield (*location, "generator"), "wrk has no HTTP/2; allowed: h2load"
        for key, value in protocol.key_properties.items():
            yield from wrong_places((*location, "key_properties", key), value, PROTOCOL_PLACES)
        for name in sorted(taken):
            if f"{name}-{protocol.id}" in taken:
                yield (
                    (*location, "id"),
                    f"{name} over {protocol.id} would be called {name}-{protocol.id}, as a "
                    "workload or mix is; give one of them another name",
                )


def _cap_mistakes(matrix: Matrix, table: str, caps: Sequence[Cap]) -> Iterator[Mistake]:
    capped: set[tuple[str, str]] = set()
    for index, cap in enumerate(caps):
        location, word = (table, index), table.removesuffix("s")
        yield from unknown((*location, "server"), [cap.server], _ids(matrix.servers))
        for model in cap.models:
            for server in matrix.servers:
                if server.id == cap.server and model not in server.models:
                    yield (*location, "models"), _no_such_model(cap.server, model, server.models)
            if (cap.server, model) in capped:
                yield location, f"duplicate {word} of server {cap.server!r}, model {model!r}"
            capped.add((cap.server, model))


def _database_mistakes(matrix: Matrix) -> Iterator[Mistake]:
    database = matrix.database
    if database:
        yield from _pool_size_mistakes(("database", "pool_size"), database.pool_size, database)
    for index, workload in enumerate(matrix.workloads):
        location = ("workloads", index)
        if "database" in workload.needs and database is None:
            yield (*location, "needs"), "'database' asks for a table [database], which is not there"
        if (ID_PLACE in workload.route) != (workload.ids is not None):
            yield (
                (*location, "route"),
                f"{ID_PLACE} stands in the route exactly where `ids` is given",
            )
        if workload.ids is not None and "database" not in workload.needs:
            yield (*location, "ids"), 'ids are those of the table: add needs = ["database"]'
        elif isinstance(workload.ids, int) and database and workload.ids > database.rows:
            yield (*location, "ids"), f"the table has no such row; allowed: 1 to {database.rows}"


def _pool_size_mistakes(
    location: Location, pool_size: int, database: DatabaseTable
) -> Iterator[Mistake]:
    if pool_size > database.connections:
        yield (
            location,
            f"must leave {KEPT_CONNECTIONS} of max_connections; allowed: at most "
            f"{database.connections}",
        )


def _pool_mistakes(matrix: Matrix, location: Location, load: Load) -> Iterator[Mistake]:
    mixed = {name for mix in matrix.mixes if mix.id == load.workload for name in mix.workloads}
    workloads = {load.workload, *mixed}
    needs = {need for row in matrix.workloads if row.id in workloads for need in row.needs}
    if load.pool_sizes and "database" not in needs:
        yield (*location, "pool_sizes"), f"{load.workload!r} uses no database; leave this key out"
    if database := matrix.database:
        for position, size in enumerate(load.pool_sizes):
            yield from _pool_size_mistakes((*location, "pool_sizes", position), size, database)


def _load_mistakes(matrix: Matrix, location: Location, load: Load) -> Iterator[Mistake]:
    known = [*_ids(matrix.workloads), *_ids(matrix.mixes)]
    yield from unknown((*location, "workload"), [load.workload], known)
    yield from unknown((*location, "servers"), load.servers, _ids(matrix.servers))
    yield from unknown((*location, "models"), load.models, _ids(matrix.models))
    yield from unknown((*location, "runtimes"), load.runtimes, _ids(matrix.runtimes))
    protocols = dict.fromkeys([HTTP1.id, *_ids(matrix.protocols)])
    yield from unknown((*location, "protocols"), load.protocols, protocols)
    if not isinstance(load.boots, str):
        yield from unknown((*location, "boots"), load.boots, _ids(matrix.boots))
    yield from setting_mistakes(location, load)
    yield from _pool_mistakes(matrix, location, load)
    if load.warmup_min_s > load.warmup_max_s:
        yield (*location, "warmup_min_s"), f"must not exceed warmup_max_s ({load.warmup_max_s:g})"
    chosen = [row for row in matrix.servers if not load.servers or row.id in load.servers]
    for server in chosen if load.servers else []:
        if load.models and not set(load.models) & set(server.models):
            yield (
                (*location, "models"),
                _no_such_model(server.id, ", ".join(load.models), server.models),
            )


def _no_such_model(server: str, model: str, models: Iterable[str]) -> str:
    return f"server {server!r} has no model {model!r}; it has: {', '.join(models)}"


def _ids(rows: Iterable[object]) -> list[str]:
    return [str(getattr(row, "id", "")) for row in rows]
