"""`data/acknowledged.json`: what the repository's file acknowledges, as a history keeps it.

Events are derived from what a history holds. So a rebuild elsewhere, without the repository, makes
the same of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from springbench.history.files import ACKNOWLEDGED, Files, load, save
from springbench.history.packing import BrokenFileError
from springbench.results.acknowledged import Acknowledged, PublishedAcknowledgements
from springbench.results.events import Acknowledgement


def write_acknowledged(files: Files, come: Acknowledged) -> bool:
    """Keep the sound rows; whether that changed anything.

    Where nothing could be read of the file, what the history has stays. A damaged file of the
    history is made anew. Raises `ConfigurationError` for one of a newer schema.
    """
    if come.events is None:
        return False
    try:
        stored: Mapping[str, Acknowledgement] | None = read_acknowledged(files)
    except BrokenFileError:
        stored = None
    if stored == come.events:
        return False
    if come.events:
        rows = dict(sorted(come.events.items()))
        save(files, ACKNOWLEDGED, PublishedAcknowledgements(events=rows))
    else:
        files.delete(ACKNOWLEDGED)
    return True


def read_acknowledged(files: Files) -> dict[str, Acknowledgement]:
    """By event. Raises `ConfigurationError` for what cannot be read."""
    stored = load(files, ACKNOWLEDGED, PublishedAcknowledgements)
    return dict(stored.events) if stored else {}
