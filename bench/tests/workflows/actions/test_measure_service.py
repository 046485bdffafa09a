"""measure-service: what springbench is asked, and what is built before."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.repositories import Repository
from tests.workflows.actions.scripts import path_with_a_springbench_that_says_its_arguments, script

TOML = 'command = ["./serve", "{port}"]\n[[routes]]\npath = "/"\n'


@pytest.fixture
def service(tmp_path: Path) -> Repository:
    made = Repository.create(tmp_path / "service")
    made.commit({"springbench.toml": TOML, "version": "1"})
    made.commit({"version": "2"})
    return made


def measure(service: Repository, tmp_path: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    given = {"GITHUB_RUN_ID": "5", "RUNNER_TEMP": tmp_path, "GITHUB_OUTPUT": tmp_path / "output"}
    return script(
        "measure-service/measure.sh",
        cwd=service.root,
        PATH=path_with_a_springbench_that_says_its_arguments(tmp_path),
        GITHUB_STEP_SUMMARY=tmp_path / "summary",
        **given,
        **inputs,
    )


def asked(done: subprocess.CompletedProcess[str]) -> list[str]:
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith('"')]


def test_a_service_is_built_and_measured(service: Repository, tmp_path: Path) -> None:
    done = measure(service, tmp_path, BUILD="cat version > built", ONLY="*/a/* */b/*")
    assert done.returncode == 0, done.stderr
    assert asked(done)[:1] == ["run"]
    assert {"--id=gh-5-orders", "--profile=quick", "--only=*/a/*", "--only=*/b/*"} <= set(
        asked(done)
    )
    assert (service.root / "built").read_text(encoding="utf-8") == "2"
    outputs = (tmp_path / "output").read_text(encoding="utf-8")
    assert outputs.splitlines() == [
        *("service=orders", "name=orders"),
        f"report={service.root}/results/gh-5-orders",
    ]


def test_two_calls_of_one_run_leave_things_of_two_names(
    service: Repository, tmp_path: Path
) -> None:
    calls = ('{ "folder": ".", "java": "21" }', '{ "folder": ".", "java": "25" }', "$(id)\n`x`")
    for call in (*calls, calls[0]):
        assert measure(service, tmp_path, CALL=call).returncode == 0
    outputs = (tmp_path / "output").read_text(encoding="utf-8").splitlines()
    names = [line.removeprefix("name=") for line in outputs if line.startswith("name=")]
    assert len(set(names)) == 3
    assert names[0] == names[3], "a re-run replaces what it left before"
    assert all(re.fullmatch("orders-[0-9a-f]{8}", name) for name in names)


def test_a_comparison_whose_build_fails_has_left_its_name(
    service: Repository, tmp_path: Path
) -> None:
    assert measure(service, tmp_path, BASE="HEAD~1", BUILD="false").returncode != 0
    assert (service.root / "report/service.txt").read_text(encoding="utf-8") == "orders\n"


def test_a_base_is_built_in_a_work_tree_of_its_own(service: Repository, tmp_path: Path) -> None:
    options = {"BASE": "HEAD~1", "BUILD": "cat version > built", "BUDGET": "60"}
    for _ in range(2):  # a runner of one's own keeps what an earlier job has left
        done = measure(service, tmp_path, **options)
        assert done.returncode == 0, done.stderr
        base = tmp_path / "springbench-base"
        assert asked(done) == [
            *("compare", "--prepare-host", "--budget=60", "--results", "results", "--"),
            *(f"{base}/", "."),
        ]
        built = [(place / "built").read_text(encoding="utf-8") for place in (base, service.root)]
        assert built == ["1", "2"]


def test_a_folder_is_the_same_at_the_base(tmp_path: Path) -> None:
    service = Repository.create(tmp_path / "service")
    service.commit({"orders/springbench.toml": TOML})
    service.commit({"orders/more": "1"})
    done = measure(service, tmp_path, BASE="HEAD~1", FOLDER="orders", BUILD="touch built")
    assert asked(done)[-2:] == [f"{tmp_path}/springbench-base/orders/", "."]
    assert (tmp_path / "springbench-base/orders/built").exists()


def test_what_is_not_described_is_described_by_the_inputs(tmp_path: Path) -> None:
    service = Repository.create(tmp_path / "service")
    service.commit({"serve": ""})
    done = measure(
        service,
        tmp_path,
        COMMAND="./serve --port {port}",
        ROUTES="/a /b?c=$(id)",
        CONNECTIONS="8,64",
    )
    written, run = asked(done)[:6], asked(done)[6:]
    assert written == [
        *("init", "--yes", "--route=/a", "--route=/b?c=$(id)"),
        *("--command=./serve --port {port}", "--connections=8,64"),
    ]
    # the file has them now
    assert not any(word.startswith("--connections") for word in run)


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({"BASE": "nowhere"}, "base 'nowhere' is no commit of this checkout: allowed is a branch"),
        ({"ROUTES": "/"}, "jar, command and routes describe what springbench.toml describes"),
        ({"BUILD": "echo broken >&2; exit 3"}, "broken"),
        ({"BUILD": "false; true"}, ""),
    ],
)
def test_what_is_wrong_ends_before_anything_is_measured(
    service: Repository, tmp_path: Path, inputs: dict[str, str], said: str
) -> None:
    done = measure(service, tmp_path, **inputs)
    assert done.returncode != 0
    assert said in done.stdout + done.stderr
    assert asked(done) == []


def test_fetch_depth_is_the_remedy_where_the_clone_is_shallow(
    service: Repository, tmp_path: Path
) -> None:
    clone = tmp_path / "clone"
    service.git("clone", "--quiet", "--depth", "1", f"file://{service.root}", str(clone))
    done = measure(Repository(clone), tmp_path, BASE="HEAD~1")
    assert done.returncode == 2
    assert "base 'HEAD~1' is no commit of this checkout: add fetch-depth 0" in done.stdout


def test_a_checkout_of_another_user_is_read_where_it_is_the_job_s_own(
    service: Repository, tmp_path: Path
) -> None:
    other = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1", "BASE": "HEAD~1"}
    done = measure(service, tmp_path, **other)
    assert done.returncode == 2
    assert f"git config --global --add safe.directory '{service.root}'" in done.stdout
    assert "fetch-depth" not in done.stdout
    # git asks for the owner of the work tree of the base as well: here it pretends
    asked_for = measure(service, tmp_path, GITHUB_WORKSPACE=str(service.root), **other)
    assert "git does not read this checkout" not in asked_for.stdout


@pytest.fixture
def with_submodules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A service whose submodule has one itself, each cloned from a place that is gone."""
    inner, lib = Repository.create(tmp_path / "inner"), Repository.create(tmp_path / "lib")
    made = Repository.create(tmp_path / "with submodules")
    allowed = ("-c", "protocol.file.allow=always", "submodule", "--quiet")
    inner.commit({"version": "1"})
    lib.git(*allowed, "add", str(inner.root), "deep")
    lib.commit({"version": "1"})
    made.git(*allowed, "add", str(lib.root), "a lib")
    made.git(*allowed, "update", "--init", "--recursive")
    made.commit({"springbench.toml": TOML})
    Repository(made.root / "a lib/deep").commit({"version": "2"})
    Repository(made.root / "a lib").commit({"version": "2"})
    made.commit({"more": "1"})
    for gone in (inner, lib):
        gone.root.rename(gone.root.with_name(f"{gone.root.name}-gone"))
    return made


