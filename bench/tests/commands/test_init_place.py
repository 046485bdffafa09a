"""`springbench init --workflow` looks at what origin has on the history branch, and says it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from springbench.commands import init
from springbench.history.push import push_run, push_site
from springbench.history.remote import Remote
from springbench.host.shell import RealShell
from springbench.matrix.rows import Matrix
from tests.conftest import Cli
from tests.history.histories import published
from tests.history.remotes import git, make_bare
from tests.repositories import Repository

pytestmark = pytest.mark.process
SHELL = RealShell()
GITHUB = "https://github.com/octo/orders.git"


@pytest.fixture
def origin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The repository that is asked where a project says that it comes from GitHub."""
    bare = make_bare(tmp_path / "origin.git")
    config = tmp_path / "gitconfig"
    config.write_text(f'[url "{bare.as_uri()}"]\n\tinsteadOf = {GITHUB}\n', encoding="utf-8")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    # git itself would say the address that it asks instead
    monkeypatch.setattr(init, "remote_address", lambda *_: GITHUB)
    return bare


def begun(folder: Path, cli: Cli, address: str | None = GITHUB) -> tuple[str, Any]:
    """The line that `init` says of the history branch, and the folder that all workflows have."""
    project = Repository.create(folder / "project")
    if address:
        project.git("remote", "add", "origin", address)
    options = ("--command", "./serve --port {port}", "--route", "/", "--build", "make")
    code, out, err = cli("init", project.root, *options, "--workflow", "a/springbench@v1")
    assert code == 0, err
    workflows = sorted((project.root / ".github/workflows").iterdir())
    paths = []
    for file in workflows:
        [job] = yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"].values()
        paths.append(job.get("with", {}).get("path"))
    assert len(paths) == 3
    [path] = set(paths)
    return out.splitlines()[1], path


def site(origin: Path, folder: Path, *names: str) -> None:
    """Push files of somebody's own site to gh-pages."""
    repository = Repository.create(folder)
    repository.git("checkout", "--quiet", "--orphan", "gh-pages")
    repository.commit(dict.fromkeys(names, "theirs"))
    repository.git("push", "--quiet", str(origin), "gh-pages")


def test_a_branch_that_is_not_there_is_made_later(origin: Path, tmp_path: Path, cli: Cli) -> None:
    message, path = begun(tmp_path, cli)
    assert message == (
        "branch gh-pages of origin: there is none yet; the first push that is measured makes it"
    )
    assert path is None
    # it was asked, and nothing else
    assert git("-C", origin, "for-each-ref") == ""


def test_a_branch_with_other_files_gets_a_folder_in_each_workflow(
    origin: Path, tmp_path: Path, cli: Cli
) -> None:
    site(origin, tmp_path / "site", "CNAME", "docs/a.html", "javadoc/b.html", "index.html")
    message, path = begun(tmp_path, cli)
    assert message == (
        "branch gh-pages of origin holds other files (CNAME, docs/, index.html, javadoc/), which "
        "stay as they are: springbench writes below springbench/ alone (`path: springbench` in "
        "each workflow). The dashboard: https://octo.github.io/orders/springbench/"
    )
    assert path == "springbench"
    assert git("-C", origin, "rev-list", "--count", "gh-pages").strip() == "1"


@pytest.mark.parametrize("path", ["", "springbench", "bench"])
def test_a_history_that_is_there_is_gone_on_with(
    origin: Path, tmp_path: Path, cli: Cli, matrix: Matrix, path: str
) -> None:
    if path:
        site(origin, tmp_path / "site", "index.html")
    push_run(SHELL, Remote(origin.as_uri(), path=path), published(matrix, 1))
    message, found = begun(tmp_path, cli)
    assert found == (path or None)
    assert ("springbench's own" in message) == (path == "")


def test_workflows_of_a_service_in_a_folder_lie_where_github_reads_them(
    origin: Path, tmp_path: Path, cli: Cli
) -> None:
    project = Repository.create(tmp_path / "project")
    project.git("remote", "add", "origin", GITHUB)
    folder = project.root / "services" / "orders"
    folder.mkdir(parents=True)
    options = ("--command", "./serve --port {port}", "--route", "/", "--build", "make")
    code, _, err = cli("init", folder, *options, "--workflow", "a/springbench@v1")
    assert code == 0, err
    assert (folder / "springbench.toml").is_file()
    assert not (folder / ".github").exists()
    for name in ("benchmark", "benchmark-confirm"):
        text = (project.root / f".github/workflows/{name}.yml").read_text(encoding="utf-8")
        [job] = yaml.safe_load(text)["jobs"].values()
        assert job["with"] == {"folder": "services/orders", "build": "make"}


def test_a_folder_of_that_name_is_not_taken(origin: Path, tmp_path: Path, cli: Cli) -> None:
    site(
        origin,
        tmp_path / "site",
        "springbench/index.html",
        "springbench-2",
        "data/x/springbench.json",
    )
    assert begun(tmp_path, cli)[1] == "springbench-3"


def test_links_and_what_is_no_manifest_are_other_files(
    origin: Path, tmp_path: Path, cli: Cli
) -> None:
    repository = Repository.create(tmp_path / "site")
    repository.git("checkout", "--quiet", "--orphan", "gh-pages")
    (repository.root / "data").symlink_to("/home")
    repository.commit({"springbench.json": "not ours"})
    repository.git("push", "--quiet", str(origin), "gh-pages")
    assert begun(tmp_path, cli)[1] == "springbench"


@pytest.mark.parametrize("address", [None, "nowhere.git", "http://localhost:9/x.git"])
def test_an_origin_that_cannot_be_asked_is_no_failure(
    tmp_path: Path, cli: Cli, address: str | None
) -> None:
    message, path = begun(tmp_path, cli, address)
    assert message.startswith("could not look at branch gh-pages of origin (")
    assert message.endswith("until each workflow has `path: springbench` below `with:`")
    assert path is None


def test_an_origin_that_never_answers_is_waited_for_a_little(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(init, "TIMEOUT_S", 0.5)
    # it would have asked about the host, or for a passphrase
    script = tmp_path / "ssh"
    script.write_text(f'#!/bin/sh\necho "$@" >{tmp_path}/asked\nexec cat >/dev/null\n')
    script.chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(script))
    begin_s = time.monotonic()
    message, path = begun(tmp_path, cli, "git@example.invalid:octo/orders.git")
    assert time.monotonic() - begin_s < 15
    assert "no end after" in message
    assert path is None
    assert "-o BatchMode=yes" in (tmp_path / "asked").read_text()


def test_a_dashboard_alone_is_springbench_s_own(origin: Path, tmp_path: Path, cli: Cli) -> None:
    push_site(SHELL, Remote(origin.as_uri()), {"index.html": b""})
    assert begun(tmp_path, cli)[1] is None
