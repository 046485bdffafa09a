"""The answer to a question: its sentences, its table, and what the reader must know. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from string import Formatter

from springbench import units
from springbench.analysis.answers import RUNS_OF_LEAST, Answer, Cliff, Ratio, Row, Verdict
from springbench.report.answer_words import (
    ENGLISH,
    NOT_MEASURED,
    ClaimWords,
    NoClaim,
    NoteWords,
)
from springbench.report.markdown import escape, table_lines
from springbench.report.tables import host_line
from springbench.results.claims import StepComparison
from springbench.results.metrics import BY_NAME, Metric
from springbench.results.notes import warning_words
from springbench.results.questions import (
    BASELINE_PLACE,
    CLIFFS_PLACE,
    VALUES,
)
from springbench.results.run import Run, RunInfo
from springbench.untrusted import one_line

LEFT_ALIGNED = {"server", "step", "bottleneck"}
FAILED = "failed"
# so many subjects are named in a sentence
_MOST_NAMED = 3
# below, a figure in per cent has a digit more
_SMALL_RATIO = 0.095
_MOST_DIGITS = 3
_CLAIMS: tuple[Verdict, ...] = ("higher", "lower")
# what is said of the subjects alone where the baseline has but one other step
_OF_SUBJECTS: frozenset[NoClaim] = frozenset({"tied", "once", "unknown"})


def sentences(answer: Answer, words: ClaimWords = ENGLISH) -> list[str]:
    """The question's sentences, filled in. No difference is claimed whose interval includes 1."""
    previous_clauses: set[str] = set()
    return [
        words.finish(one_line(_filled(sentence, answer, words, previous_clauses)))
        for sentence in answer.question.answer
    ]


def columns(answer: Answer) -> tuple[str, ...]:
    """Of the table: a metric that is compared has its ratio to the baseline next to it."""
    found = ["server", "step"]
    for metric in _metrics(answer):
        found.append(metric.head or metric.term or metric.name)
        if _is_compared(answer, metric):
            found.append(f"of {answer.question.baseline}")
    return (*found, "processes", "bottleneck")


def rows(answer: Answer) -> list[tuple[str, ...]]:
    """A row of texts for each step of each subject."""
    return [tuple(map(one_line, _cells(answer, row))) for row in answer.rows]


def notes(answer: Answer, runs: Sequence[Run], words: ClaimWords = ENGLISH) -> list[str]:
    """How sure it is, what was not measured or is no evidence, warnings, and where it is from."""
    templates = words.notes
    grouped = (
        (templates.not_measured, _not_measured(answer)),
        (templates.no_evidence, _left_out(answer)),
        (templates.no_figure, _missing(answer, words)),
        (templates.warning, _warnings(answer)),
    )
    found = [
        _method(answer, templates),
        *((templates.hosts,) if len({run.host.host_class for run in runs}) > 1 else ()),
        *(note for template, rows in grouped for note in _grouped(answer, template, rows, words)),
        *(warning_words(caution) for run in runs for caution in run.warnings),
        *_sources(answer.question, runs),
    ]
    return list(dict.fromkeys(map(one_line, found)))


def render(answer: Answer, runs: Sequence[Run]) -> str:
    """As Markdown."""
    lines = [
        f"## {escape(answer.question.question)}",
        "",
        " ".join(map(escape, sentences(answer))),
        "",
        *table_lines(columns(answer), rows(answer), LEFT_ALIGNED),
        "",
        *(f"- {escape(note)}" for note in notes(answer, runs)),
    ]
    return "\n".join(lines) + "\n"


def as_data(answer: Answer, runs: Sequence[Run]) -> dict[str, object]:
    """For programs; values in base units."""
    return {
        "question": answer.question.model_dump(exclude={"answer", "zh"}),
        "sentences": sentences(answer),
        "rounds": answer.rounds,
        "interleaved": answer.interleaved,
        "cliffs": [asdict(cliff) for cliff in answer.cliffs],
        "rows": [_row_data(row) for row in answer.rows],
        "runs": [
            {
                "id": run.run.id,
                "started_at": run.run.started_at,
                "commit": run.commit.sha if run.commit else None,
                "host_class": run.host.host_class,
                "host": host_line(run),
                "command": command(answer.question, run),
                "warnings": [caution.model_dump() for caution in run.warnings],
            }
            for run in runs
        ],
    }


