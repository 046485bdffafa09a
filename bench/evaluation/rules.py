"""Rules that say whether a build got slower: this project's, and those that others use.

    python -m evaluation.rules --trials 200

Comparisons are drawn from recorded pairs of identical builds, slowdowns are put in, and every rule
evaluates the same draws. An alarm is a regression called on any case or metric of a comparison.
Pairs that were recorded with samples show which method the slowdown is in.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer
from scipy import stats

from evaluation.recorded import INJECTED, RECORDED, Redrawn, load, load_s
from springbench.analysis.profiles import short_name
from springbench.compare.groups import VariantPairs
from springbench.compare.scheduler import PairScheduler
from springbench.matrix.load import load_matrix
from springbench.measure.pair import PairSetup, Schedule
from springbench.paths import MATRIX
from springbench.plan.plan import Filters, Plan, make_plan
from springbench.results.comparison import PairRecord

SLOWDOWNS = (1.0, 1.01, 1.02, 1.03, 1.05, 1.10)
SIGNIFICANT_P = 0.05
METHOD = short_name(INJECTED)
Rule = Callable[[Sequence[PairRecord], str], bool]


def single_ratio(threshold: float) -> Rule:
    """One measurement of each commit, an alarm beyond a fixed ratio (github-action-benchmark)."""

    def rule(pairs: Sequence[PairRecord], case: str) -> bool:
        base, head = (
            statistics.median(b.throughput_rps for b in pairs[0].sides[name].bursts[case])
            for name in ("base", "head")
        )
        return base / head > threshold

    return rule


def over_bursts(test: Callable[..., object]) -> Rule:
    """A test over all bursts of all pairs as if they were independent, without correction."""

    def rule(pairs: Sequence[PairRecord], case: str) -> bool:
        base, head = (
            [b.throughput_rps for pair in pairs for b in pair.sides[name].bursts.get(case, [])]
            for name in ("base", "head")
        )
        result = test(base, head)
        slower = statistics.fmean(head) < statistics.fmean(base)
        return bool(getattr(result, "pvalue") < SIGNIFICANT_P and slower)  # noqa: B009

    return rule


RULES: dict[str, Rule] = {
    "ratio above 110 %": single_ratio(1.10),
    "ratio above 150 %": single_ratio(1.50),
    "ratio above 200 %": single_ratio(2.00),
    "t-test over bursts": over_bursts(stats.ttest_ind),
    "Mann-Whitney over bursts": over_bursts(stats.mannwhitneyu),
}
SPRINGBENCH = "springbench compare"
# the same without the samples of methods, and how often the slower method is named
WITHOUT_METHODS = "  throughput and CPU alone"
NAMED = "  method named"


def main(
    trials: Annotated[int, typer.Option(help="Comparisons drawn for each slowdown.")] = 200,
    start_s: Annotated[float, typer.Option(help="Seconds to start and stop a pair.")] = 6.2,
    budget_s: Annotated[float, typer.Option(help="Time budget of a comparison.")] = 600.0,
    folder: Annotated[Path, typer.Option("--recorded", help="Where the pairs are.")] = RECORDED,
) -> None:
    """Print the table."""
    recorded = load(folder)
    seen = (side.bursts for pairs in recorded.values() for p in pairs for side in p.sides.values())
    only = tuple(sorted({case for bursts in seen for case in bursts}))
    plan = make_plan(load_matrix(MATRIX), "pr", Filters(only=only))
    cases = [case.id for case in plan.cases if not case.workload.delay_s]
    typer.echo(f"{sum(map(len, recorded.values()))} recorded pairs, {trials} draws for each column")
    results = {
        slowdown: _draw(plan, recorded, slowdown, trials, start_s, budget_s, cases)
        for slowdown in SLOWDOWNS
    }
    typer.echo(
        "| rule | false alarms per 100 | "
        + " | ".join(f"{100 * (s - 1):.0f} % found" for s in SLOWDOWNS[1:])
        + " | time |"
    )
    typer.echo("| --- | ---: |" + " ---: |" * len(SLOWDOWNS))
    for name in (SPRINGBENCH, WITHOUT_METHODS, NAMED, *RULES):
        alarms = 100 * results[1.0][name][0] / trials
        found = [results[s][name][1] / (trials * len(cases)) for s in SLOWDOWNS[1:]]
        time_s = results[1.0][name][2] / trials
        typer.echo(
            f"| {name} | {alarms:.1f} | "
            + " | ".join(f"{100 * f:.0f} %" for f in found)
            + f" | {time_s:.0f} s |"
        )


def _draw(
    plan: Plan,
    recorded: dict[str, list[PairRecord]],
    slowdown: float,
    trials: int,
    start_s: float,
    budget_s: float,
    cases: Sequence[str],
) -> dict[str, list[float]]:
    """For each rule: comparisons with an alarm, cases called slower, seconds used."""
    totals = {name: [0.0, 0.0, 0.0] for name in (SPRINGBENCH, WITHOUT_METHODS, NAMED, *RULES)}
    once_s = sum(start_s + load_s(group) for group in _bouts(plan))
    for trial in range(trials):
        redrawn = Redrawn(recorded, start_s, slowdown, random.Random(f"{slowdown} {trial}"))  # noqa: S311
        scheduler = PairScheduler(
            _bouts(plan),
            budget_s,
            saved=lambda _: None,
            measure=redrawn.measure,
            clock=redrawn.clock,
        )
        by_pairs = {f.case for f in scheduler.execute() if f.verdict == "regression"}
        facts = [fact for fact in scheduler.facts() if fact.verdict == "regression"]
        called = by_pairs | {fact.case for fact in facts}
        named = {fact.case for fact in facts if METHOD in fact.head}
        _count(totals[SPRINGBENCH], called, called & set(cases), redrawn.now_s)
        _count(totals[WITHOUT_METHODS], by_pairs, by_pairs & set(cases), redrawn.now_s)
        _count(totals[NAMED], named, named & set(cases), redrawn.now_s)
        for name, rule in RULES.items():
            slower = {case for case in cases if rule(redrawn.drawn[case.split("/")[0]], case)}
            # a fixed ratio looks at one measurement of each side
            used_s = once_s if name.startswith("ratio") else redrawn.now_s
            _count(totals[name], slower, slower, used_s)
    return totals


def _count(total: list[float], called: set[str], found: set[str], used_s: float) -> None:
    total[0] += bool(called)
    total[1] += len(found)
    total[2] += used_s


def _bouts(plan: Plan) -> list[VariantPairs]:
    return [
        VariantPairs(
            PairSetup(variant, {}, max(case.connections for case in cases)),
            tuple(Schedule(case, case.bursts, case.window_s) for case in cases),
        )
        for variant, cases in plan.by_variant().items()
    ]


if __name__ == "__main__":
    typer.run(main)
