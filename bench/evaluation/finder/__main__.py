"""The finder beside the rules that others use.

    python -m evaluation.finder
    python -m evaluation.finder --histories 2000 --noise 0.02,0.06,0.12
    python -m evaluation.finder --hosts 200
    python -m evaluation.finder --series FOLDER

Histories are drawn: their steps are known, their noise is that of recorded forks and pairs of
identical builds. With --hosts it is that of hosts that are less quiet (see `host_noise.py`). With
--series real ones are read, with labels apart (see `series.py`).
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import Annotated

import typer

from evaluation.finder.histories import History, histories
from evaluation.finder.host_noise import DEVIATION, host_histories
from evaluation.finder.noise import Noise, recorded_noise
from evaluation.finder.pipeline import Replay, steps_after
from evaluation.finder.rules import OTHER_RULES, Rule, alarms_of
from evaluation.finder.score import Score, total
from evaluation.finder.series import evaluate_series
from evaluation.finder.tables import Scores, host_table, kind_table, rule_table

RUNS, PUSHES = "springbench, runs alone", "springbench, runs and pushes compared"


def main(
    count: Annotated[int, typer.Option("--histories", help="So many for each noise.")] = 1000,
    noise: Annotated[str, typer.Option(help="Deviations of a point, with commas.")] = (
        "0.02,0.06,0.12"
    ),
    seed: Annotated[int, typer.Option(help="The same seed draws the same histories.")] = 1,
    series: Annotated[
        Path | None, typer.Option(help="Evaluate the series in this folder instead.")
    ] = None,
    hosts: Annotated[
        int, typer.Option(help="So many histories of each other kind of noise instead.")
    ] = 0,
) -> None:
    """Print a table for each noise: precision, recall, delay, alarms, what confirming costs."""
    if series is not None:
        typer.echo("\n".join(evaluate_series(series)))
        return
    recorded = recorded_noise()
    if hosts:
        drawn = list(host_histories(hosts, seed))
        by_kind = _scores(drawn, DEVIATION, recorded, seed, other_rules={})
        typer.echo("\n".join(host_table(by_kind[RUNS], by_kind[PUSHES])))
        return
    typer.echo(
        f"{count} histories for each noise, {len(recorded.forks)} recorded forks, "
        f"{len(recorded.pairs)} recorded pairs (deviation {recorded.pair_deviation:.1%})"
    )
    for deviation in map(float, noise.split(",")):
        by_kind = _scores(
            list(histories(count, deviation, recorded, seed)), deviation, recorded, seed
        )
        typer.echo(f"\n### Points deviate by {deviation:.0%}\n")
        lines = rule_table({name: total(scores.values()) for name, scores in by_kind.items()})
        typer.echo("\n".join([*lines, "", *kind_table(by_kind[RUNS], by_kind[PUSHES])]))


def _scores(
    drawn: Sequence[History],
    deviation: float,
    noise: Noise,
    seed: int,
    other_rules: Mapping[str, Rule] = OTHER_RULES,
) -> dict[str, Scores]:
    """By rule and kind of history."""
    scores: dict[str, Scores] = defaultdict(lambda: defaultdict(Score))
    with Pool(os.cpu_count()) as pool:
        work = partial(_one, deviation=deviation, noise=noise, seed=seed, other_rules=other_rules)
        for number, (kind, found) in enumerate(pool.imap(work, enumerate(drawn), chunksize=4)):
            for rule, score in found.items():
                scores[rule][kind] = total([scores[rule][kind], score])
            typer.echo(f"{number + 1} of {len(drawn)}\r", nl=False, err=True)
    return scores


def _one(
    numbered: tuple[int, History],
    deviation: float,
    noise: Noise,
    seed: int,
    other_rules: Mapping[str, Rule],
) -> tuple[str, Scores]:
    number, history = numbered
    found: Scores = {}
    steps = steps_after(history)
    for name, pushes in ((RUNS, False), (PUSHES, True)):
        random = Random(f"{seed} {number} {name}")  # noqa: S311 - drawn, not secret
        replay = Replay(history, deviation, noise, random, pushes, steps)
        replay.run()
        found[name] = Score()
        found[name].add(history, replay.alarms, replay.confirming, replay.pairs)
        found[name].add_suspected(history, replay.suspected, len(steps[-1]))
    for name, rule in other_rules.items():
        found[name] = Score()
        found[name].add(history, alarms_of(rule, history.logs, history.looked_at), 0, 0)
    return history.kind, found


if __name__ == "__main__":
    typer.run(main)
