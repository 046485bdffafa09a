"""`springbench init`: from a project's files to a springbench.toml that can be planned."""

from __future__ import annotations

import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

from springbench.matrix.load import load_matrix
from springbench.paths import ROOT
from springbench.plan.plan import make_plan
from tests.conftest import Cli, left_behind
from tests.processes import SERVICES
from tests.project.projects import lay_out, wrapped
from tests.repositories import Repository

WITH_WORKFLOW = (
    *("--command", "./serve {port}"),
    *("--route", "/"),
    *("--workflow", "somebody/springbench@v1"),
)


def cases_of(folder: Path) -> list[str]:
    return [case.id for case in make_plan(load_matrix(folder / "springbench.toml"), "quick").cases]


@pytest.mark.process
def test_a_program_is_started_once_and_asked(tmp_path: Path, cli: Cli) -> None:
    folder = tmp_path / "My-Orders"
    folder.mkdir()
    command = f"{sys.executable} {SERVICES / 'order_service.py'} {{port}}"
    code, out, err = cli("init", folder, "--command", command)
    assert code == 0, err
    assert (folder / "springbench.toml").read_text(encoding="utf-8") == (
        "# What springbench measures of myorders. `springbench run` does it.\n\n"
        f'name = "myorders"\ncommand = ["{sys.executable}", '
        f'"{SERVICES / "order_service.py"}", "{{port}}"]\n\n'
        '[[routes]]\npath = "/health"\n\n'
        "# not loaded: GET /orders needs a login\n"
        "# not loaded: POST /orders needs lines of your own: POST may change something\n"
    )
    assert cases_of(folder) == ["app-myorders-own-command/health/64"]
    assert "springbench run`" in out
    assert left_behind() == []


@pytest.mark.process
def test_a_program_over_tls_is_measured_with_the_certificate_that_it_presents(
    tmp_path: Path, cli: Cli
) -> None:
    command = f"{sys.executable} {SERVICES / 'order_service.py'} {{port}} tls"
    code, _, err = cli("init", tmp_path, "--command", command)
    assert code == 0, err
    config = tomllib.loads((tmp_path / "springbench.toml").read_text(encoding="utf-8"))
    assert config["protocols"] == ["https1"]
    presented = (SERVICES / "certificate.pem").read_text(encoding="utf-8")
    assert (tmp_path / config["certificate"]).read_text(encoding="utf-8") == presented
    assert len(cases_of(tmp_path)) == 1


ALWAYS = """
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

class Same(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(int(sys.argv[2]))
        self.send_header("Location", "/")
        self.end_headers()

HTTPServer(("127.0.0.1", int(sys.argv[1])), Same).serve_forever()
"""


@pytest.mark.process
@pytest.mark.parametrize(
    ("status", "lines", "message"),
    [
        # with those to write
        (401, 6, "each route that was asked for needs a login (1 of 1)"),
        (302, 1, "its only route answers no plain GET with 200 and content, for example / "),
    ],
)
def test_a_service_of_which_nothing_can_be_loaded_is_no_file(
    tmp_path: Path, cli: Cli, status: int, lines: int, message: str
) -> None:
    (tmp_path / "main.py").write_text(ALWAYS, encoding="utf-8")
    code, _, err = cli("init", tmp_path, "--command", f"{sys.executable} main.py {{port}} {status}")
    assert (code, err.count("\n")) == (2, lines)
    assert message in err
    assert not (tmp_path / "springbench.toml").exists()


@pytest.mark.process
def test_what_a_program_says_of_its_end_is_said(tmp_path: Path, cli: Cli) -> None:
    fails = "import sys; print('Connection to localhost:5432 refused'); sys.exit(3)"
    (tmp_path / "main.py").write_text(fails, encoding="utf-8")
    compose = "services: { orders-db: { image: postgres, ports: ['5432:5432'] } }"
    (tmp_path / "compose.yaml").write_text(compose, encoding="utf-8")
    code, _, err = cli("init", tmp_path, "--command", f"{sys.executable} main.py {{port}}")
    assert code == 2
    assert "ended with exit code 3 in its start" in err
    assert "it wanted localhost:5432 (PostgreSQL): start that first" in err
    assert 'command = ["docker", "compose", "up", "orders-db"]' in err
    assert not (tmp_path / "springbench.toml").exists()


@pytest.mark.process
@pytest.mark.parametrize(
    ("files", "options", "message"),
    [
        ((), (), "its build leaves no jar or war that Spring Boot can start"),
        (("target/a.jar",), (), "no web server: nothing in it answers requests"),
        (("a/target/a.jar", "b/target/b.jar"), (), "no web server"),
        (("a/target/a-web.jar", "b/target/b-web.jar"), (), "several applications: a, b; name one"),
        (("a/target/a-web.jar",), ("--module", "c"), "--module c: no application; allowed: a"),
    ],
)
def test_what_a_build_has_left_is_looked_at(
    tmp_path: Path, cli: Cli, files: tuple[str, ...], options: tuple[str, ...], message: str
) -> None:
    (tmp_path / "pom.xml").touch()
    lay_out(tmp_path, wrapped("mvnw", "exit 0"))
    for name in files:
        executable_jar(tmp_path / name, web="web" in name)
    code, _, err = cli("init", tmp_path, *options)
    assert code == 2
    assert message in err


