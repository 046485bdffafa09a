"""Two services in one repository: nothing of one takes the place of the other's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from springbench.history.files import MANIFEST, Folder, save
from springbench.results.comparison import Comparison
from springbench.results.manifest import MANIFEST_SCHEMA_VERSION, Manifest
from springbench.results.run import Run
from tests.recorded import recorded_comparison, recorded_run, swapped, write_recording
from tests.recordings.record import FAST, SLOW
from tests.services.fake_github import BOT, fake_github
from tests.workflows.local_github import END_TO_END, Ended, git
from tests.workflows.local_service import BUILD, SPRINGBENCH, LocalService
from tests.workflows.test_pull_requests import OWNER, comment, opened

pytestmark = [*END_TO_END, pytest.mark.system]
NAMES = ("orders", "payments")
_JOB = """\
  {name}:
    permissions: {{ contents: write, statuses: read }}
    uses: {springbench}/.github/workflows/service.yml@v1
    with: {{ folder: {name}, build: '{build}', budget: '180' }}
"""


class TwoServices(LocalService):
    """`orders` and `payments`, measured by two jobs of one workflow."""

    def _first_files(self) -> None:
        super()._first_files()
        for name in NAMES:
            folder = self.work / name
            folder.mkdir()
            for file in ("serve.py", "springbench.toml"):
                text = (self.work / file).read_text(encoding="utf-8")
                (folder / file).write_text(text.replace('"orders"', f'"{name}"'), encoding="utf-8")
        for file in ("serve.py", "springbench.toml"):
            (self.work / file).unlink()
        workflow = self.work / ".github/workflows/benchmark.yml"
        head, jobs, _ = workflow.read_text(encoding="utf-8").partition("jobs:\n")
        job_texts = (_JOB.format(name=name, springbench=SPRINGBENCH, build=BUILD) for name in NAMES)
        workflow.write_text("".join([head, jobs, *job_texts]), encoding="utf-8")

    def show_dashboard(self) -> None:
        """As if it were built already: this is about its data."""
        work = ("-C", str(self.work))
        git(*work, "checkout", "--quiet", "--orphan", "pages")
        git(*work, "rm", "--quiet", "-r", "--force", "--cached", ".")
        (self.work / "version.txt").write_text("main\n", encoding="utf-8")
        save(Folder(self.work), MANIFEST, Manifest(schema=MANIFEST_SCHEMA_VERSION, files={}))
        git(*work, "add", "version.txt", MANIFEST)
        git(*work, "commit", "--quiet", "--message", "dashboard")
        git(*work, "push", "--quiet", str(self.origin), "HEAD:refs/heads/gh-pages")
        git(*work, "checkout", "--quiet", "--force", "main")

    def change(self, old: str, new: str) -> dict[str, str]:
        """Both servers with something else in them, by their files."""
        names = [f"{name}/serve.py" for name in NAMES]
        texts = ((self.work / name).read_text(encoding="utf-8") for name in names)
        return {name: text.replace(old, new) for name, text in zip(names, texts, strict=True)}


@pytest.fixture
def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TwoServices:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "")  # restored after the test
    two_services = TwoServices(tmp_path)
    two_services.show_dashboard()
    return two_services


def of_payments(recorded: Run | Comparison) -> Run | Comparison:
    """The same measurements, of the other service."""
    text = recorded.model_dump_json(by_alias=True).replace("app-orders-", "app-payments-")
    return type(recorded).model_validate_json(text)


def recording(folder: Path, run: str) -> Path:
    """A commit that makes `orders` slower and `payments` faster."""
    worse = recorded_comparison("orders-regression")
    better = of_payments(swapped(worse))
    assert isinstance(better, Comparison)
    both = worse.model_copy(update={"pairs": worse.pairs | better.pairs})
    runs = recorded_run(run), of_payments(recorded_run(run))
    return write_recording(folder, both, *runs)


def push(services: TwoServices, sha: str, run_id: str) -> Ended:
    services.run_id = run_id
    ended = services.run("push", "benchmark", {"after": sha, "ref": "refs/heads/main"})
    assert ended.ok, ended.excerpt
    return ended


def test_pushes_of_both_stand_in_one_history(services: TwoServices, tmp_path: Path) -> None:
    services.recording = recording(tmp_path / "recorded", "orders")
    first = git("-C", str(services.work), "rev-parse", "HEAD")
    push(services, first, "1")
    runs = [services.packed(name) for name in services.published("data/runs/")]
    assert sorted(run["id"].rpartition("-")[0] for run in runs) == ["gh-1-orders", "gh-1-payments"]
    push(services, first, "1")
    assert len(services.published("data/runs/")) == 2, "a re-run replaces its own"
    for name, text in services.change(FAST, SLOW).items():
        (services.work / name).write_text(text, encoding="utf-8")
    second = services.commit("change both")
    ended = push(services, second, "2")
    assert ended.log.count(f"{second[:12]} is compared with {first[:12]}") >= 2
    index = json.loads(services.history("data/index.json"))
    assert index["runs_total"] == 4
    assert sorted(index["runs"]["service"]) == [*["orders"] * 2, *["payments"] * 2]
    assert {row["server"] for row in index["cases"]} == set(NAMES)
    [latest] = [host_class["latest"] for host_class in index["classes"]]
    assert set(latest["sha"]) == {second[:12]}
    assert len(services.published("data/comparisons/")) == 2
    found = {(event["id"], event["affected_series"][0]["case"]) for event in index["events"]}
    assert found == {
        (f"regression-{second[:12]}-of-orders", "app-orders-own-command/hello/64"),
        (f"improvement-{second[:12]}-of-payments", "app-payments-own-command/hello/64"),
    }
    badges = services.published("data/badges/")
    assert {"data/badges/regressions-orders.svg", "data/badges/regressions-payments.svg"} < {
        *badges
    }
    assert "1 suspected" in services.history("data/badges/regressions-orders.svg")
    assert "none open" in services.history("data/badges/regressions-payments.svg")


def test_a_pull_request_gets_a_comment_of_each(services: TwoServices, tmp_path: Path) -> None:
    services.recording = recording(tmp_path / "recorded", "orders")
    proposal = services.propose(services.change(FAST, SLOW))
    with fake_github() as server:
        services.api = server.address
        ended = services.run("pull_request", "benchmark", opened(proposal, OWNER))
    assert ended.ok, ended.excerpt
    for attempt in (1, 2):
        with fake_github() as server:
            for _ in range(attempt):
                ended = comment(
                    services, server, proposal, OWNER, attempt, workflow="benchmark-comment"
                )
                assert ended.ok, ended.excerpt
            bodies = server.comments_by(BOT)
        assert len(bodies) == 2, "one for each, however often"
        worse, better = sorted(bodies, key=lambda body: "payments" in body)
        assert worse.splitlines()[1].startswith("## 🔴 springbench of `orders`: ")
        assert better.splitlines()[1].startswith("## 🟢 springbench of `payments`: ")
        assert "app-orders-own-command" not in better
