"""`data/compared/<two digits>.json`, schema 1: the comparisons whose head begins with these."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from springbench.results.base import Record
from springbench.results.history_names import RunId

COMPARED_SCHEMA_VERSION = 1
ComparedGroup = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{2}$")]
"""The first two digits of a commit: so no file is long, and none is written by each push."""


class ComparedRow(Record):
    """A comparison by its commits; `data/comparisons/<id>.json.gz` has the rest."""

    id: RunId
    base: str
    head: str


class ComparedFile(Record):
    """The whole file, by id."""

    schema_: Literal[1] = Field(alias="schema")
    comparisons: list[ComparedRow]
