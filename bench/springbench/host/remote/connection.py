"""A connection to another host: requests and answers, and what its processes do meanwhile.

The other end is `agent.py`, handed over as text. Their clocks are compared by the shortest of some
round trips (Cristian, 1989), and never taken for one another.
"""

from __future__ import annotations

import io
import itertools
import json
import re
import shlex
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as AnswerTimeoutError
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from springbench.errors import ConfigurationError, HostError
from springbench.host.remote.running import RemoteRunning

ANSWER_S = 10.0
HEARTBEAT_S = 1.0
# for logging in, and for Python to start
HELLO_S = 30.0
_ROUND_TRIPS = 10
_MODULES = (
    "ends_with",
    "environment",
    "topology",
    "facts.cpu_times",
    "remote.agent",
)
# reads its own modules from standard input, of which the rest is the agent's
BOOTSTRAP = (
    "import json,sys,types;"
    "i=sys.stdin.buffer;"
    "s=json.loads(i.read(int(i.readline())));"
    "d=[(sys.modules.setdefault(n,types.ModuleType(n)),n,t) for n,t in s];"
    "[exec(compile(t,n,'exec'),m.__dict__) for m,n,t in d];"
    "sys.modules[s[-1][0]].main()"
)


class Connection:
    """An agent on another host, spoken to until `close`. Raises `HostError` when it is gone."""

    def __init__(self, destination: str, command: Sequence[str] | None = None) -> None:
        """Log in and hand the agent over; `command` reaches it in place of ssh."""
        self.destination = destination
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the connection
        self._numbers, self._ids = itertools.count(1), itertools.count(1)
        self._waiting: dict[int, Future[dict[str, Any]]] = {}
        self._processes: dict[int, RemoteRunning] = {}
        self._writing, self._closing = threading.Lock(), threading.Event()
        self._hello: Future[dict[str, Any]] = Future()
        self._lost: str | None = None
        self._child = self._start(command or ssh_command(destination, _python()))
        # piped, and so always there
        self._to = self._child.stdin or io.BytesIO()
        self._from = self._child.stdout or io.BytesIO()
        threading.Thread(target=self._read, name="load host", daemon=True).start()
        try:
            self._write(_agent_text())
            self.folder = str(self._answer(self._hello, HELLO_S)["folder"])
        except BaseException:
            self.close()
            raise
        threading.Thread(target=self._beat, name="heartbeat", daemon=True).start()

    @property
    def pid(self) -> int:
        """Process id of ssh, whose CPU time is the harness's own."""
        return self._child.pid

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all that was started there, and the connection."""
        self._closing.set()
        with suppress(OSError):  # it is gone
            self._to.close()
        try:
            self._child.wait(ANSWER_S)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        self._errors.close()

    def check(self) -> None:
        """Raises `HostError` when the other host is gone."""
        if self._lost is not None:
            raise HostError(self._lost)

    def ask(
        self, do: str, patience_s: float = ANSWER_S, *, data: bytes = b"", **words: Any
    ) -> dict[str, Any]:
        """The answer to a request. Raises `HostError` where it cannot be done, or the host is gone.

        `data` goes after the line; data that comes back is its `data`.
        """
        number = next(self._numbers)
        answer: Future[dict[str, Any]] = Future()
        self._waiting[number] = answer
        self.check()
        line = json.dumps({"n": number, "do": do, **words}).encode()
        self._write(line + b"\n" + data)
        try:
            return self._answer(answer, patience_s)
        finally:
            self._waiting.pop(number, None)

    def start(
        self,
        command: Sequence[str],
        output: IO[bytes],
        cpus: frozenset[int] = frozenset(),
        env: dict[str, str] | None = None,
        grace_s: float = 0.0,
    ) -> RemoteRunning:
        """Start a process there. What it prints is written to `output` when it has ended.

        When this end is gone it is killed, after a `grace_s` to end in order.
        """
        number, offset_s = next(self._ids), self.offset_s()
        running = RemoteRunning(number, 0, "", self.ask, self.fetch, output, offset_s, self.check)
        # before it starts: its first readings may come sooner than the answer
        self._processes[number] = running
        reply = self.ask(
            "start",
            id=number,
            command=list(command),
            cpus=sorted(cpus),
            env=env,
            grace_s=grace_s,
        )
        running.pid, running.log = int(reply["pid"]), str(reply["log"])
        return running

    def put(self, name: str, data: bytes, *, runs: bool = False) -> str:
        """Write a file in the agent's own folder, which goes with it; its path there."""
        size_s = len(data) / 1e6
        reply = self.ask("put", ANSWER_S + size_s, data=data, name=name, bytes=len(data), runs=runs)
        return str(reply["path"])

    def fetch(self, path: str) -> bytes:
        """A file's content."""
        data = self.ask("get", 6 * ANSWER_S, path=path)["data"]
        return bytes(data)

    def offset_s(self) -> float:
        """Added to the other host's clock it gives this one's, `time.perf_counter`."""
        found = []
        for _ in range(_ROUND_TRIPS):
            begin_s = time.perf_counter()
            there_s = float(self.ask("ping")["now"])
            end_s = time.perf_counter()
            found.append((end_s - begin_s, (begin_s + end_s) / 2 - there_s))
        return min(found)[1]

    def _start(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                # Ctrl-C reaches only the harness, which ends its children in order
                start_new_session=True,
            )
        except FileNotFoundError as error:
            self._errors.close()
            raise HostError(
                f"no {command[0]} on this host, which --load-host needs; install OpenSSH's client"
            ) from error

    def _write(self, data: bytes) -> None:
        try:
            with self._writing:
                self._to.write(data)
                self._to.flush()
        except (OSError, ValueError) as error:
            self._lose()
            raise HostError(self._lost) from error

    def _answer(self, answer: Future[dict[str, Any]], timeout_s: float) -> dict[str, Any]:
        try:
            return answer.result(timeout_s)
        except AnswerTimeoutError as error:
            self.check()
            raise HostError(
                f"{self.destination}: no answer within {timeout_s:.0f} s; is it overloaded?"
            ) from error

    def _beat(self) -> None:
        """The agent ends everything when it hears nothing any more."""
        while not self._closing.wait(HEARTBEAT_S) and self._lost is None:
            try:
                self.ask("ping")
            except HostError:
                return

    def _read(self) -> None:
        for line in iter(self._from.readline, b""):
            try:
                message = json.loads(line)
            except ValueError:
                continue  # a greeting of its login shell
            if isinstance(message, dict):
                data = self._from.read(message["bytes"]) if "bytes" in message else None
                self._take(message, data)
        self._lose()

    def _take(self, message: dict[str, Any], data: bytes | None) -> None:
        if "id" in message:
            # its end is the last that is said of a process
            known = self._processes.pop if "code" in message else self._processes.get
            if running := known(message["id"], None):
                running.receive(message)
        elif "agent" in message:
            self._hello.set_result(message)
        elif answer := self._waiting.get(message.get("n", 0)):
            if "error" in message:
                answer.set_exception(HostError(f"{self.destination}: {message['error']}"))
            else:
                answer.set_result({**message["ok"], "data": data})

    def _lose(self) -> None:
        """Remember why it is gone, and tell whoever waits."""
        try:
            code = self._child.wait(1.0)
        except subprocess.TimeoutExpired:
            code = None
        if self._lost is None and not self._closing.is_set():
            self._errors.seek(0)
            stderr = self._errors.read().decode("utf-8", "replace")
            self._lost = why_it_failed(self.destination, code, stderr)
        for answer in [*self._waiting.values(), self._hello]:
            if not answer.done():
                answer.set_exception(HostError(self._lost or f"{self.destination} was left"))