@pytest.mark.process
@pytest.mark.parametrize(
    ("jar", "main", "entry", "port_property"),
    [
        ("target/quarkus-app/quarkus-run.jar", "io.quarkus.Entry", "a", "quarkus.http.port"),
        ("build/libs/a-all.jar", "a.Main", "io/micronaut/A.class", "micronaut.server.port"),
        ("target/a.jar", "a.Main", "io/helidon/A.class", "server.port"),
    ],
)
def test_programs_of_other_frameworks_are_started_on_a_free_port(
    tmp_path: Path, cli: Cli, jar: str, main: str, entry: str, port_property: str
) -> None:
    lay_out(tmp_path, {"pom.xml": "", **wrapped("mvnw", "exit 0")})
    packaged(tmp_path / jar, main, entry)
    code, _, err = cli("init", tmp_path, "--route", "/hello")
    assert code == 0, err
    config = tomllib.loads((tmp_path / "springbench.toml").read_text(encoding="utf-8"))
    assert config["command"][2:] == [f"-D{port_property}={{port}}", "-jar", jar]
    assert len(cases_of(tmp_path)) == 1


@pytest.mark.process
@pytest.mark.parametrize(
    ("programs", "message"),
    [
        (("target/a.jar",), "target/a.jar is another program: --command 'java -jar target/a.jar"),
        (("target/a.war",), "target/a.war is for a server that deploys it: --command"),
        (
            ("a/target/quarkus-app/quarkus-run.jar", "b/target/quarkus-app/quarkus-run.jar"),
            "several others: a/target/quarkus-app/quarkus-run.jar, b/target/quarkus-app/",
        ),
    ],
)
def test_of_other_programs_it_is_said_what_is_lacking(
    tmp_path: Path, cli: Cli, programs: tuple[str, ...], message: str
) -> None:
    lay_out(tmp_path, {"pom.xml": "", **wrapped("mvnw", "exit 0")})
    for program in programs:
        main = (
            "" if program.endswith(".war") else "io.quarkus.A" if "quarkus" in program else "a.Main"
        )
        packaged(tmp_path / program, main)
    code, _, err = cli("init", tmp_path)
    assert (code, err.count("\n")) == (2, 1)
    assert message in err


@pytest.mark.process
def test_a_folder_that_others_build_has_an_example(tmp_path: Path, cli: Cli) -> None:
    lay_out(tmp_path, {"package.json": "{}"})
    code, _, err = cli("init", tmp_path)
    assert (code, err.count("\n")) == (2, 1)
    assert "package.json is here: for example --command 'env PORT={port} npm start'" in err


def packaged(file: Path, main: str, *entries: str) -> None:
    """A jar or war that is not Spring Boot's."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(file, "w") as archive:
        manifest = f"Manifest-Version: 1.0\n{f'Main-Class: {main}' if main else ''}\n"
        archive.writestr("META-INF/MANIFEST.MF", manifest)
        for entry in entries:
            archive.writestr(entry, "")


def executable_jar(file: Path, *, web: bool) -> None:
    """As Spring Boot packages one, but for its classes."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(file, "w") as archive:
        launcher = "org.springframework.boot.loader.launch.JarLauncher"
        manifest = f"Main-Class: {launcher}\nSpring-Boot-Version: 4.0.8\n"
        archive.writestr("META-INF/MANIFEST.MF", manifest)
        archive.writestr(f"BOOT-INF/lib/spring-{'web' if web else 'core'}-7.0.8.jar", "")


@pytest.mark.process
def test_a_build_that_fails_ends_with_its_last_words(tmp_path: Path, cli: Cli) -> None:
    lay_out(tmp_path, {"build.gradle": "", **wrapped("gradlew", "echo no such plugin; exit 1")})
    code, _, err = cli("init", tmp_path)
    assert code == 5
    assert "`sh gradlew assemble` ended with exit code 1" in err
    assert "no such plugin" in err


@pytest.mark.process
def test_any_command_can_be_measured(tmp_path: Path, cli: Cli) -> None:
    options = ("--command", "./serve --port {port}", "--route", "/", "--route", "/a")
    code, out, _ = cli("init", tmp_path, *options, "--connections", "8,64")
    assert code == 0
    assert "4 cases of profile quick:\n" in out
    assert "next: build it, then `" in out
    name = "".join(c for c in tmp_path.name if c.isalnum())
    assert cases_of(tmp_path) == [
        f"app-{name}-own-command/{route}/{count}" for route in ("root", "a") for count in (8, 64)
    ]

    (tmp_path / "serve").touch()
    _, out, _ = cli("init", tmp_path, *options[:4], "--force")
    assert "1 case of profile quick:\n" in out
    assert "build it" not in out


