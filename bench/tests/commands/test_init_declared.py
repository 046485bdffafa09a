"""`springbench init` where a springbench.toml without routes says how the service is started."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from springbench.host.ports import first_port, free_port
from springbench.project import attempts
from tests.conftest import Cli, left_behind
from tests.processes import SERVICES

pytestmark = pytest.mark.process

CREDENTIAL = "open-sesame-of-orders"
SERVICE = json.dumps([sys.executable, str(SERVICES / "order_service.py"), "{port}"])
LOGIN = f"""\
# mine
command = {SERVICE}
pass_env = ["ORDERS_PASSWORD"]

[login]
path = "/login"
body = '{{"user": "bench", "password": "{{env:ORDERS_PASSWORD}}"}}'
token = "json:data.access_token"
"""


def read_file(folder: Path) -> dict[str, Any]:
    return tomllib.loads((folder / "springbench.toml").read_text(encoding="utf-8"))


def declare(folder: Path, text: str) -> None:
    (folder / "springbench.toml").write_text(text, encoding="utf-8")


def test_what_needs_a_login_is_asked_for_with_the_declared_one(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORDERS_PASSWORD", CREDENTIAL)
    declare(tmp_path, LOGIN)
    code, out, err = cli("init", tmp_path)
    assert code == 0, err
    text = (tmp_path / "springbench.toml").read_text(encoding="utf-8")
    assert LOGIN in text
    assert CREDENTIAL not in text + out + err
    assert read_file(tmp_path)["routes"] == [
        {"path": "/orders", "headers": {"Authorization": "Bearer {token}"}},
        {"path": "/health"},
    ]
    assert left_behind() == []


@pytest.mark.parametrize(
    ("password", "mode", "message"),
    [
        ("mistaken", "fine", "login: POST /login answered 401, not 200"),
        pytest.param(
            *(CREDENTIAL, "silent", "was answered 200 without json:data.access_token; it has user"),
            marks=pytest.mark.system,
        ),
        (None, "fine", "{env:ORDERS_PASSWORD} is not set"),
    ],
)
def test_a_login_that_fails_is_one_line_without_secrets(
    tmp_path: Path,
    cli: Cli,
    monkeypatch: pytest.MonkeyPatch,
    password: str | None,
    mode: str,
    message: str,
) -> None:
    monkeypatch.delenv("ORDERS_PASSWORD", raising=False)
    if password:
        monkeypatch.setenv("ORDERS_PASSWORD", password)
    text = LOGIN.replace('"{port}"]', f'"{{port}}", "{mode}"]', 1)
    if password not in (None, CREDENTIAL):
        declaration = f'environment = {{ ORDERS_PASSWORD = "{CREDENTIAL}" }}'
        text = text.replace('pass_env = ["ORDERS_PASSWORD"]', declaration)
    declare(tmp_path, text)
    code, out, err = cli("init", tmp_path)
    assert (code, err.count("\n")) == (2, 1)
    assert message in err
    assert "mistaken" not in out + err
    assert (tmp_path / "springbench.toml").read_text(encoding="utf-8") == text


def test_without_a_login_the_lines_for_one_are_shown(tmp_path: Path, cli: Cli) -> None:
    declare(tmp_path, f"command = {SERVICE}\n")
    code, out, _ = cli("init", tmp_path)
    assert code == 0
    assert "needs a login: write these lines in the place of the [[routes]]" in out
    assert 'path = "/login"' in out
    # they can be read
    lines = out[out.index("  [login]") :].splitlines()[:4]
    assert tomllib.loads("\n".join(lines))["login"].keys() == {"path", "body", "token"}


BASIC = """
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

class Basic(BaseHTTPRequestHandler):
    def do_GET(self):
        known = self.headers.get("Authorization") == "Basic dTpw"
        self.send_response(200 if known else 401)
        if not known:
            self.send_header("WWW-Authenticate", 'Basic realm="x"')
        self.end_headers()
        self.wfile.write(b"yes")

HTTPServer(("127.0.0.1", int(sys.argv[1])), Basic).serve_forever()
"""


def test_http_basic_is_a_header(tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "main.py").write_text(BASIC, encoding="utf-8")
    options = ("--command", f"{sys.executable} main.py {{port}}")
    code, _, err = cli("init", tmp_path, *options)
    assert code == 2
    assert "init --header 'Authorization: Basic {env:CREDENTIALS}'" in err
    monkeypatch.setenv("CREDENTIALS", "dTpw")
    header = "Authorization: Basic {env:CREDENTIALS}"
    code, _, err = cli("init", tmp_path, *options, "--header", header)
    assert code == 0, err
    config = read_file(tmp_path)
    # nobody has logged in when it is asked whether it is up
    assert (config["health"], config["health_status"]) == ("/", 401)
    assert config["routes"] == [
        {"path": "/", "headers": {"Authorization": "Basic {env:CREDENTIALS}"}}
    ]
    code, _, err = cli("init", tmp_path, *options, "--header", "Authorization", "--force")
    assert (code, err.count("\n")) == (2, 1)
    assert "--header 'Authorization': allowed: 'NAME: VALUE'" in err


NEEDS = """
import os, socket, subprocess, sys
try:
    socket.create_connection(("127.0.0.1", int(sys.argv[2]))).close()
