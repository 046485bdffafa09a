"""What a bisection cannot begin with, or go on with, is reported in a line."""

from __future__ import annotations

import json

import pytest

from tests.bisect.benches import PR_CASE, WHAT, Bench, Run

pytestmark = pytest.mark.process


def damaged(text: str) -> dict[str, str]:
    data = json.loads(text)
    return {
        "it was cut short or changed": text[: len(text) // 2],
        "schema 7": json.dumps({**data, "schema": 7}),
        "schema None": "[]",
        "commits: Field required": json.dumps(
            {name: value for name, value in data.items() if name != "commits"}
        ),
        "its answers do not fit its commits": json.dumps({**data, "commits": data["commits"][:1]}),
        "in another way than when": text.replace(data["question"]["plan_digest"], "0" * 16),
        "is not in this repository any more": text.replace(data["commits"][1]["sha"], "f" * 40),
        "'--output=x' of": text.replace(data["commits"][1]["sha"], "--output=x"),
        "no case of profile": text.replace(PR_CASE, "none/hello/1"),
    }


def test_a_state_that_cannot_be_gone_on_with_is_reported_in_a_line(bench: Bench, run: Run) -> None:
    shas = bench.history(4, 2)
    run(shas[0], "main", *WHAT)
    file = bench.folder / "bisect.json"
    for words, text in damaged(file.read_text(encoding="utf-8")).items():
        file.write_text(text, encoding="utf-8")
        code, _, err = run("--resume", file.parent)
        assert (code, err.count("\n")) == (2, 1), err
        assert words in err
    code, _, err = run("--resume", bench.results / "none")
    assert code == 2
    assert "there is no such bisection" in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("a", "b"), "needs GOOD, BAD and --case"),
        (("main~1", "--case", PR_CASE), "needs GOOD, BAD and --case"),
        (("main", "main", *WHAT), "are the same commit"),
        (("main", "main~1", *WHAT), "is older than GOOD"),
        (("main~1", "main", *WHAT, "--budget", "1"), "30"),
        (("main~1", "main", *WHAT, "--profile", "none"), "allowed: smoke"),
        (("main~1", "main", "--case", "x/y", "--metric", "y"), "nearest: boot4-"),
        (
            ("main~1", "main", "--case", PR_CASE, "--metric", "gc_pause_ratio"),
            "does not evaluate it for boot4-tomcat-virtual-jvm/hello/64; allowed: throughput_rps",
        ),
        (("main~1", "main", "--resume", "x"), "--resume goes on as it was begun"),
    ],
)
def test_what_cannot_be_asked_is_reported_in_a_line(
    bench: Bench, run: Run, arguments: tuple[str, ...], words: str
) -> None:
    bench.history(2, 1)
    code, _, err = run(*arguments)
    assert (code, err.count("\n")) == (2, 1), err
    assert words in err
    assert not bench.results.exists()
