"""What our figures say of what others have published."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from springbench.analysis.claims import ClaimEvaluation
from springbench.matrix.rows import Matrix
from springbench.plan.plan import Filters, make_plan
from springbench.results.claims import Claim
from springbench.results.records import ColdRecord, ForkRecord
from tests.claims import BASE_RPS, JETTY, TOMCAT, evaluation_of, rounds, run_of, the_claim
from tests.questions import interleaved
from tests.samples import failed_fork, fork, measured

LOADED = {"load_cpu_ratio": 0.995, "server_cpu_ratio": 0.6}
COMPILING = {"instability": ["compiling"], "compiler_cpu_ratio": 0.4}


def of_rounds(
    matrix: Matrix, claim: Claim, base: Sequence[ForkRecord], head: Sequence[ForkRecord]
) -> ClaimEvaluation:
    return evaluation_of(matrix, claim, run_of(matrix, claim, base, head))


@pytest.mark.parametrize(
    ("changes", "ratio", "verdict"),
    [
        ({}, 1.25, "holds"),
        ({}, 1.15, "holds"),
        ({}, 1.0, "does-not-hold"),
        ({}, 2.0, "does-not-hold"),
        # 1.25 ÷ 1.2, the edge of what agrees
        ({}, 1.042, "undecided"),
        # 1.15 is too far from it then
        ({"within": 0.02}, 1.15, "does-not-hold"),
        ({"ratio": None, "direction": "higher"}, 1.2, "holds"),
        ({"ratio": None, "direction": "higher"}, 0.8, "does-not-hold"),
        # no difference that somebody would publish
        ({"ratio": None, "direction": "higher"}, 1.0, "does-not-hold"),
        ({"ratio": None, "direction": "higher"}, 1.03, "undecided"),
        ({"ratio": None, "direction": "lower"}, 0.8, "holds"),
        # at most half of it
        ({"ratio": 0.5, "direction": "lower"}, 0.3, "holds"),
        ({"ratio": 0.5, "direction": "lower"}, 0.8, "does-not-hold"),
        ({"ratio": 0.5, "direction": "lower"}, 0.5, "undecided"),
        # at least five times
        ({"ratio": 5.0, "direction": "higher"}, 6.0, "holds"),
        ({"ratio": 5.0, "direction": "higher"}, 1.25, "does-not-hold"),
    ],
)
def test_an_interval_decides(
    matrix: Matrix, changes: dict[str, object], ratio: float, verdict: str
) -> None:
    found = of_rounds(matrix, the_claim(matrix, **changes), rounds(), rounds(ratio))
    assert found.verdict == verdict
    assert found.ratio is not None
    assert found.ratio.ratio == pytest.approx(ratio)


def test_it_says_how_near_it_is(matrix: Matrix) -> None:
    assert of_rounds(matrix, the_claim(matrix), rounds(), rounds(1.2)).distance == pytest.approx(
        0.04
    )
    higher = the_claim(matrix, ratio=None, direction="higher")
    assert of_rounds(matrix, higher, rounds(), rounds(1.2)).distance is None


@pytest.mark.parametrize(
    ("head", "verdict", "reason"),
    [
        (rounds(1.25, **LOADED), "bottleneck", f"load generator: not ranked ({JETTY})"),
        (rounds(1.25, **COMPILING), "not-warmed-up", JETTY),
        # as published, but of answers that were none
        (rounds(1.25, error_ratio=0.02), "bottleneck", f"errors (2.0%) ({JETTY})"),
        (
            rounds(1.25, instability=["disturbed"]),
            "undecided",
            f"{JETTY}: the host disturbed 3 of 3 processes",
        ),
        (rounds(1.25)[:1], "undecided", "one round alone has no interval; more --forks give one"),
        ([failed_fork(0, "no native-image")], "undecided", f"{JETTY}: no native-image"),
        ([], "undecided", f"{JETTY}: no run has it"),
    ],
)
def test_what_is_no_evidence_decides_nothing(
    matrix: Matrix, head: list[ForkRecord], verdict: str, reason: str
) -> None:
    found = of_rounds(matrix, the_claim(matrix), rounds(), head)
    assert (found.verdict, found.reason) == (verdict, reason)


def with_first_load(ratio: float, warm_ratio: float = 1.0) -> list[ForkRecord]:
    """Rounds whose fresh processes had so many times a fifth of what the base has once warm."""
    return [
        fork.model_copy(
            update={
                "cold": ColdRecord(
                    duration_s=30.0,
                    requests=1000,
                    throughput_rps=ratio * rps / 5,
                    error_ratio=0.0,
                )
            }
        )
        for fork, rps in zip(rounds(warm_ratio), BASE_RPS, strict=True)
    ]


@pytest.mark.parametrize(
    ("first_load", "warm", "verdict"),
    [
        (0.45, 1.0, "not-warmed-up"),
        # as published once warm too
        (0.45, 0.45, "holds"),
        # nor under the first load
        (1.0, 1.0, "does-not-hold"),
        (0.1, 1.0, "does-not-hold"),
    ],
)
def test_what_holds_only_while_a_process_compiles_is_said(
    matrix: Matrix, first_load: float, warm: float, verdict: str
) -> None:
    claim = the_claim(matrix, ratio=0.43)
    head = with_first_load(first_load, warm)
    found = of_rounds(matrix, claim, with_first_load(1.0), head)
    assert found.verdict == verdict
    if verdict == "not-warmed-up":
        assert found.reason.startswith("only under the first load of a fresh process: 45 % [")


def waiting(rps: float) -> list[ForkRecord]:
    """Three rounds of requests that wait a second."""
    return [fork(number, rps, server_cpu_ratio=0.2) for number in range(3)]


@pytest.mark.parametrize(
    ("ratio", "verdict"), [(1.0, "bottleneck"), (0.2, "holds"), (5.0, "bottleneck")]
)
def test_another_limit_explains_what_is_not_as_published(
    matrix: Matrix, ratio: float, verdict: str
) -> None:
    changes = {
        "profile": "waiting",
        "base": TOMCAT.replace("hello/64", "pay/1000"),
        "head": JETTY.replace("hello/64", "pay/1000"),
        "ratio": ratio,
    }
    found = of_rounds(matrix, the_claim(matrix, **changes), waiting(1000.0), waiting(199.0))
    assert found.verdict == verdict
    if verdict == "bottleneck":
        assert found.reason.startswith("thread cap: 199 at once (server.jetty.threads.max) (boot4-")


def test_a_start_does_not_depend_on_the_load(matrix: Matrix) -> None:
    claim = the_claim(matrix, metric="startup_s", ratio=1.0, within=0.5)
    found = of_rounds(matrix, claim, rounds(), rounds(1.0, **LOADED))
    assert found.verdict == "holds"


def test_cases_that_never_met_are_not_compared(matrix: Matrix) -> None:
    claim = the_claim(matrix)
    runs = [
        run_of(matrix, claim, rounds(), [], "one"),
        run_of(matrix, claim, [], rounds(1.25), "two"),
    ]
    found = evaluation_of(matrix, claim, *runs)
    assert (found.verdict, found.reason) == ("undecided", "no round has both")


def test_several_runs_are_more_rounds(matrix: Matrix) -> None:
    claim = the_claim(matrix)
    runs = [
        run_of(matrix, claim, rounds()[:1], rounds(1.25)[:1], f"run-{number}")
        for number in range(3)
    ]
    found = evaluation_of(matrix, claim, *runs)
    assert (found.verdict, found.answer.rounds) == ("holds", 3)


def test_without_a_run_nothing_is_decided(matrix: Matrix) -> None:
    found = evaluation_of(matrix, the_claim(matrix))
    assert (found.verdict, found.reason) == ("undecided", f"{TOMCAT}: no run has it")


def test_the_other_cases_of_a_run_make_its_interval_narrower(matrix: Matrix) -> None:
    claim = the_claim(matrix, ratio=1.6, within=0.05)
    own = [interleaved(number, rps) for number, rps in enumerate((40_000.0, 39_000.0, 41_000.0))]
    head = [interleaved(number, rps) for number, rps in enumerate((50_000.0, 54_000.0, 44_000.0))]
    alone = run_of(matrix, claim, own, head)
    together = run_of(matrix, claim, own, head)
    others = make_plan(matrix, claim.profile, Filters(only=("*-platform-*",))).cases
    together.results += [measured(case, *own) for case in others]
    assert evaluation_of(matrix, claim, alone).verdict == "undecided"
    found = evaluation_of(matrix, claim, together)
    assert found.verdict == "does-not-hold"
    assert found.ratio is not None
    assert found.ratio.ratio == pytest.approx(1.229, rel=0.01)
