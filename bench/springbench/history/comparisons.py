"""The comparisons of a history."""

from __future__ import annotations

from collections.abc import Callable

from springbench.errors import ConfigurationError
from springbench.history.files import DATA, RUN_SUFFIX, Files, load
from springbench.results.published_comparison import PublishedComparison

COMPARISONS = f"{DATA}/comparisons"


def read_comparisons(
    files: Files, tell: Callable[[str], None] = lambda _: None
) -> list[PublishedComparison]:
    """Every comparison, by its start. One that cannot be read is told, and costs no other."""
    paths = [
        f"{COMPARISONS}/{name}" for name in files.names(COMPARISONS) if name.endswith(RUN_SUFFIX)
    ]
    files.expect(paths)
    found = []
    for path in paths:
        try:
            comparison = load(files, path, PublishedComparison)
        except ConfigurationError as error:
            tell(f"left out: {error}")
            continue
        if comparison:
            found.append(comparison)
    return sorted(found, key=lambda each: (each.started_at, each.id))
