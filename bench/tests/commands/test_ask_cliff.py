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

TOMCAT = ("--only", "*-tomcat-*")


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


@pytest.mark.process
def test_it_is_located_within_16_mib_and_can_be_gone_on_with(
    cli: Cli, matrix: Matrix, tmp_path: Path
) -> None:
    from_ = ("--recording", recording(matrix, tmp_path / "recorded"))
    results = ("--results", tmp_path / "results")
    code, out, _ = cli("ask", "memory-cliff", *from_, *results, *TOMCAT)
    assert code == 0
    sentence = (
        "The least memory with 90 % of the throughput at 1 GiB is tomcat between 160 MiB and 176"
    )
    assert sentence in " ".join(out.split())
    assert "run 1 of at most 5: tomcat 288m" in out
    runs = [*(tmp_path / "results").glob("2*/run.json")]
    last = load_run(tmp_path / "results/latest")
    assert len(last.run.continues) == len(runs) - 1 == 4
    # the last run is enough to answer, and nothing is left to measure
    code, out, _ = cli("ask", "memory-cliff", "--from", tmp_path / "results/latest", "--json")
    assert code == 0
    [cliff] = json.loads(out)["cliffs"]
    assert (cliff["low"], cliff["high"], cliff["next_step"]) == ("160m", "176m", None)
    # one that ended early goes on with the subjects that it was begun with
    second = last.run.continues[1]
    again = ("--resume", tmp_path / "results" / second, *from_, *results)
    code, out, _ = cli("ask", "memory-cliff", *again)
    assert sentence in " ".join(out.split())
    assert "run 3 of at most 5: tomcat" in out


def test_a_step_that_does_not_run_is_below_the_cliff(
    cli: Cli, matrix: Matrix, tmp_path: Path
) -> None:
    run_file = recording(matrix, tmp_path)
    code, out, _ = cli("ask", "memory-cliff", "--from", run_file, *TOMCAT, "--json")
    assert code == 0
    found = json.loads(out)
    assert [cliff["high"] for cliff in found["cliffs"]] == ["176m"]
    assert found["runs"][0]["command"].startswith("springbench run --profile memory-cliff")
