"""`questions.toml`: a row is a question, and a wrong row is a line."""

from __future__ import annotations

import pytest

from springbench.errors import ConfigurationError
from springbench.matrix.rows import Matrix
from springbench.results.question_file import parse_questions
from tests.questions import PROTOCOLS


def test_a_row_is_a_question(matrix: Matrix) -> None:
    question = parse_questions(PROTOCOLS, matrix).find("protocols")
    assert list(question.steps) == ["http1", "https1", "h2c"]


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ('"protocols"\naxis', '"protocol"\naxis', "6: questions[0].profile: 'protocol' is not"),
        ('axis = "protocol"', 'axis = "tls"', "7: questions[0].axis: allowed: 'boot', 'server'"),
        ('https1 = "TLS"', 'https2 = "TLS"', "8: questions[0].steps: 'https2' is not declared"),
        (
            ', https1 = "TLS", h2c = "HTTP/2" }',
            " }",
            "8: questions[0].steps: a ladder has two steps or more",
        ),
        (
            'baseline = "http1"',
            'baseline = "h2"',
            "9: questions[0].baseline: 'h2' is not declared; allowed: http1, https1, h2c",
        ),
        ('["throughput_rps"', '["speed"', "10: questions[0].metrics: 'speed' is not declared"),
        (
            "{throughput_rps}",
            "{latency_p99_s}",
            "11: questions[0].answer[0]: 'latency_p99_s' is not declared; allowed: baseline, "
            "throughput_rps, unanswered_ratio",
        ),
        ("{throughput_rps}", "{throughput_rps", "11: questions[0].answer[0]: a brace stands alone"),
        ("{throughput_rps}", "{}", "11: questions[0].answer[0]: '' is not declared"),
        (
            ":values}",
            "}",
            "11: questions[0].answer[1]: unanswered_ratio is not compared, only shown; write "
            "{unanswered_ratio:values}",
        ),
        (
            ":values}",
            ":.2f}",
            "11: questions[0].answer[1]: {unanswered_ratio:.2f} is no place; allowed: "
            "{unanswered_ratio} or {unanswered_ratio:values}",
        ),
        ('question = "What', 'ask = "What', "5: questions[0].ask: unknown key; allowed here: id"),
    ],
)
def test_a_wrong_row_is_a_line(matrix: Matrix, right: str, wrong: str, message: str) -> None:
    assert PROTOCOLS.count(right) == 1
    with pytest.raises(ConfigurationError) as caught:
        parse_questions(PROTOCOLS.replace(right, wrong), matrix)
    assert f"questions.toml:{message}" in str(caught.value)


ZH = """\

[questions.zh]
question = "代价是什么？"
steps = { http1 = "HTTP/1.1", https1 = "TLS", h2c = "HTTP/2" }
answer = ["与 {baseline} 相比，{throughput_rps}。"]
"""


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        (", h2c =", ", h2 =", "15: questions[0].zh.steps: has other steps than the question"),
        ("{throughput_rps}", "{speed}", "16: questions[0].zh.answer[0]: 'speed' is not declared"),
        ("question =", "ask =", "14: questions[0].zh.ask: unknown key; allowed here: question"),
    ],
)
def test_a_translation_has_the_same_steps_and_places(
    matrix: Matrix, right: str, wrong: str, message: str
) -> None:
    chinese = parse_questions(PROTOCOLS + ZH, matrix).find("protocols").in_chinese()
    assert chinese is not None
    assert chinese.question == "代价是什么？"
    with pytest.raises(ConfigurationError) as caught:
        parse_questions(PROTOCOLS + ZH.replace(right, wrong), matrix)
    assert f"questions.toml:{message}" in str(caught.value)


def test_a_memory_limit_is_one_that_some_load_has(matrix: Matrix) -> None:
    text = (
        PROTOCOLS.replace('"protocols"\naxis = "protocol"', '"memory"\naxis = "memory"')
        .replace(
            '{ http1 = "HTTP/1.1", https1 = "TLS", h2c = "HTTP/2" }', '{ 128m = "a", 1g = "b" }'
        )
        .replace('baseline = "http1"', 'baseline = "1g"')
    )
    assert parse_questions(text, matrix).find("protocols").baseline == "1g"
    with pytest.raises(ConfigurationError, match=r"'100m' is not declared; allowed: 64m, 80m"):
        parse_questions(text.replace("128m", "100m"), matrix)


def test_cpus_are_those_that_some_load_has(matrix: Matrix) -> None:
    text = (
        PROTOCOLS.replace('"protocols"\naxis = "protocol"', '"cpus"\naxis = "cpus"')
        .replace(
            '{ http1 = "HTTP/1.1", https1 = "TLS", h2c = "HTTP/2" }', '{ "0.5" = "a", 2 = "b" }'
        )
        .replace('baseline = "http1"', 'baseline = "2"')
    )
    assert list(parse_questions(text, matrix).find("protocols").steps) == ["0.5", "2"]
    listed = r"'0\.7' is not declared; allowed: 0\.25, 0\.5, 1, 1\.0, 2, 4, 8, 16, 32, all CPUs$"
    with pytest.raises(ConfigurationError, match=listed):
        parse_questions(text.replace("0.5", "0.7"), matrix)


def test_an_id_stands_once(matrix: Matrix) -> None:
    row = PROTOCOLS.removeprefix("schema = 1\n")
    with pytest.raises(ConfigurationError, match="duplicate id 'protocols'"):
        parse_questions(PROTOCOLS + row, matrix)
