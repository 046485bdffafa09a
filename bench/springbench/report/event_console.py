"""Events at a terminal, whatever its width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from springbench.report.event_words import (
    change_words,
    evidence_words,
    fixing,
    in_order,
    last_words,
    place_words,
    state_name,
)
from springbench.results.events import Event
from springbench.untrusted import one_line

_COLOURS = {
    ("confirmed", "regression"): "bold red",
    ("suspected", "regression"): "yellow",
    ("confirmed", "improvement"): "green",
}
_MOST_EVIDENCE = 3


def print_events(shown: Sequence[Event], events: Sequence[Event], out: Console) -> None:
    """Each with its words, open ones first. `events` are all of the history."""
    for event in in_order(shown):
        style = _COLOURS.get((event.state, event.direction), "bold")
        title = Text(one_line(f"{state_name(event)} {event.direction}"), style=style)
        out.print(title.append(f"  {event.id}", style="dim"))
        for line in _lines(event, events):
            out.print(Padding(Text(one_line(line)), (0, 0, 0, 2), expand=False))
        out.print()


def count_line(shown: Sequence[Event], events: Sequence[Event]) -> str:
    """How many there are, and how to see those that are not shown."""
    if not events:
        return "no events: no lasting change of level was found"
    is_open = sum(event.is_open for event in events)
    ended = sum(each.state == "unmeasured" for each in events if each not in shown)
    hidden = len(events) - len(shown) - ended
    text = f"{is_open} open event{'' if is_open == 1 else 's'}"
    if hidden:
        text += f"; {hidden} acknowledged, fixed or rejected: --all shows them too"
    if ended:
        text += f"; {ended} no longer measured: --all shows them"
    return text


def _lines(event: Event, events: Sequence[Event]) -> Iterator[str]:
    # what the affected series share may be long; what changed must be seen
    yield f"{event.shared}: {change_words(event)}"
    yield f"{place_words(event)} ({event.culprit.after.author})"
    if event.environment_change:
        yield f"at an environment change of the host: {event.environment_change}"
    if event.moved:
        yield f"cost that moved: see {event.moved}"
    for explained in event.explanations:
        yield f"why {explained.case}: {explained.text}"
    if event.fixed_by:
        by = fixing(event, events)
        where = f"{by.culprit.after.sha} {by.culprit.after.message}" if by else event.fixed_by
        yield f"fixed by {where}"
    if event.last_measured:
        yield last_words(event)
    if event.acknowledgement:
        by_whom = f" ({event.acknowledgement.by})" if event.acknowledgement.by else ""
        yield f"acknowledged: {event.acknowledgement.reason}{by_whom}"
    for evidence in event.evidence[:_MOST_EVIDENCE]:
        yield f"{evidence.comparison}: {evidence_words(evidence)}"
    more = len(event.evidence) - _MOST_EVIDENCE
    if more > 0:
        yield f"and {more} more findings as evidence: --json has all"
    if event.harness:
        yield f"measured by {event.harness}, which no comparison of springbench can confirm"
    elif not event.evidence:
        yield "no comparison by another job yet"
