"""Which JDK, Maven and wrk are taken, in fake filesystems."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from springbench.errors import HostError
from springbench.host.tools.find import (
    at_least,
    find_asked_jdk,
    find_jdk,
    find_maven,
    find_native_image,
    find_wrk,
    java_major,
    jdks,
    read_jdk,
)
from springbench.host.tools.search import Search
from tests.fakes import FakeShell


def make_program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def make_jdk(home: Path, version: str, *, javac: bool = True, release: bool = True) -> Path:
    make_program(home / "bin/java")
    if javac:
        make_program(home / "bin/javac")
    if release:
        (home / "release").write_text(f'IMPLEMENTOR="Somebody"\nJAVA_VERSION="{version}"\n')
    return home


def test_an_older_java_home_and_an_older_default_java_do_not_matter(tmp_path: Path) -> None:
    old = make_jdk(tmp_path / "usr/lib/jvm/java-17", "17.0.15")
    new = make_jdk(tmp_path / "usr/lib/jvm/temurin-25", "25.0.3")
    bin_dir = tmp_path / "usr/bin"
    bin_dir.mkdir()
    (bin_dir / "javac").symlink_to(old / "bin/javac")
    search = Search(java_home=str(old), path=str(bin_dir), filesystem=tmp_path)

    found = find_jdk(search=search)

    assert found is not None
    assert (found.home, found.version, found.major) == (new, "25.0.3", 25)
    assert found.java == new / "bin/java"
    assert found.env({"A": "b"}) == {"A": "b", "JAVA_HOME": str(new)}


def test_a_service_runs_on_what_java_home_names_of_any_version(tmp_path: Path) -> None:
    make_jdk(tmp_path / "usr/lib/jvm/jdk-25", "25.0.1")
    own_jdk = make_jdk(tmp_path / "mine", "17.0.15", javac=False)
    search = Search(java_home=str(own_jdk), filesystem=tmp_path)
    found = find_asked_jdk(17, search=search)
    assert found is not None
    assert (found.home, found.major) == (own_jdk, 17)
    with pytest.raises(HostError, match="compiled for 21 or newer"):
        find_asked_jdk(21, search=search)
    with pytest.raises(HostError, match="where no Java is"):
        find_asked_jdk(search=Search(java_home="/nowhere", filesystem=tmp_path))


def test_without_java_home_a_service_runs_on_the_jdk_of_the_path_if_it_can(tmp_path: Path) -> None:
    old = make_jdk(tmp_path / "usr/lib/jvm/java-17", "17.0.15")
    between = make_jdk(tmp_path / "usr/lib/jvm/java-21", "21.0.9")
    new = make_jdk(tmp_path / "usr/lib/jvm/temurin-25", "25.0.3")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/javac").symlink_to(old / "bin/javac")
    on_path = Search(path=str(tmp_path / "bin"), filesystem=tmp_path)
    nothing_asked = Search(filesystem=tmp_path)

    def home(major: int, search: Search) -> Path | None:
        found = find_asked_jdk(major, search=search)
        return found.home if found else None

    assert [home(major, on_path) for major in (0, 17, 21)] == [old, old, new]
    assert [home(major, nothing_asked) for major in (0, 21, 26)] == [new, new, None]
    (new / "bin/java").unlink()
    assert home(21, nothing_asked) == between


def test_java_home_comes_first_when_it_is_new_enough(tmp_path: Path) -> None:
    make_jdk(tmp_path / "usr/lib/jvm/jdk-25", "25.0.1")
    own_jdk = make_jdk(tmp_path / "mine", "26")

    found = find_jdk(search=Search(java_home=str(own_jdk), filesystem=tmp_path))

    assert found is not None
    assert found.home == own_jdk


def test_the_clone_s_own_jdk_comes_last(tmp_path: Path) -> None:
    clone, home = tmp_path / "clone", tmp_path / "home/me"
    make_jdk(clone / ".tools/jdk-25", "25.0.3")
    sdkman = make_jdk(home / ".sdkman/candidates/java/25-tem", "25.0.2")

    found = list(jdks(Search(filesystem=tmp_path, home=home, clone=clone)))

    assert [jdk.home for jdk in found] == [sdkman, clone / ".tools/jdk-25"]


@pytest.mark.parametrize(
    "folder",
    [
        "usr/lib/jvm/openjdk-25",
        "opt/java25",
        "opt/java/openjdk",
        "opt/graalvm-jdk-25",
        "opt/temurin-25",
        "Library/Java/JavaVirtualMachines/temurin-25.jdk/Contents/Home",
        "opt/homebrew/opt/openjdk/libexec/openjdk.jdk/Contents/Home",
    ],
)
def test_it_is_found_where_linux_and_macos_keep_it(tmp_path: Path, folder: str) -> None:
    home = make_jdk(tmp_path / folder, "25")
    found = find_jdk(search=Search(filesystem=tmp_path))
    assert found is not None
    assert found.home == home


def test_a_runtime_without_a_compiler_is_no_jdk(tmp_path: Path) -> None:
    make_jdk(tmp_path / "usr/lib/jvm/jre-25", "25.0.3", javac=False)
    assert find_jdk(search=Search(filesystem=tmp_path)) is None


def test_two_names_of_one_jdk_are_listed_once(tmp_path: Path) -> None:
    jvm = tmp_path / "usr/lib/jvm"
    make_jdk(jvm / "jdk-25", "25")
    (jvm / "default").symlink_to("jdk-25")
    assert len(list(jdks(Search(filesystem=tmp_path)))) == 1


def test_without_a_release_file_java_itself_is_asked(tmp_path: Path) -> None:
    shell = FakeShell()
    shell.answer("java", "-version", stderr='openjdk version "26-ea" 2026-03-17\n')
    found = read_jdk(make_jdk(tmp_path / "jdk", "", release=False), shell)
    assert found is not None
    assert (found.major, found.vendor) == (26, "unknown")


def test_the_stub_that_macos_keeps_in_usr_bin_is_never_run(tmp_path: Path) -> None:
    shell = FakeShell(strict=True)
    search = Search(path="/usr/bin", filesystem=tmp_path)
    assert all(jdk.home != Path("/usr") for jdk in jdks(search, shell))


@pytest.mark.parametrize(
    ("version", "major"), [("25.0.3", 25), ("1.8.0_402", 8), ("26-ea", 26), ("unknown", None)]
)
def test_java_major(version: str, major: int | None) -> None:
    assert java_major(version) == major


@pytest.mark.parametrize(
    ("version", "enough"), [("3.8.7", True), ("3.6.3", False), ("4.0.0-rc-4", True), ("", False)]
)
def test_at_least(version: str, enough: bool) -> None:
    assert at_least(version, (3, 8)) is enough


def test_maven_tells_its_version_without_being_started(tmp_path: Path) -> None:
    make_program(tmp_path / "maven/bin/mvn")
    (tmp_path / "maven/lib").mkdir()
    with zipfile.ZipFile(tmp_path / "maven/lib/maven-core-3.9.9.jar", "w") as jar:
        jar.writestr("META-INF/maven/org.apache.maven/maven-core/pom.properties", "version=3.9.9\n")

    found = find_maven(
        search=Search(path=str(tmp_path / "maven/bin")), shell=FakeShell(strict=True)
    )

    assert found is not None
    assert found.version == "3.9.9"


def test_maven_that_is_a_wrapper_is_asked_and_may_be_too_old(tmp_path: Path) -> None:
    make_program(tmp_path / "mvn")
    shell = FakeShell()
    shell.answer("mvn", stdout="\x1b[1mApache Maven 3.6.3\x1b[m\nMaven home: /somewhere\n")
    assert find_maven(search=Search(path=str(tmp_path)), shell=shell) is None
    shell.answer("mvn", stdout="\x1b[1mApache Maven 3.9.1\x1b[m\nMaven home: /somewhere\n")
    found = find_maven(search=Search(path=str(tmp_path)), shell=shell)
    assert found is not None
    assert found.version == "3.9.1"


@pytest.mark.parametrize("output", ["wrk 4.1.0 [epoll] Copyright", "wrk debian/4.1.0-3+b2 [epoll]"])
def test_wrk_tells_its_version_with_its_usage(tmp_path: Path, output: str) -> None:
    make_program(tmp_path / "wrk")
    shell = FakeShell()
    shell.answer("wrk", "-v", stdout=output, code=1)
    found = find_wrk(search=Search(path=str(tmp_path)), shell=shell)
    assert found is not None
    assert found.version == "4.1.0"


def test_nothing_on_an_empty_path() -> None:
    assert find_wrk(search=Search()) is None
    assert find_maven(search=Search()) is None


def test_native_image_of_the_right_release_wherever_it_is(tmp_path: Path) -> None:
    make_program(tmp_path / "old" / "native-image")
    make_program(tmp_path / "graal" / "bin" / "native-image")
    shell = FakeShell()
    on_path = Search(path=str(tmp_path / "old"), filesystem=tmp_path / "none")
    shell.answer("native-image", "--version", stdout="native-image 21.0.2 2024-01-16\n")
    assert find_native_image(search=on_path, shell=shell) is None
    assert find_native_image(search=Search(filesystem=tmp_path / "none"), shell=shell) is None
    shell.answer("native-image", "--version", stdout="native-image 25 2025-09-16\nGraalVM\n")
    at_home = Search(graalvm_home=str(tmp_path / "graal"), filesystem=tmp_path / "none")
    found = find_native_image(search=at_home, shell=shell)
    assert found is not None
    assert (found.path, found.version) == (tmp_path / "graal" / "bin" / "native-image", "25")
