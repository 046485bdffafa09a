"""What a run says of the questions and the claims of this clone, as a history keeps it."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from operator import attrgetter
from typing import TypeVar

from springbench.analysis.answers import Answer, Row, answer, axes_of, can_answer
from springbench.analysis.claims import ClaimEvaluation, evaluate
from springbench.errors import ConfigurationError
from springbench.history.brief import LONGEST_NOTE, LONGEST_WARNING, first_line, round_significant
from springbench.matrix.load import load_matrix
from springbench.matrix.rows import Matrix
from springbench.paths import CLAIMS, MATRIX, QUESTIONS, STUDIES
from springbench.plan.cases import Case
from springbench.plan.plan import make_plan
from springbench.report.answer_words import CHINESE, ENGLISH, ClaimWords
from springbench.report.answers import command, notes, sentences
from springbench.report.claims import claimed, verdict
from springbench.report.tables import host_line
from springbench.results.claim_file import load_claims
from springbench.results.claims import Claim
from springbench.results.published_answers import (
    AnsweredRatio,
    AnsweredRow,
    AnsweredValue,
    AnswerWords,
    PublishedAnswer,
    PublishedClaim,
    PublishedCliff,
)
from springbench.results.question_file import load_questions
from springbench.results.questions import Question
from springbench.results.run import Run
from springbench.results.study_file import read_studies

logger = logging.getLogger(__name__)

Kind = TypeVar("Kind")
QuestionCases = Sequence[tuple[Question, Sequence[Case]]]
"""Questions, each with its cases."""
ClaimCases = Sequence[tuple[Claim, Sequence[Case]]]
"""Claims, each with its two cases."""


def published_answers(
    runs: Sequence[Run],
    run_id: str,
    started_at: str,
    questions: QuestionCases | None = None,
    earlier: Sequence[Run] = (),
) -> list[PublishedAnswer]:
    """What the shards of a run answer, by question and host class; `questions`: those of this
    clone, if left out; `earlier`: the runs that the shards continue. A bisection that has not
    ended answers nothing.

    Computed from single processes, which a published run no longer has.
    """
    found: list[PublishedAnswer] = []
    for question, cases in _questions() if questions is None else questions:
        step_of, limits = partial(_step, question), question.axis == "memory"
        groups = (
            _by_class(runs, cases, step_of, compares_memory=limits)
            if question.locate is None
            else _bisections(question, runs, earlier)
        )
        for good in groups:
            answered = answer(question, cases, good)
            if not any(cliff.next_step for cliff in answered.cliffs):
                found.append(_answer(question, answered, good, run_id, started_at))
    return found


def _bisections(
    question: Question, runs: Sequence[Run], earlier: Sequence[Run]
) -> Iterator[list[Run]]:
    """Each run that continued others, with them: together they answer, on one host."""
    for run in runs:
        if run.run.profile == question.profile:
            of_run = [other for other in earlier if other.run.id in run.run.continues]
            yield [*of_run, run]


def published_claims(
    runs: Sequence[Run], run_id: str, started_at: str, rows: ClaimCases | None = None
) -> list[PublishedClaim]:
    """As `published_answers`: the verdicts of the shards of a run on claims."""
    return [
        _claim(evaluate(claim, {case.id: case for case in cases}, good), good, run_id, started_at)
        for claim, cases in (_claims() if rows is None else rows)
        for good in _by_class(runs, cases, attrgetter("id"), compares_memory=_limits(cases) > 1)
    ]


def _by_class(
    runs: Sequence[Run],
    cases: Sequence[Case],
    step_of: Callable[[Case], str],
    *,
    compares_memory: bool,
) -> Iterator[list[Run]]:
    """The runs of each host class that have measured some of it."""
    for name in sorted({run.host.host_class for run in runs}):
        of_class = [run for run in runs if run.host.host_class == name]
        good = [
            run
            for run in of_class
            if can_answer(cases, run, step_of, compares_memory=compares_memory)
        ]
        if good:
            yield good


def _step(question: Question, case: Case) -> str:
    return axes_of(case)[question.axis]


def _limits(cases: Sequence[Case]) -> int:
    """How many memory limits there are among cases."""
    return len({case.variant.memory_bytes for case in cases})


def _or_none(read: Callable[[], Sequence[Kind]], what: str) -> Sequence[Kind]:
    """What is read, or nothing: a run is published also where a matrix of one's own lacks cases."""
    try:
        return read()
    except ConfigurationError as error:
        logger.info(f"no {what} is kept with the history: {error}")
        return ()


@cache
def _questions() -> QuestionCases:
    """Those that this clone has; a history of a service is written without."""
    return _or_none(_read_questions, "answer") if QUESTIONS.is_file() else ()


