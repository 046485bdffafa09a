"""`springbench.json`: what springbench wrote into its folder of the history branch."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from springbench.results.base import Record

MANIFEST_SCHEMA_VERSION = 1
BlobId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40,64}$")]


class Manifest(Record):
    """Schema 1. That it is there says that `data/` beside it is springbench's.

    `files` are the dashboard's, by their paths from the folder: the id that git gives the content
    that was written. A file with other content is somebody else's.
    """

    # no default: a file of another tool is not one by chance
    schema_: Literal[1] = Field(alias="schema")
    files: dict[str, BlobId] = {}
