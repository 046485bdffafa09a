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
from typing import NamedTuple

from springbench.measure.load.timeline import Points, value_at
from springbench.measure.services.http import HOST, request

# five in a second are a thousandth of the load of the slowest server, and find half a second of
# wrong answers
INTERVAL_S = 0.2
PATIENCE_S = 60.0


class Probed(NamedTuple):
    """One answer: when the request was sent, since the load began, and what came."""

    at_s: float
    said: str
    """The status, with the target of a redirection; empty where none came."""
    closing: bool = False

    @property
    def is_ok(self) -> bool:
        """Whether it had status 200; one without an answer says nothing of the others."""
        return self.said in ("200", "")


@dataclass
class Probe:
    """Asks for a route again and again until it is stopped. Use as a context manager."""

    port: int
    route: str
    now_s: Callable[[], float]
    """Seconds since the load began."""
    host: str = HOST
    """Where the load comes to."""
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
        while not self._stop.is_set():
            at_s, began_s = self.now_s(), time.monotonic()
            try:
                answer = request(self.port, self.route, timeout_s=PATIENCE_S, host=self.host)
                probed = Probed(at_s, answer.description, answer.closing)
            except (OSError, http.client.HTTPException):
                probed = Probed(at_s, "")
            if not self._stop.is_set():
                self._seen.append(probed)
            self._stop.wait(max(0.0, INTERVAL_S - (time.monotonic() - began_s)))


class Wrong(NamedTuple):
    """Of the requests of a window: the share that was answered with another status than 200, and
    the most frequent of these, by so many probes."""

    ratio: float = 0.0
    said: str = ""
    probes: int = 0

    @property
    def is_counted(self) -> bool:
        """Whether wrk counts it as an error, too."""
        return self.said[:1] in ("4", "5")


def wrong_answers(
    seen: Sequence[Probed], begin_s: float, end_s: float, asked: Points = ()
) -> Wrong:
    """What probes that were sent in this time were answered.

    Each stands for the requests `asked` nearer to it than to another one; for as much as any other
    where these are not known.
    """
    inside = [each for each in seen if begin_s <= each.at_s <= end_s and each.said]
    wrong = Counter(each.said for each in inside if not each.is_ok)
    if not wrong:
        return Wrong(probes=len(inside))
    between = [(a.at_s + b.at_s) / 2 for a, b in itertools.pairwise(inside)]
    counts = [value_at(asked, at_s) for at_s in (begin_s, *between, end_s)]
    known = [count for count in counts if count is not None]
    ratio = wrong.total() / len(inside)
    if len(known) == len(counts) and known[-1] > known[0]:
        steps = zip(inside, itertools.pairwise(known), strict=True)
        answered = sum(last - first for each, (first, last) in steps if each.is_ok)
        # exactly one where no answer was right
        ratio = 1 - answered / (known[-1] - known[0])
    return Wrong(ratio, wrong.most_common(1)[0][0], len(inside))
