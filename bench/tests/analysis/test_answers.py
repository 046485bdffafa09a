"""What the steps of a ladder differ by, and of what nothing is claimed."""

from __future__ import annotations

import math
import random

import pytest

from springbench.analysis.answers import NO_RESULT, Answer, Row, answer
from springbench.matrix.load import load_matrix
from springbench.matrix.rows import Matrix
from springbench.paths import MATRIX, QUESTIONS
from springbench.plan.plan import make_plan
from springbench.results.question_file import load_questions, parse_questions
from springbench.results.run import Run
from tests.processes import SERVICES
from tests.questions import cases_of, interleaved, protocols, result_of, run_of
from tests.recorded import recorded_run
from tests.samples import failed_fork

RATE = "throughput_rps"
# of the question `protocols`, so that each test says only what it is about
QUIET = {
    "tomcat http1": [40_000.0, 20_000.0, 41_000.0],
    "tomcat https1": [32_000.0, 16_000.0, 33_000.0],
}


def answered(matrix: Matrix, *runs: Run) -> Answer:
    question = protocols(matrix)
    return answer(question, cases_of(matrix, question), runs)


def row(found: Answer, subject: str, step: str) -> Row:
    [only] = [entry for entry in found.rows if (entry.subject, entry.step) == (subject, step)]
    return only


def test_a_step_is_compared_with_the_baseline_of_its_round(matrix: Matrix) -> None:
    # in the second round the host had half of its speed
    found = answered(matrix, run_of(matrix, protocols(matrix), QUIET))
    ratio = row(found, "Tomcat", "https1").ratios[RATE]
    assert ratio.ratio == pytest.approx(0.8, rel=0.01)
    assert ratio.low is not None
    assert ratio.high is not None
    assert 0.7 < ratio.low < 0.8 < ratio.high < 1
    assert ratio.verdict == "lower"
    # the same route over several protocols is one load on other processes
    assert (found.rounds, found.interleaved) == (3, True)


def test_a_difference_within_the_noise_is_a_tie(matrix: Matrix) -> None:
    rates = {"tomcat http1": [40_000.0, 42_000.0], "tomcat https1": [41_000.0, 41_500.0]}
    found = answered(matrix, run_of(matrix, protocols(matrix), rates))
    assert row(found, "Tomcat", "https1").verdict(RATE) == "tied"


def test_identical_steps_are_hardly_ever_told_apart(matrix: Matrix) -> None:
    dice = random.Random(44)
    question, claims, rounds = protocols(matrix), 0, 60
    for _ in range(rounds):
        rates = {
            f"tomcat {step}": [30_000 * math.exp(dice.gauss(0, 0.03)) for _ in range(3)]
            for step in question.steps
        }
        found = answered(matrix, run_of(matrix, question, rates))
        claims += any(entry.verdict(RATE) in ("higher", "lower") for entry in found.rows)
    # 5 % of ladders at most, and not many more by chance
    assert claims <= 7


def test_one_round_tells_no_difference(matrix: Matrix) -> None:
    rates = {"tomcat http1": [40_000.0], "tomcat https1": [4_000.0]}
    found = answered(matrix, run_of(matrix, protocols(matrix), rates))
    ratio = row(found, "Tomcat", "https1").ratios[RATE]
    assert ratio.ratio == pytest.approx(0.1)
    assert (ratio.low, ratio.high) == (None, None)
    assert ratio.verdict == "once"
    assert found.rounds == 1


def test_runs_are_rounds_of_their_own(matrix: Matrix) -> None:
    question = protocols(matrix)
    halves = [
        run_of(matrix, question, {name: rates[:2] for name, rates in QUIET.items()}, "one"),
        run_of(matrix, question, {name: [rates[2]] for name, rates in QUIET.items()}, "two"),
    ]
    found = answered(matrix, *halves)
    assert found.rounds == 3
    assert row(found, "Tomcat", "https1").verdict(RATE) == "lower"
    assert row(found, "Tomcat", "https1").processes == 3


