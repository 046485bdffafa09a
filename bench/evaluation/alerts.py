"""What github-action-benchmark makes of the lists that are exported for it.

    python -m evaluation.alerts ACTION

ACTION is the folder of an unpacked release (the `v1` branch of benchmark-action/
github-action-benchmark carries the built code); nothing of it is kept here. Runs that nobody
measured are published by `springbench publish --export`, the lists go into the action as a
workflow would give them, and what it stored and said is compared with what was expected:

- through a file, at 150 %: a run worse by 1.4 passes, one worse by 1.6 alerts for every series;
- through the history branch of a local repository: its charts come to stand beside `data/`, which
  neither loses nor gains anything by it.

Ends with 1 where something differs.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from evaluation.chart_action import BRANCH, CHARTS, REPOSITORY, Action, sha_of
from evaluation.counted_git import git
from springbench.history.charts import COSTS_FILE, THROUGHPUT_FILE
from springbench.matrix.load import load_matrix
from springbench.matrix.rows import Matrix
from springbench.paths import MATRIX
from springbench.results.records import ForkRecord, StartupRecord
from springbench.results.store import RunFolder
from tests.samples import MIB, case, empty_run, fork, measured

TOOLS = {THROUGHPUT_FILE: "customBiggerIsBetter", COSTS_FILE: "customSmallerIsBetter"}
CASES = ("boot4-tomcat-platform-jvm/hello/64", "boot4-jetty-virtual-jvm/pay/1000")
THRESHOLD = "150%"
FINE, WORSE = 1.4, 1.6
SCRIPT = "window.BENCHMARK_DATA = "


def main(
    action: Annotated[Path, typer.Argument(help="The folder of the unpacked, built action.")],
) -> None:
    """Give published runs to the action, and say what it made of them."""
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        code = Action(action.resolve(), base)
        code.check()
        matrix = load_matrix(MATRIX)
        _through_a_file(code, matrix)
        _through_the_branch(code, matrix)


def _through_a_file(action: Action, matrix: Matrix) -> None:
    for ratio, alerts in ((FINE, False), (WORSE, True)):
        folder = action.base / f"file-{ratio}"
        lists = {
            number: _published(matrix, number, worse, folder, "--history", folder / "history")
            for number, worse in ((1, 1.0), (2, ratio))
        }
        for name, tool in TOOLS.items():
            stored = folder / f"{tool}.json"
            for number, export in lists.items():
                ended = action.run(
                    number, folder, name=name, tool=tool, output_file_path=export / name,
                    external_data_json_path=stored, alert_threshold=THRESHOLD,
                    fail_on_alert="true",
                )  # fmt: skip
                _expect(ended.code == int(alerts and number == 2), f"{tool}: {ended.output}")
            expected = [_read(export / name) for export in lists.values()]
            _expect_stored(_read(stored), name, tool, expected)
            alerted = set(re.findall(r"\| `([^`|]+)` \|[^\n]*?\| `([0-9.]+)` \|", ended.output))
            series = {(entry["name"], f"{ratio:.2f}") for entry in expected[0]} if alerts else set()
            _expect(alerted == series, f"{tool}: alerts {alerted} and not {series}")
            typer.echo(
                f"{tool}, {ratio} times worse: {len(alerted)} of {len(expected[0])} series alert"
            )


def _through_the_branch(action: Action, matrix: Matrix) -> None:
    origin, clone = action.base / "origin.git", action.base / "clone"
    (action.base / "gitconfig").write_text(
        f'[url "{origin}"]\n\tinsteadOf = https://x-access-token:none@github.com/{REPOSITORY}.git\n'
        "[user]\n\tname = nobody\n\temail = nobody@example.invalid\n"
    )
    git("init", "--quiet", "--bare", "--initial-branch=main", origin)
    git("init", "--quiet", "--initial-branch=main", clone)
    git("-C", clone, "-c", "user.name=a", "-c", "user.email=a@localhost",
         "commit", "--quiet", "--allow-empty", "--message", "first")  # fmt: skip
    expected: dict[str, list[Any]] = {name: [] for name in TOOLS}
    for number, worse in ((1, 1.0), (2, WORSE)):
        export = _published(matrix, number, worse, action.base / "branch", "--push", origin)
        before = _data(origin)
        # as publish-runs does it: without the past of the branch
        git("-C", clone, "fetch", "--quiet", "--depth=1", origin.as_uri(),
             f"+refs/heads/{BRANCH}:refs/heads/{BRANCH}")  # fmt: skip
        for name, tool in TOOLS.items():
            ended = action.run(
                number, clone, name=name, tool=tool, output_file_path=export / name,
                github_token="none", auto_push="true", alert_threshold=THRESHOLD,  # noqa: S106
                fail_on_alert="true", max_items_in_chart=100,
            )  # fmt: skip
            _expect(ended.code == number - 1, f"{tool}: {ended.output}")
            expected[name].append(_read(export / name))
        _expect(_data(origin) == before, "the action has touched data/")
    stored = json.loads(git("-C", origin, "show", f"{BRANCH}:{CHARTS}/data.js")[len(SCRIPT) :])
    for name, tool in TOOLS.items():
        _expect_stored(stored, name, tool, expected[name])
    runs = [path for path in _data(origin) if "/runs/" in path]
    commits = git("-C", clone, "rev-list", "--count", BRANCH).strip()
    pages = git("-C", origin, "ls-tree", "--name-only", f"{BRANCH}:{CHARTS}").split()
    typer.echo(
        f"on the branch: {len(runs)} runs in data/, {' and '.join(pages)} in {CHARTS}; "
        f"{commits} commits of it were fetched or made in the job's clone"
    )


def _published(matrix: Matrix, number: int, worse: float, folder: Path, *where: str | Path) -> Path:
    """Publish the run of that number; every figure is worse by a factor. Returns the lists."""
    run = empty_run()
    run.run.id, run.run.started_at = f"run-{number}", f"2026-11-21T09:{number:02d}:00+00:00"
    run.run.finished_at = run.run.started_at
    assert run.commit  # noqa: S101 - the sample has one
    run.commit.sha, run.commit.time = sha_of(number), run.run.started_at
    run.results = [
        measured(case(matrix, case_id), *(_fork(n, worse) for n in range(2))) for case_id in CASES
    ]
    result = RunFolder.create(folder / "results", run.run.id)
    result.save(run)
    export = folder / f"export-{number}"
    subprocess.run(
        [sys.executable, "-m", "springbench", "publish", result.path, *where, "--export", export],
        check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    return export


def _fork(number: int, worse: float) -> ForkRecord:
    rps = (1 + 0.01 * number) * 600 / worse
    record = fork(
        number, rps, cpu_per_request_s=0.0005 * worse, memory_peak_bytes=int(400 * MIB * worse)
    )
    return record.model_copy(update={"startup": StartupRecord(first_200_s=2.5 * worse)})


def _expect_stored(stored: Any, name: str, tool: str, expected: list[Any]) -> None:
    entries = stored["entries"][name]
    _expect([entry["benches"] for entry in entries] == expected, f"{tool}: stored {entries}")
    _expect({entry["tool"] for entry in entries} == {tool}, f"{tool}: stored as another tool")
    shas = [entry["commit"]["id"] for entry in entries]
    _expect(shas == [sha_of(1), sha_of(2)], f"{tool}: stored commits {shas}")


def _data(origin: Path) -> dict[str, str]:
    """What lies below `data/` on the branch: paths and digests."""
    listed = git("-C", origin, "ls-tree", "-r", BRANCH, "data").splitlines()
    return {line.split("\t")[1]: line.split()[2] for line in listed}


def _read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


def _expect(true: bool, otherwise: str) -> None:
    if not true:
        typer.echo(otherwise, err=True)
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
