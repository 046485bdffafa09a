"""`questions.toml`: read and checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter

from springbench.limits import MEMORY_LIMIT_BYTES
from springbench.matrix.fields import Row, cpu_name, memory_bytes, memory_name
from springbench.matrix.mistakes import Mistake, unknown
from springbench.matrix.rows import Matrix
from springbench.matrix.servers import HTTP1
from springbench.matrix.toml_file import parse_rows, read_text
from springbench.matrix.toml_lines import Location
from springbench.results.metrics import BY_NAME
from springbench.results.questions import (
    BASELINE_PLACE,
    VALUES,
    Axis,
    Question,
    Questions,
    Translation,
)

LEAST_STEPS = 2

_ROW_TYPES: dict[str, type[Row]] = {
    "": Questions,
    "questions": Question,
    "questions.zh": Translation,
}


def load_questions(path: Path, matrix: Matrix) -> Questions:
    """The checked questions. Raises `ConfigurationError` with one line for each mistake."""
    return parse_questions(read_text(path), matrix, str(path))


def parse_questions(text: str, matrix: Matrix, name: str = "questions.toml") -> Questions:
    """As `load_questions`, from the file's text; `name` is what messages call it."""

    def more(found: Questions) -> Iterator[Mistake]:
        return _mistakes(found, matrix)

    return parse_rows(text, name, Questions, more, _ROW_TYPES)


def _mistakes(found: Questions, matrix: Matrix) -> Iterator[Mistake]:
    """Mistakes that a single row cannot know."""
    values = _values(matrix)
    seen: set[str] = set()
    for index, question in enumerate(found.questions):
        here: Location = ("questions", index)
        if question.id in seen:
            yield (*here, "id"), f"duplicate id {question.id!r}; each id stands once"
        seen.add(question.id)
        yield from unknown((*here, "profile"), [question.profile], [p.id for p in matrix.profiles])
        yield from unknown((*here, "steps"), question.steps, values[question.axis])
        if len(question.steps) < LEAST_STEPS:
            yield (*here, "steps"), "a ladder has two steps or more, of which one is the baseline"
        yield from unknown((*here, "baseline"), [question.baseline], question.steps)
        yield from unknown((*here, "metrics"), question.metrics, BY_NAME)
        for position, sentence in enumerate(question.answer):
            place = (*here, "answer", position)
            yield from _sentence_mistakes(place, sentence, question.metrics)
        if question.zh:
            yield from _translation_mistakes((*here, "zh"), question, question.zh)


def _translation_mistakes(
    place: Location, question: Question, words: Translation
) -> Iterator[Mistake]:
    if [*words.steps] != [*question.steps]:
        yield (*place, "steps"), f"has other steps than the question: {', '.join(question.steps)}"
    for position, sentence in enumerate(words.answer):
        yield from _sentence_mistakes((*place, "answer", position), sentence, question.metrics)


def _values(matrix: Matrix) -> Mapping[Axis, list[str]]:
    """What each axis has."""
    return {
        "boot": [row.id for row in matrix.boots],
        "server": [row.id for row in matrix.servers],
        "model": [row.id for row in matrix.models],
        "runtime": [row.id for row in matrix.runtimes],
        "protocol": [HTTP1.id, *(row.id for row in matrix.protocols)],
        "memory": _memory_limits(matrix),
        "cpus": _cpus(matrix),
        "workload": [*(row.id for row in matrix.workloads), *(row.id for row in matrix.mixes)],
    }


def _memory_limits(matrix: Matrix) -> list[str]:
    """Those that some load names, and the one of all others; the least first."""
    loads = [load for profile in matrix.profiles for load in profile.loads]
    sizes = {memory_bytes(size) for load in loads for size in load.memory}
    return [memory_name(size) for size in sorted({*sizes, MEMORY_LIMIT_BYTES})]


def _cpus(matrix: Matrix) -> list[str]:
    """Those that some load names; the least first."""
    loads = [load for profile in matrix.profiles for load in profile.loads]
    return sorted({cpu_name(cpus) for load in loads for cpus in load.cpus}, key=float)


def _sentence_mistakes(
    place: Location, sentence: str, metrics: tuple[str, ...]
) -> Iterator[Mistake]:
    try:
        places = [(name, form) for _, name, form, _ in Formatter().parse(sentence)]
    except ValueError:
        yield place, "a brace stands alone; a place is {a_metric}, a brace itself {{ or }}"
        return
    named = [(name, form) for name, form in places if name is not None]
    yield from unknown(place, (name for name, _ in named), (BASELINE_PLACE, *metrics))
    for name, form in named:
        if form not in ("", VALUES):
            yield (
                place,
                f"{{{name}:{form}}} is no place; allowed: {{{name}}} or {{{name}:{VALUES}}}",
            )
        elif not form and name in BY_NAME and BY_NAME[name].noise is None:
            yield place, f"{name} is not compared, only shown; write {{{name}:{VALUES}}}"
