"""The order of servers that were measured in turn, and how sure it is. Pure.

A round is a block: all servers in it met the same host (Fisher, 1935). So the logarithm of a rate
is taken apart into what the server does, what the round did to all of them, and a rest, which is
how identical processes differ. Tukey's range test on that rest tells all pairs of servers at once,
with 5 % for a single wrong order among them; from it follow the places that each server may have
(Mohamad, Goeman and van Zwet, 2019).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from springbench.analysis.intervals import LEVEL, Spread
from springbench.results.records import ForkRecord
from springbench.results.run import Place, Ranking, Result

# how far identical processes lie apart in a round, and for how many degrees of freedom it counts
USUAL = Spread(0.02, 4)
LEAST_ROUNDS = 2

Rates = Mapping[str, Mapping[int, float]]
"""By case, then by round."""


def rank(results: Sequence[Result]) -> tuple[list[Result], list[Ranking]]:
    """The results, and a ranking of each load in which servers took turns in two rounds and more.

    The interval of a throughput that was ranked becomes one for comparing: two that overlap cannot
    be told apart (Gabriel, 1978). What a round did to all of them is not in it.
    """
    loads: dict[tuple[str, int], dict[str, dict[int, float]]] = {}
    for result in results:
        rates = {fork.fork: rate for fork in result.forks if (rate := _rate(fork))}
        # what wrk or a link bound says nothing of the server
        if rates and not result.unranked:
            loads.setdefault((result.workload, result.connections), {})[result.case] = rates
    found: list[Ranking] = []
    widths: dict[str, float] = {}
    for (workload, connections), of_load in loads.items():
        if fitted := fit(of_load):
            found.append(_ranking(workload, connections, fitted))
            widths |= fitted.own_half_widths()
    return [_for_comparing(result, widths.get(result.case)) for result in results], found


def _for_comparing(result: Result, half_width: float | None) -> Result:
    throughput = result.summary.get("throughput_rps")
    if half_width is None or throughput is None:
        return result
    low, high = (throughput.median * math.exp(sign * half_width) for sign in (-1, 1))
    own = throughput.model_copy(update={"low": low, "high": high})
    return result.model_copy(update={"summary": {**result.summary, "throughput_rps": own}})


def _rate(fork: ForkRecord) -> float | None:
    """What a process did in turn with others, where that counts."""
    load = fork.load
    if fork.status != "ok" or load is None or load.turns is None or load.compiling:
        return None
    return load.throughput_rps or None


@dataclass(frozen=True)
class Fit:
    """Levels of servers, had all met all rounds, as logarithms; the best first."""

    cases: tuple[str, ...]
    levels: tuple[float, ...]
    rounds: int
    rest: Spread
    """Of identical processes within a round, as the usual one draws it to itself."""
    apart: tuple[tuple[float, ...], ...]
    """For each two of them, the half width of the interval of their difference."""

    def own_half_widths(self) -> dict[str, float]:
        """Half widths of intervals that overlap where two servers cannot be told apart.

        Exact where all servers met in all rounds; else about so.
        """
        others = len(self.cases) - 1
        return {case: sum(self.apart[own]) / others / 2 for own, case in enumerate(self.cases)}


def fit(rates: Rates) -> Fit | None:
    """Least squares of server and round; None where fewer than two servers met in two rounds."""
    import numpy as np  # noqa: PLC0415 - it costs a tenth of a second, which most commands need not pay

    met = {n for of in rates.values() for n in of}
    rounds = sorted(n for n in met if sum(n in of for of in rates.values()) > 1)
    cases = sorted(case for case, of in rates.items() if any(n in of for n in rounds))
    if len(cases) < 2 or len(rounds) < LEAST_ROUNDS:
        return None
    cells = [
        (c, r) for c, case in enumerate(cases) for r, n in enumerate(rounds) if n in rates[case]
    ]
    design = np.zeros((len(cells), len(cases) + len(rounds)))
    for row, (c, r) in enumerate(cells):
        design[row, c] = design[row, len(cases) + r] = 1.0
    logs = np.array([math.log(rates[cases[c]][rounds[r]]) for c, r in cells])
    levels, _, rank, _ = np.linalg.lstsq(design, logs, rcond=None)
    # every server must have met every other, if only through a third
    degrees = len(cells) - int(rank)
    if rank < len(cases) + len(rounds) - 1 or degrees < 1:
        return None
    squares = float(((logs - design @ levels) ** 2).sum())
    own = Spread(math.sqrt(squares / degrees), degrees)
    rest = own.moderated(USUAL, USUAL.degrees)
    quantile = _range_quantile(len(cases), rest.degrees) / math.sqrt(2)
    inverse = np.linalg.pinv(design.T @ design)
    order = sorted(range(len(cases)), key=lambda c: -levels[c])

    def half_width(a: int, b: int) -> float:
        variance = inverse[a, a] + inverse[b, b] - 2 * inverse[a, b]
        return quantile * rest.deviation * math.sqrt(max(0.0, float(variance)))

    return Fit(
        cases=tuple(cases[c] for c in order),
        levels=tuple(float(levels[c]) for c in order),
        rounds=len(rounds),
        rest=rest,
        apart=tuple(tuple(half_width(a, b) for b in order) for a in order),
    )


@cache
def _range_quantile(servers: int, degrees: float) -> float:
    """Of the studentised range, at `LEVEL`. It takes a second, and the same is asked for again."""
    from scipy.stats import studentized_range  # noqa: PLC0415 - as numpy

    return float(studentized_range.ppf(LEVEL, servers, degrees))


def _ranking(workload: str, connections: int, fitted: Fit) -> Ranking:
    places = []
    for own, case in enumerate(fitted.cases):
        to_best, half = fitted.levels[own] - fitted.levels[0], fitted.apart[own][0]
        gaps = [
            (fitted.levels[other] - fitted.levels[own], fitted.apart[own][other])
            for other in range(len(fitted.cases))
        ]
        better = sum(gap > width for gap, width in gaps)
        worse = sum(-gap > width for gap, width in gaps)
        places.append(
            Place(
                case=case,
                first=1 + better,
                last=len(fitted.cases) - worse,
                ratio=math.exp(to_best),
                low=math.exp(to_best - half) if own else 1.0,
                high=math.exp(to_best + half) if own else 1.0,
            )
        )
    return Ranking(
        workload=workload,
        connections=connections,
        rounds=fitted.rounds,
        spread_ratio=fitted.rest.deviation,
        places=places,
    )
