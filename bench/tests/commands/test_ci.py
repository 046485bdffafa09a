"""`springbench ci`: what each step asks of springbench, and what it keeps, publishes and says."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
import typer

from springbench.commands import ci
from springbench.errors import ConfigurationError, ExitCode
from tests.conftest import Cli

ADDRESS = "https://github.com/octo/bench"


class Calls:
    """Commands that steps have called, without being run; their codes or mistakes are `ends`."""

    def __init__(self) -> None:
        self.commands: list[list[str]] = []
        self.ends: dict[str, int | Exception] = {}
        self.then: Callable[[], object] = lambda: None

    def run(self, _: typer.Context, arguments: list[str]) -> int:
        self.commands.append(arguments)
        self.then()
        end = next((end for word, end in self.ends.items() if word in arguments), 0)
        if isinstance(end, Exception):
            raise end
        return end

    @property
    def only(self) -> list[str]:
        """The one command."""
        [found] = self.commands
        return found


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    recorder = Calls()
    monkeypatch.setattr(ci, "_run", recorder.run)
    return recorder


@pytest.fixture
def summary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A step in an empty folder; the page of what it says."""
    monkeypatch.chdir(tmp_path)
    texts = {
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_REPOSITORY": "octo/bench",
        "GITHUB_RUN_ID": "17",
        "GITHUB_SHA": "HEAD",
        "GITHUB_EVENT_PATH": "e.json",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
        "GITHUB_OUTPUT": str(tmp_path / "outputs"),
        # set by steps themselves, and taken back after the test
        **dict.fromkeys(("GIT_CONFIG_COUNT", "GIT_TERMINAL_PROMPT"), "0"),
        **{
            f"GIT_{role}_{part}": "x"
            for role in ("AUTHOR", "COMMITTER")
            for part in ("NAME", "EMAIL")
        },
    }
    for name, text in texts.items():
        monkeypatch.setenv(name, text)
    return tmp_path / "summary"


@pytest.fixture
def asks(monkeypatch: pytest.MonkeyPatch, summary: Path) -> Callable[..., None]:
    """Say what the job was asked for: inputs by name, and the repository's variables."""

    def ask(variables: dict[str, str] | None = None, event: str = "push", **inputs: object) -> None:
        options = {name.replace("_", "-"): value for name, value in inputs.items()}
        monkeypatch.setenv("SPRINGBENCH_INPUTS", json.dumps(options))
        monkeypatch.setenv("SPRINGBENCH_VARS", json.dumps(variables or {}))
        monkeypatch.setenv("GITHUB_EVENT_NAME", event)

    assert summary
    ask()
    return ask


Asks = Callable[..., None]


