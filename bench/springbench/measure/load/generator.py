"""What any load generator can do; nothing above knows which one runs.

A generator is a class with `start`. What it returns can be paused, sampled and ended, and then
gives its summary. Another generator takes a module like `wrk.py`, and its place in `Testbed`.
"""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Generic, Protocol, TypeVar

from springbench.host.remote.running import ProcessSample
from springbench.host.shell import Running
from springbench.measure.load.load_host import LoadHost

# of the sequences of ids: every load of every run asks for the same rows in the same order
IDS_SEED = 20240229
# the histogram's ceiling, not an abort: a slower response drops out of the percentiles
TIMEOUT_S = 60
# how long a generator may take to end, with everything that it keeps of its requests
STOP_GRACE_S = 0.5

Summary = TypeVar("Summary")


@dataclass(frozen=True)
class IdSequence:
    """Another id with each request, out of 1 to `rows`; `route` has {id} in its place."""

    route: str
    rows: int


@dataclass(frozen=True)
class Requests:
    """What a server is asked for, for how long, and how fast.

    In a closed loop each of the `connections` asks again as soon as it has its answer. With a
    `rate_rps` requests are sent when they are due, whatever became of others: `count` of them.
    """

    route: str
    connections: int
    duration_s: float
    ids: IdSequence | None = None
    begin_over_s: float = 0.0
    """Over how long connections begin, one after the other; 0 for all at once."""
    rate_rps: float | None = None
    count: int | None = None


@dataclass(frozen=True)
class Place:
    """Where a load runs and goes to, and where its output is kept."""

    host: LoadHost
    base_url: str
    threads: int
    folder: Path
    name: str

    @property
    def output(self) -> Path:
        """What the generator prints."""
        return self.folder / f"{self.name}.txt"


@dataclass
class RunningLoad(Generic[Summary]):
    """A load under way. Use as a context manager: it ends with the block, whatever happens."""

    program: str
    """Its name, as the kernel knows it."""
    place: Place
    running: Running
    stdout: IO[bytes]
    read: Callable[[RunningLoad[Summary]], Summary]

    def __enter__(self) -> RunningLoad[Summary]:
        return self

    def __exit__(self, *_: object) -> None:
        self.running.stop(STOP_GRACE_S)
        self.stdout.close()

    def pause(self) -> None:
        """Stop it by the kernel; its connections stay open."""
        self.running.signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        self.running.signal(signal.SIGCONT)

    def sample(self) -> ProcessSample:
        """Its counters at this moment."""
        return self.place.host.sample(self.running)

    def has_ended(self, wait_s: float = 0.0) -> bool:
        """Whether it ends within that time."""
        try:
            self.running.wait(wait_s)
        except subprocess.TimeoutExpired:
            return False
        return True

    @property
    def can_end(self) -> bool:
        """Whether it would end in order: on a busy host it asks for seconds before it takes a
        signal, which would kill it."""
        return self.place.host.catches(self.running, signal.SIGINT)

    def end(self) -> None:
        """Tell it to end, and to print what it has. Ask again until it has ended: just after
        SIGCONT a signal may reach a thread that does not end the wait."""
        self.running.signal(signal.SIGCONT)
        self.running.signal(signal.SIGINT)

    def summary(self) -> Summary:
        """What it has counted, once it has ended. Raises `CaseError` where it tells nothing."""
        return self.read(self)

    @property
    def printed(self) -> str:
        """All that it has printed."""
        return self.place.output.read_text(encoding="utf-8", errors="replace")


class LoadGenerator(Protocol[Summary]):
    """A program that asks a server."""

    @property
    def program(self) -> str:
        """Its name, as the kernel knows it."""

    def start(self, requests: Requests, place: Place) -> RunningLoad[Summary]:
        """Start it on the load's CPUs; what it prints goes to the folder of its place."""