def command(question: StepComparison, run: Run) -> str:
    """What measures it again as that run did."""
    filters = run.run.filters
    is_own_run = run.run.profile == question.profile and {*question.only} <= {*filters.only}
    # a bisection is begun anew, and not repeated run by run
    steps = filters.only if question.locate is not None else question.only
    words = [
        "springbench",
        *((question.command, question.id) if is_own_run else ("run", "--profile", run.run.profile)),
    ]
    for glob in filters.only:
        if not is_own_run or glob not in steps:
            words += ["--only", glob]
    if filters.connections:
        words += ["--connections", ",".join(map(str, filters.connections))]
    if filters.rates:
        words += ["--rates", ",".join(map(str, filters.rates))]
    if filters.forks is not None:
        words += ["--forks", f"{filters.forks}"]
    if filters.window_s is not None:
        words += ["--duration", f"{filters.window_s:g}"]
    return shlex.join(words)


def _row_data(row: Row) -> dict[str, object]:
    return asdict(row) | {
        "values": {
            name: {
                "median": value.middle,
                "low": value.low,
                "high": value.high,
                "unit": BY_NAME[name].unit,
            }
            for name, value in row.values.items()
        },
        "verdicts": {name: row.verdict(name) for name in row.values},
        "warnings": [caution.model_dump() for caution in row.warnings],
    }


def _metrics(answer: Answer) -> list[Metric]:
    return [BY_NAME[name] for name in answer.question.metrics]


def _is_compared(answer: Answer, metric: Metric) -> bool:
    """A closed loop's latencies are compared only where requests wait by design."""
    return metric.noise is not None and any(metric.name in row.ratios for row in answer.rows)


# --- sentences ---------------------------------------------------------------------------------


def _filled(sentence: str, answer: Answer, words: ClaimWords, previous_clauses: set[str]) -> str:
    """`previous_clauses` are clauses that need not be repeated."""
    text = ""
    for literal, place, form, _ in Formatter().parse(sentence):
        text += literal
        if place == BASELINE_PLACE:
            text += answer.question.steps[answer.question.baseline]
        elif place == CLIFFS_PLACE:
            where = [_where_cliff(answer, cliff, words) for cliff in answer.cliffs]
            text += words.between_claims.join(where) or words.no_figure
        elif place:
            fill = _values if form == VALUES else _differences
            clauses = fill(answer, BY_NAME[place], words)
            new = [clause for clause in clauses if clause not in previous_clauses] or clauses
            text += words.between_claims.join(new)
            previous_clauses |= {*clauses}
    return text


def _where_cliff(answer: Answer, cliff: Cliff, words: ClaimWords) -> str:
    """`Tomcat between 112 MiB and 128 MiB`."""
    steps, why = answer.question.steps, cliff.undecided
    if cliff.leaning and not why:
        why = words.leaning.format(step=steps[cliff.leaning])
    template = words.nowhere if cliff.high is None else words.at_most
    where = (template if cliff.low is None else words.between).format(
        subject=cliff.subject, low=steps.get(cliff.low or ""), high=steps.get(cliff.high or "")
    )
    return f"{where} ({why})" if why else where


def _values(answer: Answer, metric: Metric, words: ClaimWords) -> list[str]:
    """A metric at each step: `Jetty 79.3 %, Tomcat 0.0 % (virtual threads)`. What all have alike
    is said once."""
    cells = {
        step: {
            row.subject: metric.cell(row.values[metric.name].middle)
            for row in answer.step(step)
            if metric.name in row.values
        }
        for step in answer.question.steps
    }
    if all(metric.name in row.values for row in answer.rows):
        everywhere = {cell for of_step in cells.values() for cell in of_step.values()}
        if len(everywhere) == 1:
            return [*everywhere]
    subjects = len({row.subject for row in answer.rows})
    parts = []
    for step, label in answer.question.steps.items():
        of_step = cells[step]
        alike = len({*of_step.values()}) == 1 and len(of_step) == subjects
        named = [cell if alike else f"{subject} {cell}" for subject, cell in of_step.items()]
        values = words.between_names.join(dict.fromkeys(named)) or words.no_figure
        parts.append(words.of_subjects.format(step=values, subjects=label))
    return parts