def test_a_base_is_built_with_its_submodules(with_submodules: Repository, tmp_path: Path) -> None:
    build = "cat 'a lib/version' 'a lib/deep/version' > built"
    for _ in range(2):
        done = measure(with_submodules, tmp_path, BASE="HEAD~1", BUILD=build)
        assert done.returncode == 0, done.stdout + done.stderr
        base = tmp_path / "springbench-base"
        built = [
            (place / "built").read_text(encoding="utf-8") for place in (base, with_submodules.root)
        ]
        assert built == ["11", "22"]


def test_a_submodule_that_cannot_be_fetched_for_the_base_is_said(
    with_submodules: Repository, tmp_path: Path
) -> None:
    with_submodules.git("rm", "--quiet", "-f", "a lib")
    with_submodules.commit()
    for clone in (with_submodules.root / ".git/modules").iterdir():
        clone.rename(tmp_path / "clone")
    done = measure(with_submodules, tmp_path, BASE="HEAD~1")
    assert done.returncode == 2
    assert "submodule a lib of the base, which is gone since, could not be fetched" in done.stdout
    assert asked(done) == []


def test_files_of_git_lfs_without_their_content_are_said(
    service: Repository, tmp_path: Path
) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    service.commit({".gitattributes": "*.bin filter=lfs -text\n", "model.bin": pointer})
    service.commit({"version": "3"})
    done = measure(service, tmp_path, BASE="HEAD~1")
    assert done.returncode == 0, done.stderr
    assert "::warning::1 files of the base are pointers of Git LFS" in done.stdout