def test_steps_that_never_met_in_a_round_are_not_compared(matrix: Matrix) -> None:
    question = protocols(matrix)
    one = run_of(matrix, question, {"tomcat http1": [40_000.0, 40_000.0]}, "one")
    other = run_of(matrix, question, {"tomcat https1": [10_000.0, 10_000.0]}, "two")
    found = answered(matrix, one, other)
    https1 = row(found, "Tomcat", "https1")
    assert https1.values[RATE].middle == 10_000
    assert https1.verdict(RATE) == "unknown"
    assert found.rounds == 0


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"load_cpu_ratio": 0.995, "server_cpu_ratio": 0.6}, "load generator: not ranked"),
        ({"instability": ["compiling"], "compiler_cpu_ratio": 0.4}, "not warmed up"),
        ({"instability": ["disturbed"]}, "the host disturbed 3 of 3 processes"),
        ({"instability": ["stolen"]}, "the host disturbed 3 of 3 processes"),
    ],
)
def test_what_is_no_evidence_is_not_compared(
    matrix: Matrix, fields: dict[str, object], why: str
) -> None:
    question = protocols(matrix)
    run = run_of(matrix, question, {**QUIET, "jetty http1": [40_000.0] * 3})
    forks = [interleaved(number, 10_000.0, **fields) for number in range(3)]
    case_id = "boot4-jetty-virtual-jvm/hello-https1/64"
    run.results.append(result_of(matrix, question, case_id, *forks))
    found = answered(matrix, run)
    left_out = row(found, "Jetty", "https1")
    assert left_out.left_out == (why,)
    assert RATE not in left_out.values
    assert left_out.verdict(RATE) == "unknown"
    # the others are
    assert row(found, "Tomcat", "https1").verdict(RATE) == "lower"


def test_a_disturbed_round_leaves_the_others(matrix: Matrix) -> None:
    question = protocols(matrix)
    run = run_of(matrix, question, {"tomcat http1": QUIET["tomcat http1"]})
    forks = [interleaved(number, rate) for number, rate in enumerate(QUIET["tomcat https1"])]
    forks[1] = interleaved(1, 900.0, instability=["disturbed"])
    case_id = "boot4-tomcat-virtual-jvm/hello-https1/64"
    run.results.append(result_of(matrix, question, case_id, *forks))
    https1 = row(answered(matrix, run), "Tomcat", "https1")
    assert https1.ratios[RATE].ratio == pytest.approx(0.8, rel=0.01)
    assert https1.left_out == ("the host disturbed 1 of 3 processes",)


def test_one_that_did_not_settle_is_no_evidence_in_the_place_of_a_disturbed_one(
    matrix: Matrix,
) -> None:
    question = protocols(matrix)
    run = run_of(matrix, question, {"tomcat http1": [40_000.0, 40_000.0]})
    compiling = {"instability": ["compiling"], "compiler_cpu_ratio": 0.4}
    forks = [
        interleaved(0, 32_000.0, instability=["disturbed"]),
        interleaved(1, 9_000.0, **compiling),
    ]
    case_id = "boot4-tomcat-virtual-jvm/hello-https1/64"
    run.results.append(result_of(matrix, question, case_id, *forks))
    https1 = row(answered(matrix, run), "Tomcat", "https1")
    assert https1.values == {}
    assert https1.verdict(RATE) == "unknown"


def test_what_was_not_measured_says_why(matrix: Matrix) -> None:
    question = protocols(matrix)
    run = run_of(matrix, question, QUIET)
    case_id = "boot4-tomcat-virtual-jvm/hello-h2c/64"
    run.results.append(result_of(matrix, question, case_id, failed_fork(0, "it did not start")))
    found = answered(matrix, run)
    assert row(found, "Tomcat", "h2c").not_measured == "it did not start"
    assert row(found, "Netty", "https1").not_measured == NO_RESULT
    assert row(found, "Tomcat", "https1").not_measured is None


def test_a_step_that_did_not_run_is_a_result(matrix: Matrix) -> None:
    question = load_questions(QUESTIONS, matrix).find("memory")
    cases = [case for case in cases_of(matrix, question) if case.variant.server.id == "jetty"]
    small, usual = "boot4-jetty-virtual-jvm_192m/json/64", "boot4-jetty-virtual-jvm/json/64"
    run = run_of(matrix, question, {})
    run.results = [
        result_of(matrix, question, small, failed_fork(0, "out of memory at 192 MiB")),
        result_of(matrix, question, usual, *(interleaved(n, 9_000.0) for n in range(2))),
    ]
    found = answer(question, cases, [run])
    assert [entry.step for entry in found.rows] == ["192m", "384m", "1g"]
    failed, never = row(found, "Jetty", "192m"), row(found, "Jetty", "384m")
    assert (failed.verdict(RATE), failed.not_measured) == ("failed", "out of memory at 192 MiB")
    assert (never.verdict(RATE), never.not_measured) == ("unknown", NO_RESULT)


def test_what_is_resident_above_its_limit_is_explained(matrix: Matrix) -> None:
    question = load_questions(QUESTIONS, matrix).find("memory")
    run = run_of(matrix, question, {})
    small, usual = "boot4-jetty-virtual-jvm_384m/json/64", "boot4-jetty-virtual-jvm/json/64"
    forks = [interleaved(n, 9_000.0, memory_peak_bytes=400 << 20) for n in range(2)]
    run.results = [result_of(matrix, question, case, *forks) for case in (small, usual)]
    rows = answer(question, cases_of(matrix, question), [run]).rows
    messages = {entry.step: [w.message for w in entry.warnings] for entry in rows if entry.values}
    assert ["above its limit of 384 MiB" in text for text in messages["384m"]] == [True]
    assert messages["1g"] == []