def _differences(answer: Answer, metric: Metric, words: ClaimWords) -> list[str]:
    """Which steps differ from the baseline, in which direction and by how much; then those of
    which nothing is known."""
    claims: list[str] = []
    labels_by_kind: dict[NoClaim, list[str]] = {kind: [] for kind in words.no_claim}
    tied: list[Ratio] = []
    others = [step for step in answer.question.steps if step != answer.question.baseline]
    for step in others:
        label, of_step = answer.question.steps[step], answer.step(step)
        found: dict[Verdict | NoClaim, list[Row]] = {} if of_step else {NOT_MEASURED: []}
        for row in of_step:
            kind = NOT_MEASURED if row.not_measured and not row.failed else row.verdict(metric.name)
            found.setdefault(kind, []).append(row)
        tied += [row.ratios[metric.name] for row in found.get("tied", ())]
        if changes := [
            _change(found[verdict], of_step, metric, words)
            for verdict in _CLAIMS
            if verdict in found
        ]:
            joined = words.between_changes.join(changes)
            claims.append(words.claim.format(step=label, changes=joined))
        for kind, labels in labels_by_kind.items():
            if kind not in found:
                continue
            if len(others) == 1 and claims and kind in _OF_SUBJECTS:
                # the step was named just before
                labels += [row.subject for row in found[kind]]
            else:
                labels.append(_where(label, found[kind], of_step, words))
    low, high = _included(tied)
    claims += [
        words.no_claim[kind].format(
            term=words.term(metric), steps=words.listed(labels), low=low, high=high
        )
        for kind, labels in labels_by_kind.items()
        if labels
    ]
    return claims


def _change(found: Sequence[Row], of_step: Sequence[Row], metric: Metric, words: ClaimWords) -> str:
    """`Jetty and Tomcat 18 % [15, 21] and 34 % [31, 37] slower`."""
    ratios = [row.ratios[metric.name] for row in found]
    subjects = _subjects(found, of_step, words)
    groups = [[ratio] for ratio in ratios] if len(found) <= _MOST_NAMED else [ratios]
    sizes = words.listed([_size(group, words) for group in groups])
    return words.change(subjects, metric, ratios[0].ratio < 1, sizes)


def _size(ratios: Sequence[Ratio], words: ClaimWords) -> str:
    """By how much; of several the least and the most, and what all their intervals span."""
    sizes = sorted(abs(ratio.ratio - 1) for ratio in ratios)
    edges = sorted(
        abs(edge - 1) for ratio in ratios for edge in (ratio.low, ratio.high) if edge is not None
    )
    digits = int(sizes[0] < _SMALL_RATIO)
    # what differs must not look as if it did not
    while digits < _MOST_DIGITS and round(100 * edges[0], digits) == 0:
        digits += 1
    near, far, low, high = (
        f"{100 * size:,.{digits}f}" for size in (sizes[0], sizes[-1], edges[0], edges[-1])
    )
    return f"{near if near == far else words.span.format(near=near, far=far)} % [{low}, {high}]"


def _included(ratios: Sequence[Ratio]) -> tuple[str, str]:
    """How much less and more than the baseline all of these intervals include, in per cent."""
    edges = [edge - 1 for ratio in ratios for edge in (ratio.low, ratio.high) if edge is not None]
    if not edges:
        return "", ""
    low, high = 100 * min(edges), 100 * max(edges)
    digits = int(max(-low, high) < 100 * _SMALL_RATIO)
    return f"−{-low:,.{digits}f}", f"+{high:,.{digits}f}"


