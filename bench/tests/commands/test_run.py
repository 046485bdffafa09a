"""`springbench run` with real processes: wrk is real, the server is a script."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from springbench.history.offline import MARK
from springbench.host.ports import FIRST_PORT_VARIABLE
from springbench.paths import MATRIX
from tests.conftest import left_behind
from tests.processes import CRASHES, DEAF, DIES, FINE, PAY, SERVICES, on_fakes, running

pytestmark = pytest.mark.process


@pytest.mark.exclusive
def test_a_run_measures_saves_and_reports(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    # in the place of the built one, which a clone may have or not
    patch = f"import springbench.run.execute as run; run.read_template = lambda: {MARK!r}"
    arguments = (*on_fakes(FINE, PAY), "--forks", "1", "--port", port)
    with running(tmp_path, *arguments, patch=patch) as springbench:
        code, out, err = springbench.end()
    assert (code, err) == (0, "")
    assert springbench.statuses == {FINE: "ok", PAY: "ok"}

    run = springbench.run
    assert run.run.finished_at
    assert run.run.profile == "quick"
    for result in run.results:
        [fork] = result.forks
        assert fork.load is not None
        assert fork.load.from_timeline
        assert fork.load.errors.total == 0
        assert fork.startup.first_200_s is not None
        assert fork.load.memory_peak_bytes
    pay = run.find(PAY)
    assert pay is not None
    assert pay.theoretical_max_rps == 100
    # a host that disturbed it must be named for what is missing
    causes = {"not-steady", "stolen", "stalled", "disturbed"}
    disturbed = causes & {caution.code for caution in (*pay.warnings, *run.warnings)}
    throughput_rps = pay.summary["throughput_rps"].median
    assert throughput_rps < 110
    assert disturbed or throughput_rps == pytest.approx(100, rel=0.1)

    for case in (FINE, PAY):
        for name in ("server.log", "warm-up.txt", "warm-up.json", "load.txt", "load.json"):
            assert springbench.raw(case, name).is_file()
        assert "SPRINGBENCH {" in springbench.raw(case, "load.txt").read_text(encoding="utf-8")
        timeline = json.loads(springbench.raw(case, "load.json").read_text(encoding="utf-8"))
        assert timeline["at_s"][-1] > 2
        # the port that was asked for
        log = springbench.raw(case, "server.log").read_text(encoding="utf-8")
        assert f"listening on {port}\n" in log
    folder = (springbench.results / "latest").resolve()
    assert sorted(entry.name for entry in folder.iterdir()) == ["raw", "run.json"]

    lines = out.splitlines()
    assert lines[0].startswith("profile quick: 2 cases, 2 forks, about ")
    assert lines[1].startswith(f"[0/2 done] {FINE} start, about ")
    rows = [line for line in lines if "boot4-fake-fine-script" in line]
    assert disturbed or any("latency" in row for row in rows), rows
    report = springbench.results / f"{run.run.id}.md"
    assert report.read_text(encoding="utf-8").startswith("# springbench: profile quick")
    page = report.with_suffix(".html")
    assert lines[-1] == f"report page: results/{page.name}"
    assert f'"runs/{run.run.id}.json.gz"' in page.read_text(encoding="utf-8")
    assert left_behind() == []


def test_a_failing_case_keeps_its_last_words_and_the_run_goes_on(tmp_path: Path) -> None:
    # on a busy host an interpreter takes its time to start, and only one of them never listens
    patch = "import springbench.measure.server.patience as server; server.READY_CEILING_S = 5"
    cases = on_fakes(DIES, CRASHES, DEAF, PAY)
    with running(tmp_path, *cases, patch=patch) as springbench:
        code, out, err = springbench.end()
    assert (code, err) == (4, "")
    assert springbench.statuses == {DIES: "failed", CRASHES: "failed", DEAF: "failed", PAY: "ok"}
    failed = {result.case: result for result in springbench.run.results}
    words = "fake: cannot find its configuration"
    reason = f"the server exited with code 1 during startup: {words}"
    assert failed[DIES].reason == f"{reason}; log: raw/{DIES}/fork-0/server.log"
    assert failed[DIES].forks[0].log_tail[-1] == words
    assert failed[CRASHES].reason == "the server exited with code 7 during warm-up"
    assert failed[CRASHES].forks[0].log_tail[-1] == "fake: out of memory"
    assert str(failed[DEAF].reason).startswith("the server never got ready: after ")
    assert failed[DEAF].forks[0].log_tail == ["fake: mode deaf"]
    assert "failed: the server exited with code 1 during startup" in out
    assert left_behind() == []


@pytest.mark.parametrize(
    ("number", "case", "file", "phase"),
    [
        (signal.SIGTERM, DEAF, "server.log", "start"),
        (signal.SIGINT, FINE, "load.txt", "load"),
        *(
            pytest.param(*interruption, marks=pytest.mark.system)
            for interruption in (
                (signal.SIGINT, DEAF, "server.log", "start"),
                (signal.SIGINT, FINE, "warm-up.txt", "warm-up"),
                (signal.SIGTERM, FINE, "warm-up.txt", "warm-up"),
                (signal.SIGTERM, FINE, "load.txt", "load"),
            )
        ),
    ],
)
def test_ctrl_c_ends_every_child_and_saves(
    tmp_path: Path, number: signal.Signals, case: str, file: str, phase: str
) -> None:
    with running(tmp_path, *on_fakes(case, PAY)) as springbench:
        springbench.wait_until(lambda: _has_begun(springbench.raw(case, file), phase))
        springbench.process.send_signal(number)
        code, out, err = springbench.end()
    assert (code, err) == (130, "")
    assert left_behind() == []
    assert springbench.statuses == {case: "skipped", PAY: "skipped"}
    assert springbench.run.run.finished_at
    assert "skipped: interrupted before it was measured" in out
    assert "interrupted after" in out


@pytest.mark.system
def test_what_was_measured_before_ctrl_c_is_kept(tmp_path: Path) -> None:
    with running(tmp_path, *on_fakes(DIES, DEAF, PAY)) as springbench:
        springbench.wait_until(lambda: _has_begun(springbench.raw(DEAF, "server.log"), "start"))
        springbench.process.send_signal(signal.SIGINT)
        code, _, err = springbench.end()
    assert (code, err) == (130, "")
    assert springbench.statuses == {DIES: "failed", DEAF: "skipped", PAY: "skipped"}
    assert left_behind() == []


def _has_begun(file: Path, phase: str) -> bool:
    """Whether the process that writes this file runs by now; a server says something at once."""
    with suppress(OSError):
        return phase != "start" or file.stat().st_size > 0 if file.exists() else False
    return False


@pytest.mark.system
def test_whoever_has_a_matrix_of_their_own_measures_their_own_commit(tmp_path: Path) -> None:
    repository = tmp_path / "theirs"
    repository.mkdir()
    shutil.copy(SERVICES / "matrix.toml", repository)
    identity = ["-c", "user.name=a", "-c", "user.email=a@localhost"]
    for words in (["init", "--quiet"], ["add", "."], [*identity, "commit", "--quiet", "-m", "own"]):
        subprocess.run(["git", "-C", repository, *words], check=True)
    options = ["--matrix", repository / "matrix.toml", "--jars", SERVICES, "--only", PAY]
    with running(tmp_path, *options) as springbench:
        assert springbench.end()[0] == 0
    assert springbench.run.commit
    assert springbench.run.commit.message == "own"


def test_a_fixed_port_that_is_taken_names_its_holder(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
        with running(tmp_path, *on_fakes(FINE), "--port", port) as springbench:
            code, out, err = springbench.end()
    assert (code, out) == (3, "")
    assert err.startswith(f"springbench: port {port} is taken by ")
    assert "pid" in err
    assert err.endswith("stop that process, or leave the port out to get a free one\n")
    assert len(err.splitlines()) == 1
    assert not springbench.results.exists()


@pytest.mark.system
def test_a_port_that_is_taken_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        monkeypatch.setenv(FIRST_PORT_VARIABLE, str(port))
        with running(tmp_path, *on_fakes(PAY)) as springbench:
            code, _, err = springbench.end()
    assert (code, err) == (0, "")
    log = springbench.raw(PAY, "server.log").read_text(encoding="utf-8")
    assert "fake: listening on " in log
    assert f"listening on {port}\n" not in log


def test_a_missing_jar_is_named(tmp_path: Path) -> None:
    matrix = ["--matrix", SERVICES / "matrix.toml"]
    for jars, message in [
        (tmp_path, f"--jars {tmp_path}: not there: fake_server.py"),
        (tmp_path / "none", f"--jars {tmp_path}/none: there is no such folder"),
    ]:
        with running(tmp_path, *matrix, "--jars", jars) as springbench:
            assert springbench.end() == (2, "", f"springbench: {message}\n")


def test_a_jar_of_the_real_matrix_is_named(tmp_path: Path) -> None:
    shutil.copy(SERVICES / "fake_server.py", tmp_path / "boot4-tomcat.jar")
    options = ("--matrix", MATRIX, "--jars", tmp_path, "--only", "boot4-*")
    with running(tmp_path, *options) as springbench:
        code, out, err = springbench.end()
    assert (code, out) == (2, "")
    assert err == f"springbench: --jars {tmp_path}: not there: boot4-jetty.jar, boot4-netty.jar\n"


LOST = """
[[servers]]
id = "lost"
boots = ["boot4"]
models = ["fine"]
runtimes = ["script"]
module = "none"
artifact = "lost.py"
health = "/hello"
"""


@pytest.mark.system
def test_going_on_costs_only_the_cases_whose_jar_is_missing(tmp_path: Path) -> None:
    matrix = tmp_path / "matrix.toml"
    text = (SERVICES / "matrix.toml").read_text(encoding="utf-8")
    matrix.write_text(text + LOST, encoding="utf-8")
    lost = FINE.replace("fake", "lost")
    options = ["--matrix", matrix, "--jars", SERVICES, "--only", FINE, "--only", lost]
    with running(tmp_path, *options) as springbench:
        assert springbench.end()[0] == 2
    with running(tmp_path, *options, "--keep-going", "--forks", "1") as springbench:
        code, _, err = springbench.end()
    assert (code, err) == (4, "")
    assert springbench.statuses == {FINE: "ok", lost: "failed"}
    failed = springbench.run.find(lost)
    assert failed is not None
    assert failed.reason == "lost.py is not there: its build has failed"
    # nothing at all is still a mistake of the command
    with running(tmp_path, *options[:4], "--only", lost, "--keep-going") as springbench:
        assert springbench.end()[0] == 2


IMAGE = """
[[servers]]
id = "drawn"
boots = ["boot4"]
models = ["fine"]
runtimes = ["image"]
module = "none"
artifact = "no.jar"
health = "/hello"