def test_unanswered_connections_count_once_each_had_its_turns(matrix: Matrix) -> None:
    question = protocols(matrix)
    run = run_of(matrix, question, {})
    loads = {"http1": 2.0, "https1": 8.0}
    for step, answers in loads.items():
        workload = "hello" if step == "http1" else f"hello-{step}"
        forks = [interleaved(0, 100.0, unanswered_ratio=0.79, answers_per_connection=answers)]
        case_id = f"boot4-jetty-virtual-jvm/{workload}/64"
        run.results.append(result_of(matrix, question, case_id, *forks))
    found = answered(matrix, run)
    early, late = (row(found, "Jetty", step) for step in loads)
    assert "unanswered_ratio" not in early.values
    assert early.missing["unanswered_ratio"].startswith("a connection had 2.0 answers on average")
    assert late.values["unanswered_ratio"].middle == 0.79


def test_subjects_have_the_shortest_names_that_tell_them_apart(matrix: Matrix) -> None:
    found = answered(matrix)
    assert list(dict.fromkeys(entry.subject for entry in found.rows)) == [
        "Tomcat",
        "Jetty",
        "Netty",
        "Undertow",
    ]
    questions = load_questions(QUESTIONS, matrix)
    threads = questions.find("threads").model_copy(update={"profile": "quick"})
    both = answer(threads, cases_of(matrix, threads), ())
    assert "Tomcat pay" in {entry.subject for entry in both.rows}


def test_recorded_rounds_are_compared_as_they_are_ranked() -> None:
    run = recorded_run("rounds")
    matrix = load_matrix(SERVICES / "matrix.toml")
    text = """\
schema = 1
[[questions]]
id = "late"
question = "What does it cost to be late?"
profile = "rounds"
axis = "model"
steps = { fine = "being in time", late = "being late", exits = "an early end" }
baseline = "fine"
metrics = ["throughput_rps", "startup_s"]
answer = ["Compared with {baseline}, {throughput_rps}."]
"""
    question = parse_questions(text, matrix).find("late")
    cases = [case for case in make_plan(matrix, "rounds").cases if case.workload.id == "work"]
    found = answer(question, cases, [run])
    [ranking] = [
        entry for entry in run.rankings if (entry.metric, entry.workload) == (RATE, "work")
    ]
    ranked = {rank.case.split("-")[2]: rank for rank in ranking.ranks}
    ratio = row(found, "fake", "late").ratios[RATE]
    assert ratio.ratio == pytest.approx(ranked["late"].ratio / ranked["fine"].ratio)
    assert (found.rounds, found.interleaved) == (ranking.rounds, True)
    # it ended in the first window of each round
    assert row(found, "fake", "exits").verdict(RATE) == "failed"


def test_every_question_of_this_clone_is_answered_without_results() -> None:
    matrix = load_matrix(MATRIX)
    for question in load_questions(QUESTIONS, matrix).questions:
        cases = cases_of(matrix, question)
        found = answer(question, cases, ())
        assert {entry.step for entry in found.rows} == set(question.steps)
        assert {entry.not_measured for entry in found.rows} == {NO_RESULT}


@pytest.mark.parametrize(
    ("rates", "low", "high"),
    [
        ((9_900.0, 9_900.0, 9_900.0), None, "288m"),
        ((5_000.0, 5_000.0, 5_000.0), "288m", "1g"),
        # with an interval that includes nine tenths nothing is known of this step
        ((9_050.0, 9_000.0, 8_950.0), None, "1g"),
    ],
)
def test_a_step_is_above_the_cliff_or_below_it_by_its_whole_interval(
    matrix: Matrix, rates: tuple[float, ...], low: str | None, high: str
) -> None:
    question = load_questions(QUESTIONS, matrix).find("memory-cliff")
    question = question.model_copy(update={"locate": 0.9})
    run = run_of(matrix, question, {})
    run.results = [
        result_of(
            matrix, question, case, *(interleaved(n, rate) for n, rate in enumerate(case_rates))
        )
        for case, case_rates in (
            ("boot4-tomcat-virtual-jvm/json/64", (10_000.0,) * 3),
            ("boot4-tomcat-virtual-jvm_288m/json/64", rates),
        )
    ]
    [cliff] = answer(question, cases_of(matrix, question), [run]).cliffs
    assert (cliff.low, cliff.high) == (low, high)
