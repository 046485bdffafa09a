"""What a comparison found, as the one sentence that a hurried reader takes away. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from springbench import units
from springbench.matrix.service_name import SERVICE_BOOT
from springbench.results.comparison import (
    FactName,
    FactRecord,
    FindingRecord,
    Statement,
    Verdict,
    is_measured,
)
from springbench.results.metrics import BY_NAME, importance

Quote = Callable[[str], str]
# <boot>-<server>-<model>-<runtime>/<workload>/<connections>, as `runtime_name` has the runtime
CASE = re.compile(
    r"[a-z0-9]+-([a-z0-9]+)-([a-z0-9-]+)-([a-z0-9]+(?:_[a-z0-9.]+)*)/([a-z0-9-]+)/[0-9]+"
)
_SHORT_LIMIT = 40
_MOST_NAMED = 3
_ABSURD_RATIO = 1e4
NOTHING = "nothing could be compared"
_FACT_IMPORTANCE: tuple[FactName, ...] = (
    "failed",
    "errors",
    "slow",
    "bottleneck",
    "methods",
    "queries",
    "answer_bytes",
    "headers",
    "collector",
    "artifact_bytes",
)
# what a fact of that verdict is one of
_CASES: dict[Verdict, str] = {
    "regression": "such regression",
    "suspected": "suspected change",
    "improvement": "such improvement",
    "changed": "changed case",
}


@dataclass(frozen=True)
class _Changed:
    """A case that changed: one cause may show in several metrics, and is one change."""

    findings: tuple[FindingRecord, ...]

    @property
    def size(self) -> float:
        return abs(self.findings[0].ratio - 1)


def headline(statements: Sequence[Statement], subject: str = "head", quote: Quote = str) -> str:
    """What is surely worse, first what fails; the greatest change with its size and interval; how
    many there are beside it.

    `subject` is what makes the change, `quote` makes the names of cases harmless.
    """
    if not statements:
        return f"{_capital(NOTHING)}."
    findings = [statement for statement in statements if isinstance(statement, FindingRecord)]
    measured = {(finding.case, finding.verdict) for finding in findings}
    facts = [
        statement
        for statement in statements
        if isinstance(statement, FactRecord)
        # of a change that throughput or CPU time shows, methods are the explanation
        and not (statement.metric == "methods" and (statement.case, statement.verdict) in measured)
    ]
    quiet = [
        f"{count} {verdict}"
        for verdict in ("unchanged", "undecided")
        if (count := sum(statement.verdict == verdict for statement in statements))
    ]
    parts = [
        *_of_facts(facts, "regression", subject, quote),
        *_of_findings(findings, subject, quote),
        *_of_facts(facts, "suspected", f"suspected: {subject}", quote),
        *_of_facts(facts, "improvement", subject, quote),
        *_of_facts(facts, "changed", subject, quote),
    ]
    if not parts and not is_measured(statements):
        return f"{_capital(NOTHING)}: no two pairs were measured."
    if not parts:
        return f"No change was found: {', '.join(quiet)}."
    return f"{_capital('; '.join([*parts, *([', '.join(quiet)] if quiet else [])]))}."


def _of_facts(
    facts: Sequence[FactRecord], verdict: Verdict, subject: str, quote: Quote
) -> list[str]:
    """The first of them in words, and how many there are beside it."""
    such = sorted(
        (fact for fact in facts if fact.verdict == verdict),
        key=lambda fact: _FACT_IMPORTANCE.index(fact.metric),
    )
    if not such:
        return []
    text = _fact_words(such[0], subject, quote, lambda case: subject_of_case(case, quote))
    more = len({fact.case for fact in such}) - 1
    return [f"{text}; {units.counted(more, f'more {_CASES[verdict]}')}" if more else text]


def _of_findings(findings: Sequence[FindingRecord], subject: str, quote: Quote) -> list[str]:
    worse, better = _by_case(findings, "regression"), _by_case(findings, "improvement")
    suspected = _by_case(findings, "suspected")
    parts = []
    if worse:
        parts.append(
            f"{subject} makes {_change_words(worse[0], quote)}{_more(worse, 'regression')}"
        )
    elif better:
        parts.append(
            f"{subject} makes {_change_words(better[0], quote)}{_more(better, 'improvement')}"
        )
    if worse and better:
        parts.append(units.counted(len(better), "improvement"))
    if suspected:
        text = f"suspected: {subject} makes {_change_words(suspected[0], quote)}"
        parts.append(f"{text}{_more(suspected, 'suspected change')}")
    return parts


def is_service(case: str) -> bool:
    """Whether a case is of somebody's own service, as a springbench.toml describes it."""
    return case.startswith(f"{SERVICE_BOOT}-")


