"""What is to be said of a result's number, sentence by sentence."""

from __future__ import annotations

from springbench.results.run import Result

# what bounds the others is said by its label alone
_EXPLAINED = (
    "thread-cap",
    "memory",
    "upstream",
    "backlog",
    "database-pool",
    "cpu-waves",
    "load-generator",
    "link",
    "errors",
    "compiling",
)


def notes_of(result: Result) -> list[str]:
    """Why the number is not larger, then what speaks against it, each with its remedy."""
    notes = []
    bound = result.bound
    if bound and bound.kind in _EXPLAINED:
        remedy = f" To lift it, {bound.remedy}." if bound.remedy else ""
        notes.append(f"{bound.text}{remedy}")
    for warning in result.warnings:
        remedy = f"; {warning.remedy}" if warning.remedy else ""
        notes.append(f"warning: {warning.message}{remedy}.")
    return notes
