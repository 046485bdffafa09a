"""What people ask, the ladder that answers it, and the words of the answer."""

from __future__ import annotations

from string import Formatter
from typing import Annotated, Literal

from pydantic import Field

from springbench.errors import ConfigurationError
from springbench.matrix.fields import Id, Row, Word

Axis = Literal[
    "boot",
    "server",
    "model",
    "runtime",
    "protocol",
    "workload",
    "memory",
    "cpus",
    "jdk",
    "pool_size",
]
BASELINE_PLACE = "baseline"
CLIFFS_PLACE = "cliffs"
VALUES = "values"
"""The form of a place that says values, and compares nothing: `{unanswered_ratio:values}`."""


class Translation(Row):
    """The words of a question in another language: those of the same keys, one for one."""

    question: Word
    steps: dict[Word, Word] = {}
    answer: Annotated[tuple[Word, ...], Field(min_length=1, max_length=2)]


class Question(Row):
    """A question, and what answers it.

    `steps` is its ladder: the values of `axis` that are compared with the one called `baseline`,
    each with its name in a sentence. What else differs between the cases of `profile` (the server,
    mostly) is answered for each by itself. `answer` has one or two sentences, in which `{baseline}`
    and the names of `metrics` in braces are filled in. `zh` has its words in Chinese.

    With `locate` the ladder is all that the profile lists of a setting up to `baseline`, and not
    all of it is measured: what is looked for, by bisection, is the least step that still has this
    part of the baseline's first metric (0: that still runs, in each of three runs). `{cliffs}` is
    where that is.
    """

    id: Id
    question: Word
    profile: Id
    axis: Axis
    steps: dict[Word, Word] = {}
    baseline: Word
    locate: Annotated[float, Field(strict=True, ge=0, lt=1)] | None = None
    metrics: Annotated[tuple[Word, ...], Field(min_length=1)]
    answer: Annotated[tuple[Word, ...], Field(min_length=1, max_length=2)]
    zh: Translation | None = None

    def in_chinese(self) -> Question | None:
        """The same question in Chinese words; None where it has none."""
        if self.zh is None:
            return None
        words = {
            name: found for name in Translation.model_fields if (found := getattr(self.zh, name))
        }
        return self.model_copy(update=words)

    @property
    def command(self) -> str:
        """The command that measures it."""
        return "ask"

    @property
    def only(self) -> tuple[str, ...]:
        """All cases of its profile."""
        return ()

    @property
    def compares(self) -> bool:
        """Whether its answer compares steps, and does not only show their values."""
        places = (place for sentence in self.answer for place in Formatter().parse(sentence))
        return any(name not in (None, BASELINE_PLACE) and not form for _, name, form, _ in places)


class Questions(Row):
    """The whole file."""

    schema_: Literal[1] = Field(alias="schema")
    questions: tuple[Question, ...] = Field(min_length=1)

    def find(self, name: str) -> Question:
        """Raises `ConfigurationError` where no question has that id."""
        for question in self.questions:
            if question.id == name:
                return question
        raise ConfigurationError(
            f"{name!r}: no such question; allowed: {self.names}. `springbench ask` lists them"
        )

    @property
    def names(self) -> str:
        """The ids of all."""
        return ", ".join(question.id for question in self.questions)