def subject_of_case(case: str, quote: Quote = str) -> str:
    """A case as people say it: `hello` on Tomcat virtual."""
    match = CASE.fullmatch(case)
    if match is None:
        return quote(case)
    server, model, run_as, workload = match.groups()
    runtimes = [part for part in run_as.split("_") if part not in ("jvm", "command")]
    if is_service(case):
        words = [word for word in (server, model, *runtimes) if word != "own"]
        return f"{quote(workload)} of {' '.join(words)}"
    words = [server.capitalize(), model, *runtimes]
    return f"{quote(workload)} on {' '.join(words)}"


def _by_case(findings: Iterable[FindingRecord], verdict: str) -> list[_Changed]:
    """What has that verdict, the greatest change first."""
    cases: dict[str, list[FindingRecord]] = {}
    for finding in findings:
        if finding.verdict == verdict:
            cases.setdefault(finding.case, []).append(finding)
    changed = [
        _Changed(tuple(sorted(case_findings, key=_importance))) for case_findings in cases.values()
    ]
    return sorted(changed, key=lambda change: -change.size)


def _importance(finding: FindingRecord) -> int:
    return importance(finding.metric)


def _change_words(changed: _Changed, quote: Quote) -> str:
    first, *other_findings = changed.findings
    within = interval_words(first.low_ratio, first.high_ratio)
    text = f"{subject_of_case(first.case, quote)} {_grown(first, quote)} ({within})"
    for other in other_findings[:_MOST_NAMED]:
        text += f", {_name(other, quote)} {percent(other.ratio - 1, '+')}"
    return text


def interval_words(low_ratio: float, high_ratio: float) -> str:
    """An interval of a ratio as changes: `7 to 9 %`; with signs where it holds both."""
    low, high = low_ratio - 1, high_ratio - 1
    if low * high < 0:
        return f"{percent(low, '+')} to {percent(high, '+')}"
    near, far = sorted((abs(low), abs(high)))
    # as many digits as it takes to tell the edges apart
    digits = 0 if percent(near) != percent(far) else 1
    return f"{percent(near, digits=digits).removesuffix(' %')} to {percent(far, digits=digits)}"


def percent(ratio: float, sign: str = "", digits: int = 0) -> str:
    """A change in per cent: `8 %`, with `sign` `+8 %`."""
    # a number that nobody measured must not fill a line
    return f"{100 * ratio:{sign},.{digits}f} %" if abs(ratio) < _ABSURD_RATIO else "very much"


def _grown(finding: FindingRecord, quote: Quote) -> str:
    size = percent(abs(finding.ratio - 1))
    known = BY_NAME.get(finding.metric)
    if known is None or known.phrases is None:
        return f"change its {_name(finding, quote)} by {size}"
    phrase = known.phrases.grown if finding.ratio > 1 else known.phrases.shrunk
    return phrase.format(size=size)


def _name(finding: FindingRecord, quote: Quote) -> str:
    return metric_words(finding.metric, quote)


def metric_words(metric: str, quote: Quote = str) -> str:
    """A metric as people call it: `CPU per request`; its own name where there is no other."""
    known = BY_NAME.get(metric)
    return known.term if known and known.term else quote(metric[:_SHORT_LIMIT])


def _more(changed: Sequence[_Changed], noun: str) -> str:
    further_count = len(changed) - 1
    return f"; {units.counted(further_count, f'more {noun}')}" if further_count else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _fact_words(fact: FactRecord, subject: str, quote: Quote, named: Callable[[str], str]) -> str:
    """What `subject` does, by this fact. `named` returns the name of a case, sanitised."""
    case, base, head = named(fact.case), quote(fact.base), quote(fact.head)
    grown, more = ("grow", "more") if fact.worse else ("shrink", "fewer")
    many = "some" if fact.worse else "fewer"
    less = "more" if fact.worse else "less"
    words = {
        "failed": f"{subject} breaks {case}: {head}",
        "errors": f"{subject} makes {case} fail {head} requests, before it was {base}",
        "slow": f"{subject} makes {many} answers of {case} slow: {head}, before it was {base}",
        "methods": (
            f"{subject} has {case} spend its CPU time elsewhere: {head}, not {base}"
            if fact.verdict == "changed"
            else f"{subject} makes {case} need {less} CPU time: {head}, before it was {base}"
        ),
        "answer_bytes": f"{subject} makes answers of {case} {grown} from {base} to {head}",
        "queries": f"{subject} makes {case} send {more} queries for a request: {head}, not {base}",
        "artifact_bytes": f"{subject} makes the artifact of {case} {grown} from {base} to {head}",
        "collector": f"{subject} has {case} collect garbage by {head}, no longer by {base}",
        "headers": f"{subject} changes the headers of {case}",
        "bottleneck": f"with it {case} is limited by {head}, no longer by {base}",
    }
    return words[fact.metric]
