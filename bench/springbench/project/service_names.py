"""What a service is called, and that no other one of the repository is called the same."""

from __future__ import annotations

import tomllib
from pathlib import Path

from springbench.errors import ConfigurationError
from springbench.host.git import tracked
from springbench.host.shell import Shell
from springbench.matrix.load import load_matrix
from springbench.matrix.service import is_service
from springbench.matrix.service_name import one_service
from springbench.matrix.service_rows import Service
from springbench.matrix.toml_file import SERVICE_FILE
from springbench.plan.cases import every_variant

_DEFAULT = str(Service.model_fields["name"].default)


def service_name(file: Path) -> str | None:
    """The service that a file describes; None for a matrix of servers.

    Raises `ConfigurationError` for a file that is not right.
    """
    return one_service(variant.id for variant in every_variant(load_matrix(file)))


def check_name(file: Path, name: str, shell: Shell) -> None:
    """Raises `ConfigurationError` where another service of the repository has that name.

    Their results would be points of the same series.
    """
    if other := namesake(file, name, shell):
        raise ConfigurationError(
            f"{file}: the name {name!r} is that of {other} too, and what is published of one would "
            "be mixed with the other: give each a `name` of its own"
        )


def namesake(file: Path, name: str, shell: Shell) -> Path | None:
    """Another springbench.toml of the repository, below its top, that describes that name."""
    for top, place in tracked(SERVICE_FILE, file.resolve().parent, shell):
        other = top / place
        if other.resolve() != file.resolve() and _name_in(other) == name:
            return place
    return None


def _name_in(file: Path) -> str | None:
    """As it stands there; what is wrong with that file is not said here."""
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return str(data.get("name", _DEFAULT)) if is_service(data) else None
