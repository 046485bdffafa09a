"""A server under test: started fresh, polled until it answers, stopped for good."""

from __future__ import annotations

import http.client
import math
import os
import signal
import socket
import ssl
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import psutil

from springbench import units
from springbench.errors import CaseError
from springbench.host.memory_limit.control_group import CgroupStats, ControlGroup
from springbench.host.ports import free_port
from springbench.host.shell import Running
from springbench.host.temporary_folder import remove_attach_sockets, temporary_folder
from springbench.matrix.servers import HTTP1, HttpProtocol
from springbench.matrix.templates import RequestTemplate, get
from springbench.measure.readings import gclog
from springbench.measure.readings.at_rest import at_rest
from springbench.measure.readings.gclog import Collection
from springbench.measure.readings.tree import TreeReadings
from springbench.measure.server.command import Start
from springbench.measure.server.compilers import Compilers
from springbench.measure.server.key_store import trust
from springbench.measure.server.log import LOG, gc_log, heap_words, why_it_ended, why_it_waits
from springbench.measure.server.patience import StartPatience
from springbench.measure.services.http import HOST, Answer, http2_refusal, in_url, request
from springbench.measure.session import Session, expected, mismatch, redact
from springbench.measure.testbed import Testbed
from springbench.results.records import IdleRecord

READY_POLL_S = 0.005
ROUTE_AGAIN_S = 0.2
# with these a server says that nobody should ask so; it may still be on its way up
WRONG_REQUEST = range(400, 408)
WRONG_REQUEST_CEILING_S = 3.0
# another one of these than is asked for is no beginning of it
SUCCESS = range(200, 300)
# redirects among them: longer than servers take to deploy what they have begun to listen for
REFUSED = range(300, 408)
REFUSED_CEILING_S = 30.0
# a server is given no time to stop gracefully: nothing is learnt from it, and the next one waits
STOP_GRACE_S = 0.0
NO_GROUP = ControlGroup(list, CgroupStats())


