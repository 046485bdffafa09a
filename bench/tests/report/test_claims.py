"""A claim as it is printed: what was published, what we measured, and the verdict."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pytest
from rich.console import Console

from springbench.analysis.claims import ClaimEvaluation
from springbench.matrix.rows import Matrix
from springbench.report.claims import as_data, lines, render, verdict
from springbench.report.console import PLAIN_WIDTH, print_claim
from springbench.results.claim_file import parse_claims
from springbench.results.claims import Claim, Source
from springbench.results.run import Caution, Run
from tests.claims import CLAIMS, JETTY, cases_of, evaluation_of, rounds, run_of, the_claim
from tests.samples import HOSTILE

Golden = Callable[[str, str], None]


def the_source(matrix: Matrix) -> Source:
    found = parse_claims(CLAIMS, matrix)
    return found.source(found.find("jetty-faster"))


def drawn(matrix: Matrix, found: ClaimEvaluation, runs: list[Run]) -> str:
    out = Console(file=io.StringIO(), width=PLAIN_WIDTH, highlight=False)
    steps = list(cases_of(matrix, found.claim).values())
    print_claim(found, the_source(matrix), steps, runs, out)
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


def of_ratio(
    matrix: Matrix, claim: Claim, ratio: float, **fields: object
) -> tuple[ClaimEvaluation, Run]:
    run = run_of(matrix, claim, rounds(), rounds(ratio, **fields))
    return evaluation_of(matrix, claim, run), run


def test_verdicts_on_a_terminal(matrix: Matrix, golden: Golden) -> None:
    claim = the_claim(matrix)
    parts = []
    for ratio, fields in (
        (1.2, {}),
        (1.0, {}),
        (1.25, {"load_cpu_ratio": 0.995, "server_cpu_ratio": 0.6}),
        (1.25, {"instability": ["compiling"], "compiler_cpu_ratio": 0.4}),
        (1.25, {"instability": ["disturbed"]}),
    ):
        found, run = of_ratio(matrix, claim, ratio, **fields)
        parts.append(drawn(matrix, found, [run]))
    golden("claims.txt", "".join(parts))


def test_as_markdown(matrix: Matrix, golden: Golden) -> None:
    found, run = of_ratio(matrix, the_claim(matrix), 1.2)
    run.warnings = [Caution(code="any", message=HOSTILE)]
    steps = list(cases_of(matrix, found.claim).values())
    golden("claim.md", render(found, the_source(matrix), steps, [run]))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, f"claimed: throughput of {JETTY} 1.25 times that of "),
        ({"direction": "higher"}, f"claimed: throughput of {JETTY} at least 1.25 times that of "),
        ({"direction": "lower"}, f"claimed: throughput of {JETTY} at most 1.25 times that of "),
        (
            {"ratio": None, "direction": "lower"},
            f"claimed: throughput of {JETTY} lower than that of boot4-tomcat",
        ),
    ],
)
def test_it_says_what_was_claimed(
    matrix: Matrix, changes: dict[str, object], expected: str
) -> None:
    found, _ = of_ratio(matrix, the_claim(matrix, **changes), 1.2)
    steps = list(cases_of(matrix, found.claim).values())
    assert any(line.startswith(expected) for line in lines(found, the_source(matrix), steps))


def test_a_cell_has_the_kind_of_a_bottleneck(matrix: Matrix) -> None:
    found, _ = of_ratio(matrix, the_claim(matrix), 1.25, load_cpu_ratio=0.995, server_cpu_ratio=0.6)
    assert verdict(found) == "the bottleneck was load generator"


def test_programs_get_all_of_it(matrix: Matrix) -> None:
    found, run = of_ratio(matrix, the_claim(matrix), 1.2)
    data = json.loads(json.dumps(as_data(found, the_source(matrix), [run])))
    assert (data["verdict"], data["claim"]["id"]) == ("holds", "jetty-faster")
    assert data["source"]["address"] == "https://example.org/jetty?is=faster"
    assert data["ratio"]["low"] < 1.2 < data["ratio"]["high"]
    assert [row["step"] for row in data["rows"]] == [*found.claim.only]
    assert data["command"] == "springbench claims jetty-faster"
    # as that run did
    assert data["runs"][0]["command"] == "springbench claims jetty-faster --forks 3"
