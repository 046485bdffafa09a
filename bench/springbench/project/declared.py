"""What a person has declared of a service before `init` asks it: a springbench.toml without routes.

A login, the services that it needs, its environment: without them it does not start, or answers
nothing. `init` starts and asks the service as declared, and adds what it finds.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from springbench.errors import ConfigurationError
from springbench.matrix.mistakes import Mistake
from springbench.matrix.request_files import request_mistakes, with_files
from springbench.matrix.service_rows import SERVICE_ROW_TYPES, Service
from springbench.matrix.toml_file import parse_rows, read_text

_ROUTES = "routes"
# a row needs one, and nothing asks for it
_ANY_ROUTE = ({"path": "/"},)


class Declared(NamedTuple):
    """Keys of the file and its text; of none where there is no file."""

    service: Service = Service.model_validate({_ROUTES: _ANY_ROUTE})
    text: str = ""

    def has(self, key: str) -> bool:
        """Whether the file has a key."""
        return bool(self.text) and key in self.service.model_fields_set

    @property
    def headers(self) -> Mapping[str, str]:
        """With which the token of its login is sent, unless somebody says otherwise."""
        if self.service.login is None:
            return {}
        kind, _, name = self.service.login.token.partition(":")
        if kind == "cookie":
            return {"Cookie": f"{name}={{token}}"}
        return {name: "{token}"} if kind == "header" else {"Authorization": "Bearer {token}"}


NOTHING_DECLARED = Declared()


def read_declared(file: Path) -> Declared:
    """What a file declares. Raises `ConfigurationError` for one that names routes already, or has a
    mistake."""
    message = f"{file}: is there already; --force replaces it"
    try:
        text = read_text(file)
        data = tomllib.loads(text)
    except ValueError as error:
        raise ConfigurationError(message) from error
    if _ROUTES in data or "servers" in data:
        raise ConfigurationError(f"{message}, and without its [[routes]] it is completed")
    service = parse_rows(
        text,
        str(file),
        Service,
        partial(_mistakes, folder=file.parent),
        SERVICE_ROW_TYPES,
        {**data, _ROUTES: list(_ANY_ROUTE)},
    )
    if service.login:
        login = with_files(service.login, file.parent)
        service = service.model_copy(update={"login": login})
    return Declared(service, text)


def _mistakes(service: Service, folder: Path) -> Iterator[Mistake]:
    if service.login:
        yield from request_mistakes(("login",), service.login, "path", folder, has_login=False)