@dataclass(frozen=True)
class ServerProcess:
    """A running server."""

    running: Running
    port: int
    started_at_s: float
    group: ControlGroup = NO_GROUP
    folder: Path | None = None
    """Of its log, where that is known."""
    cpus: frozenset[int] = frozenset()
    """Those that it was started on; none where nothing is pinned."""
    address: str = HOST
    """By which it is asked: the one that its load uses."""
    of_service: bool = False
    """Whether a springbench.toml describes it."""
    gc_log: Path | None = None
    """Where it tells its collections, if it may."""
    session: Session = field(default_factory=Session)
    """What it is asked with."""
    protocol: HttpProtocol = HTTP1
    """What its load is sent over; probe requests go over HTTP/1.1 with the same TLS."""
    certificate: Path | None = None
    """The one that it has to answer with over TLS."""
    held: bool = False
    """Whether it is measured on just the CPUs that it has, its warm-up too."""

    @cached_property
    def compilers(self) -> Compilers:
        """Its just-in-time compilers, if it has any."""
        return Compilers(self.running.tree.members, held=self.held)

    @cached_property
    def readings(self) -> TreeReadings:
        """Readings of the process and all that it has started: the server is all of these."""
        return TreeReadings(self.running.tree)

    @property
    def jvm(self) -> int:
        """Its JVM; the process that was started where it has none, or several."""
        found = self.readings.jvm()
        return self.running.pid if found is None else found

    def pause(self) -> None:
        """Have the kernel stop it with all that it has started, until it is resumed."""
        self.running.signal_all(signal.SIGSTOP)

    @contextmanager
    def resumed(self) -> Iterator[None]:
        """Only inside this block does it run."""
        self.running.signal_all(signal.SIGCONT)
        try:
            yield
        finally:
            self.pause()

    def collections(self) -> list[Collection] | None:
        """Those of its life until now; None where it tells none."""
        return gclog.read(self.gc_log) if self.gc_log else None

    def check_alive(self, phase: str) -> None:
        """Raises `CaseError` when the server has ended."""
        if (code := self._ended()) is not None:
            raise CaseError(f"the server exited with code {code} during {phase}")

    def _ended(self) -> int | None:
        """Its exit code. One that ends well may have left its program in the background."""
        code = self.running.poll()
        return None if code == 0 and self.running.tree.living() else code

    def _keep_on_cpus(self) -> None:
        """Have all of its processes on its CPUs: some choose CPUs of their own at their start."""
        if not self.cpus:
            return
        for pid in self.running.tree.living():
            with suppress(OSError):
                if not os.sched_getaffinity(pid) <= self.cpus:
                    for thread in Path(f"/proc/{pid}/task").iterdir():
                        os.sched_setaffinity(int(thread.name), self.cpus)

    def wait_ready(
        self, health: str, ceiling_s: float | None = None, *, status: int = http.client.OK
    ) -> float:
        """Seconds from process start to the first answer with that status.

        Raises `CaseError` when it ends before, when `StartPatience` does, and where it does nothing
        but refuse the route, or listens elsewhere.
        """
        patience = StartPatience(self.readings.cpu_time_s, ceiling_s)
        last, answers, refused_since_s = "refused connections", False, math.inf
        while not patience.ended(
            elapsed_s := time.perf_counter() - self.started_at_s, answers=answers
        ):
            if elapsed_s - refused_since_s > REFUSED_CEILING_S:
                break
            if (code := self._ended()) is not None:
                why = why_it_ended(code, self.folder, of_service=self.of_service)
                raise CaseError(f"the server exited with code {code} during startup{why}")
            try:
                answered = self.ask(get(health), timeout_s=2.0).status
            except ssl.SSLCertVerificationError as error:
                raise CaseError(
                    f"{health} is answered with another certificate than the one that it should "
                    f"have ({error.verify_message})"
                ) from error
            except ssl.SSLError as error:
                # what does listen will not learn to speak TLS by waiting
                last = f"is not answered over TLS ({error.reason or error})"
                refused_since_s = min(refused_since_s, elapsed_s)
            except (OSError, http.client.HTTPException) as error:
                last = f"gave no answer ({type(error).__name__})"
                if self._where_it_listens():
                    refused_since_s = min(refused_since_s, elapsed_s)
            else:
                if answered == status:
                    ready_s = time.perf_counter() - self.started_at_s
                    self._check_answer_is_its_own()
                    self._check_speaks_http2()
                    self._keep_on_cpus()
                    return ready_s
                last, answers = f"answered {answered}, not {status}", True
                refused = answered in REFUSED
                refused_since_s = min(refused_since_s, elapsed_s) if refused else math.inf
            time.sleep(READY_POLL_S)
        why = self._where_it_listens() or why_it_waits(self.folder, of_service=self.of_service)
        raise CaseError(f"the server never got ready: after {elapsed_s:.0f} s {health} {last}{why}")

    def ask(self, template: RequestTemplate, *, timeout_s: float) -> Answer:
        """One request of this host, as `request`. Raises `CaseError` where it cannot be filled."""
        sent = self.session.single(template)
        return request(
            self.port,
            sent.path,
            timeout_s=timeout_s,
            method=sent.method,
            host=self.address,
            headers=sent.headers,
            body=sent.body,
            tls=trust(self.certificate) if self.certificate and self.protocol.tls else None,
        )

    def log_in(self, ceiling_s: float) -> None:
        """Take the token that requests are filled with, if there is a login. Raises `CaseError`."""
        self.session.log_in(lambda login: self.check_route(login, ceiling_s, shows_body=False))

    def _where_it_listens(self) -> str:
        """Of one that does not listen where its load comes to, and does on the loopback."""
        if self.address == HOST:
            return ""
        try:
            socket.create_connection((HOST, self.port), timeout=2.0).close()
        except OSError:
            return ""
        return (
            f"; {HOST}:{self.port} does answer, and the load comes to "
            f"{in_url(self.address)}:{self.port}: it must listen there"
        )

    def _check_answer_is_its_own(self) -> None:
        """Raises `CaseError` when an older process listens on the port: another run's server.

        Between the choice of a port and the server's listening on it lie seconds.
        """
        try:
            began_s = psutil.Process(self.running.pid).create_time()
            for connection in psutil.net_connections(kind="tcp"):
                listens = connection.status == psutil.CONN_LISTEN
                if not (listens and connection.laddr[1:] == (self.port,) and connection.pid):
                    continue
                other = psutil.Process(connection.pid)
                if other.create_time() < began_s:
                    raise CaseError(
                        f"port {self.port} is answered by {other.name()} (pid {other.pid}), which "
                        "is older than the server: does another run go on on this host?"
                    )
        except psutil.Error:
            return  # a host that does not tell

    def _check_speaks_http2(self) -> None:
        """Raises `CaseError` where its load comes over HTTP/2, and it has none."""
        if not self.protocol.is_http2:
            return
        tls = trust(self.certificate, "h2") if self.certificate and self.protocol.tls else None
        refusal = http2_refusal(self.port, timeout_s=5.0, host=self.address, tls=tls)
        if refusal:
            raise CaseError(
                f"the server does not speak {self.protocol.description}: {refusal}; turn it on "
                f"there, or leave {self.protocol.id} out of protocols"
            )

    def check_routes(self, templates: Sequence[RequestTemplate], ceiling_s: float) -> Answer:
        """As `check_route`, of each: the first one's answer."""
        first, *_ = [self.check_route(template, ceiling_s) for template in templates]
        return first

    def check_route(
        self, template: RequestTemplate, ceiling_s: float, *, shows_body: bool = True
    ) -> Answer:
        """One answer that is as it must be, asked for again until `ceiling_s` are over.

        A server that is starting or busy may refuse one request. Raises `CaseError` with what it
        did last; soon where it calls the request itself wrong, or does something else than it
        should, which waiting does not mend. The body of an answer may hold what is secret.
        """
        title = template.title
        begin_s = time.monotonic()
        while True:
            self.check_alive(title)
            left_s = begin_s + ceiling_s - time.monotonic()
            patience_s = ceiling_s
            try:
                answer = self.ask(template, timeout_s=max(ROUTE_AGAIN_S, left_s))
            except (OSError, http.client.HTTPException) as error:
                failure = CaseError(f"{title} gave no answer: {error!r}")
            else:
                if not (wrong := mismatch(template, answer)):
                    return answer
                text = redact(answer.body[:200].decode("utf-8", "replace")) if shows_body else ""
                failure = CaseError(
                    f"{title} answered {wrong}, not {expected(template)}{text and f': {text}'}"
                )
                if answer.status in (*WRONG_REQUEST, *SUCCESS):
                    patience_s = min(ceiling_s, WRONG_REQUEST_CEILING_S)
            if time.monotonic() + ROUTE_AGAIN_S > begin_s + patience_s:
                raise failure
            time.sleep(ROUTE_AGAIN_S)

    def idle(self) -> IdleRecord:
        """Memory, heap, threads and collections at this moment, without disturbing the server."""
        return at_rest(self.readings)


