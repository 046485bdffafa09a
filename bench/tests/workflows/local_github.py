"""As much of GitHub as the workflows need, on this machine: a repository, a runner, a store.

The workflow files are the real ones, run by `act` without containers. Only the actions of others
are replaced (`stand_ins/`), and one key is taken out that `act` does not know yet.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from springbench.host.lock import PLACE
from springbench.host.switches import ROOT_PLACE
from springbench.host.tools.find import find_jdk, find_wrk
from springbench.paths import ROOT
from tests.services.fake_github import REPO, TOKEN

ACT = ROOT / ".tools" / "bin" / "act"
STAND_INS = Path(__file__).with_name("stand_ins")
REPOSITORY = REPO
END_TO_END = [
    pytest.mark.timeout(900),
    pytest.mark.skipif(not ACT.is_file(), reason="act is not installed; it needs Go"),
    pytest.mark.skipif(find_wrk() is None, reason="wrk is not installed"),
]
_UNKNOWN_TO_ACT = re.compile(r"^ *queue: max\n", re.MULTILINE)
_USES = re.compile(r"uses: (?!\./)(\S+)/([\w-]+)@([0-9a-f]{40})")
# no workflow that runs here reads them, and each job checks them out
NOT_IN_JOBS = ("bench/evaluation/", "bench/tests/", "site/tests/")
# what a step inherits from this machine: how to reach registries, and where homes are
_INHERITED = re.compile(
    r"(PATH|HOME|LANG|LC_ALL|JAVA_TOOL_OPTIONS|PIP_\w+|UV_\w+|MAVEN_\w+|NPM_\w+|npm_\w+|\w*_proxy|\w*_PROXY|SSL_CERT\w*"
    r"|SPRINGBENCH_\w+)"
)


@dataclass(frozen=True)
class Ended:
    """A workflow that has ended: whether all jobs succeeded, and the log of all."""

    ok: bool
    log: str

    def succeeded(self, job: str) -> bool:
        """Whether that job ran and succeeded, or one of the workflow that it calls."""
        return bool(re.search(rf"^\[([^\]]*/)?{job}\b.*Job succeeded", self.log, re.MULTILINE))

    def ran(self, job: str) -> bool:
        """Whether any step of that job, or of the workflow that it calls, began."""
        return bool(re.search(rf"^\[([^\]]*/)?{job}\b.*Run ", self.log, re.MULTILINE))

    @property
    def excerpt(self) -> str:
        """The last lines of each job that failed, or of all where none says so."""
        lines = self.log.splitlines()
        failed = {line.partition("]")[0] for line in lines if "Job failed" in line}
        of_failed = [
            [line for line in lines if line.startswith(f"{job}]   | ")][-40:]
            for job in sorted(failed)
        ]
        return "\n".join(line for job in of_failed for line in job) or self.log[-4000:]


@dataclass(frozen=True)
class Proposal:
    """A pull request's commits; `merge` is the one that GitHub makes of the other two."""

    base: str
    head: str
    merge: str


