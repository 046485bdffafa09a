"""Badges of a history: one says how many regressions are open, of each service too, and one of each
case what it does.

A case that several host classes have measured has the badge of its newest result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from springbench import units
from springbench.history.files import BADGE_SUFFIX, BADGES, Files
from springbench.matrix.service_name import service_of
from springbench.report.badge import Tone, render
from springbench.results.events import Event
from springbench.results.history import Index, Latest

REGRESSIONS = "regressions"
_RATE = "throughput_rps"


def write_badges(files: Files, index: Index) -> None:
    """Renew all badges, and take away those of cases that are no longer there."""
    pictures = {REGRESSIONS: _regressions(index.events, REGRESSIONS), **dict(_cases(index))}
    for service in {name for row in index.cases if (name := service_of(row.case))}:
        own = [event for event in index.events if event.service == service]
        pictures[f"{REGRESSIONS}-{service}"] = _regressions(own, f"{service} {REGRESSIONS}")
    for name, text in pictures.items():
        files.write(f"{BADGES}/{name}{BADGE_SUFFIX}", text)
    for name in files.names(BADGES):
        if name.removesuffix(BADGE_SUFFIX) not in pictures:
            files.delete(f"{BADGES}/{name}")


def _regressions(events: Iterable[Event], label: str) -> str:
    open_ones = [each for each in events if each.is_open and each.direction == "regression"]
    confirmed = sum(each.state == "confirmed" for each in open_ones)
    suspected = len(open_ones) - confirmed
    words = [f"{confirmed} open"] if confirmed else []
    words += [f"{suspected} suspected"] if suspected else []
    tone: Tone = "bad" if confirmed else "plain" if suspected else "good"
    return render(label, ", ".join(words) or "none open", tone)


def _cases(index: Index) -> Iterator[tuple[str, str]]:
    """Name and picture of each case that has a result."""
    newest: dict[str, tuple[tuple[str, str], Latest, int]] = {}
    for of in index.classes:
        for at, row in enumerate(of.latest.row):
            key = (of.latest.time[at], of.latest.started_at[at])
            case = index.cases[row].case
            if case not in newest or newest[case][0] <= key:
                newest[case] = (key, of.latest, at)
    for case, (_, latest, at) in newest.items():
        yield case.replace("/", "~"), render(case, *_value(latest, at))


def _value(latest: Latest, at: int) -> tuple[str, Tone]:
    columns = latest.metrics.get(_RATE)
    rate_rps = columns.median[at] if columns else None
    if latest.status[at] != "ok" or rate_rps is None:
        return latest.status[at].replace("-", " "), "bad"
    # three digits: a badge that changed with each run would say nothing more
    rounded_rps = float(f"{rate_rps:.3g}")
    return f"{units.rate(rounded_rps)}/s", "plain"
