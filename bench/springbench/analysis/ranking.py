"""The order of servers under one load, by each metric that is evaluated, and how sure it is. Pure.

A round of fresh processes is a block of the design (block_design.py), whether its servers were
interleaved or measured one after the other. From Tukey's range test follow the ranks that each
server may have (Mohamad, Goeman and van Zwet, 2019).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from springbench.analysis.block_design import Fit, fit, half_widths, noise
from springbench.analysis.comparison.verdicts import Compared, ComparedCase, metrics_of
from springbench.analysis.intervals import readings
from springbench.matrix.profiles import CAPACITY_PERCENTS
from springbench.matrix.service_name import service_of
from springbench.results.metrics import METRICS
from springbench.results.records import ForkRecord
from springbench.results.run import Rank, Ranking, Result

THROUGHPUT = "throughput_rps"
_METRICS = {metric.name: metric for metric in METRICS}
HalfWidths = Sequence[Sequence[float]]


def rank(results: Sequence[Result]) -> tuple[list[Result], list[Ranking]]:
    """The results, and the rankings of each load that two servers had in two rounds or more.

    The interval of a throughput whose servers were interleaved becomes one for comparing: two that
    overlap are not statistically distinguishable (Gabriel, 1978). What a round did to all of them
    is not in it.
    """
    loads: dict[tuple[str | None, str, int], list[Result]] = {}
    for result in results:
        key = (service_of(result.case), result.workload, result.connections)
        loads.setdefault(key, []).append(result)
    rankings: list[Ranking] = []
    case_widths: dict[str, float] = {}
    for of_load in loads.values():
        interleaved = any(is_interleaved(fork) for result in of_load for fork in result.forks)
        for metric in evaluated_metrics(of_load[0]):
            logs = logs_of(of_load, metric, interleaved=interleaved)
            if fitted := fit(logs):
                # a ratio varies as two processes do
                residual = noise(fitted.residual, metric.usual_spread / math.sqrt(2))
                widths = half_widths(fitted, residual)
                ranks = _ranks(fitted, widths, metric)
                rankings.append(
                    Ranking(
                        metric=metric.name,
                        workload=of_load[0].workload,
                        connections=of_load[0].connections,
                        rounds=fitted.blocks,
                        interleaved=interleaved,
                        spread_ratio=residual.deviation,
                        ranks=ranks,
                    )
                )
                if interleaved and metric.name == THROUGHPUT:
                    case_widths |= _half_widths_of_rows(fitted, widths)
    return [_for_comparing(result, case_widths.get(result.case)) for result in results], rankings


def evaluated_metrics(result: Result) -> Iterator[Compared]:
    """The metrics that a comparison evaluates too, with what is known of their noise."""
    waits = result.theoretical_max_rps is not None
    case = ComparedCase(result.case, waits, CAPACITY_PERCENTS)
    for metric in metrics_of(case, first=True, in_pairs=False):
        if metric.name in _METRICS:
            yield metric


def logs_of(
    results: Sequence[Result], metric: Compared, *, interleaved: bool
) -> dict[str, dict[int, float]]:
    """Logarithms by case and round, of what counts: `interleaved`, of processes that were."""
    found = {}
    for result in results:
        # what wrk or a link bound says nothing of the server
        if metric.stage == "case" and result.unranked:
            continue
        values = readings(_METRICS[metric.name], result.forks)
        if metric.stage == "case" and interleaved:
            alone = {fork.fork for fork in result.forks if not is_interleaved(fork)}
            values = {number: value for number, value in values.items() if number not in alone}
        if values and min(values.values()) > 0:
            found[result.case] = {number: math.log(value) for number, value in values.items()}
    return found


def is_interleaved(fork: ForkRecord) -> bool:
    """Whether its load alternated with those of other servers."""
    return fork.load is not None and fork.load.interleaving is not None


def _ranks(fitted: Fit, widths: HalfWidths, metric: Compared) -> list[Rank]:
    """The ranks of all treatments, the best first."""
    sign = 1 if metric.better == "higher" else -1
    indices = range(len(fitted.treatments))
    best, *_ = order = sorted(indices, key=lambda t: -sign * fitted.levels[t])
    ranks = []
    for index in order:
        ahead = {other: sign * (fitted.levels[other] - fitted.levels[index]) for other in indices}
        difference = fitted.levels[index] - fitted.levels[best]
        ranks.append(
            Rank(
                case=fitted.treatments[index],
                first=1 + sum(ahead[other] > widths[index][other] for other in indices),
                last=len(indices) - sum(-ahead[other] > widths[index][other] for other in indices),
                ratio=math.exp(difference),
                low=math.exp(difference - widths[index][best]),
                high=math.exp(difference + widths[index][best]),
            )
        )
    return ranks


def _half_widths_of_rows(fitted: Fit, widths: HalfWidths) -> Mapping[str, float]:
    """Half widths of intervals that overlap where two are not statistically distinguishable.

    Exact where all servers met in all rounds; else about so.
    """
    other_count = len(fitted.treatments) - 1
    return {name: sum(widths[t]) / other_count / 2 for t, name in enumerate(fitted.treatments)}


def _for_comparing(result: Result, half_width: float | None) -> Result:
    throughput = result.summary.get(THROUGHPUT)
    if half_width is None or throughput is None:
        return result
    low, high = (throughput.median * math.exp(sign * half_width) for sign in (-1, 1))
    summary = throughput.model_copy(update={"low": low, "high": high})
    return result.model_copy(update={"summary": {**result.summary, THROUGHPUT: summary}})