@pytest.mark.process
@pytest.mark.parametrize(
    ("files", "options", "message"),
    [
        ({}, (), "no pom.xml and no Gradle build"),
        ({}, ("--jar", "none.jar"), "--jar none.jar: no such file; build it first, or say what"),
        ({}, ("--command", "./serve", "--route", "/"), "command: {port} must stand"),
        ({}, ("--command", "./serve '", "--route", "/"), "No closing quotation"),
        ({}, ("--jar", "a.jar", "--route", "a b"), "routes[0].path: allowed: a path"),
        ({"springbench.toml": "mine"}, ("--jar", "a.jar", "--route", "/"), "is there already"),
    ],
)
def test_a_mistake_is_one_line_and_writes_nothing(
    tmp_path: Path, cli: Cli, files: dict[str, str], options: tuple[str, ...], message: str
) -> None:
    lay_out(tmp_path, files)
    code, _, err = cli("init", tmp_path, *options)
    assert code == 2
    [line] = err.splitlines()
    assert message in line
    before = files.get("springbench.toml")
    file = tmp_path / "springbench.toml"
    assert (file.read_text(encoding="utf-8") if file.exists() else None) == before


@pytest.mark.process
def test_force_replaces(tmp_path: Path, cli: Cli) -> None:
    lay_out(tmp_path, {"springbench.toml": "mine"})
    assert cli("init", tmp_path, "--jar", "a.jar", "--route", "/", "--force")[0] == 0
    assert len(cases_of(tmp_path)) == 1


@pytest.mark.process
def test_workflows_are_written_beside_a_new_file_or_one_that_is_there(
    tmp_path: Path, cli: Cli
) -> None:
    folder = lay_out(tmp_path, {"pom.xml": "", **wrapped("mvnw", "exit 0")})
    executable_jar(folder / "target" / "orders-1.0.jar", web=True)
    command = ("init", folder, "--route", "/orders", "--workflow", "somebody/springbench@v1")
    code, out, _ = cli(*command)
    assert code == 0
    workflow = folder / ".github/workflows/benchmark.yml"
    assert "build: sh mvnw -B -DskipTests package\n" in workflow.read_text(encoding="utf-8")
    assert f"wrote {workflow}" in out
    text = (folder / "springbench.toml").read_text(encoding="utf-8").replace("/orders", "/mine")
    # editors read it from the repository that is called
    schema = ROOT / "bench" / "schema" / "springbench.schema.json"
    path = schema.relative_to(ROOT).as_posix()
    address = f"https://raw.githubusercontent.com/somebody/springbench/v1/{path}"
    assert text.startswith(f"#:schema {address}\n# What springbench measures")
    assert schema.is_file()
    (folder / "springbench.toml").write_text(text, encoding="utf-8")
    code, _, err = cli(*command)
    assert (code, err) == (2, f"springbench: {workflow}: is there already; --force replaces it\n")
    for file in workflow.parent.iterdir():
        file.unlink()
    assert cli(*command, "--build", "make all")[0] == 0
    assert (folder / "springbench.toml").read_text(encoding="utf-8") == text
    assert "build: make all\n" in workflow.read_text(encoding="utf-8")


def test_a_reference_that_is_none_writes_nothing(tmp_path: Path, cli: Cli) -> None:
    options = ("--command", "./serve {port}", "--route", "/", "--workflow", "springbench")
    code, _, err = cli("init", tmp_path, *options)
    assert code == 2
    assert "allowed: OWNER/springbench@v1" in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.process
@pytest.mark.parametrize(
    ("branch", "pattern"),
    [
        ("master", "master"),
        ("release/2.x", "release/2.x"),
        ("c++", r"c\+\+"),
        ("!important", r"\!important"),
        ("a,b]'x'#y", "a,b]'x'#y"),
        ("on", "on"),
        ("1.0", "1.0"),
        ("größe-🚀", "größe-🚀"),
    ],
)
def test_the_workflow_measures_the_branch_that_the_repository_has(
    tmp_path: Path, cli: Cli, branch: str, pattern: str
) -> None:
    repository = Repository.create(tmp_path / "service")
    repository.git("checkout", "--quiet", "-b", branch)
    code, out, _ = cli("init", repository.root, *WITH_WORKFLOW)
    assert code == 0
    assert f"pushes to {branch} are measured" in out
    file = repository.root / ".github/workflows/benchmark.yml"
    # YAML 1.1 takes `on` for a truth value
    workflow = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert workflow[True]["push"]["branches"] == [pattern]


@pytest.mark.process
def test_a_repository_that_git_does_not_read_is_no_reason_to_guess(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = Repository.create(tmp_path / "service")
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    code, _, err = cli("init", repository.root, *WITH_WORKFLOW)
    assert (code, err.count("\n")) == (2, 1)
    assert "safe.directory" in err
    assert [path.name for path in repository.root.iterdir()] == [".git"]