class LocalGitHub:
    """A repository with the files of this clone on `main`, and what its workflows leave."""

    def __init__(self, folder: Path) -> None:
        self.origin = folder / "origin.git"
        self.work = folder / "work"
        self.store = folder / "store"
        # what builds leave, by what they read: shared by tests that are about something else
        self.cache = ROOT / ".tools" / "cache" / "actions"
        self.host = folder / "host"
        self._folder = folder
        # of the repository, and the labels that its runners have
        self.variables: dict[str, str] = {}
        self.runners = ["ubuntu-latest"]
        self.api = ""
        # a run of GitHub; the same one again is a re-run
        self.run_id = "1"
        # measurements made earlier, in the place of measuring
        self.recording: Path | None = None
        # without them each job would install the same packages again
        self.venv = str(ROOT / ".venv")
        self.node_modules = str(ROOT / "site" / "node_modules")
        self.store.mkdir()
        # repositories of others, by OWNER/NAME
        self.external_repositories = folder / "others"
        # what `uses: OWNER/NAME/...@main` means, once `keep_default_branch` has been called
        self.default_branch = folder / "default-branch"
        self._git_config()
        git("init", "--quiet", "--bare", "--initial-branch=main", str(self.origin))
        git("init", "--quiet", "--initial-branch=main", str(self.work))
        git("-C", str(self.work), "remote", "add", "origin", f"https://github.com/{REPOSITORY}.git")
        self._first_files()
        self.commit("first")

    def run(self, event: str, workflow: str, payload: dict[str, Any] | None = None) -> Ended:
        """Let `event` happen for `workflow`, and wait for its end."""
        repository = {
            "id": 100,
            "full_name": REPOSITORY,
            "owner": {"login": REPOSITORY.split("/", maxsplit=1)[0]},
            "default_branch": "main",
        }
        file = self._folder / "event.json"
        file.write_text(json.dumps({"repository": repository, **(payload or {})}), encoding="utf-8")
        command = [str(ACT), event, "--workflows", f".github/workflows/{workflow}.yml"]
        command += ["--eventpath", str(file), "--concurrent-jobs", "1", "--no-skip-checkout"]
        command += ["--secret", f"GITHUB_TOKEN={TOKEN}"]
        command += [
            part for name in self.runners for part in ("--platform", f"{name}=-self-hosted")
        ]
        command += [f"--var={name}={value}" for name, value in self.variables.items()]
        command += [part for text in self._stand_ins() for part in ("--local-repository", text)]
        command += [part for text in self._environment() for part in ("--env", text)]
        done = subprocess.run(
            command,
            cwd=self.work,
            env={**os.environ, "XDG_CACHE_HOME": str(self._folder / "cache")},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            check=False,
        )
        (self._folder / f"{workflow}.log").write_text(done.stdout, encoding="utf-8")
        return Ended(done.returncode == 0, done.stdout)

    def artifacts(self) -> set[str]:
        """Names of what was uploaded."""
        return {path.name for path in (self.store / "artifacts").glob("*")}

    def history(self, path: str) -> str:
        """A file of the history branch."""
        return git("-C", str(self.origin), "show", f"gh-pages:{path}")

    def packed(self, path: str) -> Any:
        """The JSON of a compressed file of the history branch."""
        shown = ["git", "-C", str(self.origin), "show", f"gh-pages:{path}"]
        done = subprocess.run(shown, capture_output=True, check=True)
        return json.loads(gzip.decompress(done.stdout))

    def published(self, below: str = "") -> list[str]:
        """The files of the history branch below a folder, whose name ends with a slash."""
        options = ["ls-tree", "-r", "--name-only", "gh-pages", *([below] if below else [])]
        return git("-C", str(self.origin), *options).splitlines()

    def propose(self, changes: Mapping[str, str] | None = None) -> Proposal:
        """Make a pull request; the work tree is then at its merge commit, as in a job of it.

        `changes` are texts by the file that they are written to.
        """
        work = ("-C", str(self.work))
        base = git(*work, "rev-parse", "HEAD")
        git(*work, "checkout", "--quiet", "-b", "change")
        for name, text in (changes or {}).items():
            (self.work / name).write_text(text, encoding="utf-8")
        git(*work, "commit", "--quiet", "--allow-empty", "--all", "--message", "change")
        head = git(*work, "rev-parse", "HEAD")
        git(*work, "checkout", "--quiet", "-b", "merge", base)
        git(*work, "merge", "--quiet", "--no-ff", "--message", "merge", head)
        git(*work, "push", "--quiet", str(self.origin), "HEAD:refs/pull/7/merge")
        return Proposal(base, head, git(*work, "rev-parse", "HEAD"))

    def keep_default_branch(self) -> None:
        """Let full references to workflows of this repository mean `main` as it is now."""
        git("clone", "--quiet", str(self.origin), str(self.default_branch))

    def commit(self, message: str) -> str:
        """Commit what has changed in the work tree, push it, and give its id."""
        git("-C", str(self.work), "add", "--all")
        git("-C", str(self.work), "commit", "--quiet", "--message", message)
        git("-C", str(self.work), "push", "--quiet", str(self.origin), "HEAD:refs/heads/main")
        return git("-C", str(self.work), "rev-parse", "HEAD")

    def _first_files(self) -> None:
        copy_clone(self.work)

    def _workflow_files(self) -> list[Path]:
        """Those that name actions of others."""
        return workflows_of(self.work)

    def _stand_ins(self) -> set[str]:
        return {
            f"{owner}/{name}@{sha}={STAND_INS / name}"
            for file in self._workflow_files()
            for owner, name, sha in _USES.findall(file.read_text(encoding="utf-8"))
            if (STAND_INS / name).is_dir()
        } | {f"{REPOSITORY}@main={self.default_branch}" for _ in self.default_branch.glob(".git")}

    def _environment(self) -> list[str]:
        inherited = {name: text for name, text in os.environ.items() if _INHERITED.fullmatch(name)}
        jdk = find_jdk()
        assert jdk is not None
        variables = {
            "GITHUB_RUN_ID": self.run_id,
            "STAND_IN_ORIGIN": self.origin,
            "STAND_IN_STORE": self.store,
            "STAND_IN_OTHERS": self.external_repositories,
            "STAND_IN_CACHE": self.cache,
            "STAND_IN_JAVA_HOME": jdk.java.parent.parent,
            "JAVA_HOME": jdk.java.parent.parent,
            "GIT_CONFIG_GLOBAL": self._folder / "gitconfig",
            # a made-up host, so that nobody's real one is changed
            ROOT_PLACE: self.host,
            PLACE: self._folder / "lock",
            "SPRINGBENCH_VENV": self.venv,
            "SPRINGBENCH_NODE_MODULES": self.node_modules,
            **({"GITHUB_API_URL": self.api} if self.api else {}),
            **({"SPRINGBENCH_RECORDING": self.recording} if self.recording else {}),
        }
        return [f"{name}={value}" for name, value in {**inherited, **variables}.items()]

    def _git_config(self) -> None:
        text = f'[url "{self.origin}"]\n\tinsteadOf = https://github.com/{REPOSITORY}\n'
        text += "[user]\n\tname = tester\n\temail = tester@example.invalid\n"
        (self._folder / "gitconfig").write_text(text, encoding="utf-8")
        os.environ["GIT_CONFIG_GLOBAL"] = str(self._folder / "gitconfig")


