"""`springbench init` of an application of Spring Boot, by a stand-in for Java that starts none."""

from __future__ import annotations

import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from springbench.host.ports import first_port, free_port
from tests.conftest import Cli, left_behind

pytestmark = pytest.mark.process

# logs as Spring Boot does with the properties of its environment, and answers
APPLICATION = """\
import base64, json, os, pathlib, sys, threading, urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

if "-version" in sys.argv:
    print('openjdk version "25.0.3" 2026-01-01', file=sys.stderr)
    sys.exit()
asked = json.loads(os.environ["SPRING_APPLICATION_JSON"])
assert "logback" in pathlib.Path(asked["logging.config"].removeprefix("file://")).name
system = dict(word[2:].split("=", 1) for word in sys.argv if word.startswith("-D"))
port, other = int(system["server.port"]), int(PORT)
own = {"management.server.port": PORT, "spring.application.name": "parcels"}
text = pathlib.Path(asked["spring.banner.location"].removeprefix("file://")).read_text()
for name, value in own.items():
    text = text.replace("${%s:}" % name, value)
print(text)

class Parcels(BaseHTTPRequestHandler):
    def do_GET(self):
        pair = base64.b64encode(f"user:{asked['spring.security.user.password']}".encode()).decode()
        known = self.path == "/report" or self.headers.get("Authorization") == f"Basic {pair}"
        script = self.headers["Accept"] == "application/json"
        self.send_response(200 if known else 401 if script else 302)
        name, value = ("WWW-Authenticate", "Basic") if script else ("Location", "/login")
        self.send_header(name, value)
        self.end_headers()
        self.wfile.write(b"yes")

    def log_message(self, *_):
        pass

for each in (port, other):
    threading.Thread(target=HTTPServer(("127.0.0.1", each), Parcels).serve_forever).start()
print(f'''\
DEBUG Beans : Mapping servlets: a.Report urls=[/report, /files/*], dispatcherServlet urls=[/]
DEBUG _.s.web.servlet.HandlerMapping.Mappings :
\\ta.Parcels:
\\t{{GET [/parcels]}}: all()
\\t{{ [/addParcel]}}: add()
\\t{{GET [/parcels/send]}}: send()
Tomcat started on port {port} (http) with context path '/'
Started Parcels in 1.0 seconds''', flush=True)
"""


def test_ports_servlets_and_the_user_that_spring_boot_makes_are_known(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    jdk, other = tmp_path / "jdk", free_port(first=first_port() + 170)
    java = jdk / "bin" / "java"
    java.parent.mkdir(parents=True)
    text = APPLICATION.replace("PORT", repr(str(other)))
    java.write_text(f"#!{sys.executable}\n{text}", encoding="utf-8")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(jdk))
    with zipfile.ZipFile(tmp_path / "a.jar", "w") as jar:
        jar.writestr("META-INF/MANIFEST.MF", "Main-Class: a.Loader\n")
        jar.writestr("BOOT-INF/lib/logback-classic-1.5.jar", "")
    code, out, err = cli("init", tmp_path, "--jar", "a.jar")
    assert code == 0, out + err
    config: dict[str, Any] = tomllib.loads((tmp_path / "springbench.toml").read_text("utf-8"))
    assert config["name"] == "parcels"
    assert config["properties"] == {
        "management.server.port": "{port:management}",
        "spring.security.user.password": "springbench",
    }
    # base64 of user:springbench
    header = {"Authorization": "Basic dXNlcjpzcHJpbmdiZW5jaA=="}
    assert config["routes"] == [{"path": "/report"}, {"path": "/parcels", "headers": header}]
    toml = (tmp_path / "springbench.toml").read_text("utf-8")
    for line in (
        "ANY /files/* needs a path in the place of the pattern",
        "ANY /addParcel was not asked for: by its name, to add changes something",
        "GET /parcels/send was not asked for: by its name, to send changes something",
    ):
        assert f"# not loaded: {line}\n" in toml
    assert left_behind() == []
