"""A claim for tests, and runs that have measured its two cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from springbench.analysis.claims import ClaimEvaluation, evaluate
from springbench.matrix.rows import Matrix
from springbench.plan.cases import Case
from springbench.plan.plan import Filters, make_plan
from springbench.results.claim_file import parse_claims
from springbench.results.claims import Claim
from springbench.results.records import ForkRecord
from springbench.results.run import Run
from tests.questions import interleaved
from tests.samples import empty_run, measured

TOMCAT, JETTY = "boot4-tomcat-virtual-jvm/hello/64", "boot4-jetty-virtual-jvm/hello/64"
CLAIMS = f"""\
schema = 1

[[sources]]
id = "post"
title = "Jetty is faster"
address = "https://example.org/jetty?is=faster"
date = "2026-03"
conditions = "eight cores, wrk"

[[claims]]
id = "jetty-faster"
source = "post"
claim = "Jetty is a quarter faster than Tomcat."
profile = "threads"
base = "{TOMCAT}"
head = "{JETTY}"
metric = "throughput_rps"
ratio = 1.25
"""
# so many requests a second in each of three rounds; the host of the second had half its speed
BASE_RPS = (40_000.0, 20_000.0, 41_000.0)


def the_claim(matrix: Matrix, **changes: Any) -> Claim:
    """Jetty answers 1.25 times what Tomcat does, but for the changes."""
    return parse_claims(CLAIMS, matrix).find("jetty-faster").model_copy(update=changes)


def cases_of(matrix: Matrix, claim: Claim) -> dict[str, Case]:
    """Its two cases, by id."""
    plan = make_plan(matrix, claim.profile, Filters(only=claim.only))
    return {case.id: case for case in plan.cases}


def rounds(ratio: float = 1.0, **fields: object) -> list[ForkRecord]:
    """Three rounds of so many times what the base had."""
    return [interleaved(number, ratio * rps, **fields) for number, rps in enumerate(BASE_RPS)]


def run_of(
    matrix: Matrix,
    claim: Claim,
    base: Sequence[ForkRecord],
    head: Sequence[ForkRecord],
    run_id: str = "one",
) -> Run:
    """A run that measured both, or the one that has forks."""
    run = empty_run()
    run.run.id, run.run.profile = run_id, claim.profile
    run.run.filters = run.run.filters.model_copy(update={"only": [*claim.only], "forks": 3})
    cases = cases_of(matrix, claim)
    for case_id, forks in ((claim.base, base), (claim.head, head)):
        if forks:
            run.results.append(measured(cases[case_id], *forks))
    return run


def evaluation_of(matrix: Matrix, claim: Claim, *runs: Run) -> ClaimEvaluation:
    """The verdict of these runs."""
    return evaluate(claim, cases_of(matrix, claim), runs)