def workflows_of(clone: Path) -> list[Path]:
    """Its workflow files."""
    return sorted((clone / ".github" / "workflows").glob("*.yml"))


def copy_clone(
    target: Path, repository: str = "github.repository", sha: str = "github.sha"
) -> None:
    """Copy the files of this clone, as they are, but for what `act` does not know: the expressions
    for where a called workflow lies are these."""
    listed = git("-C", str(ROOT), "ls-files", "-co", "--exclude-standard").splitlines()
    for name in listed:
        if name.startswith(NOT_IN_JOBS):
            continue
        if (source := ROOT / name).is_file():
            target_file = target / name
            target_file.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target_file)
    for file in workflows_of(target):
        text = file.read_text(encoding="utf-8")
        text = _UNKNOWN_TO_ACT.sub("", text).replace("job.workflow_repository", repository)
        file.write_text(text.replace("job.workflow_sha", sha), encoding="utf-8")


def shorten(github: LocalGitHub, budget_s: int = 30) -> None:
    """A commit whose profile `pr` is one case with few bursts."""
    file = github.work / "bench" / "matrix.toml"
    profiles = file.read_text(encoding="utf-8").split("[[profiles]]")
    index = next(i for i, text in enumerate(profiles) if text.startswith('\nid = "pr"\n'))
    head, hello, *_ = profiles[index].split("[[profiles.loads]]")
    hello = hello.replace("models =", 'servers = ["netty"]\nmodels =')
    hello = hello.replace("= 3\n", "= 1\n").replace("= 5\n", "= 2\n")
    head = head.replace("budget_s = 600", f"budget_s = {budget_s}")
    profiles[index] = f"{head}[[profiles.loads]]{hello.rstrip()}\n\n"
    file.write_text("[[profiles]]".join(profiles), encoding="utf-8")
    github.commit("shorten")


def git(*arguments: str) -> str:
    """What git prints."""
    done = subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.stderr.write(done.stderr)
    done.check_returncode()
    return done.stdout.strip()
