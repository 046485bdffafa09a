"""How steady an order of servers is: by turns, and by the loads of the same processes alone.

    python -m evaluation.ranking results/RUN
    python -m evaluation.ranking results/RUN results/OTHER --rounds 3

Takes runs whose servers were measured in turn, in several rounds, and ranks them by so many rounds
at a time, as if each of these had been a run of its own: by what they did in turn, and by what the
same processes did just before, each loaded alone in its own minute of the host.
"""

from __future__ import annotations

import itertools
import json
import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from springbench.analysis.ranking import Fit, fit
from springbench.plan.cases import ALONE_S
from springbench.results.records import ForkRecord
from springbench.results.run import Run
from springbench.results.store import load_run

Rates = dict[str, dict[int, float]]


def main(
    runs: Annotated[list[Path], typer.Argument(help="Run folders; their rounds count on.")],
    rounds: Annotated[int, typer.Option(help="Rounds of each ranking.")] = 2,
) -> None:
    """Print how far rates and ratios move from one ranking to the next."""
    in_turn: Rates = {}
    alone: Rates = {}
    before = 0
    for run in runs:
        found = load_run(run)
        typer.echo(f"{run}: {json.dumps(_spoiled(found))}", err=True)
        for result in found.results:
            if _took_turns(result.forks):
                own = dict(_in_turn(result.forks))
                beside = dict(_alone(run, result.case, own))
                in_turn.setdefault(result.case, {}).update((before + n, v) for n, v in own.items())
                alone.setdefault(result.case, {}).update((before + n, v) for n, v in beside.items())
        before += max(len(result.forks) for result in found.results)
    typer.echo("| | in turn | alone, before |\n| --- | ---: | ---: |")
    both = (in_turn, alone)
    for case in in_turn:
        name = case.split("/")[0]
        typer.echo(f"| CV of {name} | {' | '.join(f'{_cv(of[case]):.1%}' for of in both)} |")
    typer.echo(f"| CV within rounds, all together | {' | '.join(map(_rest, both))} |")
    orders = [list(_orders(of, rounds)) for of in both]
    typer.echo(f"| rankings of {rounds} rounds | {' | '.join(str(len(o)) for o in orders)} |")
    typer.echo(
        f"| different orders | {' | '.join(str(len({f.cases for f in o})) for o in orders)} |"
    )
    moved = [f"{max(_largest_change(o)):.3f}" for o in orders]
    typer.echo(f"| largest change of a ratio of two | {' | '.join(moved)} |")
    widths = [f"± {statistics.median(map(_width, o)):.1%}" for o in orders]
    typer.echo(f"| interval of a ratio to the best, median | {' | '.join(widths)} |")
    wrong = [f"{_contradictions(o)}" for o in orders]
    typer.echo(f"| pairs told apart in opposite orders | {' | '.join(wrong)} |")
    for fitted in orders[0]:
        typer.echo(f"order in turn: {', '.join(case.split('/')[0] for case in fitted.cases)}")
    for fitted in orders[1]:
        typer.echo(f"order alone: {', '.join(case.split('/')[0] for case in fitted.cases)}")


def _took_turns(forks: Sequence[ForkRecord]) -> bool:
    return any(fork.load and fork.load.turns for fork in forks)


def _in_turn(forks: Sequence[ForkRecord]) -> Iterator[tuple[int, float]]:
    for fork in forks:
        if fork.load and fork.load.turns:
            yield fork.fork, fork.load.throughput_rps


def _alone(run: Path, case: str, forks: Mapping[int, float]) -> Iterator[tuple[int, float]]:
    """What wrk asked for in the last seconds of the load before the turns."""
    for number in forks:
        folder = run / "raw" / case / f"fork-{number}"
        samples = json.loads((folder / "load.json").read_text(encoding="utf-8"))
        points = [
            (at_s, asked)
            for at_s, asked in zip(samples["at_s"], samples["requests"], strict=True)
            if asked is not None
        ]
        last_s, last = points[-1]
        first_s, first = next(p for p in points if p[0] >= last_s - ALONE_S)
        yield number, (last - first) / (last_s - first_s)


def _cv(rates: Mapping[int, float]) -> float:
    return statistics.stdev(rates.values()) / statistics.fmean(rates.values())


def _rest(rates: Rates) -> str:
    """The spread within rounds by their own numbers alone: without what is usual."""
    cases = list(rates)
    rounds = sorted(set.intersection(*(set(of) for of in rates.values())))
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


def _orders(rates: Rates, rounds: int) -> Iterator[Fit]:
    numbers = sorted({number for of in rates.values() for number in of})
    for first in range(0, len(numbers) - rounds + 1, rounds):
        chosen = numbers[first : first + rounds]
        part = {case: {n: of[n] for n in chosen if n in of} for case, of in rates.items()}
        if fitted := fit(part):
            yield fitted


def _largest_change(orders: Sequence[Fit]) -> Iterator[float]:
    """Of the ratio of any two servers, from any ranking to any other."""
    levels = [dict(zip(f.cases, f.levels, strict=True)) for f in orders]
    for a, b in itertools.combinations(levels[0], 2):
        ratios = [of[a] - of[b] for of in levels if a in of and b in of]
        yield math.exp(max(ratios) - min(ratios))


def _width(fitted: Fit) -> float:
    """Half the interval of a ratio to the best."""
    return math.expm1(
        statistics.median(fitted.apart[own][0] for own in range(1, len(fitted.cases)))
    )


def _contradictions(orders: Sequence[Fit]) -> int:
    """Pairs of servers of which one ranking surely says the opposite of another."""
    sure: dict[tuple[str, str], int] = {}
    for fitted in orders:
        for (i, a), (j, b) in itertools.combinations(enumerate(fitted.cases), 2):
            if fitted.levels[i] - fitted.levels[j] > fitted.apart[i][j]:
                sure[a, b] = sure.get((a, b), 0) + 1
    return sum((b, a) in sure for a, b in sure) // 2


def _spoiled(run: Run) -> dict[str, int]:
    """Blocks that count, and those that were left out, of one server's turns."""
    of = [f.load.turns for r in run.results[:1] for f in r.forks if f.load and f.load.turns]
    return {"blocks": sum(t.blocks for t in of), "left out": sum(t.left_out for t in of)}


if __name__ == "__main__":
    typer.run(main)
