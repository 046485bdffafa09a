"""When Maven runs, with what, and what a person sees when it fails."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from springbench.build.maven import build, build_seconds, durations_s, source_digest
from springbench.errors import BuildError, HostError
from springbench.host.tools.find import Jdk, Tool
from springbench.messages import show_messages
from tests.fakes import FakeShell

JDK = Jdk(Path("/jdk-25"), "25.0.3", 25, "Somebody")
MAVEN = Tool("maven", Path("/usr/bin/mvn"), "3.8.7")
TOMCAT, JETTY, UPSTREAM = "servers/boot4/tomcat", "servers/boot4/jetty", "servers/slow-upstream"


class Clone:
    """A clone with three modules, whose Maven copies each source into a jar."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.shell = FakeShell()
        self.shell.answer("mvn", then=self.package)
        self.messages: list[str] = []
        show_messages(self.messages.append)
        (root / "pom.xml").write_text("<project/>")
        for module in (TOMCAT, JETTY, UPSTREAM):
            (root / module / "target").mkdir(parents=True)
            (root / module / "App.java").write_text(module)

    def package(self) -> None:
        command = self.shell.calls[-1].command
        for module in command[command.index("-pl") + 1].split(","):
            source = self.root / module / "App.java"
            (self.root / module / "target" / f"{source.parent.name}.jar").write_bytes(
                source.read_bytes()
            )

    def build(self, *modules: str, jdk: Jdk = JDK) -> int:
        """Build, and return how often Maven has run so far."""
        build(modules, jdk, MAVEN, self.root, self.shell)
        return len(self.shell.calls)


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path)


def test_the_found_jdk_builds_whatever_the_default_java_is(clone: Clone) -> None:
    clone.build(TOMCAT)

    call = clone.shell.calls[0]
    assert call.command == (
        *("/usr/bin/mvn", "-B", "-ntp", "-DskipTests", "package"),
        *("-pl", f"{TOMCAT},{UPSTREAM}", "-am"),
    )
    assert call.env is not None
    assert call.env["JAVA_HOME"] == "/jdk-25"
    assert call.cwd == clone.root
    assert f"building {TOMCAT}, {UPSTREAM} with Maven" in clone.messages[0]


def test_nothing_changed_builds_nothing(clone: Clone) -> None:
    assert clone.build(TOMCAT, JETTY) == 1
    assert clone.build(TOMCAT, JETTY) == 1
    assert clone.build(JETTY) == 1
    assert len(clone.messages) == 1


def test_one_more_module_keeps_what_was_built(clone: Clone) -> None:
    assert clone.build(TOMCAT) == 1
    assert clone.build(TOMCAT, JETTY) == 2
    # what may be in use is not written again
    assert clone.messages[1].startswith(f"building {JETTY} with Maven")
    assert clone.build(TOMCAT) == 2


def test_a_changed_source_a_missing_jar_and_another_jdk_build_again(clone: Clone) -> None:
    assert clone.build(TOMCAT) == 1
    (clone.root / TOMCAT / "App.java").write_text("changed")
    assert clone.build(TOMCAT) == 2
    (clone.root / TOMCAT / "target/tomcat.jar").unlink()
    assert clone.build(TOMCAT) == 3
    assert clone.build(TOMCAT, jdk=Jdk(Path("/jdk-26"), "26", 26, "Somebody")) == 4


def test_a_jar_built_by_hand_counts_by_its_content(clone: Clone) -> None:
    jar = clone.root / TOMCAT / "target/tomcat.jar"
    clone.build(TOMCAT)

    jar.write_bytes(jar.read_bytes())
    assert clone.build(TOMCAT) == 1

    jar.write_bytes(b"x" * jar.stat().st_size)
    assert clone.build(TOMCAT) == 2


def test_the_digest_sees_names_and_contents_but_no_builds(clone: Clone) -> None:
    first = source_digest(clone.root)
    (clone.root / TOMCAT / "target/classes").mkdir()
    (clone.root / TOMCAT / "target/classes/App.class").write_text("built")
    assert source_digest(clone.root) == first
    (clone.root / TOMCAT / "App.java").rename(clone.root / TOMCAT / "Main.java")
    assert source_digest(clone.root) != first


