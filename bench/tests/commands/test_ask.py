"""`springbench ask`: questions are listed, measured, and answered from what was measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from springbench.matrix.rows import Matrix
from springbench.paths import QUESTIONS
from springbench.results.question_file import load_questions
from springbench.results.store import load_run
from tests.conftest import Cli
from tests.questions import PROTOCOLS, interleaved, protocols, result_of, run_of
from tests.recorded import RECORDINGS, write_recording

QUICK = RECORDINGS / "quick.json.gz"


def test_it_lists_each_question_with_its_minutes(cli: Cli, matrix: Matrix) -> None:
    code, out, err = cli("ask")
    assert (code, err) == (0, "")
    for question in load_questions(QUESTIONS, matrix).questions:
        [line] = [line for line in out.splitlines() if line.split()[:1] == [question.id]]
        assert question.question in line
        assert 1 <= int(line.split()[-1]) <= 30


def test_programs_get_the_list(cli: Cli) -> None:
    code, out, _ = cli("ask", "--json")
    assert code == 0
    assert {"id", "question", "estimate_s"} == set(json.loads(out)[0])


def test_it_answers_from_a_run_of_another_profile(cli: Cli) -> None:
    code, out, err = cli("ask", "threads", "--from", QUICK)
    assert (code, err) == (0, "")
    assert "one process of each does not decide throughput" in out
    assert "no evidence, Undertow platform: not warmed up" in out
    assert "springbench run --profile quick --forks 1 --duration 5" in out


def test_it_answers_from_several_runs(cli: Cli, matrix: Matrix, tmp_path: Path) -> None:
    question = protocols(matrix)
    options = []
    for number, host in enumerate((1.0, 0.5, 0.9)):
        rates = {"tomcat http1": [40_000.0 * host], "tomcat https1": [30_000.0 * host]}
        run = run_of(matrix, question, rates, f"run-{number}")
        run.host.host_class = f"host-{number}"
        options += ["--from", write_recording(tmp_path / run.run.id, run) / "0.json.gz"]
    code, out, _ = cli("ask", "protocols", *options, "--format", "markdown")
    assert code == 0
    assert "TLS makes Tomcat 25 %" in out
    assert "3 rounds of fresh processes" in out
    assert "Runs of several hosts" in out
    code, out, _ = cli("ask", "protocols", *options[:2], "--json", "--only", "*-tomcat-*")
    found = json.loads(out)
    assert {row["subject"] for row in found["rows"]} == {"Tomcat"}
    assert found["rounds"] == 1


def test_another_question_is_another_row(cli: Cli, matrix: Matrix, tmp_path: Path) -> None:
    row = PROTOCOLS.replace('id = "protocols"', 'id = "transport"')
    (tmp_path / "questions.toml").write_text(row, encoding="utf-8")
    rates = {"tomcat http1": [40_000.0, 41_000.0], "tomcat https1": [30_000.0, 30_500.0]}
    run = run_of(matrix, protocols(matrix), rates)
    run_file = write_recording(tmp_path / "run", run) / "0.json.gz"
    arguments = ("--questions", tmp_path / "questions.toml", "--from", run_file)
    code, out, _ = cli("ask", "transport", *arguments)
    assert code == 0
    assert "TLS makes Tomcat 25 %" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing"], "'nothing': no such question; allowed: boot, memory"),
        (["--from", QUICK], "which question? Allowed: boot, "),
        (["threads", "--from", QUICK, "--forks", "2"], "--from answers from what was measured"),
        (["threads", "--from", QUICK, "--from", QUICK], "the same run twice"),
        (["protocols", "--from", RECORDINGS / "smoke.json.gz"], "has none of the 16 cases"),
        (["protocols", "--from", RECORDINGS / "aa.json.gz"], "aa.json.gz"),
        (["protocols", "--from", "nowhere"], "nowhere"),
        (
            ["protocols", "--only", "*/hello-h2/*"],
            "--only leaves the steps h2 of 'protocols', and nothing to compare: keep the baseline "
            "http1, and one more of http1, https1, h2c, h2",
        ),
        (["protocols", "--only", "*/hello/*", "--from", QUICK], "--only leaves the steps http1 of"),
        (["protocols", "--only", "x"], "--only 'x': no case of profile 'protocols' matches"),
        (["protocols", "--questions", "nowhere.toml"], "nowhere.toml: cannot be read"),
        (["threads", "--resume", QUICK], "is a run of profile quick, and 'threads' is answered by"),
        (["threads", "--resume", QUICK, "--forks", "2"], "finishes a run as it was begun"),
        (["threads", "--format", "pdf"], "--format"),
    ],
)
def test_a_mistake_is_a_line(cli: Cli, arguments: list[object], message: str) -> None:
    code, out, err = cli("ask", *arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert message in err


def test_a_memory_ladder_is_not_read_from_another_limit(
    cli: Cli, matrix: Matrix, tmp_path: Path
) -> None:
    question = load_questions(QUESTIONS, matrix).find("memory")
    run = run_of(matrix, question, {})
    case_id = "boot4-tomcat-virtual-jvm/json/64"
    run.results = [result_of(matrix, question, case_id, interleaved(0, 9_000.0))]
    run.host.limits.memory_limit_bytes = 2 << 30
    run_file = write_recording(tmp_path / "run", run) / "0.json.gz"
    code, _, err = cli("ask", "memory", "--from", run_file)
    assert code == 2
    assert "was measured with --memory 2g, which its cases do not say" in err


def test_what_the_first_compiler_alone_did_is_no_answer(cli: Cli, tmp_path: Path) -> None:
    run = load_run(QUICK)
    case_id = "boot4-tomcat-virtual-jvm/hello/64"
    result = run.find(case_id)
    assert result is not None
    assert result.planned is not None
    result.planned.java_options = ["-XX:TieredStopAtLevel=1"]
    run_file = write_recording(tmp_path / "run", run) / "0.json.gz"
    code, out, err = cli("ask", "threads", "--from", run_file)
    assert (code, out) == (2, "")
    assert f"JVMs of {case_id} ran with -XX:TieredStopAtLevel=1, and 'threads' asks for" in err


@pytest.mark.process
def test_it_measures_what_run_measures_and_answers(cli: Cli, tmp_path: Path) -> None:
    arguments = ("--recording", QUICK, "--results", tmp_path, "--forks", "2")
    code, out, _ = cli("ask", "threads", *arguments, "--json")
    assert code == 0
    # progress stands elsewhere
    found = json.loads(out)
    assert found["rounds"] == 2
    assert found["runs"][0]["command"] == "springbench ask threads --forks 2"
    run = load_run(tmp_path / "latest")
    assert run.run.profile == "threads"
    code, again, _ = cli("ask", "threads", "--from", tmp_path / "latest", "--json")
    assert code == 0
    assert json.loads(again)["rows"] == found["rows"]
    code, out, _ = cli("ask", "threads", *arguments)
    assert out.splitlines()[:2] == [
        "Platform or virtual threads: what does a request cost that waits for nothing?",
        "model: platform, virtual, each compared with platform, by throughput, CPU per request, "
        "peak memory",
    ]
    assert "a virtual thread a request makes Jetty 33 %" in out
