"""A history of real commits, measured, evaluated, confirmed, bisected and reported on this machine.

    python -m evaluation.live_history WORK
    python -m evaluation.live_history WORK --unchanged

Each push goes through the real workflow `benchmark` and then through `confirm`, both run by `act`
without containers, with a bare repository for GitHub's and a small API for its issues (those of
the end-to-end tests). One commit slows `hello` down by `--slow`, a later one takes that back; with
`--unchanged` none changes anything. The profiles are those of this clone, with one case kept.

Takes an hour or more; WORK keeps the repository, the logs and what was reported.
"""

from __future__ import annotations

import json
import shutil
import statistics
import time
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from evaluation.live_history.commits import Kind, Push, commit_words, edit, pushes, round_cost_s
from springbench.bench.tools import find_tools
from tests.services.fake_github import FakeGitHub, fake_github
from tests.workflows.local_github import Ended, LocalGitHub

SERVER, MODEL = "tomcat", "virtual"
CASE = f"boot4-{SERVER}-{MODEL}-jvm/hello/64"
PROFILES = ("commit", "pr")


def main(
    work: Annotated[Path, typer.Argument(help="A folder that is not there yet.")],
    unchanged: Annotated[bool, typer.Option(help="No commit changes anything.")] = False,
    slow: Annotated[float, typer.Option(help="The cost that is added, of a request's CPU.")] = 0.08,
    count: Annotated[int, typer.Option("--pushes", min=10)] = 12,
) -> None:
    """Print what became of each push, and what was reported in the end."""
    work.mkdir(parents=True)
    github = LocalGitHub(work.resolve())
    narrow(github)
    rounds = 0
    with fake_github() as api:
        github.api = api.address
        typer.echo("| push | commits | benchmark | confirm | events |\n|---|---|---:|---:|---|")
        for number, push in enumerate(pushes(count, changes=not unchanged), start=1):
            archive = work / "kept" / str(number)
            typer.echo(_pushed(github, push, number, rounds, archive))
            _keep(github, api, archive)
            rounds = rounds or _rounds(archive, slow)
    for issue in api.issues.all:
        typer.echo(f"issue {issue['number']}, {issue['state']}: {issue['title']}")
    typer.echo(f"{len(api.issues.all)} issues; comparisons: {_comparisons(github)}")


def narrow(github: LocalGitHub) -> None:
    """A commit whose profiles for pushes and comparisons have one case; the rest stays."""
    file = github.work / "bench" / "matrix.toml"
    parts = file.read_text(encoding="utf-8").split("[[profiles]]")
    for index, part in enumerate(parts):
        if any(part.startswith(f'\nid = "{name}"\n') for name in PROFILES):
            head, hello, *_ = part.split("[[profiles.loads]]")
            axes = [line for line in hello.splitlines() if "models =" in line]
            runtimes = [line for line in hello.splitlines() if "runtimes =" in line]
            hello = hello.replace(axes[0], f'servers = ["{SERVER}"]\nmodels = ["{MODEL}"]')
            hello = hello.replace(runtimes[0], 'runtimes = ["jvm"]')
            parts[index] = f"{head}[[profiles.loads]]{hello.rstrip()}\n\n"
    file.write_text("[[profiles]]".join(parts), encoding="utf-8")
    github.commit("one case")


def _pushed(github: LocalGitHub, push: Push, number: int, rounds: int, archive: Path) -> str:
    """Push, measure and confirm; the line of a table."""
    for index, kind in enumerate(push.commits):
        sha = _commit(github, kind, number * 10 + index, rounds)
    took_s = []
    events: tuple[tuple[str, str, dict[str, Any] | None], ...] = (
        ("push", "benchmark", {"after": sha, "ref": "refs/heads/main"}),
        ("schedule", "confirm", None),
    )
    for index, (event, workflow, payload) in enumerate(events):
        artifacts = github.store / "artifacts"
        shutil.rmtree(artifacts, ignore_errors=True)
        github.run_id = str(number * 10 + index)
        begin = time.monotonic()
        _report_failure(github.run(event, workflow, payload), workflow)
        took_s.append(time.monotonic() - begin)
        if artifacts.is_dir():
            shutil.copytree(artifacts, archive / workflow)
    seen = ", ".join(f"{row['id']} {row['state']}" for row in _index(github)["events"])
    times = " | ".join(f"{seconds:.0f} s" for seconds in took_s)
    return f"| {number} {sha[:12]} | {commit_words(push.commits)} | {times} | {seen or '–'} |"


def _commit(github: LocalGitHub, kind: Kind, number: int, rounds: int) -> str:
    edit(github.work, kind, number, rounds)
    return github.commit(f"{kind} {number}")


def _rounds(archive: Path, slow: float) -> int:
    """So many rounds of work as cost that share of what a request cost in the first run."""
    [file] = (archive / "benchmark").glob("run-*/run.json")
    [result] = json.loads(file.read_text(encoding="utf-8"))["results"]
    cost_s: float = result["summary"]["cpu_per_request_s"]["median"]
    each_s = statistics.median(round_cost_s(find_tools(with_maven=False).jdk) for _ in range(3))
    rounds = max(1, round(slow * cost_s / each_s))
    typer.echo(f"a request costs {cost_s * 1e6:.1f} us, a round {each_s * 1e9:.1f} ns: {rounds}")
    return rounds


def _report_failure(ended: Ended, workflow: str) -> None:
    if not ended.ok:
        typer.echo(f"{workflow} failed:\n{ended.excerpt}", err=True)


def _index(github: LocalGitHub) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(github.history("data/index.json"))
    return found


def _comparisons(github: LocalGitHub) -> str:
    """How many of each purpose, and the minutes that they took."""
    minutes: dict[str, list[float]] = {}
    for name in github.published("data/comparisons/"):
        found = github.packed(name)
        began, ended = (datetime.fromisoformat(found[at]) for at in ("started_at", "finished_at"))
        minutes.setdefault(found["purpose"], []).append((ended - began).total_seconds() / 60)
    return ", ".join(
        f"{len(took)} {purpose} ({sum(took):.0f} min)" for purpose, took in minutes.items()
    )


def _keep(github: LocalGitHub, api: FakeGitHub, archive: Path) -> None:
    """What a reader wants to see afterwards: logs, events, issues."""
    archive.mkdir(parents=True, exist_ok=True)
    for log in github.work.parent.glob("*.log"):
        shutil.copy2(log, archive)
    (archive / "index.json").write_text(json.dumps(_index(github), indent=2), encoding="utf-8")
    (archive / "issues.json").write_text(json.dumps(api.issues.all, indent=2), encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
