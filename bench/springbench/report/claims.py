"""A claim beside our figure: who published what, what we measured, and the verdict. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict

from springbench import units
from springbench.analysis.answers import axes_of
from springbench.analysis.claims import ClaimEvaluation
from springbench.plan.cases import Case
from springbench.report import answers
from springbench.report.markdown import escape, table_lines
from springbench.results.claims import Claim, Source
from springbench.results.metrics import BY_NAME
from springbench.results.published_answers import ClaimVerdict
from springbench.results.run import Run
from springbench.untrusted import one_line

LIST_COLUMNS = ("claim", "minutes", "verdict", "claimed")
LIST_LEFT_ALIGNED = {"claim", "verdict", "claimed"}
_VERDICTS: dict[ClaimVerdict, str] = {
    "holds": "holds",
    "does-not-hold": "does not hold",
    "bottleneck": "the bottleneck was",
    "not-warmed-up": "not warmed up",
    "undecided": "cannot be decided here",
}


def verdict(evaluation: ClaimEvaluation) -> str:
    """As a cell: `holds within 4 %`, `the bottleneck was thread cap`."""
    words = _VERDICTS[evaluation.verdict]
    if evaluation.verdict == "holds" and evaluation.distance is not None:
        return f"{words} within {max(1, math.ceil(round(100 * evaluation.distance, 6)))} %"
    if evaluation.verdict == "bottleneck":
        return f"{words} {evaluation.reason.partition(':')[0].partition(' (')[0]}"
    return words


def list_row(
    claim: Claim, estimate_s: float, evaluation: ClaimEvaluation | None
) -> tuple[str, ...]:
    """A claim with the minutes that it takes, and its verdict where there are runs."""
    minutes = f"{math.ceil(estimate_s / 60)}"
    measured = evaluation and any(not row.not_measured for row in evaluation.answer.rows)
    found = verdict(evaluation) if evaluation and measured else units.ABSENT
    return tuple(map(one_line, (claim.id, minutes, found, claim.claim)))


def lines(evaluation: ClaimEvaluation, source: Source, cases: Sequence[Case]) -> list[str]:
    """What stands above the table, the verdict last."""
    found = [
        f"source: {source.title}, {source.date or 'undated'}, {source.address}",
        f"conditions: {source.conditions}",
        f"compared: {_differences(*cases)}",
        f"claimed: {claimed(evaluation.claim)}",
        f"here: {_measured(evaluation)}",
        f"verdict: {_full_verdict(evaluation)}",
    ]
    return list(map(one_line, found))


def columns(evaluation: ClaimEvaluation) -> tuple[str, ...]:
    """Of the table: that of an answer, which has but one subject here."""
    return answers.columns(evaluation.answer)[1:]


def rows(evaluation: ClaimEvaluation) -> list[tuple[str, ...]]:
    """A row of texts for each step."""
    return [row[1:] for row in answers.rows(evaluation.answer)]


def notes(evaluation: ClaimEvaluation, runs: Sequence[Run]) -> list[str]:
    """What the reader must know; last, one command that measures it."""
    return [*answers.notes(evaluation.answer, runs), f"repeat: {command(evaluation.claim)}"]


def command(claim: Claim) -> str:
    """What measures it."""
    return f"springbench {claim.command} {claim.id}"


def render(
    evaluation: ClaimEvaluation, source: Source, cases: Sequence[Case], runs: Sequence[Run]
) -> str:
    """As Markdown."""
    found = [
        f"## {escape(evaluation.claim.claim)}",
        "",
        *(f"- {escape(line)}" for line in lines(evaluation, source, cases)),
        "",
        *table_lines(columns(evaluation), rows(evaluation), answers.LEFT_ALIGNED),
        "",
        *(f"- {escape(note)}" for note in notes(evaluation, runs)),
    ]
    return "\n".join(found) + "\n"


def list_data(
    claim: Claim, source: Source, estimate_s: float, evaluation: ClaimEvaluation | None
) -> dict[str, object]:
    """A row of the list, for programs."""
    return {
        **claim.model_dump(),
        "source": source.model_dump(),
        "estimate_s": estimate_s,
        **(_verdict_data(evaluation) if evaluation else {}),
    }


def as_data(evaluation: ClaimEvaluation, source: Source, runs: Sequence[Run]) -> dict[str, object]:
    """For programs; values in base units."""
    data = answers.as_data(evaluation.answer, runs)
    del data["question"], data["sentences"]
    return {
        "claim": evaluation.claim.model_dump(),
        "source": source.model_dump(),
        **_verdict_data(evaluation),
        **data,
        "command": command(evaluation.claim),
    }


def _verdict_data(evaluation: ClaimEvaluation) -> dict[str, object]:
    return {
        "verdict": evaluation.verdict,
        "reason": evaluation.reason or None,
        "ratio": asdict(evaluation.ratio) if evaluation.ratio else None,
        "distance": evaluation.distance,
    }


def _differences(base: Case, head: Case) -> str:
    """The axes that differ: `server jetty → tomcat`."""
    found = zip(axes_of(base).items(), axes_of(head).values(), strict=True)
    differ = [f"{axis} {one} → {other}" for (axis, one), other in found if one != other]
    return ", ".join(differ)


def claimed(claim: Claim) -> str:
    """`throughput of HEAD 15.2 times that of BASE; agrees within 20 %`."""
    metric = BY_NAME[claim.metric]
    what = f"{metric.term or metric.name} of {claim.head}"
    if claim.direction:
        limit = "at least" if claim.direction == "higher" else "at most"
        than = f"{limit} {_times(claim.ratio)} times" if claim.ratio else f"{claim.direction} than"
        return f"{what} {than} that of {claim.base}"
    than = "equal to" if claim.ratio == 1 else f"{_times(claim.ratio)} times"
    return f"{what} {than} that of {claim.base}; agrees within {100 * claim.within:.0f} %"


def _measured(evaluation: ClaimEvaluation) -> str:
    ratio = evaluation.ratio
    if ratio is None:
        return "not compared"
    if ratio.low is None or ratio.high is None:
        return f"{_times(ratio.ratio)} times, measured once"
    return f"{_times(ratio.ratio)} times [{_times(ratio.low)}, {_times(ratio.high)}]"


def _full_verdict(evaluation: ClaimEvaluation) -> str:
    if evaluation.verdict == "bottleneck":
        return f"{_VERDICTS['bottleneck']} {evaluation.reason}"
    return ": ".join(filter(None, (verdict(evaluation), evaluation.reason)))


def _times(ratio: float | None) -> str:
    """With three digits, from thousands on with separators: `0.0345`, `15.2`, `1,416`."""
    if ratio is None:
        return units.ABSENT
    return f"{ratio:,.0f}" if ratio >= 1000 else f"{ratio:.3g}"
