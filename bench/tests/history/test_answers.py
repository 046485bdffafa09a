"""Answers in a history: the figures of `springbench ask`, the newest of each host class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from springbench.analysis.answers import Tried, answer, can_answer, find_cliff, runs_of_least
from springbench.analysis.claims import evaluate
from springbench.history import answers
from springbench.history.answers import (
    QuestionCases,
    published_answers,
    published_claims,
)
from springbench.history.files import INDEX, RUNS, Folder, load, run_path
from springbench.history.latest import merge
from springbench.history.offline import InMemoryFiles
from springbench.history.update import add
from springbench.limits import MEMORY_LIMIT_BYTES
from springbench.matrix.fields import memory_bytes
from springbench.matrix.rows import Matrix
from springbench.messages import show_messages
from springbench.paths import QUESTIONS
from springbench.report.answers import as_data, notes
from springbench.report.claims import verdict
from springbench.results.history import Index
from springbench.results.published_answers import PublishedAnswer
from springbench.results.published_run import PublishedRun
from springbench.results.question_file import load_questions
from springbench.results.run import PlannedInfo, Run
from tests.claims import cases_of as claim_cases
from tests.claims import rounds, the_claim
from tests.claims import run_of as claim_run
from tests.history.histories import published, rebuilt
from tests.processes import SERVICES
from tests.questions import cases_of, interleaved, protocols, run_of
from tests.samples import empty_run, failed_fork
from tests.samples import measured as measured_case

RATE = "throughput_rps"
RATES: Mapping[str, Sequence[float]] = {
    "tomcat http1": [40_000.0, 41_000.0, 40_300.0],
    "tomcat https1": [20_000.0, 20_400.0, 20_123.0],
}


@dataclass
class Measured:
    """A question, and a run that answers it."""

    questions: QuestionCases
    run: Run

    def published(self, run_id: str = "gh-1") -> list[PublishedAnswer]:
        """What a history keeps of it."""
        return published_answers([self.run], run_id, "2026-11-28T06:00:00Z", self.questions)


@pytest.fixture
def measured(matrix: Matrix) -> Measured:
    question = protocols(matrix)
    return Measured([(question, cases_of(matrix, question))], run_of(matrix, question, RATES))


def test_it_has_the_figures_of_the_command(measured: Measured) -> None:
    [(question, cases)] = measured.questions
    found = answer(question, cases, [measured.run])
    data = as_data(found, [measured.run])
    [record] = measured.published()
    assert record.en.sentences == data["sentences"]
    assert record.notes == notes(found, [measured.run])
    assert record.commands == ["springbench ask protocols"]
    assert (record.rounds, record.interleaved) == (data["rounds"], data["interleaved"])
    rows = data["rows"]
    assert isinstance(rows, list)
    assert [row.case for row in record.rows] == [row["case"] for row in rows]
    compared = 0
    for row, printed in zip(record.rows, rows, strict=True):
        assert row.values.keys() == printed["values"].keys()
        for name, value in row.values.items():
            assert value.median == pytest.approx(printed["values"][name]["median"], rel=1e-4)
        for name, ratio in row.ratios.items():
            edges = {edge: printed["ratios"][name][edge] for edge in ("ratio", "low", "high")}
            assert ratio.model_dump(exclude={"verdict"}) == pytest.approx(edges, rel=1e-4)
            assert ratio.verdict == printed["verdicts"][name]
            compared += 1
    assert compared == 1


def test_what_was_not_measured_stays_a_row(measured: Measured) -> None:
    [record] = measured.published()
    netty = [row for row in record.rows if row.subject == "Netty"]
    assert [row.step for row in netty] == ["http1", "https1", "h2c"]
    assert {row.not_measured for row in netty} == {"no run has it"}


def test_of_a_single_step_nothing_is_kept(measured: Measured) -> None:
    measured.run.results = measured.run.results[:1]
    assert measured.published() == []


def test_a_step_with_other_options_is_another_question(measured: Measured) -> None:
    assert measured.published()
    planned = PlannedInfo(
        forks=3, warmup_min_s=1.0, warmup_max_s=2.0, window_s=5.0, java_options=["-Xint"]
    )
    measured.run.results[0] = measured.run.results[0].model_copy(update={"planned": planned})
    assert measured.published() == []


def test_a_hidden_memory_limit_answers_nothing_of_memory(measured: Measured) -> None:
    [(_, cases)] = measured.questions
    measured.run.host.limits.memory_limit_bytes = MEMORY_LIMIT_BYTES // 2
    assert measured.published()
    assert not can_answer(cases, measured.run, lambda case: case.id, compares_memory=True)


def test_the_runs_of_a_bisection_answer_together_once_it_has_ended(matrix: Matrix) -> None:
    question = load_questions(QUESTIONS, matrix).find("memory-cliff")
    cases = {
        case.settings["memory"]: case
        for case in cases_of(matrix, question)
        if (case.variant.server.id, case.variant.runtime.id) == ("tomcat", "jvm")
    }
    runs: list[Run] = []
    tried = {"1g": Tried(True, 1)}
    while step := find_cliff("tomcat", list(cases), tried, runs_of_least(question)).next_step:
        # 176 MiB are not enough for each process
        enough = memory_bytes(step) >> 20 >= (192 if "176m" in tried else 176)
        tried[step] = Tried(enough, tried.get(step, Tried()).runs + 1)
        run = empty_run()
        run.run.id, run.run.profile = f"step-{step}", question.profile
        run.run.continues = [earlier.run.id for earlier in runs]
        run.results = [
            measured_case(
                cases[step], interleaved(0, 9_000.0) if enough else failed_fork(0, "out of memory")
            )
        ]
        runs.append(run)
    questions = [(question, [*cases.values()])]
    [*earlier, last] = runs
    assert published_answers([last], "gh-1", "2026-11-28T06:00:00Z", questions) == []
    [found] = published_answers([last], "gh-1", "2026-11-28T06:00:00Z", questions, earlier)
    assert found.commands == ["springbench ask memory-cliff"]
    [cliff] = found.cliffs
    assert (cliff.low, cliff.high, cliff.undecided) == ("176m", "192m", None)
    assert (found.rounds, found.is_decided) == (0, True)
    assert found.zh
    [sentence] = found.zh.sentences
    assert sentence.endswith("：Tomcat 介于 176 MiB 与 192 MiB 之间。")


def test_each_host_class_has_its_own(measured: Measured, matrix: Matrix) -> None:
    [(question, _)] = measured.questions
    other = run_of(matrix, question, RATES, "two")
    other.host.host_class = "other-cpu"
    found = published_answers(
        [measured.run, other], "gh-1", "2026-11-28T06:00:00Z", measured.questions
    )
    assert sorted(entry.host_class for entry in found) == sorted(
        {measured.run.host.host_class, "other-cpu"}
    )


def test_what_decides_is_kept_then_the_newest_of_its_own_profile(measured: Measured) -> None:
    [first] = measured.published("gh-1")
    newer = first.model_copy(update={"run": "gh-2", "started_at": "2026-11-29T06:00:00Z"})
    partial = newer.model_copy(update={"run": "gh-3", "is_own": False})
    once = newer.model_copy(update={"run": "gh-4", "rounds": 1})
    for order in ([first, newer, partial, once], [once, partial, newer, first]):
        newest: dict[str, PublishedAnswer] = {}
        for candidate in order:
            merge(newest, {candidate.about: candidate})
        assert newest["protocols"].run == "gh-2"


def test_a_claim_has_the_verdict_of_the_command(matrix: Matrix) -> None:
    claim = the_claim(matrix)
    cases = claim_cases(matrix, claim)
    run = claim_run(matrix, claim, rounds(), rounds(1.24))
    [record] = published_claims(
        [run], "gh-1", "2026-11-28T06:00:00Z", [(claim, [cases[case] for case in claim.only])]
    )
    found = evaluate(claim, cases, [run])
    assert found.ratio is not None
    assert record.verdict == found.verdict == "holds"
    assert record.words == verdict(found)
    assert record.ratio == pytest.approx(found.ratio.ratio, rel=1e-4)
    assert record.claimed.startswith("throughput of boot4-jetty")


def with_answers(run: PublishedRun, *answers: PublishedAnswer) -> PublishedRun:
    """The run, had it answered this."""
    host_class = run.shards[0].host.host_class
    run_answers = [
        entry.model_copy(
            update={"run": run.id, "started_at": run.started_at, "host_class": host_class}
        )
        for entry in answers
    ]
    return run.model_copy(update={"answers": run_answers})


def test_the_index_has_the_newest_answers(
    measured: Measured, matrix: Matrix, tmp_path: Path
) -> None:
    files = Folder(tmp_path / "history")

    def runs_of_answers() -> dict[str, str]:
        index = load(files, INDEX, Index)
        assert index is not None
        return {entry.question: entry.run for row in index.classes for entry in row.answers}

    [found] = measured.published()
    other = found.model_copy(update={"question": "boot"})
    add(files, with_answers(published(matrix, 1), found, other))
    add(files, with_answers(published(matrix, 3), found))
    # measured later, of an older commit
    add(files, with_answers(published(matrix, 2)))
    assert runs_of_answers() == {"boot": "run-00001", "protocols": "run-00003"}
    assert (tmp_path / "history" / INDEX).read_text() == rebuilt(
        tmp_path / "history", tmp_path / "again"
    )[INDEX]
    # the same run, measured again, answers nothing: an earlier one does
    add(files, with_answers(published(matrix, 3)))
    assert runs_of_answers() == {"boot": "run-00001", "protocols": "run-00001"}


def test_a_run_that_answers_the_same_again_needs_no_other_run(
    measured: Measured, matrix: Matrix
) -> None:
    read: list[str] = []

    class Watched(InMemoryFiles):
        def read(self, path: str) -> str | None:
            read.append(path)
            return super().read(path)

    files = Watched()
    [found] = measured.published()
    for number in range(3):
        add(files, with_answers(published(matrix, number), found))
    read.clear()
    add(files, with_answers(published(matrix, 2, hello=50_000.0), found))
    assert {path for path in read if path.startswith(RUNS)} == {run_path("run-00002")}


def test_a_matrix_that_lacks_cases_of_claims_costs_no_run_its_place(
    measured: Measured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "MATRIX", SERVICES / "matrix.toml")
    for cache in (answers._questions, answers._claims):
        cache.cache_clear()
    messages: list[str] = []
    show_messages(messages.append)
    try:
        assert published_claims([measured.run], "gh-1", "2026-11-28T06:00:00Z") == []
        assert published_answers([measured.run], "gh-1", "2026-11-28T06:00:00Z") == []
    finally:
        answers._questions.cache_clear()
        answers._claims.cache_clear()
    assert [line.partition(":")[0] for line in messages] == [
        "no verdict on a claim is kept with the history",
        "no answer is kept with the history",
    ]
