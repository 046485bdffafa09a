"""A comparison of two commits, condensed into what is published of it. Pure."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import ValidationError

from springbench.errors import ConfigurationError
from springbench.history.brief import LONGEST_NOTE, LONGEST_WARNING, first_line, round_significant
from springbench.history.condense import (
    CANARY_CODE,
    SHARED_HOST,
    UNFINISHED,
    commit_time,
    host_of,
    utc,
)
from springbench.history.entries import SHA_DIGITS
from springbench.history.plausible import before_its_commit, impossible_finding, wrong_clock
from springbench.results.comparison import Comparison, FactRecord, FindingRecord, SideInfo
from springbench.results.history_names import CommitRow
from springbench.results.notes import warning_words
from springbench.results.published_comparison import (
    PublishedComparison,
    PublishedExplanation,
    PublishedFinding,
    Purpose,
)
from springbench.results.published_run import DRIFTED, PublishedTools

_HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
# a fact may be of a variant as a whole
_CASE_OR_VARIANT = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*(?:/[A-Za-z0-9_.-]+/[0-9]{1,9})?")
_DIGEST_DIGITS = 8


@dataclass(frozen=True)
class Occasion:
    """What a person or a workflow gives comparisons beside their folders."""

    purpose: Purpose = "manual"
    url: str | None = None
    marks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Condensed:
    """What is published of a comparison, and a line for each statement that is left out."""

    comparison: PublishedComparison
    left_out: tuple[str, ...] = ()


def condense_comparison(
    comparison: Comparison, occasion: Occasion, *, force: bool = False
) -> Condensed:
    """Condense what is sound. Raises `ConfigurationError` where nothing is, with the reason.

    What drifted is sound for nobody but who has it published by force.
    """
    _check(comparison, force=force)
    left_out: list[str] = []
    began = comparison.comparison.started_at
    if why := before_its_commit(utc(began), utc(comparison.head.time or "")):
        left_out.append(f"it began at {began}, which {why}: set the clock of its host")
    findings = list(_findings(comparison, left_out))
    facts = list(_facts(comparison, left_out))
    explanations = list(_explanations(comparison, left_out))
    if not findings and not facts:
        raise ConfigurationError(
            "; ".join(left_out) or "it says nothing: no pair was measured on both sides"
        )
    try:
        published = _published(comparison, occasion, findings, facts, explanations)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise ConfigurationError(
            f"{'.'.join(map(str, first['loc']))} cannot be published ({first['msg']}): allowed are "
            "letters, digits, '.', '_' and '-'; marks are short words such as shared-host"
        ) from error
    return Condensed(published, tuple(left_out))


def needs_facts(side: SideInfo) -> bool:
    """Whether more must be known of a side's commit before it can be published."""
    is_commit = side.kind == "commit" and _HASH.fullmatch(side.sha or "") is not None
    return is_commit and None in (side.message, side.author, side.time)


def _check(comparison: Comparison, *, force: bool) -> None:
    if not comparison.comparison.interleaved:
        raise ConfigurationError(
            "its sides were measured at different times, so what drifted counts as a change; "
            "compare the commits side by side"
        )
    for name, side in (("base", comparison.base), ("head", comparison.head)):
        _check_side(name, side)
    if comparison.base.sha == comparison.head.sha:
        raise ConfigurationError(
            "base and head are one commit: between them lies no step; compare two"
        )
    began = comparison.comparison.started_at
    if why := wrong_clock(utc(began)):
        raise ConfigurationError(
            f"it began at {began}, which {why}; set the clock of its host, and compare again"
        )
    if _has_drifted(comparison) and not force:
        raise ConfigurationError(
            "the canary says that the host had drifted; --force publishes it, marked"
        )


def _check_side(name: str, side: SideInfo) -> None:
    if side.kind != "commit":
        raise ConfigurationError(
            f"{name} is of kind {side.kind}: the steps of a history lie between commits; "
            "compare two commits of this repository (a checkout is one where git reads it and no "
            "tracked file was changed)"
        )
    if not _HASH.fullmatch(side.sha or ""):
        raise ConfigurationError(
            f"{name} has no hash of 40 or 64 hexadecimal digits, so its commit is not known; "
            "compare again with this springbench"
        )
    if needs_facts(side):
        raise ConfigurationError(
            f"nothing is known of {name}'s commit {(side.sha or '')[:SHA_DIGITS]}: the file does "
            "not say when it was made and by whom, and this repository has it not; "
            "`git fetch` it, or compare again with this springbench"
        )


