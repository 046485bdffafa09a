"""The closing lines of the checks, and which modules of Maven are tested again."""

from __future__ import annotations

from pathlib import Path

import pytest

import check
from check import Ended, module_digests, summary, tallies
from tests.repositories import Repository

REPORT = """\
<testsuites><testsuite>
  <testcase classname="t" name="a" time="0.1"/>
  <testcase classname="t" name="slow" time="4.2">
    <properties><property name="level" value="process"/></properties>
  </testcase>
  <testcase classname="t" name="b"><skipped message="no Node"/></testcase>
  {failure}
</testsuite></testsuites>
"""
FINE = (Ended("mypy", 2.0), Ended("pytest", 60.0))
POM = "<project><artifactId>{name}</artifactId>{more}</project>"


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    """Reports of a run in which all tests passed."""
    (tmp_path / "pytest.xml").write_text(REPORT.format(failure=""))
    (tmp_path / "vitest.xml").write_text('<testsuites><testcase name="site"/></testsuites>')
    java = tmp_path / "copy/servers/a/target/surefire-reports"
    java.mkdir(parents=True)
    (java / "TEST-A.xml").write_text('<testsuite><testcase name="java"/></testsuite>')
    return tmp_path


def test_every_language_is_counted_by_level(reports: Path) -> None:
    lines, well = summary(FINE, tallies(reports, reports / "copy"))
    assert well
    assert lines[:2] == ["   60 s pytest", "    2 s mypy"]
    assert "1 tests took more than 3 s:" in lines
    assert "    4 s process  t::slow" in lines
    assert "skipped: t::b: no Node" in lines
    assert lines[-4:] == [
        "Python: 2 passed, 0 failed, 1 skipped (1 process, 1 unit)",
        "Java:   1 passed, 0 failed, 0 skipped (1 process)",
        "Site:   1 passed, 0 failed, 0 skipped (1 unit)",
        "4 passed, 0 failed, 1 skipped",
    ]


def test_the_reason_of_a_skipped_java_test_is_shown(reports: Path) -> None:
    skipped = "<skipped type='Aborted'><![CDATA[Aborted: \nno PostgreSQL here]]></skipped>"
    text = f'<testsuite><testcase classname="B" name="b">{skipped}</testcase></testsuite>'
    (reports / "copy/servers/a/target/surefire-reports/TEST-B.xml").write_text(text)
    lines, _ = summary(FINE, tallies(reports, reports / "copy"))
    assert "skipped: B::b: Aborted: no PostgreSQL here" in lines


@pytest.mark.parametrize("tag", ["failure", "error"])
def test_a_failed_test_fails_and_is_not_counted_again_as_its_step(reports: Path, tag: str) -> None:
    failure = f'<testcase classname="t" name="c"><{tag}/></testcase>'
    (reports / "pytest.xml").write_text(REPORT.format(failure=failure))
    ended = [Ended("pytest", 60.0, "exit code 1")]
    lines, well = summary(ended, tallies(reports, reports / "copy"))
    assert not well
    assert lines[-2:] == ["failed: pytest (exit code 1)", "4 passed, 1 failed, 1 skipped"]


def test_a_failed_step_fails_though_every_test_passed(reports: Path) -> None:
    ended = [*FINE, Ended("zizmor", 1.0, "exit code 14")]
    lines, well = summary(ended, tallies(reports, reports / "copy"))
    assert not well
    assert lines[-1] == "4 passed, 1 failed, 1 skipped"


def test_what_was_not_run_again_is_said_and_not_counted(
    reports: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "NOT_RUN_AGAIN", ["Maven verify"])
    begun_after_s = (reports / "vitest.xml").stat().st_mtime + 60
    lines, well = summary(FINE, tallies(reports, reports / "copy", begun_after_s))
    assert well
    assert "Java:   0 passed, 0 failed, 0 skipped" in lines
    assert "not run again, for nothing has changed: Maven verify" in lines


