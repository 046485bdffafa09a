"""Only pairs that come after a change was found can confirm it."""

from __future__ import annotations

from springbench.analysis.comparison.paired import Evaluated
from springbench.analysis.comparison.verdicts import Finding, Key, metrics_of
from springbench.analysis.intervals import Spread
from springbench.compare.groups import VariantPairs
from springbench.compare.scheduler import CONFIRMING_PAIRS, CandidateChanges
from springbench.matrix.rows import Matrix
from springbench.results.comparison import Verdict
from tests.schedulers import Simulated, variant_pairs

METRIC = "throughput_rps"


def evaluated(group: VariantPairs, verdict: Verdict) -> Evaluated:
    case = group.cases[0]
    finding = Finding(
        Key(case.case, METRIC),
        verdict,
        *(0.8, 0.7, 0.9),
        p_value=0.001,
        pairs=2,
        detectable=0.03,
        residual=Spread(0.007, 8),
    )
    metric = next(
        candidate for candidate in metrics_of(case, first=True) if candidate.name == METRIC
    )
    return Evaluated(finding, metric, 1.0, 0.8)


def test_pairs_that_showed_a_change_do_not_confirm_it(matrix: Matrix) -> None:
    """Suspected, calm again, suspected anew: only what is measured after that is fresh."""
    group, candidates = variant_pairs(matrix)[0], CandidateChanges()
    pairs = [Simulated().measure(group, pair) for pair in range(6)]
    candidates.note(evaluated(group, "regression"), 2)
    candidates.note(evaluated(group, "undecided"), 2)
    candidates.note(evaluated(group, "regression"), 5)
    assert candidates.confirmed(evaluated(group, "regression"), pairs[:5]) is None
    assert candidates.confirmed(evaluated(group, "improvement"), pairs[:5]) is None
    assert candidates.confirmed(evaluated(group, "regression"), pairs) is False
    # one that turns round is a new one
    candidates.note(evaluated(group, "improvement"), 6)
    assert candidates.confirmed(evaluated(group, "improvement"), pairs) is None


def test_a_candidate_change_gets_so_many_fresh_pairs_and_no_more(matrix: Matrix) -> None:
    group, candidates = variant_pairs(matrix)[0], CandidateChanges()
    pairs = [Simulated().measure(group, pair) for pair in range(2 + CONFIRMING_PAIRS)]
    candidates.note(evaluated(group, "regression"), 2)
    assert not candidates.is_settled(evaluated(group, "regression"), pairs[:-1])
    # nothing of what was suspected is in them
    assert candidates.is_settled(evaluated(group, "regression"), pairs)
