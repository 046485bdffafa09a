"""A service runs on the JDK that was asked for, in an environment that nobody else has a say in."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

from tests.commands.test_described_service import QUICKLY, SHORT
from tests.processes import SERVICES, Springbench, running

pytestmark = pytest.mark.process

# a stand-in for Java: says its version, notes its environment, and serves without any JVM
JAVA = """\
#!/bin/sh
[ "$1" != -version ] || { echo 'openjdk version "VERSION" 2026-01-01' >&2; exit 0; }
here=${0%/*}
tr '\\0' '\\n' </proc/$$/environ >"$here/environ"
printf '%s\\n' "$@" >"$here/words"
for word; do case $word in -Dserver.port=*) exec PYTHON SERVER "--${word#-D}" ;; esac; done
"""
CALLER = """\
import os
os.environ.update(
    JAVA_TOOL_OPTIONS="-Xint", LC_ALL="de_DE.UTF-8", TZ="Asia/Tokyo", DB_URL="jdbc:s3cr3t"
)
"""
ALLOWED = {"PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "JAVA_HOME", "LANG", "LC_ALL", "TZ"}


def make_jdk(home: Path, version: str) -> Path:
    text = JAVA.replace("VERSION", version).replace("PYTHON", sys.executable)
    java = home / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(text.replace("SERVER", str(SERVICES / "fake_server.py")), encoding="utf-8")
    java.chmod(0o755)
    return home


def make_jar(folder: Path, class_format: int) -> None:
    with zipfile.ZipFile(folder / "app.jar", "w") as jar:
        jar.writestr("META-INF/MANIFEST.MF", "Start-Class: dev.App\nMain-Class: boot.Loader\n")
        header = b"\xca\xfe\xba\xbe" + (0).to_bytes(2) + class_format.to_bytes(2)
        jar.writestr("BOOT-INF/classes/dev/App.class", header)


def measure(tmp_path: Path, home: Path, lines: str = "") -> tuple[Springbench, int, str, str]:
    (tmp_path / "springbench.toml").write_text(
        f'jar = "app.jar"\n{lines}\n[[routes]]\npath = "/hello"\nconnections = [4]\n',
        encoding="utf-8",
    )
    patch = f'{CALLER}os.environ["JAVA_HOME"] = {str(home)!r}\n{SHORT}'
    options = ("--matrix", tmp_path / "springbench.toml", *QUICKLY)
    with running(tmp_path, *options, patch=patch) as springbench:
        code, out, err = springbench.end()
    return springbench, code, out, err


@pytest.mark.system
def test_it_runs_on_the_jdk_of_java_home_and_in_its_own_environment(tmp_path: Path) -> None:
    home = make_jdk(tmp_path / "jdk", "21.0.9")
    make_jar(tmp_path, class_format=61)
    lines = (
        'pass_env = ["DB_URL"]\nenvironment = { COLOUR = "blue" }\nruntimes = ["jvm", "jvm-aot"]'
    )
    springbench, code, _, err = measure(tmp_path, home, lines)
    assert (code, err) == (0, "")
    run = springbench.run
    assert run.tools.jdk == "21.0.9"
    assert "-jdk21-" in run.host.host_class
    environment = dict(
        line.split("=", 1) for line in (home / "bin/environ").read_text("utf-8").splitlines()
    )
    assert environment.keys() - {"_"} <= ALLOWED | {"DB_URL", "COLOUR"}
    assert (environment["LC_ALL"], environment["TZ"], environment["JAVA_HOME"]) == (
        "C.UTF-8",
        "UTC",
        str(home),
    )
    assert (environment["DB_URL"], environment["COLOUR"]) == ("jdbc:s3cr3t", "blue")
    # what was not passed is said once; what was passed stands in the result, its value nowhere
    [caution] = [warning for warning in run.warnings if warning.code == "environment"]
    assert "JAVA_TOOL_OPTIONS" in caution.message
    assert "java_options" in str(caution.remedy)
    jvm = run.find("app-service-own-jvm/hello/4")
    assert jvm is not None
    assert jvm.planned is not None
    assert jvm.planned.passed_variables == ["DB_URL"]
    assert len(jvm.planned.passed_digest or "") == 8
    assert "s3cr3t" not in run.model_dump_json()
    # an option that this JDK has not is no failure of the service
    aot = run.find("app-service-own-jvm-aot/hello/4")
    assert aot is not None
    assert (aot.status, aot.reason) == (
        "skipped",
        "jvm-aot needs JDK 25 or newer, and servers run on 21.0.9; set JAVA_HOME to such a JDK",
    )


def test_a_jdk_that_is_too_old_for_the_jar_is_named(tmp_path: Path) -> None:
    home = make_jdk(tmp_path / "jdk", "17.0.15")
    make_jar(tmp_path, class_format=65)
    _, code, out, err = measure(tmp_path, home)
    assert code == 3
    assert "JDK 17.0.15; what is to be measured is compiled for 21 or newer" in out + err


@pytest.mark.system
def test_a_jdk_without_one_option_for_all_logs_runs_without_a_log(tmp_path: Path) -> None:
    home = make_jdk(tmp_path / "jdk", "1.8.0_402")
    make_jar(tmp_path, class_format=52)
    springbench, code, _, _ = measure(tmp_path, home)
    assert code == 0
    assert "-Xlog" not in (home / "bin/words").read_text("utf-8")
    [result] = springbench.run.results
    assert "a JDK before 9" in result.forks[0].missing["load.gc_count"]


def test_a_java_home_without_java_is_named(tmp_path: Path) -> None:
    make_jar(tmp_path, class_format=61)
    _, code, out, err = measure(tmp_path, tmp_path / "nothing")
    assert code == 3
    assert f"JAVA_HOME is {tmp_path / 'nothing'}, where no Java is" in out + err


def test_each_jdk_that_is_named_is_measured_as_far_as_it_is_there(tmp_path: Path) -> None:
    home = make_jdk(tmp_path / "jdk", "31.0.1")
    make_jar(tmp_path, class_format=61)
    lines = 'jdks = ["16", "31", "99"]\npool_sizes = [12]'
    springbench, code, out, err = measure(tmp_path, home, lines)
    assert code == 0, out + err
    run = springbench.run
    assert run.tools.jdks == {"31": "31.0.1"}
    found = {result.case: result.status for result in run.results}
    name = "app-service-own-jvm_jdk{}_pool12/hello/4"
    assert found[name.format(31)] == "ok"
    assert found[name.format(16)] == found[name.format(99)] == "skipped"
    missing_result = run.find(name.format(99))
    assert missing_result is not None
    assert str(missing_result.reason).startswith(
        "JDK 99: none is on this host, in JAVA_HOME, the path"
    )
    words = (home / "bin/words").read_text("utf-8")
    assert "-Dspring.datasource.hikari.maximum-pool-size=12" in words