@contextmanager
def started(testbed: Testbed, start: Start, folder: Path) -> Iterator[ServerProcess]:
    """A fresh process on a free port, held to its memory; gone, with all its children, at the end.

    It starts in its folder, wherever the harness was started, and has a folder for temporary files.
    Whatever goes wrong with a server that the kernel killed for its memory is reported as that.
    """
    with ExitStack() as stack:
        start_in_folder = replace(start, temporary_folder=stack.enter_context(temporary_folder()))
        yield stack.enter_context(_started(testbed, start_in_folder, folder))


@contextmanager
def _started(testbed: Testbed, start: Start, folder: Path) -> Iterator[ServerProcess]:
    port = free_port(testbed.port)
    command, env = start.command(testbed, port, folder), start.environment(testbed, port)
    artifact = testbed.artifact(start.variant)
    home = Path(start.variant.server.run_in or artifact.parent)
    _let_it_run(testbed, artifact, command)
    memory_limit = testbed.memory_limit_of(start.variant)
    with memory_limit.enter(start.variant.id) as group, (folder / LOG).open("wb") as output:
        of_group = {name: text for name, text in group.variables().items() if name not in env}
        begin_s = time.perf_counter() + memory_limit.start_cost_s
        try:
            running = testbed.shell.start(
                group.wrap(_without(of_group, command)),
                stdout=output,
                env={**of_group, **env},
                cpus=testbed.cpus.server,
                cwd=home if home.is_dir() else None,
            )
        except OSError as error:
            raise CaseError(f"{command[0]} cannot be started: {error.strerror}") from error
        try:
            running.tree.add_group(group.members, group.helper)
            yield ServerProcess(
                running,
                port,
                begin_s,
                group,
                folder,
                testbed.cpus.server,
                testbed.load.server_address,
                start.variant.is_of_service,
                gc_log(start.variant, folder),
                Session(start.login),
                start.workload.protocol if start.workload else HTTP1,
                testbed.certificate(start.variant),
                held=start.variant.settings.cpus is not None,
            )
        except CaseError as error:
            if group.oom_killed():
                limit = units.memory_limit(memory_limit.limit_bytes)
                heap = heap_words(start.variant, folder)
                raise CaseError(f"out of memory at {limit}{heap}") from error
            raise
        finally:
            pids = running.tree.members()
            # in reverse: what has just been continued takes the signal
            running.signal_all(signal.SIGTERM)
            running.signal_all(signal.SIGCONT)
            running.stop(STOP_GRACE_S)
            remove_attach_sockets(pids)


def _without(names: Iterable[str], command: Sequence[str]) -> list[str]:
    """The command without variables that only the way into its group needs."""
    words = [word for name in names for word in ("-u", name)]
    return ["env", *words, *command] if words else [*command]


def _let_it_run(testbed: Testbed, artifact: Path, command: Sequence[str]) -> None:
    """What a workflow brings has lost the right to be run; what lies in a clone is its owner's."""
    is_prebuilt = testbed.jars and artifact.parent == testbed.jars
    if is_prebuilt and artifact.is_file() and artifact.parent / command[0] == artifact:
        artifact.chmod(artifact.stat().st_mode | 0o111)
