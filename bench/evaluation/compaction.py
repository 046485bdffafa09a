"""What compaction saves: a history branch of many pushes, before it and after.

    python -m evaluation.compaction --pushes 500 --cases 60

Each push adds a run that nobody measured, and a comparison with the run before it. Bytes are those
of the objects of the bare remote, after git has packed them and thrown away what no branch holds.
"""

from __future__ import annotations

import random
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from evaluation.counted_git import git, served
from evaluation.made_up_history import made_up
from springbench.history.push import push_squash, push_together
from springbench.history.remote import Remote
from springbench.host.shell import RealShell
from springbench.results.metrics import HISTORY_METRICS
from springbench.results.published_comparison import PublishedComparison
from springbench.results.published_run import PublishedRun

BRANCH = "gh-pages"
# as many as a comparison evaluates of a busy case
METRICS = tuple(m for m in HISTORY_METRICS if m.name in ("throughput_rps", "cpu_per_request_s"))


def comparison_of(
    base: PublishedRun, head: PublishedRun, chance: random.Random
) -> PublishedComparison:
    """A comparison of the commits of two runs, every figure made up."""
    findings = [
        {
            "case": case.case, "metric": metric.name, "unit": metric.unit, "better": metric.better,
            "ratio": _round_significant(ratio), "low_ratio": _round_significant(ratio * 0.98),
            "high_ratio": _round_significant(ratio * 1.02),
            "p_value": _round_significant(chance.random()), "pairs": 5,
            "verdict": "unchanged",
        }
        for case in head.cases
        for metric in METRICS
        for ratio in [chance.uniform(0.98, 1.02)]
    ]  # fmt: skip
    sides = {
        name: run.commit.model_dump(include={"sha", "time", "message", "author"})
        for name, run in (("base", base), ("head", head))
        if run.commit
    }
    for side in sides.values():
        side["sha"] = side["sha"][:12]
    return PublishedComparison.model_validate(
        {
            "id": f"{head.id}-compare", "purpose": "push", "started_at": head.started_at,
            "finished_at": head.finished_at, "profile": head.profile, "findings": findings,
            "host": head.shards[0].host, "tools": head.shards[0].tools, **sides,
        }
    )  # fmt: skip


def _round_significant(value: float) -> float:
    return float(f"{value:.5g}")


def main(
    pushes: Annotated[int, typer.Option(help="Runs that are pushed, one by one.")] = 500,
    cases: Annotated[int, typer.Option(help="Cases in each.")] = 60,
    folder: Annotated[Path | None, typer.Option(help="Where it is made; a temporary one.")] = None,
) -> None:
    """Push runs, leave one commit of them, and print what the remote holds before and after."""
    chance = random.Random(4)  # noqa: S311 - made-up figures
    with tempfile.TemporaryDirectory(dir=folder) as name:
        base = Path(name)
        bare = base / "remote.git"
        git("init", "--quiet", "--bare", bare)
        for setting in ("uploadpack.allowFilter=true", "gc.auto=0", "receive.autogc=false"):
            git("-C", bare, "config", *setting.split("="))
        with served(base) as wire:
            remote = Remote(f"git://127.0.0.1:{wire.port}/remote.git", BRANCH)
            _push_all(remote, pushes, cases, chance)
            tree = git("-C", bare, "rev-parse", f"{BRANCH}^{{tree}}")
            commits = git("-C", bare, "rev-list", "--count", BRANCH).strip()
            typer.echo(f"before: {commits} commits, {_size(bare)}")
            wire.up = wire.down = 0
            begin_s = time.monotonic()
            push_squash(RealShell(), remote)
            typer.echo(
                f"compaction: {time.monotonic() - begin_s:.1f} s, pushed {wire.up} bytes, "
                f"fetched {wire.down} bytes"
            )
        left = git("-C", bare, "rev-list", "--count", BRANCH).strip()
        typer.echo(f"after: {left} commits, {_size(bare)}")
        if left != "1" or git("-C", bare, "rev-parse", f"{BRANCH}^{{tree}}") != tree:
            typer.echo("the branch is not one commit of the same tree", err=True)
            raise typer.Exit(1)


def _push_all(remote: Remote, pushes: int, cases: int, chance: random.Random) -> None:
    begin_s = time.monotonic()
    before = made_up(0, cases, chance)
    for number in range(1, pushes + 1):
        run = made_up(number, cases, chance)
        comparison = comparison_of(before, run, chance)
        push_together(RealShell(), remote, run, [comparison])
        before = run
    took = timedelta(seconds=round(time.monotonic() - begin_s))
    typer.echo(f"{pushes} pushes of {cases} cases and a comparison each, in {took}")


def _size(bare: Path) -> str:
    git("-C", bare, "gc", "--quiet", "--prune=now")
    git("-C", bare, "fsck", "--strict", "--no-dangling")
    counted = dict(
        line.split(": ", 1) for line in git("-C", bare, "count-objects", "-v").splitlines()
    )
    # of git's, in KiB
    size_bytes = 1024 * (int(counted["size-pack"]) + int(counted["size"]))
    return f"{int(counted['in-pack']) + int(counted['count'])} objects, {size_bytes / 1e6:.2f} MB"


if __name__ == "__main__":
    typer.run(main)
