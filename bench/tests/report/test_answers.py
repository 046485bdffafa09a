"""An answer as it is printed: its sentences claim what its intervals do, and no more."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from springbench.analysis.answers import Answer, Ratio, Row, answer
from springbench.analysis.intervals import Interval
from springbench.matrix.rows import Matrix
from springbench.paths import QUESTIONS
from springbench.report.answer_words import CHINESE
from springbench.report.answers import as_data, columns, notes, render, rows, sentences
from springbench.results.question_file import load_questions
from springbench.results.run import Caution
from tests.questions import cases_of, protocols, run_of
from tests.recorded import recorded_run
from tests.samples import HOSTILE

RATE = "throughput_rps"
Golden = Callable[[str, str], None]


def answered(matrix: Matrix, ratios: Mapping[str, Mapping[str, Ratio | None]]) -> str:
    """The first sentence, of ratios by step and subject."""
    question = protocols(matrix)
    found = [Row(case="", subject=name, step="http1") for name in ("jetty", "tomcat", "netty")]
    found += [
        Row(case="", subject=name, step=step, ratios={RATE: ratio} if ratio else {})
        for step, step_ratios in ratios.items()
        for name, ratio in step_ratios.items()
    ]
    return sentences(Answer(question, tuple(found), 3, interleaved=True))[0]


SLOWER, MUCH_SLOWER = Ratio(0.8, 0.75, 0.85), Ratio(0.6, 0.5, 0.7)
FASTER, SAME, ONCE = Ratio(1.04, 1.01, 1.07), Ratio(0.98, 0.9, 1.06), Ratio(0.5)


def test_it_claims_what_differs_and_says_what_is_undecided(matrix: Matrix) -> None:
    sentence = answered(
        matrix,
        {
            "https1": {"jetty": SLOWER, "tomcat": MUCH_SLOWER, "netty": SAME},
            "h2c": {"jetty": FASTER, "tomcat": SLOWER, "netty": None},
        },
    )
    assert sentence == (
        "Compared with HTTP/1.1, TLS makes jetty and tomcat 20 % [15, 25] and 40 % [30, 50] "
        "slower; HTTP/2 makes jetty 4.0 % [1.0, 7.0] faster and tomcat 20 % [15, 25] slower; "
        "throughput does not differ significantly for TLS (netty) "
        "(95 % intervals: −10 to +6 %); throughput could not be compared for HTTP/2 (netty)."
    )


def test_it_claims_the_same_in_chinese(matrix: Matrix) -> None:
    question = protocols(matrix).model_copy(
        update={"answer": ("与{baseline}相比，{throughput_rps}。",)}
    )
    found = [Row(case="", subject=name, step="http1") for name in ("jetty", "tomcat", "netty")]
    found += [
        Row(case="", subject="jetty", step="https1", ratios={RATE: SLOWER}),
        Row(case="", subject="tomcat", step="https1", ratios={RATE: SAME}),
        Row(case="", subject="jetty", step="h2c", ratios={RATE: FASTER}),
        Row(case="", subject="tomcat", step="h2c", ratios={RATE: MUCH_SLOWER}),
        Row(case="", subject="netty", step="h2c", ratios={RATE: Ratio(10.0, 0.5, 20.0)}),
    ]
    assert sentences(Answer(question, tuple(found), 3, interleaved=True), CHINESE) == [
        "与 HTTP/1.1 相比，TLS 使 jetty 的吞吐量减少 20 % [15, 25]；HTTP/2 使 jetty 的吞吐量增加 "
        "4.0 % [1.0, 7.0]，并使 tomcat 的吞吐量减少 40 % [30, 50]；"
        "TLS（tomcat）和 HTTP/2（netty）的吞吐量无显著差异（95 % 区间：−50 至 +1,900 %）。"
    ]


def test_without_a_difference_it_claims_none(matrix: Matrix) -> None:
    same = {"jetty": SAME, "tomcat": SAME, "netty": SAME}
    assert answered(matrix, {"https1": same, "h2c": same}) == (
        "Compared with HTTP/1.1, throughput does not differ significantly for TLS and HTTP/2 "
        "(95 % intervals: −10 to +6 %)."
    )


def test_one_process_decides_nothing(matrix: Matrix) -> None:
    once = {"jetty": ONCE, "tomcat": ONCE}
    assert answered(matrix, {"https1": once}) == (
        "Compared with HTTP/1.1, one process of each does not decide throughput for TLS; "
        "not measured here: HTTP/2."
    )


def test_what_did_not_run_is_said_once(matrix: Matrix) -> None:
    question = protocols(matrix).model_copy(
        update={"answer": ("Of all, {throughput_rps}.", "Of memory, {memory_peak_bytes}.")}
    )
    found = [
        Row(case="", subject="jetty", step="http1"),
        Row(case="", subject="jetty", step="https1", ratios={RATE: SLOWER}),
        Row(case="", subject="jetty", step="h2c", not_measured="out of memory", failed=True),
    ]
    first, second = sentences(Answer(question, tuple(found), 3, interleaved=True))
    assert first == (
        "Of all, TLS makes jetty 20 % [15, 25] slower; with HTTP/2 the server did not run."
    )
    assert second == "Of memory, peak memory could not be compared for TLS."


def test_a_single_step_is_named_once(matrix: Matrix) -> None:
    question = protocols(matrix)
    steps = {step: label for step, label in question.steps.items() if step != "h2c"}
    question = question.model_copy(update={"steps": steps})
    found = [Row(case="", subject=name, step="http1") for name in ("jetty", "tomcat", "netty")]
    for name, ratio in (("jetty", SLOWER), ("tomcat", SAME), ("netty", SAME)):
        found.append(Row(case="", subject=name, step="https1", ratios={RATE: ratio}))
    [sentence, *_] = sentences(Answer(question, tuple(found), 3, interleaved=True))
    assert sentence == (
        "Compared with HTTP/1.1, TLS makes jetty 20 % [15, 25] slower; throughput does not differ "
        "significantly for tomcat and netty (95 % intervals: −10 to +6 %)."
    )


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        ({}, "no figure (HTTP/1.1); no figure (TLS); no figure (HTTP/2)"),
        (
            {"http1": [0.0, 0.0], "https1": [0.0, 0.0], "h2c": [0.0, 0.0]},
            "0.0 %",
        ),
        (
            {"http1": [0.0, 0.0], "https1": [0.1, 0.1], "h2c": [0.0, 0.2]},
            "0.0 % (HTTP/1.1); 10.0 % (TLS); jetty 0.0 %, tomcat 20.0 % (HTTP/2)",
        ),
        (
            {"http1": [0.0, 0.0], "https1": [0.0]},
            "0.0 % (HTTP/1.1); jetty 0.0 % (TLS); no figure (HTTP/2)",
        ),
    ],
)
def test_values_that_all_have_alike_are_said_once(
    matrix: Matrix, figures: dict[str, list[float]], said: str
) -> None:
    question = protocols(matrix).model_copy(
        update={"answer": ("Of all fail {error_ratio:values}.",)}
    )
    rows = []
    for step in question.steps:
        known = figures.get(step, [])
        for number, name in enumerate(("jetty", "tomcat")):
            values = {"error_ratio": Interval(*3 * [known[number]])} if number < len(known) else {}
            rows.append(Row(case="", subject=name, step=step, values=values))
    [sentence] = sentences(Answer(question, tuple(rows), 3, interleaved=True))
    assert sentence == f"Of all fail {said}."


def test_a_process_whose_load_is_no_evidence_is_not_counted(matrix: Matrix) -> None:
    question = protocols(matrix)
    rates = {"tomcat http1": [40_000.0] * 3, "tomcat https1": [20_000.0, 20_400.0, 20_100.0]}
    run = run_of(matrix, question, rates)
    [https1] = [result for result in run.results if "https1" in result.case]
    disturbed, *_ = https1.forks
    assert disturbed.load is not None
    disturbed.load.instability = ["disturbed"]
    found = answer(question, cases_of(matrix, question), [run])
    by_step = {row[1]: dict(zip(columns(found), row, strict=True)) for row in rows(found)[:2]}
    assert {step: row["processes"] for step, row in by_step.items()} == {
        "http1": "3",
        "https1": "2 of 3",
    }


def test_notes_are_chinese_but_for_what_the_harness_said(matrix: Matrix) -> None:
    question = protocols(matrix)
    rates = {"tomcat http1": [40_000.0, 41_000.0], "tomcat https1": [20_000.0, 20_400.0]}
    run = run_of(matrix, question, rates)
    found = answer(question, cases_of(matrix, question), [run])
    english, chinese = notes(found, [run]), notes(found, [run], CHINESE)
    assert len(english) == len(chinese)
    assert english[0].startswith("2 rounds of fresh processes, loaded alternately; ")
    assert chinese[0].startswith("2 轮全新进程，交替加载；")
    assert any(note.startswith("未测量，Tomcat h2c、") for note in chinese)
    assert english[-1] == chinese[-1]


def test_many_subjects_are_counted(matrix: Matrix) -> None:
    many: dict[str, Ratio | None] = {f"server{number}": SLOWER for number in range(4)}
    assert "TLS makes all 4 20 % [15, 25] slower" in answered(matrix, {"https1": many})
    assert "TLS makes 4 of 5 20 %" in answered(matrix, {"https1": {**many, "netty": SAME}})
    many["server0"] = MUCH_SLOWER
    assert "TLS makes all 4 20 to 40 % [15, 50] slower" in answered(matrix, {"https1": many})


def test_a_small_difference_does_not_look_like_none(matrix: Matrix) -> None:
    tiny = Ratio(0.9988, 0.9981, 0.9996)
    sentence = answered(matrix, {"https1": {"jetty": tiny}})
    assert "TLS makes jetty 0.12 % [0.04, 0.19] slower" in sentence


def test_a_question_with_intervals(matrix: Matrix, golden: Golden) -> None:
    question = protocols(matrix)
    rates = {
        "tomcat http1": [28_000.0, 27_000.0, 28_500.0],
        "tomcat https1": [22_000.0, 21_500.0, 22_300.0],
        "jetty http1": [58_000.0, 56_000.0, 58_300.0],
        "jetty https1": [44_000.0, 43_000.0, 44_100.0],
        "jetty h2c": [59_000.0, 56_500.0, 57_000.0],
        "netty http1": [49_000.0],
    }
    run = run_of(matrix, question, rates)
    run.warnings = [Caution(code="any", message=HOSTILE)]
    found = answer(question, cases_of(matrix, question), [run])
    golden("answer.md", render(found, [run]))


def test_a_recorded_run_of_another_profile(matrix: Matrix, golden: Golden) -> None:
    questions = load_questions(QUESTIONS, matrix)
    run = recorded_run("quick")
    parts = []
    for name in ("threads", "waiting"):
        question = questions.find(name)
        found = answer(question, cases_of(matrix, question), [run])
        parts.append(render(found, [run]))
    golden("recorded-quick-answers.md", "\n".join(parts))


def test_a_row_has_a_cell_in_each_column(matrix: Matrix) -> None:
    question = protocols(matrix)
    found = answer(question, cases_of(matrix, question), ())
    assert {len(row) for row in rows(found)} == {len(columns(found))}


def test_programs_get_all_of_it(matrix: Matrix) -> None:
    question = protocols(matrix)
    rates = {"tomcat http1": [40_000.0, 41_000.0], "tomcat https1": [20_000.0, 20_400.0]}
    run = run_of(matrix, question, rates)
    run.run.filters = run.run.filters.model_copy(update={"only": ["*-tomcat-*"], "forks": 2})
    found = answer(question, cases_of(matrix, question), [run])
    data = json.loads(json.dumps(as_data(found, [run])))
    case_id = "boot4-tomcat-virtual-jvm/hello-https1/64"
    [https1] = [row for row in data["rows"] if row["case"] == case_id]
    value = https1["values"][RATE]
    assert (value["median"], value["unit"]) == (20_200, "rps")
    assert value["low"] < 20_000
    assert value["high"] > 20_400
    assert https1["ratios"][RATE]["ratio"] < 0.6
    assert https1["verdicts"][RATE] == "lower"
    assert data["sentences"] == sentences(found)
    assert data["runs"][0]["command"] == "springbench ask protocols --only '*-tomcat-*' --forks 2"


def test_what_was_not_measured_is_said_once(matrix: Matrix) -> None:
    question = protocols(matrix)
    run = run_of(matrix, question, {"tomcat http1": [40_000.0, 41_000.0]})
    found = answer(question, cases_of(matrix, question), [run])
    lacking = replace(found, rows=tuple(replace(row, not_measured="no JDK") for row in found.rows))
    assert "- not measured, all rows: no JDK\n" in render(lacking, [run])
