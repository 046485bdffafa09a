"""The service that a thing belongs to: the one identifier in whatever is named after a service."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import Annotated

from pydantic import Field

from springbench.matrix.fields import Part

# what stands in the place of a line of Spring Boot in the ids of a described service
SERVICE_BOOT = "app"
# and of what another harness has measured: how it is called in commands and ids, and its own name
HARNESSES = {"gatling": "Gatling", "hyperfine": "hyperfine", "jmh": "JMH", "k6": "k6"}
# no identifier of a service begins so without a digest at its end
_BY = "by-"
MAX_LENGTH = 40
_NAME = rf"[a-z][a-z0-9]{{0,{MAX_LENGTH - 1}}}"
# one part of a case id, and of names of artifacts, runs, badges and events
ServiceName = Annotated[Part, Field(max_length=MAX_LENGTH)]
# what `identifier` gives
IDENTIFIER = rf"[a-z0-9][a-z0-9-]{{0,{MAX_LENGTH - 1}}}"
_DIGEST_LENGTH = 8


def identifier(name: str) -> str:
    """The name itself where it is one of a service; else its letters and digits, and a digest.

    At most 40 of `a` to `z`, `0` to `9` and dashes. Unlike names have unlike identifiers, also
    where they differ only in what is left out of them: `a b`, `a-b` and `A-B`.
    """
    if re.fullmatch(_NAME, name):
        return name
    words = "-".join(re.findall(r"[a-z0-9]+", name[:MAX_LENGTH].lower()))
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_LENGTH]
    prefix = words[: MAX_LENGTH - _DIGEST_LENGTH - 1].strip("-")
    return f"{prefix}-{digest}" if prefix else digest


def harness_of(service: str | None) -> str | None:
    """The harness whose results are called so; None for a service, and for servers."""
    return next((harness for harness in HARNESSES if service == f"{_BY}{harness}"), None)


def service_of(case: str) -> str | None:
    """The service that a case or a variant is of, by its id; None for a server of Spring Boot.

    What another harness has measured is of none that springbench knows: all of a harness counts as
    one, such as `by-jmh`.
    """
    boot, dash, remainder = case.partition("-")
    if dash and boot in HARNESSES:
        return f"{_BY}{boot}"
    if boot != SERVICE_BOOT or not dash:
        return None
    return identifier(re.split("[-/]", remainder, maxsplit=1)[0])


def one_service(cases: Iterable[str]) -> str | None:
    """The service that all of these are of; None where there is none, or more than one."""
    found = {service_of(case) for case in cases}
    return found.pop() if len(found) == 1 else None
