"""What follows from all results of a run together. Pure.

`assess` concludes from the forks of one case, this from all cases: how far forks lie apart,
rankings, and what the host did to them. What is concluded is stored in the run, and every surface
shows it as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from springbench.analysis.host_speed import ORDER_CODE, SPEED_CODE, speed_warnings
from springbench.analysis.intervals import pooled_spread, summary_of, values_of
from springbench.analysis.limits import evaluate_again
from springbench.analysis.ranking import rank
from springbench.analysis.warnings import HOST_CODES, host_warnings
from springbench.matrix.service_name import service_of
from springbench.results.metrics import METRICS
from springbench.results.run import Result, Run, Summary

CONCLUDED_CODES = frozenset({*HOST_CODES, SPEED_CODE, ORDER_CODE})
"""Warnings of a run that follow from its results; others are known before anything is measured."""


def conclude(run: Run) -> None:
    """Put the conclusions into the run, in place of earlier ones."""
    known = [caution for caution in run.warnings if caution.code not in CONCLUDED_CODES]
    concluded = [*host_warnings(run.results), *speed_warnings(run.results)]
    run.warnings = [*known, *concluded]
    run.results, run.rankings = rank(_steadied(run.results))


def _steadied(results: Sequence[Result]) -> list[Result]:
    """The results with intervals to which all that were measured alike contribute.

    Two or three forks tell little of how far forks lie apart; those of the other routes of a
    service, or of the other servers under that load, were measured on the same host.
    """
    groups: dict[tuple[str, ...], list[Result]] = {}
    for result in results:
        groups.setdefault(_alike(result), []).append(result)
    steadied = {
        result.case: result for group in groups.values() for result in _steadied_group(group)
    }
    return [steadied[result.case] for result in results]


def _alike(result: Result) -> tuple[str, ...]:
    """Forks lie as far apart as those of cases with the same: who asks for it, and what bounds."""
    kind = result.bottleneck.kind if result.bottleneck else ""
    service = service_of(result.case)
    return (service, kind) if service else (result.workload, str(result.connections), kind)


def _steadied_group(group: Sequence[Result]) -> Iterator[Result]:
    values = [
        {metric.name: values_of(metric, result.forks) for metric in METRICS} for result in group
    ]
    pooled = {
        metric.name: pooled_spread(of_case[metric.name] for of_case in values) for metric in METRICS
    }
    for result, of_case in zip(group, values, strict=True):
        summary: dict[str, Summary] = {
            metric.name: summary_of(metric, of_case[metric.name], pooled[metric.name])
            for metric in METRICS
            if of_case[metric.name]
        }
        update = {"summary": summary, "limits": evaluate_again(result.limits, summary)}
        yield result.model_copy(update=update)
