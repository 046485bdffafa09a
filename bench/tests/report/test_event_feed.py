"""The feed of events: well-formed whatever the texts, and the same for the same events."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from springbench.report.event_feed import ATOM, MOST_ENTRIES, render
from springbench.results.events import Event, LastMeasured
from tests.suspected import affected, event

Golden = Callable[[str, str], None]
SITE = "https://octo.github.io/app/"


def an_event(after: int = 5, **fields: object) -> Event:
    return event(affected(1.08), before=after - 1, after=after).model_copy(
        update={"state": "confirmed", **fields}
    )


def entries(text: str) -> list[ET.Element]:
    return ET.fromstring(text).findall(f"{{{ATOM}}}entry")  # noqa: S314 - made here


def test_events_are_entries(golden: Golden) -> None:
    golden("events.atom", render([an_event(9, state="fixed"), an_event()], SITE))


def test_candidate_changes_are_not_listed_and_the_oldest_are_left_out() -> None:
    assert entries(render([an_event(state="suspected")])) == []
    assert len(entries(render([an_event(number) for number in range(2, 90)]))) == MOST_ENTRIES


def test_what_is_no_longer_measured_is_listed_where_it_was_no_candidate_change() -> None:
    last = LastMeasured(run="gh-7", sha="0123", time="2026-03-01T10:00:00Z", state="confirmed")
    ended = an_event(state="unmeasured", last_measured=last)
    text = render([ended], SITE)
    assert "no longer measured regression" in text
    assert "confirmed when last measured, by gh-7 of 0123" in text
    doubted = last.model_copy(update={"state": "suspected"})
    assert entries(render([ended.model_copy(update={"last_measured": doubted})])) == []


@given(text=st.text(max_size=200))
def test_any_text_makes_a_feed_that_can_be_read(text: str) -> None:
    about = an_event(shared=text, id=text)
    about.culprit.after.message = about.culprit.after.time = text
    [entry] = entries(render([about, an_event(state="suspected")], None))
    assert [child.tag.split("}")[1] for child in entry] == ["title", "id", "updated", "summary"]


def test_markup_stays_text() -> None:
    about = an_event(shared="</title><script>x</script>&lt;")
    text = render([about], SITE)
    assert "<script" not in text
    assert "</title><script>x</script>&lt;" in (entries(text)[0][0].text or "")
