"""Single requests beside a load: what it is answered with.

wrk counts statuses above 399, and nothing else. A server that sends every user to its login page
after a while would be measured as a fast one.
"""

from __future__ import annotations

import http.client
import itertools
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from springbench.errors import CaseError
from springbench.matrix.templates import RequestTemplate
from springbench.measure.load.timeline import Points, value_at
from springbench.measure.services.http import Answer
from springbench.measure.session import mismatch

# five in a second are a thousandth of the load of the slowest server, and find half a second of
# wrong answers
INTERVAL_S = 0.2
LEAST_INTERVAL_S = 0.05
PATIENCE_S = 60.0


class Ask(Protocol):
    """Sends one request to a server."""

    def __call__(self, template: RequestTemplate, *, timeout_s: float) -> Answer: ...


class Probed(NamedTuple):
    """One answer: when the request was sent, since the load began, and what came."""

    at_s: float
    answer: str
    """The status, with the target of a redirection; empty where none came."""
    closing: bool = False
    is_ok: bool = True
    """Whether it was as it must be; one without an answer says nothing of the others."""
    template_index: int = 0
    """Which request of a mix was asked."""


@dataclass
class Probe:
    """Sends the requests of a load one after the other, again and again, until it is stopped. Use
    as a context manager."""

    ask: Ask
    templates: Sequence[RequestTemplate]
    now_s: Callable[[], float]
    """Seconds since the load began."""
    _seen: list[Probed] = field(default_factory=list)
    _stop: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Probe:
        # behind a queue it may wait longer than the load lasts: nobody waits for it
        threading.Thread(target=self._loop, name="probe", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()

    @property
    def seen(self) -> tuple[Probed, ...]:
        """Answers so far."""
        return tuple(self._seen)

    def _loop(self) -> None:
        # each request of a mix as often as one that is alone
        interval_s = max(LEAST_INTERVAL_S, INTERVAL_S / len(self.templates))
        for index, template in itertools.cycle(enumerate(self.templates)):
            if self._stop.is_set():
                return
            at_s, began_s = self.now_s(), time.monotonic()
            try:
                answer = self.ask(template, timeout_s=PATIENCE_S)
                wrong = mismatch(template, answer)
                result = wrong or str(answer.status)
                probed = Probed(at_s, result, answer.closing, not wrong, index)
            except (OSError, http.client.HTTPException, CaseError):
                probed = Probed(at_s, "", template_index=index)
            if not self._stop.is_set():
                self._seen.append(probed)
            self._stop.wait(max(0.0, interval_s - (time.monotonic() - began_s)))


class WrongAnswers(NamedTuple):
    """Of the requests of a window: the share that was not answered as it must be, and the most
    frequent of these answers, by so many probes."""

    ratio: float = 0.0
    answer: str = ""
    probes: int = 0

    @property
    def is_counted(self) -> bool:
        """Whether wrk counts it as an error, too."""
        return self.answer[:1] in ("4", "5")


def wrong_answers(
    seen: Sequence[Probed], begin_s: float, end_s: float, requests: Points = ()
) -> WrongAnswers:
    """What probes that were sent in this time were answered.

    Each stands for those of `requests` that are nearer to it than to another one; for as much as
    any other where these are not known.
    """
    inside = [probed for probed in seen if begin_s <= probed.at_s <= end_s and probed.answer]
    wrong = Counter(probed.answer for probed in inside if not probed.is_ok)
    if not wrong:
        return WrongAnswers(probes=len(inside))
    between = [(a.at_s + b.at_s) / 2 for a, b in itertools.pairwise(inside)]
    counts = [value_at(requests, at_s) for at_s in (begin_s, *between, end_s)]
    known = [count for count in counts if count is not None]
    ratio = wrong.total() / len(inside)
    if len(known) == len(counts) and known[-1] > known[0]:
        steps = zip(inside, itertools.pairwise(known), strict=True)
        answered = sum(last - first for probed, (first, last) in steps if probed.is_ok)
        # exactly one where no answer was right
        ratio = 1 - answered / (known[-1] - known[0])
    return WrongAnswers(ratio, wrong.most_common(1)[0][0], len(inside))


def wrong_answers_by_request(
    seen: Sequence[Probed],
    weights: Sequence[int],
    begin_s: float,
    end_s: float,
    requests: Points = (),
) -> tuple[WrongAnswers, list[WrongAnswers]]:
    """As `wrong_answers`, of all requests of a mix by their weights, and of each."""
    found = [
        wrong_answers(
            [probed for probed in seen if probed.template_index == index], begin_s, end_s, requests
        )
        for index in range(len(weights))
    ]
    shares = [weight if wrong.probes else 0 for weight, wrong in zip(weights, found, strict=True)]
    parts = [share * wrong.ratio for share, wrong in zip(shares, found, strict=True)]
    ratio = sum(parts) / sum(shares) if any(shares) else 0.0
    answer = found[parts.index(max(parts))].answer
    return WrongAnswers(ratio, answer, sum(wrong.probes for wrong in found)), found
