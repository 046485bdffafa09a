"""How steady an order of servers is: interleaved, and each alone in its own minute of the host.

    python -m evaluation.ranking results/RUN
    python -m evaluation.ranking results/RUN results/ONE-BY-ONE --rounds 3

Takes runs of several rounds and ranks servers by so many rounds at a time, as if each of these had
been a run of its own: by what they did interleaved, and by what processes did one after the other,
where a run that was measured so (with `--port`, say) is among them.
"""

from __future__ import annotations

import itertools
import json
import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from springbench.analysis.block_design import fit, half_widths, noise
from springbench.results.run import Run
from springbench.results.store import load_run

Rates = dict[str, dict[int, float]]
# how far identical processes lie apart in a round, where nothing else is known
USUAL = 0.02


@dataclass(frozen=True)
class Order:
    """Servers, the best first, with their levels as logarithms, and for each two of them the half
    width of the interval of their difference."""

    cases: tuple[str, ...]
    levels: tuple[float, ...]
    apart: tuple[tuple[float, ...], ...]


def main(
    runs: Annotated[list[Path], typer.Argument(help="Run folders; their rounds count on.")],
    rounds: Annotated[int, typer.Option(help="Rounds of each ranking.")] = 2,
) -> None:
    """Print how far rates and ratios move from one ranking to the next."""
    interleaved: Rates = {}
    alone: Rates = {}
    before = 0
    for run in runs:
        found = load_run(run)
        typer.echo(f"{run}: {json.dumps(_disturbed(found))}", err=True)
        for result in found.results:
            for fork in result.forks:
                if fork.load:
                    target = interleaved if fork.load.interleaving else alone
                    target.setdefault(result.case, {})[before + fork.fork] = (
                        fork.load.throughput_rps
                    )
        before += max(len(result.forks) for result in found.results)
    names = {"interleaved": interleaved, "one after the other": alone}
    both = [rates for rates in names.values() if rates]
    typer.echo(f"| | {' | '.join(name for name, rates in names.items() if rates)} |")
    typer.echo(f"| --- |{' ---: |' * len(both)}")
    for case in both[0]:
        name = case.split("/")[0]
        spreads = [f"{_cv(rates[case]):.1%}" for rates in both if case in rates]
        typer.echo(f"| CV of {name} | {' | '.join(spreads)} |")
    typer.echo(f"| CV within rounds, all together | {' | '.join(map(_residual_cv, both))} |")
    orders = [list(_orders(rates, rounds)) for rates in both]
    typer.echo(f"| rankings of {rounds} rounds | {' | '.join(str(len(o)) for o in orders)} |")
    typer.echo(
        f"| different orders | {' | '.join(str(len({f.cases for f in o})) for o in orders)} |"
    )
    moved = [f"{max(_largest_change(o)):.3f}" for o in orders]
    typer.echo(f"| largest change of a ratio of two | {' | '.join(moved)} |")
    widths = [f"± {statistics.median(map(_width, o)):.1%}" for o in orders]
    typer.echo(f"| interval of a ratio to the best, median | {' | '.join(widths)} |")
    wrong = [f"{_contradictions(o)}" for o in orders]
    typer.echo(f"| pairs distinguished in opposite orders | {' | '.join(wrong)} |")
    for name, fits in zip((name for name, rates in names.items() if rates), orders, strict=True):
        for fitted in fits:
            order = ", ".join(case.split("/")[0] for case in fitted.cases)
            typer.echo(f"order {name}: {order}")


def _cv(rates: Mapping[int, float]) -> float:
    return statistics.stdev(rates.values()) / statistics.fmean(rates.values())


def _residual_cv(rates: Rates) -> str:
    """The spread within rounds by their own numbers alone: without what is usual."""
    cases = list(rates)
    rounds = sorted(set.intersection(*(set(case_rates) for case_rates in rates.values())))
    logs = [[math.log(rates[case][n]) for n in rounds] for case in cases]
    of_case = [statistics.fmean(row) for row in logs]
    of_round = [statistics.fmean(column) for column in zip(*logs, strict=True)]
    middle = statistics.fmean(of_case)
    squares = sum(
        (value - of_case[c] - of_round[r] + middle) ** 2
        for c, row in enumerate(logs)
        for r, value in enumerate(row)
    )
    degrees = (len(cases) - 1) * (len(rounds) - 1)
    return f"{math.sqrt(squares / degrees):.1%}"


def _orders(rates: Rates, rounds: int) -> Iterator[Order]:
    numbers = sorted({number for case_rates in rates.values() for number in case_rates})
    for first in range(0, len(numbers) - rounds + 1, rounds):
        chosen = numbers[first : first + rounds]
        part = {
            case: {n: math.log(case_rates[n]) for n in chosen if n in case_rates}
            for case, case_rates in rates.items()
        }
        if fitted := fit(part):
            widths = half_widths(fitted, noise(fitted.residual, USUAL))
            best_first = sorted(range(len(fitted.levels)), key=lambda t: -fitted.levels[t])
            yield Order(
                tuple(fitted.treatments[t] for t in best_first),
                tuple(fitted.levels[t] for t in best_first),
                tuple(tuple(widths[a][b] for b in best_first) for a in best_first),
            )


def _largest_change(orders: Sequence[Order]) -> Iterator[float]:
    """Of the ratio of any two servers, from any ranking to any other."""
    levels = [dict(zip(f.cases, f.levels, strict=True)) for f in orders]
    for a, b in itertools.combinations(levels[0], 2):
        ratios = [ranking[a] - ranking[b] for ranking in levels if a in ranking and b in ranking]
        yield math.exp(max(ratios) - min(ratios))


def _width(fitted: Order) -> float:
    """Half the interval of a ratio to the best."""
    return math.expm1(
        statistics.median(fitted.apart[index][0] for index in range(1, len(fitted.cases)))
    )


def _contradictions(orders: Sequence[Order]) -> int:
    """Pairs of servers of which one ranking surely says the opposite of another."""
    sure: dict[tuple[str, str], int] = {}
    for fitted in orders:
        for (i, a), (j, b) in itertools.combinations(enumerate(fitted.cases), 2):
            if fitted.levels[i] - fitted.levels[j] > fitted.apart[i][j]:
                sure[a, b] = sure.get((a, b), 0) + 1
    return sum((b, a) in sure for a, b in sure) // 2


def _disturbed(run: Run) -> dict[str, int]:
    """Blocks that count, and those that were left out, of one interleaved server."""
    interleavings = [
        f.load.interleaving
        for r in run.results[:1]
        for f in r.forks
        if f.load and f.load.interleaving
    ]
    return {
        "blocks": sum(t.blocks for t in interleavings),
        "left out": sum(t.left_out for t in interleavings),
    }


if __name__ == "__main__":
    typer.run(main)
