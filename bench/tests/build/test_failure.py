"""Of the log of a failed build, the lines that say why."""

from __future__ import annotations

import pytest

from springbench.build.maven import SHOWN_LINES, build_error
from springbench.errors import BuildError

TRAILER = """\
[INFO] ------------------------------------------------------------------------
[INFO] BUILD FAILURE
[INFO] ------------------------------------------------------------------------
[INFO] Total time:  02:11 min
[INFO] ------------------------------------------------------------------------
[ERROR] Failed to execute goal org.graalvm.buildtools:native-maven-plugin:0.11.1 -> [Help 1]
[ERROR]
[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.
[ERROR] Re-run Maven using the -X switch to enable full debug logging.
[ERROR]
[ERROR] For more information about the errors and possible solutions, please read the following:
[ERROR] [Help 1] http://cwiki.apache.org/confluence/display/MAVEN/MojoExecutionException
[ERROR]
[ERROR] After correcting the problems, you can resume the build with the command
[ERROR]   mvn <args> -rf :boot4-tomcat
"""


@pytest.mark.parametrize(
    "line",
    [
        "/usr/bin/ld: /tmp/SVM-1/server.o: undefined reference to `deflateInit2_'",
        "collect2: error: ld returned 1 exit status",
        "Fatal error: com.oracle.graal.pointsto.util.AnalysisError: parsing had failed",
        "Error: Classes that should be initialized at run time got initialized: org.Thing",
        "[ERROR] /clone/App.java:[3,5] cannot find symbol",
        "\x1b[1;31mERROR\x1b[m: No space left on device",
        "java.lang.OutOfMemoryError: Java heap space",
        "gcc: command not found",
        "Killed",
        "bash: ./build.sh: Permission denied",
    ],
)
def test_the_line_that_matters_comes_before_mavens_trailer(line: str) -> None:
    log = ["[INFO] compiling", "[1/8] Initializing... (3.1s @ 0.2GB)", line, *TRAILER.splitlines()]
    error = build_error("mvn ended with exit code 1", "prepare.log", log)
    lines = str(error).splitlines()
    assert lines[0] == "mvn ended with exit code 1; of prepare.log:"
    assert lines[1] == line.replace("\x1b[1;31m", "").replace("\x1b[m", "")
    assert len(lines) <= 3
    assert isinstance(error, BuildError)


def test_a_log_that_does_not_say_why_is_shown_to_its_end() -> None:
    log = [f"step {number}" for number in range(50)]
    lines = str(build_error("it left no server", "prepare.log", log)).splitlines()
    assert lines[0] == "it left no server; prepare.log ends:"
    assert lines[1:] == log[-SHOWN_LINES:]


def test_a_line_that_comes_again_and_again_stands_there_once() -> None:
    log = ["error: no such thing"] * 500 + ["error: another"]
    lines = str(build_error("it failed", "log", log)).splitlines()
    assert lines[1:] == ["error: no such thing", "error: another"]


def test_no_log_at_all() -> None:
    assert str(build_error("it failed", "log", [])) == "it failed; log ends:"
