"""Steps of workflows with git and builds as they are: the history branch, and a service."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from springbench.matrix.rows import Matrix
from springbench.results.store import RunFolder
from tests.history.histories import raw_run
from tests.repositories import Repository
from tests.workflows.local_github import git

pytestmark = pytest.mark.process
ADDRESS = "https://github.com/octo/bench"
TOML = 'name = "orders"\ncommand = ["./serve", "{port}"]\n[[routes]]\npath = "/"\n'


def ci(
    cwd: Path, *words: str, inputs: dict[str, object] | None = None, **environment: object
) -> subprocess.CompletedProcess[str]:
    """A step of a job in that folder, with a token of nobody's."""
    texts = {
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_REPOSITORY": "octo/bench",
        "GITHUB_RUN_ID": "5",
        "GITHUB_TOKEN": "none",
        "SPRINGBENCH_INPUTS": json.dumps(inputs or {}),
        **{name: str(value) for name, value in environment.items()},
    }
    return subprocess.run(
        [sys.executable, "-P", "-m", "springbench", "ci", *words],
        cwd=cwd,
        env={**os.environ, **texts},
        capture_output=True,
        text=True,
        check=False,
    )


def reached(tmp_path: Path, origin: Path) -> Path:
    """A configuration of git with which the repository of the job is that one, by its protocol."""
    config = tmp_path / "gitconfig"
    config.write_text(f'[url "{origin.as_uri()}"]\n\tinsteadOf = {ADDRESS}\n', encoding="utf-8")
    return config


# --- the history branch ---


@pytest.mark.parametrize(
    ("files", "path", "deployed"),
    [
        (None, "", "false"),
        ({"version.txt": "older\n"}, "", "false"),
        ({"version.txt": "this\n"}, "", "true"),
        ({"version.txt": "this\n"}, "bench", "false"),
        ({"version.txt": "older\n", "docs/bench/version.txt": "this\n"}, "docs/bench", "true"),
    ],
)
def test_a_dashboard_is_there_where_its_version_is(
    tmp_path: Path, files: dict[str, str] | None, path: str, deployed: str
) -> None:
    origin = Repository.create(tmp_path / "origin")
    origin.commit({"README.md": ""})
    if files:
        origin.git("checkout", "--quiet", "--orphan", "gh-pages")
        origin.commit(files)
    config, output = reached(tmp_path, origin.root), tmp_path / "output"
    environment: dict[str, Any] = {"GIT_CONFIG_GLOBAL": config, "GITHUB_OUTPUT": output}
    done = ci(
        tmp_path, "site", "--version", "this", "--call", "", inputs={"path": path}, **environment
    )
    assert done.returncode == 0, done.stderr
    assert set(output.read_text(encoding="utf-8").splitlines()) == {
        "artifact=site",
        f"deployed={deployed}",
    }


def test_the_history_is_taken_without_its_links_and_nothing_of_its_past(tmp_path: Path) -> None:
    origin = Repository.create(tmp_path / "origin")
    config = reached(tmp_path, origin.root)
    origin.commit({"data/index.json": "{}"})
    done = ci(tmp_path, "fetch-history", GIT_CONFIG_GLOBAL=config)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "results/releases").exists()  # a repository without a history begins one
    (origin.root / "link").symlink_to(tmp_path)
    origin.commit()
    origin.git("branch", "gh-pages")
    done = ci(tmp_path, "fetch-history", GIT_CONFIG_GLOBAL=config)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "results/releases/data/index.json").read_text() == "{}"
    assert not (tmp_path / "results/releases/link").is_symlink()
    assert not (tmp_path / "results/releases/.git").exists()


def test_a_history_that_cannot_be_asked_for_is_one_line(tmp_path: Path) -> None:
    config = reached(tmp_path, tmp_path / "nowhere")
    done = ci(tmp_path, "fetch-history", GIT_CONFIG_GLOBAL=config)
    assert done.returncode == 2
    assert done.stderr.startswith("springbench: git ls-remote ")


def published(tmp_path: Path, matrix: Matrix, number: int) -> list[str]:
    """Publish the run of that number as a job would. Returns the outputs."""
    config, output = reached(tmp_path, tmp_path / "origin"), tmp_path / f"output-{number}"
    artifacts = tmp_path / "clone" / f"artifacts-{number}"
    RunFolder.create(artifacts / "run-hello", "run").save(raw_run(matrix, number))
    done = ci(
        tmp_path / "clone",
        "publish",
        artifacts.name,
        inputs={"shards": "1", "charts": True},
        GIT_CONFIG_GLOBAL=config,
        GITHUB_RUN_ID=number,
        GITHUB_OUTPUT=output,
    )
    assert done.returncode == 0, done.stderr
    return output.read_text(encoding="utf-8").splitlines()


def test_runs_reach_the_branch_and_its_past_stays_there(tmp_path: Path, matrix: Matrix) -> None:
    git("init", "--quiet", "--bare", str(tmp_path / "origin"))
    git("init", "--quiet", "--initial-branch=main", str(tmp_path / "clone"))
    for number in (1, 2):
        chart, *lists = published(tmp_path, matrix, number)
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