def _python() -> list[str]:
    return ["python3", "-u", "-c", BOOTSTRAP]


def local_agent() -> list[str]:
    """The command that runs the agent on this very host, without ssh."""
    return _python()


def _agent_text() -> bytes:
    host = Path(__file__).parent.parent
    texts = [
        (f"springbench.host.{name}", (host / f"{name.replace('.', '/')}.py").read_text("utf-8"))
        for name in _MODULES
    ]
    data = json.dumps(texts).encode()
    return f"{len(data)}\n".encode() + data


# --- ssh: its command line, and what its failures mean to a person --------------------------------


# a user's own ~/.ssh/config has its say in all else
_OPTIONS = (
    "BatchMode=yes",  # nobody is there to type a password
    "ConnectTimeout=10",
    # a host that vanishes is noticed after so many seconds
    "ServerAliveInterval=2",
    "ServerAliveCountMax=3",
    "ClearAllForwardings=yes",
)
# no option of ssh, and nothing that a shell or ssh reads as more than a name
_DESTINATION = re.compile(r"(?:[A-Za-z0-9_][A-Za-z0-9_.-]*@)?[A-Za-z0-9_\[][A-Za-z0-9_.:%\]-]*")
_NO_PYTHON = 127


def checked_destination(text: str) -> str:
    """`USER@HOST` as it is given. Raises `ConfigurationError` for what is none."""
    if not _DESTINATION.fullmatch(text):
        raise ConfigurationError(
            f"load host {text!r}: give HOST, USER@HOST or a Host of ~/.ssh/config; a port belongs "
            "there, too"
        )
    return text


def ssh_command(destination: str, remote: Sequence[str]) -> list[str]:
    """The ssh command that runs `remote` there."""
    options = [word for option in _OPTIONS for word in ("-o", option)]
    return ["ssh", "-T", *options, "--", destination, shlex.join(remote)]


def why_it_failed(destination: str, code: int | None, stderr: str) -> str:
    """One line: what is wrong with the connection, and what to do."""
    host = destination.rpartition("@")[2]
    for pattern, meaning in _MEANINGS:
        if re.search(pattern, stderr, re.IGNORECASE):
            return meaning.format(destination=destination, host=host)
    if code == _NO_PYTHON:
        return f"{destination} has no python3; install it there (3.8 or newer)"
    last = next((line for line in reversed(stderr.strip().splitlines()) if line.strip()), "")
    reason = f": {last.strip()}" if last else f" (code {code})" if code is not None else ""
    return f"{destination}: ssh ended{reason}; try `ssh {destination} true`"


_MEANINGS = (
    (
        r"remote host identification has changed",
        "{destination}: its host key is another than the one in known_hosts; find out why before "
        "you trust it, then `ssh-keygen -R {host}`",
    ),
    (
        r"host key verification failed|no .* host key is known",
        "{destination}: its host key is not known here; `ssh {destination} true` once, and compare "
        "the fingerprint that it shows",
    ),
    (
        r"permission denied|too many authentication failures",
        "{destination}: ssh asks for a password, and nobody is there to type it; "
        "`ssh-copy-id {destination}` brings a key there",
    ),
    (r"could not resolve hostname", "{destination}: no such host; see its name or ~/.ssh/config"),
    (
        r"connection refused",
        "{destination}: nothing listens for ssh there; start sshd, or name its port in "
        "~/.ssh/config",
    ),
    (
        r"no route to host|network is unreachable|timed out|timeout, server",
        "{destination}: it does not answer; is it up, and reachable from here?",
    ),
)
