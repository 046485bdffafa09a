"""`springbench init`: from a project's files to a springbench.toml that can be planned."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from springbench.matrix.load import load_matrix
from springbench.paths import ROOT
from springbench.plan.plan import make_plan
from tests.conftest import Cli
from tests.project.projects import CONTROLLER, gradle, lay_out, pom
from tests.repositories import Repository

JAVA = "src/main/java/com/example/Orders.java"


def cases_of(folder: Path) -> list[str]:
    return [case.id for case in make_plan(load_matrix(folder / "springbench.toml"), "quick").cases]


@pytest.mark.process
@pytest.mark.parametrize(
    ("build", "jar"),
    [
        ({"pom.xml": pom("-web", "-actuator")}, "target/orders-*.jar"),
        ({"build.gradle": gradle("-web", "-actuator")}, "build/libs/*.jar"),
    ],
)
def test_a_project_needs_no_answers(
    tmp_path: Path, cli: Cli, build: dict[str, str], jar: str
) -> None:
    folder = lay_out(tmp_path / "My-Orders", {**build, JAVA: CONTROLLER})
    code, out, _ = cli("init", folder)
    assert code == 0
    assert (folder / "springbench.toml").read_text(encoding="utf-8") == (
        "# What springbench measures of myorders. `springbench run` does it.\n\n"
        f'name = "myorders"\njar = "{jar}"\nhealth = "/actuator/health"\n\n'
        '[[routes]]\npath = "/orders"\n'
    )
    assert cases_of(folder) == ["app-myorders-own-jvm/orders/64"]
    assert "found Spring Boot 4.0.7; server: tomcat" in out
    assert "springbench run`" in out


@pytest.mark.process
def test_any_command_can_be_measured(tmp_path: Path, cli: Cli) -> None:
    how = ("--command", "./serve --port {port}", "--route", "/", "--route", "/a")
    code, _, _ = cli("init", tmp_path, *how, "--connections", "8,64")
    assert code == 0
    name = "".join(c for c in tmp_path.name if c.isalnum())
    assert cases_of(tmp_path) == [
        f"app-{name}-own-command/{route}/{count}" for route in ("root", "a") for count in (8, 64)
    ]


@pytest.mark.process
@pytest.mark.parametrize(
    ("files", "options", "said"),
    [
        ({}, (), "no pom.xml and no Gradle build"),
        ({"pom.xml": pom("-web")}, (), "--route is missing: which route"),
        (
            {"pom.xml": pom("-web"), JAVA: CONTROLLER.replace("@GetMapping\n", "")},
            (),
            "those found need a value: /orders/{id}",
        ),
        ({"pom.xml": pom("")}, (), "no web server"),
        ({}, ("--command", "./serve", "--route", "/"), "command: {port} must stand"),
        ({}, ("--command", "./serve '", "--route", "/"), "No closing quotation"),
        ({}, ("--jar", "a.jar", "--route", "a b"), "routes[0].path: allowed: a path"),
        ({"springbench.toml": "mine"}, ("--jar", "a.jar", "--route", "/"), "is there already"),
    ],
)
def test_a_mistake_is_one_line_and_writes_nothing(
    tmp_path: Path, cli: Cli, files: dict[str, str], options: tuple[str, ...], said: str
) -> None:
    lay_out(tmp_path, files)
    code, _, err = cli("init", tmp_path, *options)
    assert code == 2
    [line] = err.splitlines()
    assert said in line
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
    folder = lay_out(tmp_path, {"pom.xml": pom("-web"), "mvnw": "", JAVA: CONTROLLER})
    asked = ("init", folder, "--workflow", "somebody/springbench@v1")
    code, out, _ = cli(*asked)
    assert code == 0
    workflow = folder / ".github/workflows/benchmark.yml"
    assert "build: ./mvnw package\n" in workflow.read_text(encoding="utf-8")
    assert f"wrote {workflow}" in out
    own = (folder / "springbench.toml").read_text(encoding="utf-8").replace("/orders", "/mine")
    # editors read it from the repository that is called
    schema = ROOT / "bench" / "schema" / "springbench.schema.json"
    place = schema.relative_to(ROOT).as_posix()
    address = f"https://raw.githubusercontent.com/somebody/springbench/v1/{place}"
    assert own.startswith(f"#:schema {address}\n# What springbench measures")
    assert schema.is_file()
    (folder / "springbench.toml").write_text(own, encoding="utf-8")
    code, _, err = cli(*asked)
    assert (code, err) == (2, f"springbench: {workflow}: is there already; --force replaces it\n")
    for file in workflow.parent.iterdir():
        file.unlink()
    assert cli(*asked, "--build", "make all")[0] == 0
    assert (folder / "springbench.toml").read_text(encoding="utf-8") == own
    assert "build: make all\n" in workflow.read_text(encoding="utf-8")


def test_a_reference_that_is_none_writes_nothing(tmp_path: Path, cli: Cli) -> None:
    how = ("--command", "./serve {port}", "--route", "/", "--workflow", "springbench")
    code, _, err = cli("init", tmp_path, *how)
    assert code == 2
    assert "allowed: OWNER/springbench@v1" in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.process
@pytest.mark.parametrize(
    ("branch", "written"),
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
    tmp_path: Path, cli: Cli, branch: str, written: str
) -> None:
    made = Repository.create(tmp_path / "service")
    made.git("checkout", "--quiet", "-b", branch)
    how = ("--command", "./serve {port}", "--route", "/", "--workflow", "somebody/springbench@v1")
    code, out, _ = cli("init", made.root, *how)
    assert code == 0
    assert f"pushes to {branch} are measured" in out
    file = made.root / ".github/workflows/benchmark.yml"
    # YAML 1.1 takes `on` for a truth value
    workflow = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert workflow[True]["push"]["branches"] == [written]


@pytest.mark.process
def test_a_repository_that_git_does_not_read_is_no_reason_to_guess(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Repository.create(tmp_path / "service")
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    how = ("--command", "./serve {port}", "--route", "/", "--workflow", "somebody/springbench@v1")
    code, _, err = cli("init", made.root, *how)
    assert (code, err.count("\n")) == (2, 1)
    assert "safe.directory" in err
    assert [each.name for each in made.root.iterdir()] == [".git"]