def _where(label: str, found: Sequence[Row], of_step: Sequence[Row], words: ClaimWords) -> str:
    if len(found) == len(of_step):
        return label
    subjects = words.between_names.join(row.subject for row in found)
    return words.of_subjects.format(step=label, subjects=subjects)


def _subjects(found: Sequence[Row], of_step: Sequence[Row], words: ClaimWords) -> str:
    """Their names; of many how many they are."""
    if len(found) <= _MOST_NAMED:
        return words.listed([row.subject for row in found])
    template = words.all_subjects if len(found) == len(of_step) else words.some_subjects
    return template.format(count=len(found), all=len(of_step))


# --- table and notes ---------------------------------------------------------------------------


def _cells(answer: Answer, row: Row) -> Iterator[str]:
    yield row.subject
    yield row.step
    for metric in _metrics(answer):
        value = row.values.get(metric.name)
        yield metric.cell(value.middle if value else None)
        if _is_compared(answer, metric):
            is_baseline = row.step == answer.question.baseline and value is not None
            yield "100 %" if is_baseline else _ratio(row.ratios.get(metric.name))
    yield (
        f"{row.processes}" if row.counted == row.processes else f"{row.counted} of {row.processes}"
    )
    known = row.bottleneck or units.ABSENT
    yield FAILED if row.failed else NOT_MEASURED if row.not_measured else known


def _ratio(ratio: Ratio | None) -> str:
    if ratio is None:
        return units.ABSENT
    digits = int(abs(ratio.ratio - 1) < _SMALL_RATIO)
    middle = f"{100 * ratio.ratio:,.{digits}f} %"
    if ratio.low is None or ratio.high is None:
        return f"{middle}, once"
    return f"{middle} [{100 * ratio.low:,.{digits}f}, {100 * ratio.high:,.{digits}f}]"


def _method(answer: Answer, templates: NoteWords) -> str:
    if not answer.rounds:
        template = templates.least if answer.cliffs else templates.uncompared
        return template.format(runs=RUNS_OF_LEAST)
    template = templates.once if answer.rounds == 1 else templates.rounds
    how = templates.interleaved if answer.interleaved else templates.in_turn
    return template.format(rounds=answer.rounds, how=how)


Noted = Iterable[tuple[Row, str]]


def _not_measured(answer: Answer) -> Noted:
    return ((row, row.not_measured) for row in answer.rows if row.not_measured)


def _left_out(answer: Answer) -> Noted:
    return ((row, why) for row in answer.rows for why in row.left_out)


def _missing(answer: Answer, words: ClaimWords) -> Noted:
    for row in answer.rows:
        for name, why in row.missing.items():
            yield row, f"{words.term(BY_NAME[name])}: {why}"


def _warnings(answer: Answer) -> Noted:
    return ((row, warning_words(caution)) for row in answer.rows for caution in row.warnings)


def _grouped(answer: Answer, template: str, found: Noted, words: ClaimWords) -> Iterator[str]:
    """Each text once, with the rows that it is about."""
    about: dict[str, list[str]] = {}
    for row, text in found:
        about.setdefault(text, []).append(f"{row.subject} {row.step}".strip())
    for text, names in about.items():
        distinct = list(dict.fromkeys(names))
        is_all = len(distinct) == len(answer.rows)
        rows = words.notes.all_rows if is_all else words.between_names.join(distinct)
        yield template.format(rows=rows, why=text)


def _sources(question: StepComparison, runs: Sequence[Run]) -> Iterator[str]:
    """Each command once, with the runs that it was, of one commit on one host."""
    started: dict[str, list[RunInfo]] = {}
    for run in runs:
        commit = f", commit {run.commit.sha[:12]}" if run.commit else ""
        text = f"{command(question, run)}{commit}; {_boots(run)}{host_line(run)}."
        started.setdefault(text, []).append(run.run)
    for text, [first, *others] in started.items():
        more = f" and {units.counted(len(others), 'more run')}" if others else ""
        yield f"{first.id}{more}, {first.started_at}: {text}"


def _boots(run: Run) -> str:
    versions = ", ".join(sorted(run.tools.boots.values()))
    return f"Spring Boot {versions}; " if versions else ""
