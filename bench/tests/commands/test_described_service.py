"""A service that a small file or the command line describes, measured without a clone's matrix."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from springbench.host.ports import free_port, is_free
from tests.conftest import Cli, left_behind
from tests.processes import SERVICES, running

pytestmark = pytest.mark.process

# how long it is warmed is no question here
SHORT = """\
import springbench.matrix.service as service
load = service._load
service._load = lambda *given: load(*given).model_copy(
    update={"warmup_min_s": 0.2, "warmup_max_s": 0.2}
)
"""
WITHOUT_JAVA = """\
import springbench.bench.tools as tools
tools.find_asked_jdk = lambda *_: None
tools.find_jdk = tools.find_maven = lambda: None
"""
# as long as it takes to be sure, and no longer
IMPATIENT = """\
import springbench.measure.server.process as process
process.REFUSED_CEILING_S = 0.5
"""
QUICKLY = ("--forks", "1", "--duration", "1")
SERVER = SERVICES / "fake_server.py"


def test_a_command_is_measured_on_a_host_without_java(tmp_path: Path) -> None:
    command = f"{sys.executable} {SERVER} --server.port={{port}}"
    options = ("--command", command, "--route", "/hello", *QUICKLY)
    with running(tmp_path, *options, patch=SHORT + WITHOUT_JAVA) as springbench:
        code, _, err = springbench.end()
    assert (code, err) == (0, "")
    assert left_behind() == []
    [result] = springbench.run.results
    assert (result.case, result.status) == ("app-service-own-command/hello/64", "ok")
    # a folder that is in no repository has no commit, and not that of springbench
    assert springbench.run.commit is None


@pytest.mark.parametrize(
    ("second", "starts", "failed"),
    [
        pytest.param("", 1, set(), marks=pytest.mark.system),
        # what a route leaves behind that failed meets no other one
        ('contains = "nothing like it"', 2, {"app-service-own-command/second/64"}),
    ],
)
def test_one_process_answers_all_routes(
    tmp_path: Path, second: str, starts: int, failed: set[str]
) -> None:
    started, script = tmp_path / "started", tmp_path / "start.sh"
    script.write_text(
        f"echo >>{started}\nexec {sys.executable} {SERVER} --server.port=$1\n", encoding="utf-8"
    )
    file = tmp_path / "springbench.toml"
    file.write_text(
        f'command = ["sh", "{script}", "{{port}}"]\n'
        '[[routes]]\nname = "first"\npath = "/hello"\n'
        f'[[routes]]\nname = "second"\npath = "/hello?2"\n{second}\n'
        '[[routes]]\nname = "third"\npath = "/hello?3"\n',
        encoding="utf-8",
    )
    with running(tmp_path, "--matrix", file, *QUICKLY, patch=SHORT) as springbench:
        code, _, _ = springbench.end()
    assert code == (4 if failed else 0)
    assert len(started.read_text(encoding="utf-8").splitlines()) == starts
    statuses = springbench.statuses
    assert {case for case, status in statuses.items() if status == "failed"} == failed
    assert len(statuses) == 3
    # all say how the process started that answered them
    startups = {
        fork.startup.first_200_s
        for result in springbench.run.results
        for fork in result.forks
        if fork.startup
    }
    assert len(startups) == starts


@pytest.mark.system
def test_a_file_is_read_from_anywhere_and_started_in_its_folder(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "bin").mkdir(parents=True)
    (project / "settings.txt").write_text("here", encoding="utf-8")
    text = f"import pathlib; pathlib.Path('settings.txt').read_text()\n{SERVER.read_text()}"
    # the future import of the server stands first
    future = "from __future__ import annotations\n"
    (project / "bin" / "serve.py").write_text(future + text.replace(future, ""), encoding="utf-8")
    command = [sys.executable, "bin/serve.py", "--server.port={port}"]
    (project / "springbench.toml").write_text(
        f'name = "orders"\ncommand = {command}\n[[routes]]\npath = "/hello"\nconnections = [4]\n',
        encoding="utf-8",
    )
    options = ("--matrix", project / "springbench.toml", *QUICKLY)
    with running(tmp_path, *options, patch=SHORT) as springbench:
        code, _, err = springbench.end()
    assert (code, err) == (0, "")
    assert springbench.statuses == {"app-orders-own-command/hello/4": "ok"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--jar", "nowhere.jar", "--route", "/"), "--jar nowhere.jar: there is no such file"),
        (("--command", "./serve {port}"), "--route is missing"),
        (("--route", "/"), "--route and --health describe a service"),
        (("--command", "./serve", "--route", "/"), "{port} must stand in it"),
        (("--command", "./nowhere {port}", "--route", "/"), "nowhere: there is no such file"),
    ],
)
def test_a_description_that_is_not_whole_is_one_line(
    tmp_path: Path,
    cli: Cli,
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = cli("run", *options, "--results", tmp_path / "results")
    assert code == 2
    [line] = err.splitlines()
    assert message in line
    assert not (tmp_path / "results").exists()


@pytest.mark.system
@pytest.mark.parametrize("status", ["401 No", "302 Found", "404 Not here"])
def test_a_route_that_refuses_is_reported_with_its_status(tmp_path: Path, status: str) -> None:
    answer = f"HTTP/1.1 {status}\\r\\nContent-Length: 0\\r\\n\\r\\n"
    serve = tmp_path / "serve.py"
    serve.write_text(
        "import socketserver, sys\n"
        "class Handler(socketserver.StreamRequestHandler):\n"
        "    def handle(self):\n"
        "        while self.rfile.readline().strip():\n"
        "            pass\n"
        f"        self.wfile.write(b'{answer}')\n"
        "socketserver.TCPServer(('127.0.0.1', int(sys.argv[1])), Handler).serve_forever()\n",
        encoding="utf-8",
    )
    options = ("--command", f"{sys.executable} {serve} {{port}}", "--route", "/orders/17", *QUICKLY)
    with running(tmp_path, *options, patch=SHORT + IMPATIENT) as springbench:
        code, _, _ = springbench.end()
    assert code == 4
    [result] = springbench.run.results
    assert f"/orders/17 answered {status.split(maxsplit=1)[0]}" in str(result.reason)
    assert left_behind() == []


def test_results_stand_beside_the_service(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "mine").write_text("a run that is there", encoding="utf-8")
    command = f"{sys.executable} {SERVER} --server.port={{port}}"
    code, _, err = cli("run", "--command", command, "--route", "/hello", "--id", "mine")
    assert code == 2
    [line] = err.splitlines()
    assert line.startswith(f"springbench: {tmp_path}/results/mine: cannot be made")


SMALL = 'jar = "target/app-*.jar"\n[[routes]]\npath = "/"\n'


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("compare", "HEAD~1", "HEAD"),
            "'HEAD~1' is no run folder, no variant, no jar, and no folder",
        ),
        (("compare",), "what is compared? give a commit, a folder or a jar as base"),
        (("compare", "--jar", "old/app-1.jar"), "--jar is given twice, base first"),
        (("compare", "--jar", "a.jar", "--jar", "b.jar"), "--jar a.jar: there is no such file"),
        (("bisect", "HEAD~1", "HEAD", "--case", "app-service-own-jvm/root/64"), "--build"),
        (("compare", "old", "new"), "--jars {folder}/new: not there: app-*.jar"),
        (("compare", "old", "both"), "both/app-*.jar: several files are meant by it: app-1.jar, "),
        (("run", "--jars", "new"), "--jars {folder}/new: not there: app-*.jar"),
    ],
)
def test_no_jar_is_taken_for_another(
    tmp_path: Path,
    cli: Cli,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    message: str,
) -> None:
    for name in ("target/app-2.jar", "old/app-1.jar", "both/app-1.jar", "both/app-2.jar"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "unlike.jar").touch()
    (tmp_path / "springbench.toml").write_text(SMALL, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    code, _, err = cli(*words, "--matrix", "springbench.toml", "--results", tmp_path / "results")
    assert code == 2
    [line] = err.splitlines()
    assert message.format(folder=tmp_path) in line
    assert not (tmp_path / "results").exists()


RELAY = """\
import http.client, http.server, sys
class Relay(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        stub = http.client.HTTPConnection("127.0.0.1", STUB, timeout=5)
        stub.request("GET", "/hello")
        body = stub.getresponse().read()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_):
        pass
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Relay).serve_forever()
"""


@pytest.mark.system
def test_what_a_service_needs_is_there_before_it_and_gone_after_it(tmp_path: Path) -> None:
    stub = free_port()
    (tmp_path / "relay.py").write_text(RELAY.replace("STUB", str(stub)), encoding="utf-8")
    needs = [sys.executable, str(SERVER), f"--server.port={stub}"]
    (tmp_path / "springbench.toml").write_text(
        f"command = {[sys.executable, 'relay.py', '{port}']}\n"
        '[[routes]]\npath = "/relayed"\nconnections = [2]\n'
        f'[[services]]\nname = "stub"\ncommand = {needs}\nport = {stub}\nhealth = "/hello"\n',
        encoding="utf-8",
    )
    options = ("--matrix", tmp_path / "springbench.toml", *QUICKLY)
    with running(tmp_path, *options, patch=SHORT) as springbench:
        code, out, err = springbench.end()
    assert (code, err) == (0, "")
    assert "stub: starting, for the service needs it" in out
    assert springbench.statuses == {"app-service-own-command/relayed/2": "ok"}
    assert left_behind() == []
    assert is_free(stub)
    for fork in springbench.run.results[0].forks:
        assert fork.load and fork.load.services_cpu_per_request_s
        assert (
            fork.load.services_cpu_per_request_s * fork.load.throughput_rps
            < (os.cpu_count() or 1) * 1.1
        )


@pytest.mark.system
def test_the_slow_upstream_answers_after_the_delay_that_was_chosen(
    tmp_path: Path, jars: Path
) -> None:
    (tmp_path / "springbench.toml").write_text(
        f'command = ["{sys.executable}", "{SERVER}", "--server.port={{port}}"]\nhealth = "/hello"\n'
        '[[routes]]\npath = "/relay"\nconnections = [4]\ndelay_ms = 150\n'
        '[slow_upstream]\ndelay_ms = 150\nvariable = "PRICES_URL"\n',
        encoding="utf-8",
    )
    options = ("--matrix", tmp_path / "springbench.toml", "--jars", jars, *QUICKLY)
    with running(tmp_path, *options, patch=SHORT) as springbench:
        code, _, err = springbench.end()
    assert (code, err) == (0, "")
    assert left_behind() == []
    [result] = springbench.run.results
    [fork] = result.forks
    assert fork.load
    # no answer may come sooner; how much later it comes is the host's
    assert 0 < fork.load.throughput_rps <= 4 / 0.150 * 1.02
    assert fork.load.error_ratio == 0
