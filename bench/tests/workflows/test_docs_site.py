"""A service whose history branch holds a documentation site: not a byte of that changes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.conftest import Cli
from tests.recorded import RECORDINGS, recorded_comparison, recorded_run, write_recording
from tests.recordings.record import FAST, SLOW
from tests.repositories import Repository
from tests.workflows.events import push
from tests.workflows.local_github import END_TO_END, REPOSITORY, git
from tests.workflows.local_service import BUILD, SPRINGBENCH, LocalService

pytestmark = [*END_TO_END, pytest.mark.system]
DOCS = {
    "CNAME": "docs.example.org\n",
    ".gitattributes": "* text eol=crlf\n",
    "index.html": "<h1>Orders</h1>\n",
    "version.txt": "3.1\n",
    "docs/guide/index.html": "<h1>Guide</h1>\n",
    "javadoc/index-all.html": "<h1>Index</h1>\n",
    "benchmarks/data.js": "window.BENCHMARK_DATA = {}\n",
    "data/index.json": '{"pages": []}\n',
}


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LocalService:
    """A repository of a service whose gh-pages is somebody's documentation."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "")  # restored after the test
    local_service = LocalService(tmp_path)
    site = Repository.create(tmp_path / "site")
    site.git("checkout", "--quiet", "--orphan", "gh-pages")
    site.commit(DOCS)
    (site.root / "latest").symlink_to("docs")
    site.commit()
    site.git("push", "--quiet", str(local_service.origin), "gh-pages")
    local_service.recording = RECORDINGS / "orders.json.gz"
    return local_service


def theirs(service: LocalService) -> list[str]:
    """Mode, content and name of each file that does not lie below springbench/."""
    lines = git("-C", str(service.origin), "ls-tree", "-r", "gh-pages").splitlines()
    return [line for line in lines if "\tspringbench/" not in line]


def begin(service: LocalService, cli: Cli) -> None:
    """What a person does first, as `init` has it."""
    for file in (service.work / ".github/workflows").iterdir():
        file.unlink()
    git("-C", str(service.work), "remote", "set-url", "origin", f"https://github.com/{REPOSITORY}")
    code, out, err = cli(
        "init", service.work, "--workflow", f"{SPRINGBENCH}@v1", "--build", BUILD, "--yes"
    )
    assert code == 0, err
    assert "springbench writes below springbench/ alone" in out
    service.commit("benchmark")


def test_springbench_lives_below_its_folder(
    service: LocalService, cli: Cli, tmp_path: Path
) -> None:
    before = theirs(service)
    begin(service, cli)
    first = git("-C", str(service.work), "rev-parse", "HEAD")
    ended = service.run("push", "benchmark", push(first))
    assert ended.ok, ended.excerpt
    assert theirs(service) == before
    own_files = {name.removeprefix("springbench/") for name in service.published("springbench/")}
    page = service.history("springbench/index.html")
    assert {*re.findall(r'"\./(assets/[^"]+)"', page)} <= own_files
    assert {"index.html", "version.txt", "data/index.json", "springbench.json"} <= own_files
    assert json.loads(service.history("springbench/data/index.json"))["runs_total"] == 1
    # another version of springbench, and a push that is compared with the first
    workflow = service.springbench / ".github/workflows/service.yml"
    text = workflow.read_text(encoding="utf-8")
    text, count = re.subn(r"VERSION: \$\{\{ 'main' \}\}\n", "VERSION: later\n", text)
    assert count == 2
    workflow.write_text(text, encoding="utf-8")
    index = service.springbench / "site/index.html"
    shown = index.read_text(encoding="utf-8").replace("every commit", "each commit")
    index.write_text(shown, encoding="utf-8")
    git("-C", str(service.springbench), "commit", "--quiet", "--all", "--message", "later")
    served = service.work / "serve.py"
    served.write_text(served.read_text(encoding="utf-8").replace(FAST, SLOW), encoding="utf-8")
    slower = service.commit("slower")
    parts = recorded_run("orders-slow"), recorded_comparison("orders-regression")
    service.recording = write_recording(tmp_path / "slower", *parts)
    service.run_id = "2"
    ended = service.run("push", "benchmark", push(slower))
    assert ended.ok, ended.excerpt
    assert f"{slower[:12]} is compared with {first[:12]}" in ended.log
    assert theirs(service) == before
    assert service.history("springbench/version.txt") == "later"
    assert "each commit" in service.history("springbench/index.html")
    assert len(service.published("springbench/data/comparisons/")) == 1
    assert json.loads(service.history("springbench/data/index.json"))["runs_total"] == 2


def test_without_a_folder_the_job_fails_and_says_what_to_do(service: LocalService) -> None:
    tip = git("-C", str(service.origin), "rev-parse", "gh-pages")
    ended = service.run(
        "push", "benchmark", push(git("-C", str(service.work), "rev-parse", "HEAD"))
    )
    assert not ended.ok
    assert git("-C", str(service.origin), "rev-parse", "gh-pages") == tip
    [*lines] = [line for line in ended.log.splitlines() if "springbench: branch gh-pages" in line]
    assert len(lines) == 2  # of publish and of deploy
    for line in lines:
        assert "holds files that springbench did not write: .gitattributes, CNAME, " in line
        assert "Nothing was changed. Let it write below a folder of its own: " in line
        assert "(in a workflow `path: springbench`)" in line