def _has_drifted(comparison: Comparison) -> bool:
    return any(caution.code == CANARY_CODE for caution in comparison.warnings)


def _findings(comparison: Comparison, left_out: list[str]) -> Iterator[PublishedFinding]:
    seen: set[tuple[str, str]] = set()
    for index, finding in enumerate(comparison.findings):
        key = (finding.case, finding.metric)
        reason = "its case and metric stand there before" if key in seen else None
        if reason := reason or impossible_finding(finding):
            left_out.append(f"finding {index + 1} is left out: {reason}")
            continue
        seen.add(key)
        try:
            yield _finding(finding)
        except ValidationError:
            left_out.append(f"finding {index + 1} is left out: its case is no name of a case")


def _finding(finding: FindingRecord) -> PublishedFinding:
    return PublishedFinding(
        case=finding.case,
        metric=finding.metric,
        unit=finding.unit,
        better=finding.better,
        ratio=round_significant(finding.ratio),
        low_ratio=round_significant(finding.low_ratio),
        high_ratio=round_significant(finding.high_ratio),
        p_value=round_significant(finding.p_value),
        pairs=finding.pairs,
        verdict=finding.verdict,
        note=first_line(finding.note, LONGEST_NOTE) if finding.note else None,
    )


def _facts(comparison: Comparison, left_out: list[str]) -> Iterator[FactRecord]:
    for index, fact in enumerate(comparison.facts):
        if not _CASE_OR_VARIANT.fullmatch(fact.case):
            left_out.append(f"fact {index + 1} is left out: it is of no case and no variant")
            continue
        words = {
            name: first_line(text, LONGEST_NOTE)
            for name in ("base", "head", "note")
            if (text := getattr(fact, name)) is not None
        }
        yield fact.model_copy(update=words)


def _explanations(comparison: Comparison, left_out: list[str]) -> Iterator[PublishedExplanation]:
    for index, explanation in enumerate(comparison.explanations):
        try:
            text = first_line(explanation.text, LONGEST_WARNING)
            yield PublishedExplanation(case=explanation.case, event=explanation.event, text=text)
        except ValidationError:
            left_out.append(f"explanation {index + 1} is left out: its case is no name of a case")


def _published(
    comparison: Comparison,
    occasion: Occasion,
    findings: list[PublishedFinding],
    facts: list[FactRecord],
    explanations: list[PublishedExplanation],
) -> PublishedComparison:
    info = comparison.comparison
    began, ended = utc(info.started_at), info.finished_at and utc(info.finished_at)
    return PublishedComparison(
        id=f"{info.id}-{_digest(comparison)}",
        purpose=occasion.purpose,
        started_at=began,
        # a clock that was set back meanwhile would make it cost less than nothing
        finished_at=max(began, ended) if ended else None,
        profile=first_line(info.profile),
        java_options=info.java_options,
        url=occasion.url,
        marks=sorted({*occasion.marks, *_marks(comparison)}),
        base=_commit(comparison.base, began),
        head=_commit(comparison.head, began),
        commits=info.commits,
        host=host_of(comparison.host),
        tools=PublishedTools(**comparison.tools.model_dump()),
        findings=findings,
        facts=facts,
        explanations=explanations,
        warnings=[
            first_line(warning_words(warning), LONGEST_WARNING) for warning in comparison.warnings
        ],
    )


def _marks(comparison: Comparison) -> Iterator[str]:
    if _has_drifted(comparison):
        yield DRIFTED
    if comparison.comparison.finished_at is None:
        yield UNFINISHED
    if any(caution.code == SHARED_HOST for caution in comparison.warnings):
        yield SHARED_HOST


def _digest(comparison: Comparison) -> str:
    """Tells comparisons of several hosts apart that began in one second; the same whenever asked.

    Hosted runners look alike, so what was compared is part of it. What came out is not: a file in
    which a figure was changed has the id of the one that it was.
    """
    info = comparison.comparison
    identity = (
        info.started_at,
        comparison.base.sha or "",
        comparison.head.sha or "",
        comparison.host.fingerprint,
        *sorted({*comparison.pairs, *(finding.case for finding in comparison.findings)}),
    )
    return hashlib.sha256("\n".join(identity).encode()).hexdigest()[:_DIGEST_DIGITS]


def _commit(side: SideInfo, measured_at: str) -> CommitRow:
    return CommitRow(
        sha=(side.sha or "")[:SHA_DIGITS],
        time=commit_time(side.time or "", measured_at),
        message=first_line(side.message or ""),
        author=first_line(side.author or ""),
    )
