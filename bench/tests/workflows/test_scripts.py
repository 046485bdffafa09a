"""The scripts of the composite actions, each on its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from springbench.paths import ROOT
from springbench.results.store import RunFolder
from springbench.rows import Matrix
from tests.history.histories import raw_run
from tests.workflows.local_github import git

ACTIONS = ROOT / ".github" / "actions"
GOVERNOR = "sys/devices/system/cpu/cpu{}/cpufreq/scaling_governor"
PAGES = "sys/kernel/mm/transparent_hugepage/enabled"
FORK: dict[str, Any] = {"HEAD_REPOSITORY": "stranger/bench", "GITHUB_REPOSITORY": "octo/bench"}


def script(
    name: str, cwd: Path | None = None, **environment: object
) -> subprocess.CompletedProcess[str]:
    """Run `.github/actions/<name>` with these variables."""
    env = {**os.environ, **{key: str(value) for key, value in environment.items()}}
    return subprocess.run(
        ["bash", str(ACTIONS / name)], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )


class TestHost:
    """prepare-host and restore-host, on a made-up host."""

    @pytest.fixture
    def host(self, tmp_path: Path) -> dict[str, Path]:
        root = tmp_path / "host"
        for number in (0, 1):
            self.switch(root / GOVERNOR.format(number), "powersave")
        self.switch(root / PAGES, "[always] madvise never")
        return {"HOST_ROOT": root, "STATE": tmp_path / "state" / "host.state"}

    @staticmethod
    def switch(file: Path, value: str) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{value}\n", encoding="utf-8")

    @staticmethod
    def value(host: dict[str, Path], name: str) -> str:
        return (host["HOST_ROOT"] / name).read_text(encoding="utf-8").strip()

    def test_what_was_changed_is_put_back(self, host: dict[str, Path]) -> None:
        done = script("prepare-host/prepare.sh", **host)
        assert (done.returncode, done.stderr) == (0, "")
        assert self.value(host, GOVERNOR.format(1)) == "performance"
        assert self.value(host, PAGES) == "madvise"
        assert "frequency governor: 'powersave' is now 'performance'" in done.stdout
        restored = script("restore-host/restore.sh", **host)
        assert (restored.returncode, restored.stderr) == (0, "")
        assert self.value(host, GOVERNOR.format(0)) == "powersave"
        assert self.value(host, PAGES) == "always"
        assert not host["STATE"].exists()

    def test_a_job_that_was_killed_does_not_make_its_values_the_hosts(
        self, host: dict[str, Path]
    ) -> None:
        script("prepare-host/prepare.sh", **host)
        again = script("prepare-host/prepare.sh", **host)
        assert "an earlier job did not restore this host" in again.stdout
        script("restore-host/restore.sh", **host)
        assert self.value(host, GOVERNOR.format(0)) == "powersave"

    @pytest.mark.skipif(os.getuid() == 0, reason="root may write everything")
    def test_what_may_not_be_written_is_named_and_left(self, host: dict[str, Path]) -> None:
        (host["HOST_ROOT"] / PAGES).chmod(0o444)
        done = script("prepare-host/prepare.sh", **host)
        assert done.returncode == 0
        assert "left at 'always'" in done.stdout

    def test_a_host_without_these_switches_is_left_alone(self, tmp_path: Path) -> None:
        place = {"HOST_ROOT": tmp_path / "none", "STATE": tmp_path / "state" / "host.state"}
        done = script("prepare-host/prepare.sh", **place)
        assert (done.returncode, done.stdout) == (0, "")
        assert script("restore-host/restore.sh", **place).returncode == 0


class Rights(BaseHTTPRequestHandler):
    """Answers what rights an account has."""

    def do_GET(self) -> None:
        account = self.path.split("/")[-2]
        known = {"maintainer": "write", "owner": "admin", "helper": "triage", "reader": "read"}
        self.send_response(200 if account in known else 404)
        self.end_headers()
        self.wfile.write(json.dumps({"permission": known.get(account), "user": {}}).encode())

    def log_message(self, *_: object) -> None:
        return


class TestApproval:
    """check-approval: whose code may run on the repository's own runners."""

    @pytest.fixture
    def api(self) -> Iterator[str]:
        server = HTTPServer(("127.0.0.1", 0), Rights)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        server.server_close()

    @pytest.mark.parametrize(
        ("head", "action", "label", "sender", "approved"),
        [
            ("octo/bench", "synchronize", "", "anyone", True),
            ("stranger/bench", "opened", "", "stranger", False),
            # the label of an earlier push is still on it: nobody has seen this one
            ("stranger/bench", "synchronize", "", "stranger", False),
            ("stranger/bench", "labeled", "benchmark", "maintainer", True),
            ("stranger/bench", "labeled", "benchmark", "owner", True),
            ("stranger/bench", "labeled", "documentation", "maintainer", False),
            ("stranger/bench", "labeled", "benchmark", "helper", False),
            ("stranger/bench", "labeled", "benchmark", "reader", False),
            ("stranger/bench", "labeled", "benchmark", "nobody", False),
            ("stranger/bench", "labeled", "benchmark", "../../x/maintainer", False),
            # a fork that was deleted has no name
            ("", "opened", "", "stranger", False),
        ],
    )
    def test_only_a_label_by_who_may_write_approves_a_strangers_code(
        self,
        api: str,
        tmp_path: Path,
        head: str,
        action: str,
        label: str,
        sender: str,
        approved: bool,
    ) -> None:
        output = tmp_path / "output"
        done = script(
            "check-approval/check.sh",
            HEAD_REPOSITORY=head,
            GITHUB_REPOSITORY="octo/bench",
            GITHUB_API_URL=api,
            GITHUB_OUTPUT=output,
            TOKEN="none",  # noqa: S106
            ACTION=action,
            LABEL=label,
            SENDER=sender,
            no_proxy="127.0.0.1",
        )
        assert done.returncode == 0, done.stderr
        assert output.read_text(encoding="utf-8") == f"approved={str(approved).lower()}\n"

    def test_no_answer_is_no_approval(self, tmp_path: Path) -> None:
        output = tmp_path / "output"
        script(
            "check-approval/check.sh",
            **FORK,
            GITHUB_API_URL="http://127.0.0.1:9",
            GITHUB_OUTPUT=output,
            TOKEN="none",  # noqa: S106
            ACTION="labeled",
            LABEL="benchmark",
            SENDER="maintainer",
            no_proxy="127.0.0.1",
        )
        assert output.read_text(encoding="utf-8") == "approved=false\n"


