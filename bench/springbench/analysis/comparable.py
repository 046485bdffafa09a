"""Cases and metrics that a comparison can tell of, by profile. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from springbench.analysis.comparison.metrics import ComparedCase, metrics_of
from springbench.plan.cases import Case
from springbench.results.events import Witness
from springbench.results.history_names import profile_of

# judged as a fact, by counts
ERRORS = "error_ratio"
# pairs are fast there: the first compiler alone
FAST_PROFILE = "pr"
CasesOf = Mapping[str, Mapping[str, frozenset[str]]]
"""By profile and case: the metrics that are judged."""


def metrics_by_case(cases: Iterable[Case]) -> dict[str, frozenset[str]]:
    """The metrics that a comparison of these cases judges, by the id of the case."""
    found = {}
    for case in cases:
        compared = ComparedCase(case.id, waits=case.workload.delay_s > 0)
        names = {metric.name for metric in metrics_of(compared, first=True)}
        found[case.id] = frozenset(names | {ERRORS})
    return found


def profile_for(witness: Witness, tries: int, cases_of: CasesOf) -> str | None:
    """The profile to compare a witness with; None where none can tell of it.

    A first try is a fast one. A later one measures as the witness was measured: what shows with
    every compiler at work alone is not there in the fast profile.
    """
    own = profile_of(witness.conditions)
    for profile in (own, FAST_PROFILE) if tries else (FAST_PROFILE, own):
        if witness.metric in cases_of.get(profile, {}).get(witness.case, ()):
            return profile
    return None