def leave(folder: Path, name: str, text: str = "{}") -> None:
    """A file of a result."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")


# --- plan ---


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"head": "feature"}, "head is set and base is not"),
        ({"base": "v1", "forks": "3"}, "leave them empty with base"),
        ({"base": "v1", "duration": "3"}, "leave them empty with base"),
    ],
)
def test_what_a_comparison_cannot_take_is_refused_in_the_summary(
    cli: Cli, asks: Asks, summary: Path, calls: Calls, inputs: dict[str, str], message: str
) -> None:
    asks(**inputs)
    code, _, err = cli("ci", "plan")
    assert (code, calls.commands) == (2, [])
    assert message in err
    assert message in summary.read_text(encoding="utf-8")


def test_an_input_is_the_option_of_its_name_and_nothing_in_it_is_run_or_split(
    cli: Cli, asks: Asks, calls: Calls
) -> None:
    asks(
        profile="$(touch here)",
        only="*-netty-*  /etc/*\n`id` ;ls",
        connections="1; rm -rf .",
        forks="",
        publish=True,  # no option of it
        runner="a, b",
    )
    assert cli("ci", "plan")[0] == 0
    assert calls.only[:2] == ["plan", "--github"]
    assert sorted(calls.only[2:]) == sorted(
        [
            "--profile=$(touch here)",
            "--connections=1; rm -rf .",
            *("--only=*-netty-*", "--only=/etc/*", "--only=`id`", "--only=;ls"),
            "--runner-labels=a, b",
        ]
    )


@pytest.mark.parametrize(
    ("event", "variable", "profile"),
    [
        ("push", "", "commit"),
        ("push", "quick", "quick"),
        ("schedule", "quick", "nightly"),
        ("workflow_dispatch", "", "commit"),
    ],
)
def test_the_event_says_the_profile_where_nobody_does(
    cli: Cli, asks: Asks, calls: Calls, event: str, variable: str, profile: str
) -> None:
    asks({"SPRINGBENCH_COMMIT_PROFILE": variable}, event)
    cli("ci", "plan")
    # what is measured in turn over the week
    today = f"--weekday={datetime.now(UTC):%A}".lower()
    days = [today] if event == "schedule" else []
    assert calls.only == ["plan", "--github", *days, f"--profile={profile}"]
    asks({"SPRINGBENCH_COMMIT_PROFILE": variable}, event, profile="smoke")
    cli("ci", "plan")
    assert calls.commands[-1] == ["plan", "--github", *days, "--profile=smoke"]


@pytest.mark.parametrize(("value", "spread"), [("true", True), ("", False), ("--spread", False)])
def test_spread_is_a_flag_and_nothing_else(
    cli: Cli, asks: Asks, calls: Calls, value: str, spread: bool
) -> None:
    asks({"SPRINGBENCH_SPREAD": value})
    cli("ci", "plan")
    assert ("--spread" in calls.only) is spread


def test_a_profile_that_a_variable_names_wrongly_is_one_line_with_its_name(
    cli: Cli, asks: Asks
) -> None:
    asks({"SPRINGBENCH_COMMIT_PROFILE": "comit"})
    code, out, err = cli("ci", "plan")
    message = (
        "SPRINGBENCH_COMMIT_PROFILE: --profile 'comit': no such profile; allowed: smoke, quick, "
    )
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].startswith(f"springbench: {message}")
    asks(profile="comit")
    assert "springbench: --profile 'comit'" in cli("ci", "plan")[2]


def test_a_bad_value_is_the_line_of_the_command(cli: Cli, asks: Asks, summary: Path) -> None:
    asks(forks="$(touch /tmp/x)")
    code, _, err = cli("ci", "plan")
    assert code == 2
    assert "should be a valid integer" in err
    assert "should be a valid integer" in summary.read_text(encoding="utf-8")


def test_confirmations_are_of_the_history_of_this_repository(
    cli: Cli, asks: Asks, calls: Calls
) -> None:
    variables = {"SPRINGBENCH_CONFIRM_MINUTES": "9", "SPRINGBENCH_SPREAD": "true"}
    asks(variables)
    cli("ci", "confirmations")
    asks(variables, minutes="$(id) 5", runner="a, b")
    cli("ci", "confirmations")
    arguments = ["confirmations", "--github", f"--remote={ADDRESS}"]
    assert calls.commands == [
        [*arguments, "--daily-minutes=9", "--spread"],
        [*arguments, "--daily-minutes=$(id) 5", "--runner-labels=a, b", "--spread"],
    ]


def test_a_commit_is_no_option_and_the_token_no_argument(
    cli: Cli, asks: Asks, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_SHA", "--remote=elsewhere")
    monkeypatch.setenv("GITHUB_TOKEN", "s3cret")
    asks(path="bench", branch="pages")
    _, out, _ = cli("ci", "base", "--service", "orders")
    assert calls.only == [
        *("base", f"--remote={ADDRESS}", "--branch=pages", "--path=bench", "--service", "orders"),
        *("--", "--remote=elsewhere"),
    ]
    assert out.startswith("::add-mask::")
    assert "s3cret" not in out


# --- measurements ---


def test_a_shard_is_measured_and_shown_whatever_became_of_it(
    cli: Cli, asks: Asks, calls: Calls, tmp_path: Path
) -> None:
    asks(
        shard="pay",
        profile="quick",
        cases="a/b/1 c/*",
        matrix="own/matrix.toml",
        options=json.dumps({"profile": "other", "only": "x", "forks": "2", "publish": True}),
    )
    calls.ends["run"] = int(ExitCode.CASES_FAILED)
    calls.then = lambda: leave(tmp_path / "results/gh-17-pay", "run.json")
    assert cli("ci", "measure", "--jars", "jars")[0] == ExitCode.CASES_FAILED
    run, report = calls.commands
    assert run[:5] == ["run", "--keep-going", "--prepare-host", "--wait=3600", "--id=gh-17-pay"]
    assert set(run[5:-2]) == {
        *("--profile=quick", "--only=a/b/1", "--only=c/*", "--forks=2"),
        "--matrix=caller/own/matrix.toml",
    }
    assert run[-2:] == ["--jars", "jars"]
    assert report == ["report", "--format=summary", "--", "results/gh-17-pay"]


def test_a_run_that_ends_with_a_mistake_is_shown_too(
    cli: Cli, asks: Asks, calls: Calls, tmp_path: Path
) -> None:
    asks(shard="pay")
    calls.ends["run"] = ConfigurationError("no such thing")
    assert cli("ci", "measure")[0] == 2
    assert [command[0] for command in calls.commands] == ["run"]
    leave(tmp_path / "results/gh-17-pay", "run.json")
    assert cli("ci", "measure")[0] == 2
    assert [command[0] for command in calls.commands] == ["run", "run", "report"]


def test_what_is_prepared_is_named_by_the_same_cases(cli: Cli, asks: Asks, calls: Calls) -> None:
    asks(shard="pay", cases="a b", connections="8", matrix="m.toml")
    cli("ci", "prepared-key")
    assert calls.only[:2] == ["plan", "--prepared-key"]
    assert set(calls.only[2:]) == {
        *("--only=a", "--only=b", "--connections=8", "--matrix=caller/m.toml"),
    }


def test_a_comparison_ends_with_its_code(cli: Cli, asks: Asks, calls: Calls) -> None:
    asks(
        base="-no-ref",
        head="$(id)",
        budget="60",
        fail_on="regression",
        options=json.dumps({"cases": "a b", "force": True, "base": "other"}),
    )
    calls.ends["compare"] = int(ExitCode.REGRESSION)
    assert cli("ci", "compare")[0] == ExitCode.REGRESSION
    assert calls.only[:4] == ["compare", "--prepare-host", "--wait=3600", "--results=results"]
    assert set(calls.only[4:-3]) == {
        *("--budget=60", "--fail-on=regression", "--only=a", "--only=b"),
    }
    assert calls.only[-3:] == ["--", "-no-ref", "$(id)"]


@pytest.mark.process
def test_a_ref_that_is_none_is_said_in_the_summary(cli: Cli, asks: Asks, summary: Path) -> None:
    asks(base="-no-ref", head="HEAD")
    code, _, err = cli("ci", "compare")
    assert code == 2
    assert "'-no-ref' is no run folder" in err
    assert "'-no-ref' is no run folder" in summary.read_text(encoding="utf-8")


def test_what_a_bisection_says_is_its_summary_and_ends_no_block(
    cli: Cli, asks: Asks, calls: Calls, summary: Path
) -> None:
    asks(
        name="1",
        good="-x",
        bad="$(id)",
        case="a/b/1 `id`",
        metric="cpu per request",
        profile="pr",
        budget="1800",
    )
    calls.ends["bisect"] = int(ExitCode.CASES_FAILED)
    calls.then = lambda: typer.echo("```\n<b>not found")
    code, out, _ = cli("ci", "bisect")
    assert code == ExitCode.CASES_FAILED
    assert calls.only[:4] == ["bisect", "--prepare-host", "--wait=3600", "--results=results"]
    assert set(calls.only[4:-3]) == {
        *("--case=a/b/1 `id`", "--metric=cpu per request", "--profile=pr", "--budget=1800"),
    }
    assert calls.only[-3:] == ["--", "-x", "$(id)"]
    assert "not found" in out
    lines = summary.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if "`" in line or "<" in line] == ["    ```", "    <b>not found"]


def test_releases_go_on_with_the_history_and_looking_measures_nothing(
    cli: Cli, asks: Asks, calls: Calls
) -> None:
    variables = {"SPRINGBENCH_RUNNER": "a,b"}
    asks(variables, minutes="30", rounds="2", only="*-virtual-*  a", releases="$(id) 3.5.16")
    cli("ci", "releases")
    assert calls.only[:4] == [
        *("releases", "--prepare-host", "--wait=3600", "--history=results/releases"),
    ]
    assert {"--rounds=2", "--confirm-minutes=30", "--only=*-virtual-*", "--only=a"} < {*calls.only}
    assert calls.only[-3:] == ["--", "$(id)", "3.5.16"]
    asks({**variables, "SPRINGBENCH_RELEASES": "4.1.0.."})
    cli("ci", "releases", "--list")
    assert calls.commands[-1] == [
        *("releases", "--list", "--history=results/releases", "--runner-labels=a,b"),
        *("--", "4.1.0.."),
    ]
    asks()
    cli("ci", "releases", "--list")
    assert calls.commands[-1][-2:] == ["--", "4.0.0.."]


# --- what is left of a measurement ---


def test_what_a_comparison_was_killed_over_is_kept(
    cli: Cli, asks: Asks, summary: Path, tmp_path: Path
) -> None:
    asks(folder="orders")
    results = tmp_path / "orders/results"
    for day in ("20261121T090000Z", "20261122T090000Z"):
        leave(results / f"{day}-compare-pr", "comparison.json", day)
    leave(results, "20261121T090000Z-compare-pr.md", "# all quiet\n")
    assert cli("ci", "collect", "comparison")[0] == 0
    content = (tmp_path / "orders/report/comparison.json").read_text(encoding="utf-8")
    assert content == "20261122T090000Z"
    assert "ended before it was done" in summary.read_text(encoding="utf-8")


def test_a_comparison_that_ended_is_shown_with_its_flame_graphs(
    cli: Cli, asks: Asks, summary: Path, tmp_path: Path
) -> None:
    asks()
    leave(tmp_path / "results/1-compare-pr", "comparison.json")
    leave(tmp_path / "results/1-compare-pr/flame-graphs", "a-cpu.html", "<html>")
    leave(tmp_path / "results", "1-compare-pr.md", "# all quiet\n")
    assert cli("ci", "collect", "comparison")[0] == 0
    assert summary.read_text(encoding="utf-8") == "# all quiet\n"
    assert (tmp_path / "report/flame-graphs/a-cpu.html").is_file()


@pytest.mark.parametrize("what", ["comparison", "bisection"])
def test_where_nothing_was_compared_nothing_is_kept(
    cli: Cli, asks: Asks, what: str, tmp_path: Path
) -> None:
    asks()
    assert cli("ci", "collect", what)[0] == 0
    assert not (tmp_path / "report").exists()


def test_each_comparison_of_a_bisection_is_kept_however_deep_it_lies(
    cli: Cli, asks: Asks, tmp_path: Path
) -> None:
    asks()
    for name in ("bisect/ends", "bisect/step-1", "other"):
        leave(tmp_path / "results" / name, "comparison.json", name)
    assert cli("ci", "collect", "bisection")[:2] == (0, "3 comparisons made\n")
    contents = [
        path.read_text() for path in sorted((tmp_path / "report").glob("*/comparison.json"))
    ]
    assert contents == ["bisect/ends", "bisect/step-1", "other"]


def test_runs_and_comparisons_of_releases_are_kept_and_links_are_not(
    cli: Cli, asks: Asks, tmp_path: Path
) -> None:
    asks()
    releases = tmp_path / "results" / "releases"
    for name in ("runs/4.0.1-a-1", "runs/4.0.2-b-1"):
        leave(releases / name, "run.json", name)
    for name in ("comparisons/push/x", "comparisons/confirm/y"):
        leave(releases / name, "comparison.json", name)
    (releases / "runs" / "latest").symlink_to("4.0.2-b-1")
    (releases / "runs" / "4.0.3-c-1").mkdir()
    assert cli("ci", "collect", "releases")[:2] == (0, "4 files of results\n")
    paths = [path.relative_to(tmp_path / "report") for path in tmp_path.glob("report/**/*.json")]
    assert sorted(map(str, paths)) == [
        "comparisons/confirm/y/comparison.json",
        "comparisons/push/x/comparison.json",
        "runs/4.0.1-a-1/run.json",
        "runs/4.0.2-b-1/run.json",
    ]


def test_what_is_collected_has_a_name(cli: Cli, asks: Asks) -> None:
    asks()
    code, _, err = cli("ci", "collect", "all")
    assert (code, "allowed: comparison, bisection, releases" in err) == (2, True)


# --- publications ---

PUBLISH = ["publish", f"--push={ADDRESS}", f"--url={ADDRESS}/actions/runs/17"]


def test_shards_are_published_as_one_run(
    cli: Cli, asks: Asks, calls: Calls, tmp_path: Path
) -> None:
    for name in ("run-hello", "run-a pay", "other"):
        leave(tmp_path / "artifacts" / name, "run.json")
    asks(shards="3", options=json.dumps({"force": True, "branch": "pages", "path": "bench"}))
    assert cli("ci", "publish")[0] == 0
    assert calls.only[:4] == [*PUBLISH, "--id=gh-17"]
    assert set(calls.only[4:-3]) == {"--shards=3", "--force", "--branch=pages", "--path=bench"}
    assert calls.only[-3:] == ["--", "artifacts/run-a pay", "artifacts/run-hello"]


def test_the_run_of_a_service_has_its_name(
    cli: Cli, asks: Asks, calls: Calls, tmp_path: Path
) -> None:
    leave(tmp_path / "artifacts/run-orders-01234567", "run.json")
    asks(shards="1", name="orders-01234567")
    cli("ci", "publish")
    assert "--id=gh-17-orders-01234567" in calls.only


def test_each_comparison_is_published_with_its_purpose(
    cli: Cli, asks: Asks, calls: Calls, tmp_path: Path
) -> None:
    for name in ("confirmation-1", "confirmation-2/deep er", "bisection-1/1", "bisection-1/2"):
        leave(tmp_path / "artifacts" / name, "comparison.json")
    (tmp_path / "artifacts/bisection-1/comparison.json").symlink_to("/etc/hostname")
    asks(expected="2")
    assert cli("ci", "publish")[0] == 0
    assert calls.commands == [
        [*PUBLISH, "--comparison=artifacts/confirmation-1", "--purpose=confirm"],
        [*PUBLISH, "--comparison=artifacts/confirmation-2/deep er", "--purpose=confirm"],
        [
            *PUBLISH,
            *("--comparison=artifacts/bisection-1/1", "--comparison=artifacts/bisection-1/2"),
            "--purpose=bisect",
        ],
    ]


@pytest.mark.parametrize(("expected", "complains"), [("1", False), ("2", True), ("", False)])
def test_a_job_that_left_none_is_said_and_costs_the_others_nothing(
    cli: Cli, asks: Asks, calls: Calls, tmp_path: Path, expected: str, complains: bool
) -> None:
    leave(tmp_path / "artifacts/confirmation-1", "comparison.json")
    leave(tmp_path / "artifacts/bisection-1/1", "comparison.json")
    asks(expected=expected)
    code, out, _ = cli("ci", "publish")
    assert (code, len(calls.commands)) == (0, 2)
    assert ("1 of 2 comparisons left a result" in out) == complains


def test_a_release_that_is_refused_costs_the_others_nothing(
    cli: Cli, asks: Asks, calls: Calls, summary: Path, tmp_path: Path
) -> None:
    releases = tmp_path / "artifacts/releases"
    for name in ("4.0.1-a-1", "4.0.2-b-1", "4.0.3-c-1"):
        leave(releases / "runs" / name, "run.json")
    leave(releases / "comparisons/push/x", "comparison.json")
    asks()
    refused = ConfigurationError("of another host")
    calls.ends = {
        "artifacts/releases/runs/4.0.1-a-1": refused,
        "artifacts/releases/runs/4.0.2-b-1": 2,
    }
    assert cli("ci", "publish")[0] == 2
    assert [command[3:] for command in calls.commands] == [
        ["--", "artifacts/releases/runs/4.0.1-a-1"],
        ["--", "artifacts/releases/runs/4.0.2-b-1"],
        ["--", "artifacts/releases/runs/4.0.3-c-1"],
        ["--comparison=artifacts/releases/comparisons/push/x", "--purpose=push"],
    ]
    assert "of another host" in summary.read_text(encoding="utf-8")


def test_a_dashboard_is_deployed(cli: Cli, asks: Asks, calls: Calls, tmp_path: Path) -> None:
    leave(tmp_path / "artifacts/site-01234567", "index.html")
    asks(branch="pages", path="bench")
    cli("ci", "publish")
    assert calls.only == [
        *("deploy", f"--push={ADDRESS}", "--branch=pages", "--path=bench"),
        *("--", "artifacts/site-01234567"),
    ]


def test_where_nothing_was_measured_it_is_said_and_nothing_fails(
    cli: Cli, asks: Asks, calls: Calls, summary: Path
) -> None:
    asks(shards="1")
    assert cli("ci", "publish")[0] == 0
    assert calls.commands == []
    assert "nothing to publish" in summary.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("variables", "inputs", "linked"),
    [
        ({}, {}, "https://octo.github.io/bench/"),
        ({}, {"path": "docs"}, "https://octo.github.io/bench/docs/"),
        ({"SPRINGBENCH_SITE": "https://b.example/"}, {"path": "docs"}, "https://b.example/"),
    ],
)
def test_regressions_and_comments_link_the_dashboard(
    cli: Cli,
    asks: Asks,
    calls: Calls,
    variables: dict[str, str],
    inputs: dict[str, str],
    linked: str,
) -> None:
    asks(variables, **inputs)
    cli("ci", "alert")
    cli("ci", "comment", "reports", "--by-service")
    alert, comment = calls.commands
    assert alert[:2] == ["alert", f"--remote={ADDRESS}"]
    assert f"--site={linked}" in alert
    assert f"--site={linked}" in comment


def test_the_event_and_not_the_report_names_the_pull_request(
    cli: Cli, asks: Asks, calls: Calls, tmp_path: Path
) -> None:
    asks()
    page = "https://github.example/artifacts/1"
    event, site = "--event=e.json", "--site=https://octo.github.io/bench/"
    leave(tmp_path / "report", "comparison.json")
    cli("ci", "comment", "report", "--page", page)
    cli("ci", "comment", "nothing", "--page", "")
    cli("ci", "comment", "services", "--by-service")
    failed = "--failed=compare"
    assert calls.commands == [
        ["comment", event, site, "--page", page, "--", "report"],
        ["comment", event, failed, site, "--page", "", "--", "nothing/none"],
        ["comment", event, "--by-service", failed, site, "--", "services"],
    ]


@pytest.mark.process
def test_a_comparison_becomes_a_page(cli: Cli, asks: Asks, calls: Calls, tmp_path: Path) -> None:
    asks()
    leave(tmp_path / "site", "build.sh", "echo built\n")
    leave(tmp_path / "comparison", "comparison.json")
    calls.then = lambda: leave(tmp_path / "page", "report.html")
    assert cli("ci", "page", "comparison")[0] == 0
    assert calls.only == [
        *("report", "--format=page", "--output=page/report.html"),
        *("--", "comparison/comparison.json"),
    ]
    assert (tmp_path / "page/report.html").is_file()


@pytest.mark.process
def test_one_that_cannot_be_shown_fails_nothing_and_is_said(
    cli: Cli, asks: Asks, calls: Calls, summary: Path, tmp_path: Path
) -> None:
    asks()
    leave(tmp_path / "site", "build.sh", "echo built\n")
    leave(tmp_path / "comparison", "comparison.json")
    calls.then = lambda: leave(tmp_path / "page", "report.html")
    calls.ends["report"] = ConfigurationError("of sides that are no commits")
    assert cli("ci", "page", "comparison")[0] == 0
    assert list((tmp_path / "page").iterdir()) == []
    assert "this comparison has no page" in summary.read_text(encoding="utf-8")


def test_without_a_comparison_no_page_is_built(
    cli: Cli, asks: Asks, calls: Calls, tmp_path: Path
) -> None:
    asks()
    (tmp_path / "comparison").mkdir()
    (tmp_path / "comparison/comparison.json").symlink_to("/etc/hostname")
    assert "nothing was compared" in cli("ci", "page", "comparison")[1]
    assert calls.commands == []
