"""`springbench ask` where a cliff is looked for: run after run, resumed, and answered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from springbench.matrix.fields import memory_bytes
from springbench.matrix.rows import Matrix
from springbench.paths import QUESTIONS
from springbench.results.question_file import load_questions
from springbench.results.records import ForkRecord
from springbench.results.store import load_run
from tests.conftest import Cli
from tests.questions import cases_of, interleaved
from tests.recorded import write_recording
from tests.samples import empty_run, failed_fork, measured

TOMCAT = ("--only", "*-tomcat-virtual-jvm_*", "--only", "*-tomcat-virtual-jvm/*")


def recording(matrix: Matrix, folder: Path) -> Path:
    """Measurements of every step: below 96 MiB nothing starts, below 176 MiB it is slow."""
    question = load_questions(QUESTIONS, matrix).find("memory-cliff")

    def fork(number: int, text: str) -> ForkRecord:
        size_mib = memory_bytes(text) >> 20
        if size_mib < 96:
            return failed_fork(number, f"out of memory at {size_mib} MiB")
        return interleaved(number, (9_000.0 if size_mib >= 176 else 5_000.0) + 10 * number)

    run = empty_run()
    run.run.profile = question.profile
    run.results = [
        measured(case, *(fork(number, case.settings["memory"]) for number in range(2)))
        for case in cases_of(matrix, question)
    ]
    return write_recording(folder, run) / "0.json.gz"


def with_most_throughput(folder: Path) -> tuple[str, Path]:
    """The question of the least memory with 90 % of the throughput."""
    file = folder / "questions.toml"
    file.write_text(QUESTIONS.read_text().replace("locate = 0\n", "locate = 0.9\n"))
    return ("--questions", file)


@pytest.mark.process
def test_it_is_located_within_16_mib_and_can_be_gone_on_with(
    cli: Cli, matrix: Matrix, tmp_path: Path
) -> None:
    from_ = ("--recording", recording(matrix, tmp_path / "recorded"))
    results = ("--results", tmp_path / "results")
    questions = with_most_throughput(tmp_path)
    code, out, _ = cli("ask", "memory-cliff", *from_, *results, *questions, *TOMCAT)
    assert code == 0
    sentence = "under load is Tomcat between 160 MiB and 176 MiB."
    assert sentence in " ".join(out.split())
    assert "run 1 of 5 or more: Tomcat 288m" in out
    runs = [*(tmp_path / "results").glob("2*/run.json")]
    last = load_run(tmp_path / "results/latest")
    assert len(last.run.continues) == len(runs) - 1 == 4
    assert len(last.results) == 2
    # the last run is enough to answer, and nothing is left to measure
    from_last = ("--from", tmp_path / "results/latest")
    code, out, _ = cli("ask", "memory-cliff", *from_last, *questions, "--json")
    assert code == 0
    [cliff] = json.loads(out)["cliffs"]
    assert (cliff["low"], cliff["high"], cliff["next_step"]) == ("160m", "176m", None)
    # one that ended early goes on with the subjects that it was begun with
    second = last.run.continues[1]
    again = ("--resume", tmp_path / "results" / second, *from_, *results, *questions)
    code, out, _ = cli("ask", "memory-cliff", *again)
    assert "between 160 MiB and 176 MiB." in " ".join(out.split())
    assert "run 3 of 5 or more: Tomcat" in out


@pytest.mark.process
def test_where_it_only_has_to_run_the_least_step_does_so_in_three_runs(
    cli: Cli, matrix: Matrix, tmp_path: Path
) -> None:
    from_ = ("--recording", recording(matrix, tmp_path / "recorded"))
    code, out, _ = cli("ask", "memory-cliff", *from_, "--results", tmp_path / "results", *TOMCAT)
    assert code == 0
    assert "under load is Tomcat between 80 MiB and 96 MiB." in " ".join(out.split())
    runs = [load_run(file) for file in sorted((tmp_path / "results").glob("2*/run.json"))]
    # nothing is compared with the baseline
    assert [len(run.results) for run in runs] == 7 * [1]
    assert "each compared with" not in out
    limits = [run.results[0].case.split("/")[0].split("_")[-1] for run in runs]
    assert limits.count("96m") == 3
    # all of them are one source
    assert " and 6 more runs, " in " ".join(out.split())
    assert out.count("springbench ask memory-cliff") == 1


def test_a_step_that_does_not_run_is_below_the_cliff(
    cli: Cli, matrix: Matrix, tmp_path: Path
) -> None:
    run_file = recording(matrix, tmp_path)
    code, out, _ = cli("ask", "memory-cliff", "--from", run_file, *TOMCAT, "--json")
    assert code == 0
    found = json.loads(out)
    assert [cliff["high"] for cliff in found["cliffs"]] == ["96m"]
    assert found["runs"][0]["command"].startswith("springbench ask memory-cliff")
