"""The comparisons of a history."""

from __future__ import annotations

from springbench.errors import ConfigurationError
from springbench.history.files import DATA, RUN_SUFFIX, Files, load
from springbench.results.published_comparison import PublishedComparison

COMPARISONS = f"{DATA}/comparisons"


def read_comparisons(files: Files) -> list[PublishedComparison]:
    """All that can be read, in the order of their start."""
    paths = [
        f"{COMPARISONS}/{name}" for name in files.names(COMPARISONS) if name.endswith(RUN_SUFFIX)
    ]
    files.expect(paths)
    found = []
    for path in paths:
        try:
            comparison = load(files, path, PublishedComparison)
        except ConfigurationError:
            continue
        if comparison:
            found.append(comparison)
    return sorted(found, key=lambda each: (each.started_at, each.id))
