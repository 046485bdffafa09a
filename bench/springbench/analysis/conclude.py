"""What follows from all results of a run together. Pure.

`assess` concludes from the forks of one case, this from all cases: rankings, and what the host did
to them. What is concluded is stored in the run, and every surface shows it as it is.
"""

from __future__ import annotations

from springbench.analysis.host_speed import ORDER_CODE, SPEED_CODE, speed_warnings
from springbench.analysis.ranking import rank
from springbench.analysis.warnings import HOST_CODES, host_warnings
from springbench.results.run import Run

CONCLUDED_CODES = frozenset({*HOST_CODES, SPEED_CODE, ORDER_CODE})
"""Warnings of a run that follow from its results; others are known before anything is measured."""


def conclude(run: Run) -> None:
    """Put the conclusions into the run, in place of earlier ones."""
    known = [caution for caution in run.warnings if caution.code not in CONCLUDED_CODES]
    concluded = [*host_warnings(run.results), *speed_warnings(run.results)]
    run.warnings = [*known, *concluded]
    run.results, run.rankings = rank(run.results)
