"""measure-releases and publish-releases: what they ask springbench, what they keep and publish."""

from __future__ import annotations

import base64
import json
import os
import subprocess
from pathlib import Path

from tests.repositories import Repository
from tests.workflows.actions.scripts import (
    action,
    path_with_a_springbench_that_says_its_arguments,
    script,
)

TOKEN = "0123456789-of-the-job"  # noqa: S105 - nobody's


def measured(tmp_path: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run it with a history at `tmp_path/origin/octo/bench`."""
    return action(
        "measure-releases",
        {"releases": "4.0.0.. 3.5.16", "token": TOKEN, **inputs},
        cwd=tmp_path,
        PATH=path_with_a_springbench_that_says_its_arguments(tmp_path),
        GITHUB_SERVER_URL=tmp_path / "origin",
        GITHUB_REPOSITORY="octo/bench",
        GITHUB_STEP_SUMMARY=tmp_path / "summary",
    )


def origin(tmp_path: Path, branch: str = "gh-pages") -> None:
    made = Repository.create(tmp_path / "origin" / "octo" / "bench")
    made.commit({"data/index.json": "{}"})
    made.git("branch", branch)


def words(done: subprocess.CompletedProcess[str]) -> list[str]:
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_it_goes_on_with_the_history_of_the_branch(tmp_path: Path) -> None:
    origin(tmp_path)
    done = measured(
        tmp_path,
        **{"rounds": "2", "confirm-minutes": "30", "wait": "60", "only": "*-virtual-*  a b"},
    )
    assert words(done) == [
        *("releases", "--rounds=2", "--confirm-minutes=30"),
        *("--only=*-virtual-*", "--only=a", "--only=b", "--wait=60", "--prepare-host"),
        *("--history", "results/releases", "--", "4.0.0..", "3.5.16"),
    ]
    assert (tmp_path / "results/releases/data/index.json").read_text() == "{}"
    assert not (tmp_path / "results/releases/.git").exists()


def test_a_repository_without_history_begins_one(tmp_path: Path) -> None:
    origin(tmp_path, branch="other")
    assert "--list" not in words(measured(tmp_path))
    assert not (tmp_path / "results/releases/data").exists()


def test_a_link_on_the_branch_is_not_followed(tmp_path: Path) -> None:
    made = Repository.create(tmp_path / "origin" / "octo" / "bench")
    (made.root / "data").symlink_to(tmp_path)
    made.commit()
    made.git("branch", "gh-pages")
    words(measured(tmp_path))
    assert not (tmp_path / "results/releases/data").is_symlink()


def test_looking_measures_nothing(tmp_path: Path) -> None:
    origin(tmp_path)
    found = words(measured(tmp_path, list="true", runner="a,b", wait="60"))
    assert found[1:3] == ["--list", "--runner-labels=a,b"]
    assert "--prepare-host" not in found


def test_what_builds_and_measures_sees_no_token(tmp_path: Path) -> None:
    origin(tmp_path)
    path = path_with_a_springbench_that_says_its_arguments(tmp_path)
    # as a build would see it, or a server: its own environment, and that of the script
    (tmp_path / "springbench").write_text("#!/bin/sh\nenv; tr '\\0' '\\n' </proc/$PPID/environ\n")
    done = action(
        "measure-releases",
        {"releases": "4.0.0..", "token": TOKEN},
        cwd=tmp_path,
        PATH=path,
        GITHUB_SERVER_URL=tmp_path / "origin",
        GITHUB_REPOSITORY="octo/bench",
        GITHUB_STEP_SUMMARY=tmp_path / "summary",
    )
    assert done.returncode == 0, done.stderr
    assert "RELEASES=4.0.0.." in done.stdout
    secret = (TOKEN, base64.b64encode(f"x-access-token:{TOKEN}".encode()).decode(), "extraheader")
    assert [each for each in secret if each in done.stdout] == []


def test_what_a_person_types_stays_an_argument(tmp_path: Path) -> None:
    origin(tmp_path)
    found = words(measured(tmp_path, releases="$(id) `id` --history=/", only="*; id"))
    assert found[-4:] == ["--", "$(id)", "`id`", "--history=/"]
    assert "--only=*;" in found


def test_runs_and_comparisons_are_kept_and_links_are_not(tmp_path: Path) -> None:
    here = tmp_path / "results" / "releases"
    for name in ("runs/4.0.1-a-1", "runs/4.0.2-b-1", "comparisons/push/x", "comparisons/confirm/y"):
        (here / name).mkdir(parents=True)
        kind = "run" if name.startswith("runs") else "comparison"
        (here / name / f"{kind}.json").write_text(name, encoding="utf-8")
    (here / "runs" / "latest").symlink_to("4.0.2-b-1")
    (here / "runs" / "4.0.3-c-1").mkdir()
    done = script("measure-releases/collect.sh", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    kept = sorted(
        str(p.relative_to(tmp_path / "report")) for p in tmp_path.glob("report/**/*.json")
    )
    assert kept == [
        "comparisons/confirm/y/comparison.json",
        "comparisons/push/x/comparison.json",
        "runs/4.0.1-a-1/run.json",
        "runs/4.0.2-b-1/run.json",
    ]


def published(tmp_path: Path, springbench: str) -> subprocess.CompletedProcess[str]:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "springbench").write_text(springbench, encoding="utf-8")
    (tmp_path / "bin" / "springbench").chmod(0o755)
    return script(
        "publish-releases/publish.sh",
        cwd=tmp_path,
        PATH=f"{tmp_path / 'bin'}:{os.environ['PATH']}",
        RUNS="measured/runs",
        BRANCH="gh-pages",
        TOKEN="",
        GITHUB_SERVER_URL="https://github.com",
        GITHUB_REPOSITORY="octo/bench",
        GITHUB_RUN_ID="17",
        GITHUB_STEP_SUMMARY=tmp_path / "summary",
    )


def test_a_run_that_is_refused_costs_the_others_nothing(tmp_path: Path) -> None:
    for name in ("4.0.1-a-1", "4.0.2-b-1", "4.0.3-c-1"):
        (tmp_path / "measured" / "runs" / name).mkdir(parents=True)
        (tmp_path / "measured" / "runs" / name / "run.json").touch()
    done = published(tmp_path, '#!/bin/sh\necho "$@"\ncase "$*" in *4.0.2*) exit 2;; esac\n')
    assert done.returncode == 1
    assert [line.split("/")[-1] for line in done.stdout.splitlines()[:3]] == [
        "4.0.1-a-1",
        "4.0.2-b-1",
        "4.0.3-c-1",
    ]
    assert "--push https://github.com/octo/bench --branch=gh-pages" in done.stdout
    assert "3 runs, 1 of them refused" in (tmp_path / "summary").read_text(encoding="utf-8")


def test_where_nothing_was_measured_nothing_fails(tmp_path: Path) -> None:
    done = published(tmp_path, "#!/bin/sh\nexit 1\n")
    assert done.returncode == 0, done.stderr
    assert "0 runs" in done.stdout