# --- a service ---


@pytest.fixture
def service(tmp_path: Path) -> Repository:
    repository = Repository.create(tmp_path / "orders")
    repository.commit({"springbench.toml": TOML, "version": "1"})
    repository.commit({"version": "2"})
    return repository


def measure(
    service: Repository,
    tmp_path: Path,
    *words: str,
    env: Any = None,
    **inputs: str,
) -> subprocess.CompletedProcess[str]:
    """The step, in whose environment springbench measures nothing: it ends with what is asked."""
    site = tmp_path / "site"
    site.mkdir(exist_ok=True)
    # every process of Python loads it: of the measurement itself only its arguments are said
    (site / "sitecustomize.py").write_text(
        "import sys\n"
        "words = sys.orig_argv[4:]\n"
        "if words[:1] == ['ci'] and words[1:2] != ['service'] or words[:1] == ['init']:\n"
        "    import json, os\n"
        "    print(json.dumps([words, json.loads(os.environ['SPRINGBENCH_INPUTS'])]))\n"
        "    sys.stdout.flush()\n"
        f"    words[:1] == ['init'] and open('springbench.toml', 'w').write({TOML!r})\n"
        "    os._exit(0)\n",
        encoding="utf-8",
    )
    return ci(
        service.root,
        *("service", *words),
        inputs={name.replace("_", "-"): text for name, text in inputs.items()},
        PYTHONPATH=site,
        RUNNER_TEMP=tmp_path,
        GITHUB_OUTPUT=tmp_path / "output",
        GITHUB_STEP_SUMMARY=tmp_path / "summary",
        **(env or {}),
    )


def calls(done: subprocess.CompletedProcess[str]) -> list[tuple[list[str], dict[str, str]]]:
    """What springbench was called with, and which inputs went on to it."""
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[[")]
    return [(words, inputs) for words, inputs in lines]


def outputs(tmp_path: Path) -> list[str]:
    return (tmp_path / "output").read_text(encoding="utf-8").splitlines()


def test_a_service_is_built_and_measured(service: Repository, tmp_path: Path) -> None:
    build = "cat version > built"
    done = measure(service, tmp_path, build=build, only="*/a/* */b/*", profile="quick", wait="5")
    assert done.returncode == 0, done.stderr
    [(words, inputs)] = calls(done)
    assert words == ["ci", "measure", "--id=gh-5-orders"]
    assert inputs == {"only": "*/a/* */b/*", "profile": "quick", "wait": "5"}
    assert (service.root / "built").read_text(encoding="utf-8") == "2"
    assert outputs(tmp_path) == [
        *("service=orders", "name=orders"),
        f"report={service.root}/results/gh-5-orders",
    ]


@pytest.mark.system
def test_two_calls_of_one_run_leave_things_of_two_names(
    service: Repository, tmp_path: Path
) -> None:
    for call in ('{"java": "21"}', '{"java": "25"}'):
        assert measure(service, tmp_path, "--call", call, call="other").returncode == 0
    assert measure(service, tmp_path, call='{"java": "21"}').returncode == 0
    names = [line.removeprefix("name=") for line in outputs(tmp_path) if line.startswith("name=")]
    assert len(set(names)) == 2
    assert names[0] == names[2], "a re-run replaces what it left before"
    assert all(re.fullmatch("orders-[0-9a-f]{8}", name) for name in names)


def test_a_build_that_fails_has_left_its_name_and_nothing_is_measured(
    service: Repository, tmp_path: Path
) -> None:
    for build in ("echo broken >&2; exit 3", "false; true"):
        done = measure(service, tmp_path, base="HEAD~1", build=build)
        assert (done.returncode, calls(done)) == (5, [])
    assert (service.root / "report/service.txt").read_text(encoding="utf-8") == "orders\n"
    assert "the build in . has ended with" in done.stderr


def test_a_base_is_built_in_a_work_tree_of_its_own(service: Repository, tmp_path: Path) -> None:
    inputs = {"build": "cat version > built", "budget": "60", "profile": "commit"}
    for _ in range(2):  # a runner of one's own keeps what an earlier job has left
        options = ("--base", "HEAD~1", "--profile", "pr", "--fail-on", "never")
        done = measure(service, tmp_path, *options, **inputs)
        assert done.returncode == 0, done.stderr
        base = tmp_path / "springbench-base"
        assert calls(done) == [
            (
                ["ci", "compare", f"--base={base}/", "--head=."],
                {"budget": "60", "profile": "pr", "fail-on": "never"},
            )
        ]
        built = [(root / "built").read_text(encoding="utf-8") for root in (base, service.root)]
        assert built == ["1", "2"]


@pytest.mark.system
def test_a_folder_is_the_same_at_the_base(tmp_path: Path) -> None:
    service = Repository.create(tmp_path / "service")
    service.commit({"orders/springbench.toml": TOML})
    service.commit({"orders/more": "1"})
    done = measure(service, tmp_path, base="HEAD~1", folder="orders", build="touch built")
    [(words, _)] = calls(done)
    assert words[2:] == [f"--base={tmp_path}/springbench-base/orders/", "--head=."]
    assert (tmp_path / "springbench-base/orders/built").exists()


def test_what_is_not_described_is_described_by_the_inputs(tmp_path: Path) -> None:
    service = Repository.create(tmp_path / "orders")
    service.commit({"serve": ""})
    inputs = {"command": "./serve --port {port}", "routes": "/a /b?c=$(id)", "connections": "8,64"}
    done = measure(service, tmp_path, **inputs)
    (init, _), (_, went_on) = calls(done)
    assert init == [
        *("init", "--yes", "--route=/a", "--route=/b?c=$(id)"),
        *("--command=./serve --port {port}", "--connections=8,64"),
    ]
    # the file has them now
    assert went_on == {}


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"base": "nowhere"}, "base 'nowhere' is no commit of this checkout: allowed is a branch"),
        ({"routes": "/"}, "jar, command and routes describe what springbench.toml describes"),
    ],
)
def test_what_is_wrong_ends_before_anything_is_measured(
    service: Repository, tmp_path: Path, inputs: dict[str, str], message: str
) -> None:
    done = measure(service, tmp_path, **inputs)
    assert (done.returncode, calls(done)) == (2, [])
    assert message in done.stderr
    assert message in (tmp_path / "summary").read_text(encoding="utf-8")


