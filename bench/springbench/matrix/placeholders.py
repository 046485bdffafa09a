"""Places in braces that a template of `matrix.toml` may hold."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator

from springbench.matrix.mistakes import Mistake
from springbench.matrix.toml_lines import Location

BUILD_PLACES = ("boot", "server")
START_PLACES = (
    "java",
    "artifact",
    "port",
    "memory_limit_bytes",
    "heap_bytes",
    "image_heap_bytes",
    "server_cpus",
    "gc_log",
    "prepared",
    "jar_name",
    "temporary_folder",
)
PREPARE_PLACES = (*START_PLACES, "maven", "module", "image")
TRAIN_END_PLACES = ("jcmd", "pid", "prepared")
# each stands alone as a whole word of the command: it becomes one word for each property
SYSTEM_PROPERTIES_PLACE = "{system_properties}"
PROPERTIES_PLACE = "{properties}"
PROPERTY_PLACES = ("connections",)
PROTOCOL_PLACES = ("key_store", "key_store_password")


def wrong_places(location: Location, template: str, allowed: Iterable[str]) -> Iterator[Mistake]:
    """A mistake for each name in braces that is not allowed there."""
    names = ", ".join(f"{{{name}}}" for name in allowed)
    try:
        found = [name for _, name, _, _ in string.Formatter().parse(template) if name is not None]
    except ValueError as error:
        yield location, f"{error}; allowed: {names}, and {{{{ or }}}} for a brace itself"
        return
    for name in found:
        if name not in allowed:
            yield location, f"{{{name}}} is no place to fill in; allowed: {names}"