def modules(top: Path) -> None:
    """A parent that manages all, two libraries, and a server that needs one of them."""
    managed = "<dependencyManagement><artifactId>two</artifactId></dependencyManagement>"
    parent = "<parent><artifactId>servers</artifactId></parent>"
    needs = "<dependency><artifactId>one</artifactId></dependency>"
    files = {
        "pom.xml": POM.format(name="top", more=""),
        "bench/matrix.toml": "",
        "servers/pom.xml": POM.format(name="servers", more=managed),
        "servers/one/pom.xml": f"<project>{parent}<artifactId>one</artifactId></project>",
        "servers/one/src/A.java": "one",
        "servers/two/pom.xml": f"<project>{parent}<artifactId>two</artifactId></project>",
        "servers/two/src/A.java": "two",
        "servers/web/pom.xml": f"<project>{parent}<artifactId>web</artifactId>{needs}</project>",
        "servers/web/src/A.java": "web",
    }
    for name, text in files.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text)


@pytest.mark.parametrize(
    ("file", "tested_again"),
    [
        ("servers/web/src/A.java", {"servers/web"}),
        ("servers/one/src/A.java", {"servers/one", "servers/web"}),
        ("servers/two/src/A.java", {"servers/two"}),
        ("servers/two/target/A.class", set()),
        ("servers/pom.xml", {"servers/one", "servers/two", "servers/web"}),
        ("bench/matrix.toml", {"servers/one", "servers/two", "servers/web"}),
    ],
)
def test_only_modules_that_a_change_reaches_are_tested_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, tested_again: set[str]
) -> None:
    modules(tmp_path)
    monkeypatch.setattr(check, "TOP", tmp_path)
    monkeypatch.setattr(check, "VERIFIED", tmp_path / "verified.json")
    before = module_digests(tmp_path, "jdk-25")
    assert before.keys() == {"servers/one", "servers/two", "servers/web"}
    assert check.unverified(before, "test") == before.keys()
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    with (tmp_path / file).open("a") as changed:
        changed.write(" ")
    after = module_digests(tmp_path, "jdk-25")
    assert {module for module in before if before[module] != after[module]} == tested_again


def test_what_passed_in_all_models_needs_no_test_in_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "VERIFIED", tmp_path / "verified.json")
    (tmp_path / "verified.json").write_text('{"all": {"a": "1"}, "test": {"b": "2"}}')
    assert check.unverified({"a": "1", "b": "2"}, "test") == set()
    assert check.unverified({"a": "1", "b": "2"}, "all") == {"b"}
    assert check.unverified({"a": "other", "b": "2"}, "test") == {"a"}


def test_a_server_is_tested_on_the_newest_line_that_has_it() -> None:
    modules = ["boot3/jetty", "boot4/jetty", "boot3/undertow", "boot10/jetty", "contract"]
    left_out = check.older_lines(f"servers/{module}" for module in modules)
    assert left_out == {"servers/boot3/jetty", "servers/boot4/jetty"}


@pytest.mark.process
def test_what_passed_on_the_same_files_is_not_run_again_by_test_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = Repository.create(tmp_path / "clone")
    repository.commit({"a": "1", ".gitignore": "ignored"})
    monkeypatch.setattr(check, "TOP", repository.root)
    monkeypatch.setattr(check, "PASSED_STEPS", tmp_path / "passed.json")
    assert not check.is_unchanged("pytest", "test")
    check.note_passed("pytest")
    (repository.root / "ignored").write_text("a build")
    assert check.is_unchanged("pytest", "test")
    assert not check.is_unchanged("browser tests", "test")
    assert not check.is_unchanged("pytest", "all")
    # a new file counts before it is committed
    (repository.root / "b").write_text("new")
    assert not check.is_unchanged("pytest", "test")


def test_options_of_one_step_may_follow_the_level(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        check.main(["test", "--only", "pytst", "--", "-k", "lock"])
    assert "no step 'pytst'" in capsys.readouterr().err
