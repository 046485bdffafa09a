"""publish-runs, against a bare repository."""

from __future__ import annotations

import re
from pathlib import Path

from springbench.matrix.rows import Matrix
from springbench.results.store import RunFolder
from tests.history.histories import raw_run
from tests.workflows.actions.scripts import BESIDE_PYTHON, script
from tests.workflows.local_github import git


def publish(tmp_path: Path, matrix: Matrix, number: int) -> str:
    """Publish the run of that number as a job would. Returns the outputs."""
    address = "https://github.com/octo/bench"
    config, output = tmp_path / "gitconfig", tmp_path / f"output-{number}"
    # by its address, so that git speaks its protocol instead of copying files
    config.write_text(
        f'[url "{(tmp_path / "origin").as_uri()}"]\n\tinsteadOf = {address}\n', encoding="utf-8"
    )
    runs = tmp_path / "clone" / f"runs-{number}"
    RunFolder.create(runs, "run").save(raw_run(matrix, number))
    done = script(
        "publish-runs/publish.sh",
        cwd=tmp_path / "clone",
        PATH=BESIDE_PYTHON,
        GIT_CONFIG_GLOBAL=config,
        RUNS=runs.name,
        SHARDS="1",
        FORCE="false",
        CHARTS="true",
        BRANCH="gh-pages",
        TOKEN="none",  # noqa: S106
        GITHUB_SERVER_URL="https://github.com",
        GITHUB_REPOSITORY="octo/bench",
        GITHUB_RUN_ID=number,
        GITHUB_OUTPUT=output,
        GITHUB_STEP_SUMMARY=tmp_path / "summary",
    )
    assert done.returncode == 0, done.stderr
    return output.read_text(encoding="utf-8")


def test_runs_reach_the_branch_and_its_past_stays_there(tmp_path: Path, matrix: Matrix) -> None:
    git("init", "--quiet", "--bare", str(tmp_path / "origin"))
    git("init", "--quiet", "--initial-branch=main", str(tmp_path / "clone"))
    for number in (1, 2):
        chart, *lists = publish(tmp_path, matrix, number).splitlines()
        assert lists == ["throughput=true", "costs=true"]
        assert re.fullmatch(r"chart=quick, some-cpu-[a-z0-9-]+", chart)
    origin, clone = str(tmp_path / "origin"), str(tmp_path / "clone")
    listed = git("-C", origin, "ls-tree", "--name-only", "gh-pages", "data/runs/").splitlines()
    assert listed == ["data/runs/gh-1.json.gz", "data/runs/gh-2.json.gz"]
    assert git("-C", origin, "rev-list", "--count", "gh-pages") == "2"
    assert git("-C", clone, "rev-list", "--count", "gh-pages") == "1"
    assert (tmp_path / "clone" / "export" / "throughput.json").is_file()
    # there before github-action-benchmark looks for one
    page = git("-C", clone, "show", "gh-pages:dev/bench/index.html")
    assert "https://" not in page
