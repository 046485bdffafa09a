"""What any load generator can do; nothing above knows which one runs.

A generator is a class with `start`. What it returns can be paused, sampled and ended, and then
gives its summary. Another generator takes a module like `wrk.py`, and its place in `Testbed`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Generic, Protocol, TypeVar

from springbench.host.remote.running import ProcessSample
from springbench.host.shell import Running
from springbench.matrix.templates import RequestTemplate
from springbench.measure.load.load_host import LoadHost

# of the sequences of ids: every load of every run asks for the same rows in the same order
IDS_SEED = 20240229
# the histogram's ceiling, not an abort: a slower response drops out of the percentiles
TIMEOUT_S = 60
# how long a generator may take to end, with everything that it keeps of its requests
STOP_GRACE_S = 0.5

Summary = TypeVar("Summary")


@dataclass(frozen=True)
class Requests:
    """What a server is asked for, for how long, and how fast.

    In a closed loop each of the `connections` asks again as soon as it has its answer. With a
    `rate_rps` requests are sent when they are due, whatever became of others: `count` of them.
    `templates` have no secret that is not filled in; several are a mix. Numbers of requests begin
    with `first_number`.
    """

    templates: tuple[RequestTemplate, ...]
    connections: int
    duration_s: float
    begin_over_s: float = 0.0
    """Over how long connections begin, one after the other; 0 for all at once."""
    rate_rps: float | None = None
    count: int | None = None
    first_number: int = 0


@dataclass(frozen=True)
class Place:
    """Where a load runs and goes to, and where its output is kept."""

    host: LoadHost
    base_url: str
    threads: int
    folder: Path
    name: str

    @property
    def authority(self) -> str:
        """Address and port, as the Host header has them."""
        return self.base_url.partition("://")[2]

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
    private: tuple[Path, ...] = ()
    """Files that hold requests, and with them what is secret: gone with the load."""
    counted: Callable[[ProcessSample], ProcessSample] = lambda sample: sample
    """A reading with its requests as this load counts them, where they are not its writes."""
    between: Callable[[float, float], Summary] | None = None
    """The summary of a part of it, on the clock of `time.perf_counter`, where it can tell."""
    killed_by: signal.Signals | None = None
    """The signal that ends it in order, where it does not handle one."""

    def __enter__(self) -> RunningLoad[Summary]:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.running.stop(STOP_GRACE_S)
        finally:
            self.stdout.close()
            for file in self.private:
                self.place.host.forget(file)

    def pause(self) -> None:
        """Stop it by the kernel; its connections stay open."""
        self.running.signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        self.running.signal(signal.SIGCONT)

    def sample(self) -> ProcessSample:
        """Its counters at this moment."""
        return self.counted(self.place.host.sample(self.running))

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
        return self.killed_by is not None or self.place.host.catches(self.running, signal.SIGINT)

    def end(self) -> None:
        """Tell it to end, and to print what it has. Ask again until it has ended: just after
        SIGCONT a signal may reach a thread that does not end the wait."""
        self.running.signal(signal.SIGCONT)
        self.running.signal(self.killed_by or signal.SIGINT)

    def summary(self) -> Summary:
        """What it has counted, once it has ended. Raises `CaseError` where it tells nothing."""
        return self.read(self)

    @property
    def printed(self) -> str:
        """All that it has printed."""
        return self.place.output.read_text(encoding="utf-8", errors="replace")


def private_file(content: bytes, suffix: str) -> Path:
    """A file of its own name that only its owner can read; the caller deletes it."""
    descriptor, name = tempfile.mkstemp(prefix="springbench-", suffix=suffix)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
    return Path(name)


@contextmanager
def removed_unless_started(host: LoadHost, files: Iterable[Path]) -> Iterator[None]:
    """What fails in this block leaves none of the files."""
    try:
        yield
    except BaseException:
        for file in files:
            host.forget(file)
        raise


class LoadGenerator(Protocol[Summary]):
    """A program that asks a server."""

    @property
    def program(self) -> str:
        """Its name, as the kernel knows it."""

    def start(self, requests: Requests, place: Place) -> RunningLoad[Summary]:
        """Start it on the load's CPUs; what it prints goes to the folder of its place."""
