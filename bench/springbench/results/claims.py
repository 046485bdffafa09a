"""What others have published, as rows that our own measurements decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from springbench.errors import ConfigurationError
from springbench.matrix.fields import Id, Row, Word
from springbench.results.questions import Question

Address = Annotated[str, StringConstraints(pattern=r"^https?://[!-~]+$")]
# as precise as the source has it
PublishedDate = Annotated[str, StringConstraints(pattern=r"^[0-9]{4}(-[0-9]{2}){0,2}$")]
StudyId = Annotated[str, StringConstraints(pattern=r"^[0-9]{3}$")]
PositiveRatio = Annotated[float, Field(strict=True, gt=0)]
Within = Annotated[float, Field(strict=True, gt=0, le=1)]
Direction = Literal["higher", "lower"]


class Source(Row):
    """Where something was published. `conditions`: hardware, versions and load, as far as stated;
    `study`: its row of `studies.toml`, which has its figures."""

    id: Id
    title: Word
    address: Address
    date: PublishedDate | None = None
    conditions: Word
    study: StudyId | None = None


class Claim(Row):
    """Something that was published, as a question of two steps: two cases of `profile`.

    `ratio` is the metric of `head` ÷ that of `base`, as published; with a `direction` it is the
    least that is claimed in that direction, and 1 if left out. Without one, ours agrees where it
    lies `within` that part of the published ratio. Left out, too, it follows from the figures of
    the source's study.
    """

    id: Id
    source: Id
    claim: Word
    profile: Id
    base: Word
    head: Word
    metric: Word
    ratio: PositiveRatio | None = None
    direction: Direction | None = None
    within: Within = 0.2

    @property
    def command(self) -> str:
        """The command that measures it."""
        return "claims"

    @property
    def question(self) -> str:
        """What is to be decided."""
        return self.claim

    @property
    def only(self) -> tuple[str, ...]:
        """Ids of the cases that it needs of its profile."""
        return (self.base, self.head)

    @property
    def steps(self) -> Mapping[str, str]:
        """Both cases, by their own names."""
        return {self.base: self.base, self.head: self.head}

    @property
    def baseline(self) -> str:
        """The case that the other is compared with."""
        return self.base

    @property
    def locate(self) -> None:
        """Both cases are measured."""

    @property
    def metrics(self) -> tuple[str, ...]:
        """The one that it is about."""
        return (self.metric,)

    @property
    def answer(self) -> tuple[str, ...]:
        """No sentences: its verdict is its answer."""
        return ()


StepComparison = Question | Claim
"""What has steps that are compared with one of them."""


class Claims(Row):
    """The whole file."""

    schema_: Literal[1] = Field(alias="schema")
    sources: tuple[Source, ...] = Field(min_length=1)
    claims: tuple[Claim, ...] = Field(min_length=1)

    def find(self, name: str) -> Claim:
        """Raises `ConfigurationError` where no claim has that id."""
        for claim in self.claims:
            if claim.id == name:
                return claim
        raise ConfigurationError(
            f"{name!r}: no such claim; allowed: {', '.join(claim.id for claim in self.claims)}. "
            "`springbench claims` lists them"
        )

    def source(self, claim: Claim) -> Source:
        """Where a claim was published."""
        return next(source for source in self.sources if source.id == claim.source)
