"""A process of another host, as the harness sees it."""

from __future__ import annotations

import signal
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import IO, Any, NamedTuple

from springbench.errors import HostError
from springbench.host.process_tree import ProcessTree
from springbench.host.shell import wait_for_exit

# what it printed comes after its end
_ANSWER_S = 10.0
# ten seconds of them; of a process that nobody samples the older are dropped
_MOST_SAMPLES = 200


class ProcessSample(NamedTuple):
    """Reading of a process: when, on the clock of `time.perf_counter` here, and what."""

    at_s: float
    read_bytes: int | None
    requests: int | None
    cpu_s: float | None
    stolen_s: float | None = None
    """What the hypervisor has taken of the CPUs in use on its host."""
    background_cpu_s: float | None = None
    """What other programs than those of the harness had on these."""
    written_bytes: int | None = None

    def counted_by(self, bytes_per_request: float | None) -> ProcessSample:
        """The same, where requests are counted by their bytes."""
        if bytes_per_request is None or self.written_bytes is None:
            return self
        return self._replace(requests=int(self.written_bytes / bytes_per_request))

    @classmethod
    def from_message(cls, message: dict[str, Any], offset_s: float) -> ProcessSample:
        """As the agent says it; added to its clock, `offset_s` gives this host's."""
        at_s = message["at"] + offset_s
        counts = message["read"], message["requests"], message["cpu"]
        return cls(at_s, *counts, message["stolen"], message["others"], message["written"])


Ask = Callable[..., dict[str, Any]]


@dataclass
class RemoteRunning:
    """A `Running` of another host. What it prints is written to `output` when it has ended."""

    id: int
    pid: int
    log: str
    ask: Ask
    fetch: Callable[[str], bytes]
    output: IO[bytes]
    offset_s: float
    """Added to that host's clock it gives this one's."""
    check: Callable[[], None]
    """Raises `HostError` when that host is gone."""
    _samples: deque[ProcessSample] = field(default_factory=lambda: deque(maxlen=_MOST_SAMPLES))
    _code: int | None = None
    _is_fetched: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def poll(self) -> int | None:
        self.check()
        if self._code is not None:
            self._keep()
        return self._code

    def wait(self, timeout: float | None = None) -> int:
        return wait_for_exit(self.poll, str(self.pid), timeout)

    def signal(self, number: int) -> None:
        self.ask("signal", id=self.id, number=int(number))

    @property
    def tree(self) -> ProcessTree:
        """Nothing of it is here."""
        return ProcessTree(0)

    def signal_all(self, number: int) -> None:
        self.signal(number)

    def stop(self, grace_s: float = 3.0) -> int:
        try:
            if self._code is None:
                reply = self.ask("stop", _ANSWER_S + grace_s, id=self.id, grace_s=grace_s)
                self._code = int(reply["code"])
            self._keep()
        except HostError:
            # gone: the other end ends what it started by itself
            self._code = -signal.SIGKILL if self._code is None else self._code
        return self._code

    def printed(self) -> str:
        """What it has printed so far."""
        return self.fetch(self.log).decode("utf-8", "replace")

    def catches(self, number: int) -> bool:
        """Whether it has a handler for a signal by now."""
        return bool(self.ask("catches", id=self.id, number=int(number))["catches"])

    def sample(self) -> ProcessSample:
        """A reading at this moment, a round trip later."""
        return ProcessSample.from_message(self.ask("sample", id=self.id), self.offset_s)

    def samples(self) -> list[ProcessSample]:
        """Readings that have come since they were asked for last, oldest first."""
        with self._lock:
            new = list(self._samples)
            self._samples.clear()
        return new

    def receive(self, message: dict[str, Any]) -> None:
        """Take what the other end says of it, unasked."""
        if "code" in message:
            self._code = int(message["code"])
            return
        with self._lock:
            self._samples.append(ProcessSample.from_message(message, self.offset_s))

    def _keep(self) -> None:
        if self._is_fetched:
            return
        self._is_fetched = True
        if not self.output.closed:
            self.output.write(self.fetch(self.log))
            self.output.flush()