class TestSetUp:
    """set-up-bench, on a clone that says what it runs."""

    @pytest.fixture
    def clone(self, tmp_path: Path) -> Path:
        package = tmp_path / "clone" / "bench" / "springbench"
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
        text = "import sys\nprint('the code of the clone', sys.argv[1:])\n"
        (package / "__main__.py").write_text(text, encoding="utf-8")
        (package.parent / "bootstrap.sh").write_text("echo set up in full\n", encoding="utf-8")
        (package.parent / "requirements.txt").write_text("one==1\n", encoding="utf-8")
        return tmp_path / "clone"

    @pytest.fixture
    def venv(self, tmp_path: Path) -> Path:
        venv = tmp_path / "other" / ".venv"
        (venv / "bin").mkdir(parents=True)
        (venv / "bin" / "python").symlink_to(sys.executable)
        (tmp_path / "other" / "bench").mkdir()
        (venv.parent / "bench" / "requirements.txt").write_text("one==1\n", encoding="utf-8")
        return venv

    def set_up(self, clone: Path, venv: Path) -> str:
        env = {**os.environ, "SPRINGBENCH_VENV": str(venv), "GITHUB_PATH": str(clone / "path")}
        done = subprocess.run(
            ["bash", str(ACTIONS / "set-up-bench" / "set-up.sh")],
            cwd=clone, env=env, capture_output=True, text=True, check=True,
        )  # fmt: skip
        paths = (clone / "path").read_text(encoding="utf-8").splitlines()
        assert paths[-1] == f"{clone}/.venv/bin"
        return done.stdout

    def test_packages_of_another_clone_serve_the_code_of_this_one(
        self, clone: Path, venv: Path
    ) -> None:
        assert self.set_up(clone, venv) == f"set-up-bench: with the packages in {venv}\n"
        command = [str(clone / ".venv/bin/springbench"), "run", "*", "a b"]
        said = subprocess.run(command, capture_output=True, text=True, check=True, cwd=venv).stdout
        assert said == "the code of the clone ['run', '*', 'a b']\n"

    def test_packages_of_other_requirements_do_not(self, clone: Path, venv: Path) -> None:
        (clone / "bench" / "requirements.txt").write_text("one==2\n", encoding="utf-8")
        assert self.set_up(clone, venv) == "set up in full\n"
        assert self.set_up(clone, Path("/nowhere")) == "set up in full\n"


class TestOptions:
    """Values of a form become arguments and nothing else."""

    def test_nothing_in_a_value_is_run_expanded_or_split(self, tmp_path: Path) -> None:
        shown = tmp_path / "springbench"
        shown.write_text(f"#!{sys.executable}\nimport sys\nprint(sys.argv[1:])\n", encoding="utf-8")
        shown.chmod(0o755)
        done = script(
            "plan-jobs/plan.sh",
            PATH=f"{tmp_path}:{os.environ['PATH']}",
            PROFILE="$(touch here)",
            ONLY="*-netty-*  /etc/*\n`id` ;ls",
            CONNECTIONS="1; rm -rf .",
            FORKS="",
        )
        assert done.stdout.strip() == str(
            [
                "plan",
                "--github",
                "--profile=$(touch here)",
                "--connections=1; rm -rf .",
                "--only=*-netty-*",
                "--only=/etc/*",
                "--only=`id`",
                "--only=;ls",
            ]
        )


