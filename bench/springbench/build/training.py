"""Trains a server on real requests, so that its AOT cache knows what a request's path loads."""

from __future__ import annotations

import http.client
import signal
import subprocess
import time
from dataclasses import replace
from pathlib import Path

from springbench.errors import CaseError
from springbench.host.ports import free_port
from springbench.host.shell import Running
from springbench.host.tools.find import Jdk
from springbench.measure.server.command import Start, start_places
from springbench.measure.server.process import ServerProcess
from springbench.measure.testbed import Testbed
from springbench.plan.cases import Variant

_REQUEST_CEILING_S = 30.0
# an AOT cache is written when the process ends, by another process
_END_CEILING_S = 300.0


class TrainingError(Exception):
    """The server did not start, answer or end as it should."""


def train(testbed: Testbed, variant: Variant, out: Path, log: Path, jdk: Jdk) -> None:
    """Start the server as it will be started, ask it for its routes, and let it end in peace.

    What it makes goes into the folder `out`. Raises `TrainingError`.
    """
    runtime, start, port = variant.runtime, Start(variant), free_port(None)
    # its routes are asked for from here, wherever its load will come from
    testbed = replace(testbed, load_host=None)
    places = start_places(testbed, variant, port, log.parent, out)
    command = start.fill(runtime.train, places, start.properties(testbed, port))
    with log.open("ab") as output:
        begin_s = time.perf_counter()
        running = testbed.shell.start(
            command,
            stdout=output,
            env=start.environment(testbed, port),
            cwd=testbed.root,
        )
        try:
            server = ServerProcess(running, port, begin_s)
            server.wait_ready(variant.server.health)
            for route, count in runtime.train_requests.items():
                _ask(server, route, count)
            if runtime.train_end:
                _tell_end(testbed, variant, out, running, jdk)
            # to the process alone: the one that it starts to write the cache must live
            running.signal(signal.SIGTERM)
            running.wait(_END_CEILING_S)
        except (CaseError, OSError, http.client.HTTPException, subprocess.SubprocessError) as error:
            raise TrainingError(str(error)) from error
        finally:
            running.stop(0.0)


def _ask(server: ServerProcess, route: str, count: int) -> None:
    """`count` requests, one after the other. A route that the server has not is none to train."""
    for _ in range(count):
        server.check_alive("training")
        if server.ask(route, timeout_s=_REQUEST_CEILING_S).status == 404:
            return


def _tell_end(testbed: Testbed, variant: Variant, out: Path, running: Running, jdk: Jdk) -> None:
    places = {
        "jcmd": str(jdk.home / "bin" / "jcmd"),
        "pid": str(running.pid),
        "prepared": str(out),
    }
    command = [word.format_map(places) for word in variant.runtime.train_end]
    testbed.shell.run(command, timeout_s=_END_CEILING_S)