except OSError:
    sys.exit(f"Connection to 127.0.0.1:{sys.argv[2]} refused")
assert os.environ["MODE"] == "test"
os.execv(sys.executable, [sys.executable, sys.argv[3], sys.argv[1]])
"""


def test_what_it_needs_is_started_first(tmp_path: Path, cli: Cli) -> None:
    own_port = free_port(first=first_port() + 150)
    (tmp_path / "main.py").write_text(NEEDS, encoding="utf-8")
    orders = str(SERVICES / "order_service.py")
    command = [sys.executable, "main.py", "{port}", str(own_port), orders]
    text = f'command = {json.dumps(command)}\nenvironment = {{ MODE = "test" }}\n'
    declare(tmp_path, text)
    code, _, err = cli("init", tmp_path)
    assert code == 2
    assert f"it wanted 127.0.0.1:{own_port}: start that first" in err
    service_command = [sys.executable, orders, str(own_port)]
    text += (
        f'[[services]]\nname = "stub"\ncommand = {json.dumps(service_command)}\nport = {own_port}\n'
    )
    declare(tmp_path, text)
    code, _, err = cli("init", tmp_path)
    assert code == 0, err
    assert read_file(tmp_path)["routes"] == [{"path": "/health"}]
    assert left_behind() == []


RETRIES = """
import time
print("starting", flush=True)
while True:
    print("Connection to localhost:5432 refused. Trying again", flush=True)
    time.sleep(0.05)
"""


def test_one_that_tries_for_ever_is_not_waited_for(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts, "WAITING_S", 0.5)
    (tmp_path / "main.py").write_text(RETRIES, encoding="utf-8")
    code, _, err = cli("init", tmp_path, "--command", f"{sys.executable} main.py {{port}}")
    assert code == 2
    assert "it listens nowhere after" in err
    assert "it wanted localhost:5432 (PostgreSQL): start that first" in err
    assert "[[services]]" in err
    assert left_behind() == []


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("print('42 rows read')", "it ended by itself with exit code 0, and answered no request"),
        (
            "import argparse; p = argparse.ArgumentParser(); p.add_argument('port'); "
            "p.add_argument('file'); p.parse_args()",
            "it needs arguments: --command, with what starts it, these and {port}",
        ),
    ],
)
def test_a_program_that_ends_says_what_it_lacks(
    tmp_path: Path, cli: Cli, program: str, message: str
) -> None:
    (tmp_path / "main.py").write_text(program, encoding="utf-8")
    code, _, err = cli("init", tmp_path, "--command", f"{sys.executable} main.py {{port}}")
    assert code == 2
    assert message in err
    assert not (tmp_path / "springbench.toml").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('jar = "a.jar"\n[[routes]]\npath = "/"\n', "without its [[routes]] it is completed"),
        ('[login]\npath = "/login"\n', "login.token: this key is missing"),
        ('jar = "a.jar"\ntypo = 1\n', "typo"),
    ],
)
def test_a_file_that_cannot_be_completed_stays_as_it_is(
    tmp_path: Path, cli: Cli, text: str, message: str
) -> None:
    declare(tmp_path, text)
    code, _, err = cli("init", tmp_path)
    assert (code, err.count("\n")) == (2, 1)
    assert message in err
    assert (tmp_path / "springbench.toml").read_text(encoding="utf-8") == text


LAZY = """\
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        body, status = b'<a href="/people">people</a>', 200
        if self.path == "/people":
            print("MongoSocketOpenException: mongo.internal:27017: Connection refused", flush=True)
            body, status = b"{}", 503
        self.send_response(status)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""


def test_a_database_that_only_some_routes_need_is_named(tmp_path: Path, cli: Cli) -> None:
    program = tmp_path / "lazy.py"
    program.write_text(LAZY, encoding="utf-8")
    code, out, err = cli("init", tmp_path, "--command", f"{sys.executable} {program} {{port}}")
    assert code == 0, err
    assert "cannot reach mongo.internal:27017 (MongoDB)" in out
    assert 'command = ["docker", "run", "--rm", "-p", "27017:27017", "mongo:8"]' in out
    assert read_file(tmp_path)["routes"] == [{"path": "/"}]
    assert left_behind() == []