class TestCompare:
    """compare-commits."""

    def test_a_ref_that_is_none_ends_with_the_code_of_the_command(self, tmp_path: Path) -> None:
        summary = tmp_path / "summary"
        done = subprocess.run(
            ["bash", str(ACTIONS / "compare-commits" / "compare.sh")],
            env={
                **os.environ,
                "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
                "BASE": "-no-ref",
                "HEAD": "HEAD",
                "PROFILE": "pr",
                "GITHUB_STEP_SUMMARY": str(summary),
            },
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 2
        assert "'-no-ref' is no run folder" in done.stderr
        assert "'-no-ref' is no run folder" in summary.read_text(encoding="utf-8")


class TestComment:
    """post-comment: what springbench is asked to post."""

    def asked(self, tmp_path: Path, report: Path) -> list[str]:
        shown = tmp_path / "springbench"
        text = f"#!{sys.executable}\nimport sys\nprint(*sys.argv[1:], sep=chr(10))\n"
        shown.write_text(text, encoding="utf-8")
        shown.chmod(0o755)
        path = f"{tmp_path}:{os.environ['PATH']}"
        done = script("post-comment/post.sh", PATH=path, REPORT=report, GITHUB_EVENT_PATH="e.json")
        return done.stdout.splitlines()

    def test_the_event_and_not_the_report_names_the_pull_request(self, tmp_path: Path) -> None:
        (tmp_path / "comparison.json").write_text("{}", encoding="utf-8")
        assert self.asked(tmp_path, tmp_path) == ["comment", str(tmp_path), "--event", "e.json"]

    def test_a_run_that_left_no_report_is_said_to_have_failed(self, tmp_path: Path) -> None:
        asked = self.asked(tmp_path, tmp_path)
        assert asked == ["comment", f"{tmp_path}/none", "--event", "e.json", "--failed", "compare"]


class TestPublish:
    """publish-runs, against a bare repository."""

    def publish(self, tmp_path: Path, matrix: Matrix, number: int) -> str:
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
            PATH=f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            GIT_CONFIG_GLOBAL=config,
            RUNS=runs.name,
            SHARDS="1",
            FORCE="false",
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

    def test_runs_reach_the_branch_and_its_past_stays_there(
        self, tmp_path: Path, matrix: Matrix
    ) -> None:
        git("init", "--quiet", "--bare", str(tmp_path / "origin"))
        git("init", "--quiet", "--initial-branch=main", str(tmp_path / "clone"))
        for number in (1, 2):
            assert self.publish(tmp_path, matrix, number) == "throughput=true\ncosts=true\n"
        origin, clone = str(tmp_path / "origin"), str(tmp_path / "clone")
        listed = git("-C", origin, "ls-tree", "--name-only", "gh-pages", "data/runs/").splitlines()
        assert listed == ["data/runs/gh-1.json.gz", "data/runs/gh-2.json.gz"]
        assert git("-C", origin, "rev-list", "--count", "gh-pages") == "2"
        assert git("-C", clone, "rev-list", "--count", "gh-pages") == "1"
        assert (tmp_path / "clone" / "export" / "throughput.json").is_file()


class TestDeploySite:
    """deploy-site, against a bare repository."""

    @pytest.fixture
    def origin(self, tmp_path: Path) -> Path:
        origin = tmp_path / "octo" / "bench"
        git("init", "--quiet", "--bare", str(origin))
        return origin

    def deploy(self, tmp_path: Path, origin: Path, **files: str) -> None:
        site = tmp_path / "dist"
        site.mkdir(exist_ok=True)
        for name, text in files.items():
            (site / f"{name}.html").write_text(text, encoding="utf-8")
        done = script(
            "deploy-site/deploy.sh",
            SITE=site,
            BRANCH="gh-pages",
            GITHUB_SERVER_URL=origin.parent.parent,
            GITHUB_REPOSITORY="octo/bench",
            GITHUB_SHA="0123456789abcdef",
        )
        assert done.returncode == 0, done.stderr

    def files(self, origin: Path) -> list[str]:
        return git("-C", str(origin), "ls-tree", "-r", "--name-only", "gh-pages").splitlines()

    def test_the_branch_is_made_and_the_data_stays(self, tmp_path: Path, origin: Path) -> None:
        self.deploy(tmp_path, origin, index="one", old="gone soon")
        clone = tmp_path / "clone"
        git("clone", "--quiet", "--branch", "gh-pages", str(origin), str(clone))
        (clone / "data").mkdir()
        (clone / "data" / "index.json").write_text("{}", encoding="utf-8")
        git("-C", str(clone), "add", "--all")
        name = ("-c", "user.name=a", "-c", "user.email=a@example.invalid")
        git("-C", str(clone), *name, "commit", "--quiet", "--message", "a run")
        git("-C", str(clone), "push", "--quiet")
        (tmp_path / "dist" / "old.html").unlink()
        self.deploy(tmp_path, origin, index="two")
        assert self.files(origin) == [".nojekyll", "data/index.json", "index.html"]
        assert git("-C", str(origin), "show", "gh-pages:index.html") == "two"

    def test_the_same_site_again_is_no_commit(self, tmp_path: Path, origin: Path) -> None:
        self.deploy(tmp_path, origin, index="one")
        self.deploy(tmp_path, origin, index="one")
        assert git("-C", str(origin), "rev-list", "--count", "gh-pages") == "1"
