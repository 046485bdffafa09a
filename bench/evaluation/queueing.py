"""How long a commit waits for its numbers, by cases, commits a day and hosts. Nothing is measured.

    python -m evaluation.queueing
    python -m evaluation.queueing --cases 1000 --commits 50 --hosts 20

Forks last as recorded ones did, drawn anew for each commit. Their cases are parted into shards of
an hour at most, as `springbench plan` parts them, and each free host takes the shard that has
waited longest. Commits come at random moments, evenly over the day (a Poisson process); a busier
hour makes the queue longer than this says. Hosts lose nothing between two shards but the set-up.

Where more is asked for than hosts can do, no wait is the answer: the queue grows each day.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from springbench import units

DURATIONS = Path(__file__).with_name("recorded") / "durations" / "forks.json"
CASES, COMMITS, HOSTS = (38, 200, 1000), (5, 20, 50), (1, 2, 5, 10, 20)
SHARD_S = 3600.0
SET_UP_S = 60.0
DAY_S = 86_400.0
DAYS = 60
# the first days of an empty queue tell nothing of a full one
WARM_UP_DAYS = 10

Seconds = NDArray[np.float64]


@dataclass(frozen=True)
class Demand:
    """What is asked of how many hosts."""

    cases: int
    commits_per_day: float
    hosts: int


@dataclass(frozen=True)
class Answer:
    """`load` is the share of the hosts' time that is asked for; from 1 on there is no wait to tell.

    Seconds from a commit to its first shard (`wait`) and to its last result (`wall`): median and
    the 95th percentile over commits.
    """

    load: float
    wait_s: tuple[float, float] = (0.0, 0.0)
    wall_s: tuple[float, float] = (0.0, 0.0)


def shards_of(forks_s: Seconds) -> Seconds:
    """Durations of shards, in the order of cases: each an hour of forks at most, and its set-up."""
    shards, current_s = [], 0.0
    for fork_s in forks_s:
        if current_s and current_s + fork_s > SHARD_S:
            shards.append(current_s + SET_UP_S)
            current_s = 0.0
        current_s += float(fork_s)
    return np.array([*shards, current_s + SET_UP_S])


def simulate(demand: Demand, durations_s: Seconds, random: np.random.Generator) -> Answer:
    """Commits of `DAYS` on the hosts, first come, first served."""
    count = random.poisson(demand.commits_per_day * DAYS)
    arrivals_s = np.sort(random.uniform(0, DAY_S * DAYS, count))
    commits = [shards_of(random.choice(durations_s, demand.cases)) for _ in arrivals_s]
    work_s = float(sum(shards.sum() for shards in commits))
    load = work_s / (demand.hosts * DAY_S * DAYS)
    if load >= 1:
        return Answer(load)
    wait_s, wall_s = served(arrivals_s, commits, demand.hosts)
    counted = arrivals_s >= DAY_S * WARM_UP_DAYS
    return Answer(load, _middle_and_tail(wait_s[counted]), _middle_and_tail(wall_s[counted]))


def served(arrivals_s: Seconds, commits: Sequence[Seconds], hosts: int) -> tuple[Seconds, Seconds]:
    """Seconds from each commit to its first shard's start, and to its last shard's end."""
    free_at_s = [0.0] * hosts
    waits, walls = [], []
    for arrival_s, shards in zip(arrivals_s, commits, strict=True):
        begins, ends = [], []
        for shard_s in shards:
            begin_s = max(float(arrival_s), heapq.heappop(free_at_s))
            heapq.heappush(free_at_s, begin_s + float(shard_s))
            begins.append(begin_s)
            ends.append(begin_s + float(shard_s))
        waits.append(min(begins) - float(arrival_s))
        walls.append(max(ends) - float(arrival_s))
    return np.array(waits), np.array(walls)


def _middle_and_tail(values_s: Seconds) -> tuple[float, float]:
    if not len(values_s):
        return (0.0, 0.0)
    middle, tail = np.percentile(values_s, (50, 95))
    return float(middle), float(tail)


def load_durations(path: Path = DURATIONS) -> Seconds:
    """Recorded seconds of forks, from process start to end."""
    return np.array(json.loads(path.read_text(encoding="utf-8"))["fork_s"], dtype=float)


def row(demand: Demand, answer: Answer) -> str:
    """A line of the table."""
    begin = f"| {demand.cases} | {demand.commits_per_day:g} | {demand.hosts} | {answer.load:.0%} |"
    if answer.load >= 1:
        hours = (answer.load - 1) * demand.hosts * 24
        return f"{begin} grows by {hours:.0f} h of measuring a day | – |"
    wait, wall = (
        f"{units.duration(middle)} ({units.duration(tail)})"
        for middle, tail in (answer.wait_s, answer.wall_s)
    )
    return f"{begin} {wait} | {wall} |"


def main(
    cases: Annotated[list[int] | None, typer.Option(help="Cases of a commit, a fork each.")] = None,
    commits: Annotated[list[float] | None, typer.Option(help="Commits a day.")] = None,
    hosts: Annotated[list[int] | None, typer.Option(help="Hosts of one class.")] = None,
    seed: Annotated[int, typer.Option(help="Of what is drawn.")] = 1,
) -> None:
    """Print a row for each number of cases, of commits and of hosts."""
    durations_s = load_durations()
    typer.echo(
        f"{len(durations_s)} recorded forks, median {units.duration(float(np.median(durations_s)))}"
        f"; {DAYS} days each, medians (95th percentiles)\n\n"
        "| cases | commits a day | hosts | asked of the hosts | wait for a host | until all is "
        "measured |\n| ---: | ---: | ---: | ---: | ---: | ---: |"
    )
    for numbers in product(cases or CASES, commits or COMMITS, hosts or HOSTS):
        demand = Demand(*numbers)
        # the same draws for each: rows differ by what they say
        typer.echo(row(demand, simulate(demand, durations_s, np.random.default_rng(seed))))


if __name__ == "__main__":
    typer.run(main)
