"""`questions.toml`: read and checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter

from springbench.matrix.fields import Row
from springbench.matrix.mistakes import Mistake, duplicate_ids, unknown
from springbench.matrix.rows import Matrix
from springbench.matrix.servers import HTTP1
from springbench.matrix.settings import SETTINGS
from springbench.matrix.toml_file import parse_rows, read_text
from springbench.matrix.toml_lines import Location
from springbench.results.metrics import BY_NAME
from springbench.results.questions import (
    BASELINE_PLACE,
    CLIFFS_PLACE,
    VALUES,
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

    found = parse_rows(text, name, Questions, more, _ROW_TYPES)
    questions = (
        question.model_copy(update={"steps": _ladder(question, matrix)})
        for question in found.questions
    )
    return found.model_copy(update={"questions": tuple(questions)})


def _ladder(question: Question, matrix: Matrix) -> dict[str, str]:
    """Its steps, each with its name in a sentence: where a cliff is looked for, all that its
    profile lists of the setting up to the baseline, the least first."""
    setting = next((setting for setting in SETTINGS if setting.name == question.axis), None)
    if question.locate is None or setting is None:
        return question.steps
    profiles = (profile for profile in matrix.profiles if profile.id == question.profile)
    texts = {text for profile in profiles for load in profile.loads for text in load.texts(setting)}
    listed = setting.in_order(texts)
    below = listed[: listed.index(question.baseline) + 1] if question.baseline in listed else listed
    return {text: setting.label(text) for text in below}


def _mistakes(found: Questions, matrix: Matrix) -> Iterator[Mistake]:
    """Mistakes that a single row cannot know."""
    values = _values(matrix)
    yield from duplicate_ids("questions", (row.id for row in found.questions))
    for index, question in enumerate(found.questions):
        location: Location = ("questions", index)
        yield from unknown(
            (*location, "profile"), [question.profile], [p.id for p in matrix.profiles]
        )
        yield from unknown((*location, "steps"), question.steps, values[question.axis])
        yield from _cliff_mistakes(location, question)
        steps = _ladder(question, matrix)
        if len(steps) < LEAST_STEPS:
            yield (
                (*location, "steps"),
                "a ladder has two steps or more, of which one is the baseline",
            )
        yield from unknown((*location, "baseline"), [question.baseline], steps)
        yield from unknown((*location, "metrics"), question.metrics, BY_NAME)
        for position, sentence in enumerate(question.answer):
            sentence_location = (*location, "answer", position)
            yield from _sentence_mistakes(sentence_location, sentence, question)
        if question.zh:
            yield from _translation_mistakes((*location, "zh"), question, question.zh)


def _translation_mistakes(
    location: Location, question: Question, words: Translation
) -> Iterator[Mistake]:
    if [*words.steps] != [*question.steps]:
        yield (
            (*location, "steps"),
            f"has other steps than the question: {', '.join(question.steps)}",
        )
    for position, sentence in enumerate(words.answer):
        yield from _sentence_mistakes((*location, "answer", position), sentence, question)


def _cliff_mistakes(location: Location, question: Question) -> Iterator[Mistake]:
    if question.locate is None:
        return
    names = [setting.name for setting in SETTINGS]
    if question.axis not in names:
        yield (
            (*location, "locate"),
            f"goes with an axis whose steps have an order: {', '.join(names)}",
        )
    if question.steps:
        yield (*location, "steps"), "with locate they are those of the profile; leave this key out"
    metric = BY_NAME.get(question.metrics[0])
    if metric and metric.better != "higher":
        yield (
            (*location, "metrics", 0),
            f"{metric.name} is not better where it is higher; locate needs one that is, first",
        )


def _values(matrix: Matrix) -> Mapping[str, list[str]]:
    """What each axis has."""
    return {
        "boot": [row.id for row in matrix.boots],
        "server": [row.id for row in matrix.servers],
        "model": [row.id for row in matrix.models],
        "runtime": [row.id for row in matrix.runtimes],
        "protocol": [HTTP1.id, *(row.id for row in matrix.protocols)],
        "workload": [*(row.id for row in matrix.workloads), *(row.id for row in matrix.mixes)],
        **_settings(matrix),
    }


def _settings(matrix: Matrix) -> dict[str, list[str]]:
    """Those that some load names, the least first, and the usual one."""
    loads = [load for profile in matrix.profiles for load in profile.loads]
    usual = matrix.usual_settings
    found = {}
    for setting in SETTINGS:
        named = {text for load in loads for text in load.texts(setting)}
        values = [*setting.in_order(named), usual[setting.name]]
        found[setting.name] = list(dict.fromkeys(values))
    return found


def _sentence_mistakes(location: Location, sentence: str, question: Question) -> Iterator[Mistake]:
    try:
        places = [(name, form) for _, name, form, _ in Formatter().parse(sentence)]
    except ValueError:
        yield location, "a brace stands alone; a place is {a_metric}, a brace itself {{ or }}"
        return
    named = [(name, form) for name, form in places if name is not None]
    cliffs = () if question.locate is None else (CLIFFS_PLACE,)
    allowed = (BASELINE_PLACE, *cliffs, *question.metrics)
    yield from unknown(location, (name for name, _ in named), allowed)
    for name, form in named:
        if form not in ("", VALUES):
            yield (
                location,
                f"{{{name}:{form}}} is no place; allowed: {{{name}}} or {{{name}:{VALUES}}}",
            )
        elif not form and name in BY_NAME and BY_NAME[name].noise is None:
            yield location, f"{name} is not compared, only shown; write {{{name}:{VALUES}}}"
