"""The events of a history, derived from what else it has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from springbench.analysis.finder.events import events_of
from springbench.history.acknowledged import read_acknowledged
from springbench.history.files import Files
from springbench.history.steps import read_steps
from springbench.results.events import Event
from springbench.results.history import ChunkRow
from springbench.results.published_comparison import PublishedComparison
from springbench.results.published_run import CaseRow


def read_events(
    files: Files,
    classes: Mapping[str, Sequence[ChunkRow]],
    comparisons: Sequence[PublishedComparison],
    cases: Sequence[CaseRow],
) -> list[Event]:
    """The events, the newest first."""
    return events_of(read_steps(files, classes), comparisons, read_acknowledged(files), cases)
