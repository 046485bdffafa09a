"""Requests that are drawn before a load, for generators that read addresses from a file."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from springbench.matrix.templates import Number, RequestTemplate, Secret, Text, written
from springbench.measure.load.generator import IDS_SEED, private_file
from springbench.measure.session import Sent, sent

# rows that are asked for, before they come again
DRAWN = 20_000


def mixed_order(templates: Sequence[RequestTemplate]) -> list[int]:
    """Indices of the templates, each as often as its weight says, in an order that is drawn once:
    the same in each load of each run."""
    divisor = math.gcd(*(template.weight for template in templates)) or 1
    order = [i for i, template in enumerate(templates) for _ in range(template.weight // divisor)]
    random.Random(IDS_SEED).shuffle(order)  # noqa: S311 - an order is no secret
    return order


def draw(templates: Sequence[RequestTemplate]) -> list[Sent]:
    """Requests as they are asked for, the same in each load of each run; one of what does not
    vary."""
    order = mixed_order(templates)
    paths = [template.path for template in templates]
    count = DRAWN if len(paths) > 1 or any(map(varies, (*paths, templates[0].body or ()))) else 1
    drawn = random.Random(IDS_SEED)  # noqa: S311 - rows to ask for are no secret
    return [sent(templates[order[at % len(order)]], at, drawn) for at in range(count)]


class FileOptions(NamedTuple):
    """Options of a generator that take a file: of addresses, of a body, of a body in each line."""

    urls: str
    body: str
    lines: str = ""


def private_files(
    templates: Sequence[RequestTemplate], base_url: str, options: FileOptions
) -> dict[str, Path]:
    """Addresses and bodies, by the option that takes the file."""
    template, requests = templates[0], draw(templates)
    files: dict[str, Path] = {}
    if len(templates) > 1 or varies(template.path) or template.is_private:
        addresses = "".join(f"{base_url}{request.path}\n" for request in requests)
        files[options.urls] = private_file(addresses.encode(), ".urls")
    if template.body is not None:
        bodies = [request.body or b"" for request in requests] if varies(template.body) else []
        content = b"\n".join(bodies) if bodies else requests[0].body or b""
        files[options.lines if bodies else options.body] = private_file(content, ".body")
    return files


def refusals(templates: Sequence[RequestTemplate], generator: str) -> Iterator[str]:
    """Why these cannot be asked for by a list of addresses."""
    first = templates[0]
    if any(
        (template.method, template.headers, template.body)
        != (first.method, first.headers, first.body)
        for template in templates
    ):
        yield f"{generator} sends a mix only where its routes differ in nothing but their paths"
    if any(isinstance(part, Number) for template in templates for part in template.parts):
        yield f"{generator} draws from a list, and cannot number requests by {{n}}"
    for name, value in first.headers:
        if any(isinstance(part, Secret) for part in value):
            yield (
                f"{generator} takes the header {name} on its command line, where every user of "
                f"this host can read {written(value)}"
            )
        elif varies(value):
            yield f"{generator} sends the same header {name} each time, and not {written(value)}"


def varies(text: Text) -> bool:
    """Whether it is another one each time."""
    return any(not isinstance(part, str | Secret) for part in text)
