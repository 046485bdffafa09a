"""Facts of a comparison as parts of a sentence. Pure."""

from __future__ import annotations

from collections.abc import Callable

from springbench.results.comparison import FactRecord

Quote = Callable[[str], str]


def fact_words(fact: FactRecord, subject: str, quote: Quote, named: Callable[[str], str]) -> str:
    """What `subject` does, by this fact. `named` says a case as people do, safely."""
    case, base, head = named(fact.case), quote(fact.base), quote(fact.head)
    grown = "grow" if fact.worse else "shrink"
    words = {
        "failed": f"{subject} breaks {case}: {head}",
        "errors": f"{subject} makes {case} fail {head} requests, before it was {base}",
        "answer_bytes": f"{subject} makes answers of {case} {grown} from {base} to {head}",
        "artifact_bytes": f"{subject} makes the artifact of {case} {grown} from {base} to {head}",
        "collector": f"{subject} has {case} collect garbage by {head}, no longer by {base}",
        "headers": f"{subject} changes the headers of {case}",
        "bottleneck": f"with it {case} is limited by {head}, no longer by {base}",
    }
    return words[fact.metric]