def test_fetch_depth_is_the_remedy_where_the_clone_is_shallow(
    service: Repository, tmp_path: Path
) -> None:
    clone = tmp_path / "clone"
    service.git("clone", "--quiet", "--depth", "1", f"file://{service.root}", str(clone))
    done = measure(Repository(clone), tmp_path, base="HEAD~1")
    assert done.returncode == 2
    assert "base 'HEAD~1' is no commit of this checkout: add fetch-depth 0" in done.stderr


def test_a_checkout_of_another_user_is_read_where_it_is_the_job_s_own(
    service: Repository, tmp_path: Path
) -> None:
    other = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    done = measure(service, tmp_path, env=other, base="HEAD~1")
    assert done.returncode == 2
    assert f"git config --global --add safe.directory {service.root}" in done.stderr
    assert "fetch-depth" not in done.stderr
    # git asks for the owner of the work tree of the base as well: here it pretends
    environment = {**other, "GITHUB_WORKSPACE": str(service.root)}
    assert (
        f"does not trust {service.root},"
        not in measure(service, tmp_path, env=environment, base="HEAD~1").stderr
    )


@pytest.fixture
def with_submodules(tmp_path: Path) -> Repository:
    """A service whose submodule has one itself, each cloned from a place that is gone."""
    inner, lib = Repository.create(tmp_path / "inner"), Repository.create(tmp_path / "lib")
    repository = Repository.create(tmp_path / "with submodules")
    allowed = ("-c", "protocol.file.allow=always", "submodule", "--quiet")
    inner.commit({"version": "1"})
    lib.git(*allowed, "add", str(inner.root), "deep")
    lib.commit({"version": "1"})
    repository.git(*allowed, "add", str(lib.root), "a lib")
    repository.git(*allowed, "update", "--init", "--recursive")
    repository.commit({"springbench.toml": TOML})
    Repository(repository.root / "a lib/deep").commit({"version": "2"})
    Repository(repository.root / "a lib").commit({"version": "2"})
    repository.commit({"more": "1"})
    for source in (inner, lib):
        source.root.rename(source.root.with_name(f"{source.root.name}-gone"))
    return repository


def test_a_base_is_built_with_its_submodules(with_submodules: Repository, tmp_path: Path) -> None:
    build = "cat 'a lib/version' 'a lib/deep/version' > built"
    for _ in range(2):
        done = measure(with_submodules, tmp_path, base="HEAD~1", build=build)
        assert done.returncode == 0, done.stdout + done.stderr
        base = tmp_path / "springbench-base"
        built = [
            (root / "built").read_text(encoding="utf-8") for root in (base, with_submodules.root)
        ]
        assert built == ["11", "22"]


@pytest.mark.system
def test_a_submodule_that_cannot_be_fetched_for_the_base_is_said(
    with_submodules: Repository, tmp_path: Path
) -> None:
    with_submodules.git("rm", "--quiet", "-f", "a lib")
    with_submodules.commit()
    for clone in (with_submodules.root / ".git/modules").iterdir():
        clone.rename(tmp_path / "clone")
    done = measure(with_submodules, tmp_path, base="HEAD~1")
    assert (done.returncode, calls(done)) == (2, [])
    assert "git submodule --quiet update --init --recursive -- a lib: " in done.stderr


def test_files_of_git_lfs_without_their_content_are_said(
    service: Repository, tmp_path: Path
) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    service.commit({".gitattributes": "*.bin filter=lfs -text\n", "model.bin": pointer})
    service.commit({"version": "3"})
    done = measure(service, tmp_path, base="HEAD~1")
    assert done.returncode == 0, done.stderr
    assert "::warning::1 files of the base are pointers of Git LFS" in done.stdout
