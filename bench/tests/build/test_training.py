"""A cache is trained by requests to a server, once, and reported when that fails."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from springbench.build import prepared
from springbench.build.prepared import PreparationContext, with_prepared
from springbench.errors import BuildError
from springbench.host.shell import RealShell
from springbench.matrix.servers import Runtime
from springbench.measure.server.command import Start
from tests.answers import answering
from tests.build.clones import JDK, Clone
from tests.measure.testbeds import testbed


@pytest.mark.process
def test_a_cache_is_trained_on_requests_and_ended_in_peace(
    clone: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    variant = clone.variant("jvm-aot")
    clone.shell.answer("java", running=True)
    clone.shell.answer("java", "-Djarmode=tools")
    clone.shell.answer("jcmd", then=clone.leaves("app.aot"))
    answers = {"/hello": (200, b"hi"), "/json": (200, b"{}"), "/task": (200, b"done")}
    with answering(answers) as port:  # no /pay: a server without the route is trained on the rest
        monkeypatch.setattr(prepared, "free_port", lambda _: port)
        ready = clone.prepare(variant)
    extract, train, end = clone.shell.calls
    assert extract.command[1:3] == ("-Djarmode=tools", "-jar")
    assert any(word.startswith("-XX:AOTCacheOutput=") for word in train.command)
    assert "--spring.threads.virtual.enabled=true" in train.command
    assert end.command[0] == "/jdk-25/bin/jcmd"
    assert clone.shell.children[1].signals == [signal.SIGTERM]
    started = Start(variant).command(ready, 8123, clone.root)
    assert f"-XX:AOTCache={ready.prepared[variant.id]}/app.aot" in started
    assert "-XX:AOTMode=on" in started


@pytest.mark.system
@pytest.mark.process
def test_a_cache_is_made_once_and_again_where_its_jars_got_another_time(
    clone: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    variant = clone.variant("jvm-aot")
    clone.shell.answer("java", running=True)
    clone.shell.answer("java", "-Djarmode=tools", then=clone.leaves("boot4-tomcat.jar"))
    clone.shell.answer("jcmd", then=clone.leaves("app.aot"))
    with answering({"/hello": (200, b"hi")}) as port:
        monkeypatch.setattr(prepared, "free_port", lambda _: port)
        first = clone.prepare(variant).prepared
        once = len(clone.shell.calls)
        assert clone.prepare(variant).prepared == first
        assert len(clone.shell.calls) == once
        # as by a copy that keeps no times: the JVM would refuse the cache
        jar = first[variant.id] / "boot4-tomcat.jar"
        os.utime(jar, (1, 1))
        assert clone.prepare(variant).prepared == first
    assert len(clone.shell.calls) == 2 * once
    assert jar.stat().st_mtime > 1


def test_a_server_that_ends_while_it_is_trained_is_reported(
    clone: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone.shell.answer("java", stdout="Error: no such option\n", code=1)
    clone.shell.answer("java", "-Djarmode=tools")
    with pytest.raises(BuildError, match="training: the server exited with code 1"):
        clone.prepare(clone.variant("jvm-aot"))


@pytest.mark.process
def test_a_real_process_is_trained_and_leaves_what_it_makes(clone: Clone, tmp_path: Path) -> None:
    script = (
        "import http.server as h, pathlib, signal, sys\n"
        "def end(*_): pathlib.Path(sys.argv[2]).write_text('made'); sys.exit(0)\n"
        "signal.signal(signal.SIGTERM, end)\n"
        "class A(h.BaseHTTPRequestHandler):\n"
        "    def do_GET(self): self.send_response(200); self.end_headers()\n"
        "h.HTTPServer(('127.0.0.1', int(sys.argv[1])), A).serve_forever()\n"
    )
    runtime = Runtime(
        id="script",
        description="",
        start=("{prepared}/made",),
        train=(sys.executable, "-c", script.replace("{", "{{"), "{port}", "{prepared}/made"),
        train_requests={"/hello": 5},
        makes="made",
    )
    variant = replace(clone.variant("jvm"), runtime=runtime)
    ready = with_prepared(testbed(tmp_path, RealShell()), [variant], PreparationContext(JDK, None))
    assert (ready.prepared[variant.id] / "made").read_text() == "made"
