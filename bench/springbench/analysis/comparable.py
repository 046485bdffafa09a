"""Cases and metrics that a comparison can tell of, by profile. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from springbench.analysis.comparison.verdicts import ComparedCase, metrics_of
from springbench.plan.cases import Case
from springbench.results.events import AffectedSeries
from springbench.results.history_names import profile_of

# evaluated as a fact, by counts
ERRORS = "error_ratio"
# pairs are fast there: the first compiler alone
FAST_PROFILE = "pr"
CasesOf = Mapping[str, Mapping[str, frozenset[str]]]
"""By profile and case: the metrics that are evaluated."""


def metrics_by_case(cases: Iterable[Case]) -> dict[str, frozenset[str]]:
    """The metrics that a comparison of these cases evaluates, by the id of the case."""
    found = {}
    for case in cases:
        compared = ComparedCase(case.id, waits=case.workload.delay_s > 0)
        names = {metric.name for metric in metrics_of(compared, first=True)}
        found[case.id] = frozenset(names | {ERRORS})
    return found


def profile_for(affected: AffectedSeries, tries: int, cases_of: CasesOf) -> str | None:
    """The profile to compare an affected series with; None where none can tell of it.

    A first try is a fast one. A later one measures as the affected series was measured: what shows
    with every compiler at work alone is not there in the fast profile.
    """
    own_profile = profile_of(affected.configuration)
    for profile in (own_profile, FAST_PROFILE) if tries else (FAST_PROFILE, own_profile):
        if affected.metric in cases_of.get(profile, {}).get(affected.case, ()):
            return profile
    return None
