"""What a run answers to the questions, as a history keeps it. Pure, but for the questions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from springbench.analysis.answers import Answer, Row, answer, can_answer
from springbench.history.brief import LONGEST_NOTE, LONGEST_WARNING, first_line, short
from springbench.matrix.load import load_matrix
from springbench.paths import MATRIX, QUESTIONS
from springbench.plan.cases import Case
from springbench.plan.plan import make_plan
from springbench.report.answer_words import CHINESE, ENGLISH, ClaimWords
from springbench.report.answers import command, notes, sentences
from springbench.report.tables import host_line
from springbench.results.published_answers import (
    AnsweredRatio,
    AnsweredRow,
    AnsweredValue,
    AnswerWords,
    PublishedAnswer,
)
from springbench.results.question_file import load_questions
from springbench.results.questions import Question
from springbench.results.run import Run

Answers = dict[str, PublishedAnswer]
"""The newest answer of a host class to each question, by its id."""
Asked = Mapping[str, tuple[Question, Sequence[Case]]]


def published_answers(
    runs: Sequence[Run], run_id: str, started_at: str, asked: Asked | None = None
) -> list[PublishedAnswer]:
    """What the shards of a run answer, by question and host class; `asked` has the questions, those
    of this clone if left out, each with its cases.

    Computed from single processes, which a published run no longer has.
    """
    asked = _questions() if asked is None else asked
    classes = sorted({run.host.host_class for run in runs})
    return [
        _published(question, answer(question, cases, good), good, run_id, started_at)
        for question, cases in asked.values()
        for name in classes
        if (good := [run for run in runs if _is_of(name, run) and can_answer(question, cases, run)])
    ]


def merge_answers(known: Answers, others: Sequence[PublishedAnswer], host_class: str) -> None:
    """Keep the better answer to each question: of its own profile, then the newer one."""
    for other in others:
        if other.host_class == host_class:
            mine = known.get(other.question)
            if mine is None or key_of(mine) <= key_of(other):
                known[other.question] = other


def key_of(of: PublishedAnswer) -> tuple[bool, str, str]:
    """Answers in order, the best last."""
    return of.is_own, of.started_at, of.run


def _is_of(host_class: str, run: Run) -> bool:
    return run.host.host_class == host_class


@cache
def _questions() -> Asked:
    """Those that this clone has, each with its cases; a history of a service is written without."""
    if not QUESTIONS.is_file():
        return {}
    matrix = load_matrix(MATRIX)
    found = load_questions(QUESTIONS, matrix).questions
    return {each.id: (each, make_plan(matrix, each.profile).cases) for each in found}


def _published(
    question: Question, found: Answer, runs: Sequence[Run], run_id: str, started_at: str
) -> PublishedAnswer:
    chinese = question.in_chinese()
    return PublishedAnswer(
        question=question.id,
        host_class=runs[0].host.host_class,
        run=run_id,
        started_at=started_at,
        profile=runs[0].run.profile,
        is_own=runs[0].run.profile == question.profile,
        host=first_line(host_line(runs[0]), LONGEST_NOTE),
        commands=list(dict.fromkeys(command(question, run) for run in runs)),
        baseline=question.baseline,
        metrics=list(question.metrics),
        rounds=found.rounds,
        interleaved=found.interleaved,
        en=_words(question, found, ENGLISH),
        zh=_words(chinese, found, CHINESE) if chinese else None,
        rows=[_row(row) for row in found.rows],
        notes=[first_line(note, LONGEST_WARNING) for note in notes(found, runs)],
    )


def _words(question: Question, found: Answer, words: ClaimWords) -> AnswerWords:
    return AnswerWords(
        question=question.question,
        sentences=sentences(replace(found, question=question), words),
        steps=dict(question.steps),
    )


def _row(row: Row) -> AnsweredRow:
    return AnsweredRow(
        case=row.case,
        subject=row.subject,
        step=row.step,
        processes=row.processes,
        values={
            name: AnsweredValue(
                median=short(value.middle), low=short(value.low), high=short(value.high)
            )
            for name, value in row.values.items()
            if all(map(math.isfinite, (value.low, value.middle, value.high)))
        },
        ratios=dict(_ratios(row)),
        bottleneck=first_line(row.bottleneck) if row.bottleneck else None,
        not_measured=first_line(row.not_measured, LONGEST_NOTE) if row.not_measured else None,
        failed=row.failed,
    )


def _ratios(row: Row) -> Iterator[tuple[str, AnsweredRatio]]:
    for name, of in row.ratios.items():
        edges = [edge for edge in (of.low, of.high) if edge is not None]
        if all(map(math.isfinite, (of.ratio, *edges))):
            yield (
                name,
                AnsweredRatio(
                    ratio=short(of.ratio),
                    low=short(of.low),
                    high=short(of.high),
                    verdict=of.verdict,
                ),
            )