[[runtimes]]
id = "image"
description = "an image that another job makes"
needs = ["native-image"]
makes = "server"
start = ["python3", "{prepared}/server", "{properties}"]
"""
DRAWN = "boot4-drawn-fine-image/hello/8"


@pytest.mark.system
@pytest.mark.parametrize(
    ("options", "with_image", "code", "status", "reason"),
    [
        ([], False, 0, "skipped", "build it, or leave out --jars"),
        (["--keep-going"], False, 4, "failed", f"{DRAWN[:22]}/server is not there: its build has"),
        (["--keep-going"], True, 0, "ok", ""),
    ],
)
def test_an_image_whose_build_failed_costs_its_own_cases_alone(
    tmp_path: Path, options: list[str], with_image: bool, code: int, status: str, reason: str
) -> None:
    """It needs no jar where the image is there."""
    jars, matrix = tmp_path / "jars", tmp_path / "matrix.toml"
    text = (SERVICES / "matrix.toml").read_text(encoding="utf-8")
    matrix.write_text(text + IMAGE, encoding="utf-8")
    jars.mkdir()
    shutil.copy(SERVICES / "fake_server.py", jars)
    if with_image:
        (jars / DRAWN[:22]).mkdir()
        shutil.copy(SERVICES / "fake_server.py", jars / DRAWN[:22] / "server")
    only = ["--only", FINE, "--only", DRAWN, "--matrix", matrix, "--jars", jars]
    with running(tmp_path, *only, *options) as springbench:
        assert springbench.end()[0] == code
    assert springbench.statuses == {FINE: "ok", DRAWN: status}
    drawn = springbench.run.find(DRAWN)
    assert drawn is not None
    assert reason in (drawn.reason or "")


def test_results_that_cannot_be_written_are_named(tmp_path: Path) -> None:
    (tmp_path / "results").touch()
    with running(tmp_path, *on_fakes(FINE)) as springbench:
        code, out, err = springbench.end()
    assert (code, out) == (2, "")
    assert "cannot be made: " in err
    assert len(err.splitlines()) == 1
