"""Events as an Atom feed, for readers of feeds. Pure: the same events make the same text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

from springbench.report.event_words import (
    change_words,
    evidence_words,
    last_words,
    place_words,
    state_name,
)
from springbench.results.events import Event
from springbench.untrusted import clipped, one_line

ATOM = "http://www.w3.org/2005/Atom"
MOST_ENTRIES = 50
TITLE_LIMIT = 200
TEXT_LIMIT = 2_000
# a feed has to name a time, also where a commit's is none
_NEVER = "1970-01-01T00:00:00Z"


def render(events: Sequence[Event], site: str | None = None) -> str:
    """The feed, the newest events first, as they come. Candidate changes are not listed: they may
    go.
    """
    listed = [event for event in events if _is_listed(event)][:MOST_ENTRIES]
    feed = ET.Element("feed", {"xmlns": ATOM})
    _add(feed, "title", "springbench: lasting changes")
    _add(feed, "id", site or "urn:springbench:events")
    _add(feed, "updated", max((_time(event) for event in listed), default=_NEVER))
    author = ET.SubElement(feed, "author")
    _add(author, "name", "springbench")
    if site:
        ET.SubElement(feed, "link", {"href": site})
    for event in listed:
        feed.append(_entry(event, site))
    ET.indent(feed)
    return ET.tostring(feed, encoding="unicode", xml_declaration=False) + "\n"


def _is_listed(event: Event) -> bool:
    last = event.last_measured
    return "suspected" not in (event.state, last.state if last else None)


def _entry(event: Event, site: str | None) -> ET.Element:
    entry = ET.Element("entry")
    _add(entry, "title", _title(event))
    # a reader shows an entry again where its id changes: the state is news
    _add(entry, "id", f"urn:springbench:{_plain(event.id, TITLE_LIMIT)}:{event.state}")
    _add(entry, "updated", _time(event))
    if site:
        ET.SubElement(entry, "link", {"href": site})
    _add(entry, "summary", _summary(event), {"type": "text"})
    return entry


def _title(event: Event) -> str:
    what = f"{clipped(event.shared, 120)}: {change_words(event)}"
    words = f"{state_name(event)} {event.direction}: {what}"
    return _plain(words, TITLE_LIMIT)


def _summary(event: Event) -> str:
    lines = [place_words(event), *(evidence_words(evidence) for evidence in event.evidence)]
    if event.last_measured:
        lines.append(last_words(event))
    if event.acknowledgement:
        lines.append(f"acknowledged: {event.acknowledgement.reason}")
    return _plain("; ".join(lines), TEXT_LIMIT)


def _time(event: Event) -> str:
    try:
        at = datetime.fromisoformat(event.culprit.after.time).astimezone(UTC)
    except (ValueError, OverflowError):
        return _NEVER
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def _add(
    parent: ET.Element, name: str, text: str, attributes: dict[str, str] | None = None
) -> None:
    ET.SubElement(parent, name, attributes or {}).text = text


def _plain(text: str, limit: int) -> str:
    """Without what XML forbids: it is never printable."""
    return clipped(one_line(text), limit)
