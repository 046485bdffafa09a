"""What is to be said of a result's number, sentence by sentence."""

from __future__ import annotations

from springbench.results.run import Caution, Result

# what limits the others is said by its label alone
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
    "not-warmed-up",
)


def notes_of(result: Result) -> list[str]:
    """Why the number is not larger, then what speaks against it, each with its remedy."""
    return [*bottleneck_notes(result), *map(warning_words, result.warnings)]


def bottleneck_notes(result: Result) -> list[str]:
    """Why the number is not larger, and how to lift that."""
    bottleneck = result.bottleneck
    if bottleneck and bottleneck.kind in _EXPLAINED:
        remedy = f" To lift it, {bottleneck.remedy}." if bottleneck.remedy else ""
        return [f"{bottleneck.text}{remedy}"]
    return []


def warning_words(warning: Caution) -> str:
    """The sentence of a warning, with its remedy."""
    remedy = f"; {warning.remedy}" if warning.remedy else ""
    return f"warning: {warning.message}{remedy}."