def _read_questions() -> QuestionCases:
    matrix = load_matrix(MATRIX)
    found = load_questions(QUESTIONS, matrix).questions
    return [
        (
            question,
            [
                case
                for case in _plan(matrix, question.profile)
                if _step(question, case) in question.steps
            ],
        )
        for question in found
    ]


@cache
def _claims() -> ClaimCases:
    """As `_questions`."""
    return _or_none(_read_claims, "verdict on a claim") if CLAIMS.is_file() else ()


def _read_claims() -> ClaimCases:
    matrix = load_matrix(MATRIX)
    studies = read_studies(STUDIES).studies if STUDIES.is_file() else ()
    found = load_claims(CLAIMS, matrix, studies).claims
    cases = {
        profile: {case.id: case for case in _plan(matrix, profile)}
        for profile in {claim.profile for claim in found}
    }
    return [(claim, [cases[claim.profile][case] for case in claim.only]) for claim in found]


def _plan(matrix: Matrix, profile: str) -> Sequence[Case]:
    return make_plan(matrix, profile).cases


def _answer(
    question: Question, found: Answer, runs: Sequence[Run], run_id: str, started_at: str
) -> PublishedAnswer:
    chinese = question.in_chinese()
    return PublishedAnswer(
        host_class=runs[0].host.host_class,
        run=run_id,
        started_at=started_at,
        is_own=runs[0].run.profile == question.profile,
        question=question.id,
        host=first_line(host_line(runs[0]), LONGEST_NOTE),
        commands=list(dict.fromkeys(command(question, run) for run in runs)),
        baseline=question.baseline,
        metrics=list(question.metrics),
        rounds=found.rounds,
        interleaved=found.interleaved,
        en=_words(question, found, ENGLISH),
        zh=_words(chinese, found, CHINESE, _notes(found, runs, CHINESE)) if chinese else None,
        rows=[_row(row) for row in found.rows],
        cliffs=[
            PublishedCliff(
                subject=cliff.subject,
                low=cliff.low,
                high=cliff.high,
                undecided=first_line(cliff.undecided, LONGEST_NOTE) if cliff.undecided else None,
                leaning=cliff.leaning,
            )
            for cliff in found.cliffs
        ],
        notes=_notes(found, runs, ENGLISH),
    )


def _claim(
    found: ClaimEvaluation, runs: Sequence[Run], run_id: str, started_at: str
) -> PublishedClaim:
    ratio = found.ratio
    edges = [ratio.ratio, ratio.low or 1.0, ratio.high or 1.0] if ratio else []
    measured = ratio if all(map(math.isfinite, edges)) else None
    return PublishedClaim(
        host_class=runs[0].host.host_class,
        run=run_id,
        started_at=started_at,
        is_own=runs[0].run.profile == found.claim.profile,
        claim=found.claim.id,
        verdict=found.verdict,
        words=first_line(verdict(found)),
        reason=first_line(found.reason, LONGEST_NOTE) or None,
        claimed=first_line(claimed(found.claim), LONGEST_NOTE),
        ratio=round_significant(measured.ratio) if measured else None,
        low=round_significant(measured.low) if measured else None,
        high=round_significant(measured.high) if measured else None,
    )


def _words(
    question: Question, found: Answer, words: ClaimWords, own_notes: Sequence[str] = ()
) -> AnswerWords:
    return AnswerWords(
        question=question.question,
        sentences=sentences(replace(found, question=question), words),
        steps=dict(question.steps),
        notes=[*own_notes],
    )


def _notes(found: Answer, runs: Sequence[Run], words: ClaimWords) -> list[str]:
    return [first_line(note, LONGEST_WARNING) for note in notes(found, runs, words)]


def _row(row: Row) -> AnsweredRow:
    return AnsweredRow(
        case=row.case,
        subject=row.subject,
        step=row.step,
        processes=row.processes,
        counted=row.counted,
        values={
            name: AnsweredValue(
                median=round_significant(value.middle),
                low=round_significant(value.low),
                high=round_significant(value.high),
            )
            for name, value in row.values.items()
            if all(map(math.isfinite, (value.low, value.middle, value.high)))
        },
        ratios=dict(_ratios(row)),
        bottleneck=first_line(row.bottleneck) if row.bottleneck else None,
        bottleneck_kind=row.bottleneck_kind,
        not_measured=first_line(row.not_measured, LONGEST_NOTE) if row.not_measured else None,
        failed=row.failed,
    )


def _ratios(row: Row) -> Iterator[tuple[str, AnsweredRatio]]:
    for name, ratio in row.ratios.items():
        edges = [edge for edge in (ratio.low, ratio.high) if edge is not None]
        if all(map(math.isfinite, (ratio.ratio, *edges))):
            yield (
                name,
                AnsweredRatio(
                    ratio=round_significant(ratio.ratio),
                    low=round_significant(ratio.low),
                    high=round_significant(ratio.high),
                    verdict=ratio.verdict,
                ),
            )