def test_sources_that_do_not_build_are_reported_with_the_line_that_says_why(clone: Clone) -> None:
    lines = [f"[INFO] line {number}" for number in range(50)] + ["[ERROR] App.java:[3,1] ';'"]
    clone.shell.answer("mvn", stdout="\n".join(lines), code=1)

    with pytest.raises(BuildError) as caught:
        clone.build(TOMCAT)

    message_lines = str(caught.value).splitlines()
    assert caught.value.exit_code == 5
    assert len(message_lines) == 2
    assert "build.log" in message_lines[0]
    assert message_lines[-1] == "[ERROR] App.java:[3,1] ';'"


def test_a_failed_build_is_tried_again(clone: Clone) -> None:
    clone.shell.answer("mvn", code=1)
    with pytest.raises(BuildError):
        clone.build(TOMCAT)
    clone.shell.answer("mvn", then=clone.package)
    assert clone.build(TOMCAT) == 2


def test_without_a_network_the_host_is_to_blame(clone: Clone) -> None:
    clone.shell.answer("mvn", stdout="[ERROR] Could not transfer artifact a:b:pom:1", code=1)
    with pytest.raises(HostError, match="mirror"):
        clone.build(TOMCAT)


def test_a_module_without_a_jar_is_named(clone: Clone) -> None:
    clone.shell.answer("mvn")
    with pytest.raises(BuildError, match="left no jar"):
        clone.build(TOMCAT)


def test_a_stamp_that_cannot_be_read_counts_as_none(clone: Clone) -> None:
    clone.build(TOMCAT)
    (clone.root / ".tools/build.json").write_text("{")
    assert clone.build(TOMCAT) == 2


SUMMARY = """\
[INFO] Reactor Summary for springbench 1.0.0-SNAPSHOT:
[INFO]
[INFO] springbench ........................................ SUCCESS [  0.391 s]
[INFO] tomcat 1.0.0-SNAPSHOT .............................. SUCCESS [01:02 min]
[INFO] slow-upstream 1.0.0-SNAPSHOT ....................... SUCCESS [  4.512 s]
[INFO] jetty .............................................. FAILURE [  1.000 s]
"""


def test_the_time_that_each_module_took_is_in_mavens_summary() -> None:
    assert durations_s(SUMMARY) == {"springbench": 0.391, "tomcat": 62.0, "slow-upstream": 4.512}


def test_the_last_build_is_remembered_with_its_time(clone: Clone) -> None:
    jar = clone.root / TOMCAT / "target" / "tomcat.jar"
    assert build_seconds(clone.root, jar) is None
    clone.shell.answer("mvn", then=clone.package, stdout=SUMMARY)
    clone.build(TOMCAT)
    assert build_seconds(clone.root, jar) == 62.0
    assert build_seconds(clone.root, clone.root / JETTY / "target" / "jetty.jar") is None
    assert build_seconds(clone.root, Path("/elsewhere/tomcat.jar")) is None


def test_a_second_build_of_one_clone_waits_for_the_first(clone: Clone) -> None:
    started, waiting = threading.Event(), threading.Event()
    messages: list[str] = []

    def slowly() -> None:
        started.set()
        assert waiting.wait(10)
        clone.package()

    def on_message(line: str) -> None:
        messages.append(line)
        if "waiting for another build" in line:
            waiting.set()

    clone.shell.answer("mvn", then=slowly, stdout=SUMMARY)
    first = threading.Thread(target=clone.build, args=(TOMCAT,))
    first.start()
    assert started.wait(10)
    show_messages(on_message)
    build([TOMCAT], JDK, MAVEN, clone.root, clone.shell)
    first.join(10)
    assert messages == ["waiting for another build of this clone to end"], "built once, and by one"


def test_a_build_that_takes_long_says_which_module_it_is_at(
    clone: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def after_a_minute(words: Callable[[float], str]) -> Iterator[None]:
        clone.messages.append(words(0.0))
        log = clone.root / ".tools" / "build.log"
        log.write_text(
            "[INFO] Building slow-upstream 1.0.0  [1/3]\n[INFO] ---\n"
            "[INFO] Building boot4-tomcat 1.0.0                 [2/3]\n"
        )
        clone.messages.append(words(62.0))
        yield

    monkeypatch.setattr("springbench.build.maven.log_elapsed", after_a_minute)
    clone.build(TOMCAT)
    assert clone.messages[1:] == [
        "  before the first module, 0 s so far",
        "  module 2/3, 1 min 02 s so far",
    ]
