"""`springbench alert` against a GitHub on this host: one issue an event, whatever happens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import tenacity

from springbench.history.events import write_acknowledged
from springbench.history.files import ACKNOWLEDGED, INDEX, Folder, event_chart_path
from springbench.results.acknowledged import Acknowledged
from springbench.results.events import Acknowledgement, Event, LastMeasured
from tests.conftest import Cli
from tests.services.fake_github import BOT, REPO, STRANGER, TOKEN, FakeGitHub, Fault, fake_github
from tests.suspected import affected, commit, event, index_of

pytestmark = pytest.mark.process

LABEL = "performance-regression"
Alert = Callable[..., tuple[int, str, str]]


@pytest.fixture
def github(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeGitHub]:
    with fake_github() as state:
        monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
        monkeypatch.setenv("GITHUB_API_URL", state.address)
        monkeypatch.setenv("GITHUB_REPOSITORY", REPO)
        monkeypatch.setattr(tenacity, "wait_random_exponential", _no_wait)
        yield state


def _no_wait(**_: float) -> Callable[[Any], float]:
    return lambda _: 0.0


@pytest.fixture
def alert(tmp_path: Path, cli: Cli) -> Alert:
    """The command, over a history that has these events."""

    def call(*events: Event, options: tuple[str, ...] = ()) -> tuple[int, str, str]:
        folder = tmp_path / "history"
        Folder(folder).write(INDEX, index_of(*events))
        return cli("alert", "--history", folder, *options)

    return call


def confirmed(after: int = 5, ratio: float = 1.08, **fields: object) -> Event:
    about = event(affected(ratio), before=after - 1, after=after)
    return about.model_copy(update={"state": "confirmed", **fields})


def returned(after: int = 8) -> Event:
    about = event(affected(0.92), before=after - 1, after=after, direction="improvement")
    return about.model_copy(update={"state": "confirmed", "id": f"improvement-{commit(after).sha}"})


def fixed() -> tuple[Event, Event]:
    by = returned()
    return confirmed(state="fixed", fixed_by=by.id), by


def test_a_confirmed_regression_gets_one_issue_however_often_it_is_reported(
    github: FakeGitHub, alert: Alert
) -> None:
    code, out, _ = alert(confirmed())
    assert (code, "opened #1 for regression-000000000005" in out) == (0, True)
    [issue] = github.issues.all
    assert issue["labels"] == [{"name": LABEL}]
    assert list(github.issues.labels) == [LABEL]
    assert issue["title"] == "Regression: one case: CPU per request +8 % since 000000000005"
    assert "Culprit:" in issue["body"]
    before = len(github.requests)
    code, out, _ = alert(confirmed())
    assert (code, "nothing to do" in out, len(github.issues.all)) == (0, True, 1)
    # and nothing is edited that says the same
    assert all(line.startswith(("GET", "POST /graphql")) for line in github.requests[before:])


def test_only_confirmed_regressions_are_reported(github: FakeGitHub, alert: Alert) -> None:
    alert(event(), returned(), confirmed(7, state="rejected"), confirmed(8, state="fixed"))
    assert github.issues.all == []


def test_an_issue_follows_its_event(github: FakeGitHub, alert: Alert) -> None:
    alert(confirmed())
    _, out, _ = alert(confirmed(ratio=1.12))
    [issue] = github.issues.all
    assert ("updated #1" in out, "+12 %" in issue["title"], "+12 %" in issue["body"]) == (
        True,
        True,
        True,
    )
    assert issue["thread"] == []


def test_what_is_no_longer_measured_closes_with_its_last_values_and_fails_nothing(
    github: FakeGitHub, alert: Alert
) -> None:
    alert(confirmed())
    last = LastMeasured(run="gh-7", sha="0123", time="2026-03-01T10:00:00Z", state="confirmed")
    ended = confirmed(state="unmeasured", last_measured=last)
    code, out, _ = alert(ended, options=("--fail-on", "suspected"))
    assert code == 0
    assert "closed #1: regression-000000000005 is no longer measured" in out
    assert "no longer measured: regression-000000000005: " in out
    [issue] = github.issues.all
    assert (issue["state"], issue["state_reason"]) == ("closed", "not_planned")
    [comment] = issue["thread"]
    assert "No longer measured" in comment["body"]
    assert "by `gh-7` of `0123`; last values: " in comment["body"]
    _, out, _ = alert(confirmed())
    assert "reopened #1" in out


def test_what_is_fixed_closes_with_the_commit_and_what_comes_back_reopens(
    github: FakeGitHub, alert: Alert
) -> None:
    alert(confirmed())
    _, out, _ = alert(*fixed())
    [issue] = github.issues.all
    assert "closed #1: regression-000000000005 is fixed" in out
    assert (issue["state"], issue["state_reason"]) == ("closed", "completed")
    assert commit(8).sha in issue["thread"][0]["body"]
    assert "nothing to do" in alert(*fixed())[1]
    _, out, _ = alert(confirmed())
    assert "reopened #1" in out
    assert (issue["state"], len(issue["thread"])) == ("open", 2)
    assert len(github.issues.all) == 1


def test_a_candidate_change_between_does_not_lose_that_it_was_closed(
    github: FakeGitHub, alert: Alert
) -> None:
    alert(confirmed())
    alert(*fixed())
    alert(confirmed(state="suspected"))
    [issue] = github.issues.all
    assert issue["state"] == "closed"
    alert(confirmed())
    assert issue["state"] == "open"


def test_an_acknowledged_one_closes_with_the_reason(github: FakeGitHub, alert: Alert) -> None:
    alert(confirmed())
    why = Acknowledgement(reason="TLS costs that @octo/team", by="someone")
    alert(confirmed(state="acknowledged", acknowledgement=why))
    [issue] = github.issues.all
    assert (issue["state"], issue["state_reason"]) == ("closed", "not_planned")
    assert "`TLS costs that ＠octo/team`, by `someone`" in issue["thread"][0]["body"]


def test_a_row_that_acknowledges_nothing_is_named(
    github: FakeGitHub, alert: Alert, tmp_path: Path
) -> None:
    rows = dict.fromkeys(
        (confirmed().id, "regression-0123456789ab"), Acknowledgement(reason="meant")
    )
    write_acknowledged(Folder(tmp_path / "history"), Acknowledged(rows))
    # a row without a service is of the event of each
    for confirmed_event in (confirmed(), confirmed(id=f"{confirmed().id}-of-orders")):
        code, out, _ = alert(confirmed_event)
        assert code == 0
        assert "acknowledged.toml names regression-0123456789ab, which is no event of this" in out
        assert out.count("acknowledged.toml names") == 1
    # a damaged file costs no issue
    Folder(tmp_path / "history").write(ACKNOWLEDGED, "{")
    code, out, _ = alert(confirmed())
    assert (code, out.count("acknowledged.toml names")) == (0, 0)


def test_what_a_person_closed_stays_closed_and_what_they_reopened_open(
    github: FakeGitHub, alert: Alert
) -> None:
    alert(confirmed())
    [issue] = github.issues.all
    issue["state"] = "closed"
    alert(confirmed(ratio=1.1))
    assert (issue["state"], "+10 %" in issue["body"]) == ("closed", True)
    alert(*fixed())
    issue["state"] = "open"
    alert(*fixed())
    assert issue["state"] == "open"


def test_an_event_that_is_gone_closes_and_an_empty_history_closes_nothing(
    github: FakeGitHub, alert: Alert
) -> None:
    alert(confirmed())
    alert()
    [issue] = github.issues.all
    assert issue["state"] == "open"
    alert(returned())
    assert issue["state"] == "closed"
    assert "no such event any more" in issue["thread"][0]["body"]
    alert(confirmed())
    assert (issue["state"], len(github.issues.all)) == ("open", 1)


def test_duplicates_of_two_runs_become_one(github: FakeGitHub, alert: Alert) -> None:
    alert(confirmed())
    first = github.issues.all[0]
    github.issues.add(first["title"], first["body"], BOT, LABEL)
    _, out, _ = alert(confirmed())
    assert "closed #2: the same as #1" in out
    assert [issue["state"] for issue in github.issues.all] == ["open", "closed"]
    assert "nothing to do" in alert(confirmed())[1]


def test_an_answer_that_is_lost_opens_no_second(github: FakeGitHub, alert: Alert) -> None:
    github.faults.append(Fault(502, carried_out=True, method="POST", path="/issues"))
    code, out, _ = alert(confirmed())
    assert (code, len(github.issues.all), "opened #1" in out) == (0, 1, True)


def test_an_issue_without_its_label_is_found_by_its_marker(
    github: FakeGitHub, alert: Alert
) -> None:
    alert(confirmed())
    github.issues.all[0]["labels"] = []
    alert(confirmed())
    assert len(github.issues.all) == 1


def test_issues_of_others_and_pull_requests_are_left_alone(
    github: FakeGitHub, alert: Alert
) -> None:
    marker = "<!-- springbench-event regression-000000000005 state=open -->\n"
    foreign_issue = github.issues.add("mine", marker, STRANGER, LABEL)
    quoting = github.issues.add("quoting", f"see\n{marker}", BOT, LABEL)
    pull = github.issues.add("a pull request", marker, BOT, LABEL)
    pull["pull_request"] = {}
    alert(confirmed())
    assert len(github.issues.all) == 4
    assert [issue["body"] for issue in (foreign_issue, quoting, pull)] == [
        marker,
        f"see\n{marker}",
        marker,
    ]


def test_many_at_once_open_the_largest_and_name_the_rest(
    github: FakeGitHub, alert: Alert, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "summary"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    events = [confirmed(number, 1 + number / 100) for number in range(3, 12)]
    _, out, _ = alert(*events)
    assert len(github.issues.all) == 5
    assert "since 00000000000b" in github.issues.all[0]["title"]
    assert "4 more regressions got no issue in this run" in out
    assert all(words in summary.read_text() for words in ("4 more", "9 confirmed regressions open"))
    alert(*events)
    assert len(github.issues.all) == 9


def test_hundreds_of_issues_are_paged(github: FakeGitHub, alert: Alert) -> None:
    alert(confirmed())
    for number in range(250):
        github.issues.add(f"talk {number}", "", STRANGER, LABEL)
    assert "nothing to do" in alert(confirmed())[1]


def test_what_fails_for_one_costs_no_other(github: FakeGitHub, alert: Alert) -> None:
    github.faults.append(
        Fault(422, body={"message": "Validation Failed"}, path="/issues", method="POST")
    )
    code, out, err = alert(confirmed(5, 1.2), confirmed(9))
    assert (code, len(github.issues.all)) == (2, 1)
    assert "not done for regression-000000000005" in out
    assert "422" in err


def test_missing_rights_and_disabled_issues_are_one_line(github: FakeGitHub, alert: Alert) -> None:
    github.faults.append(
        Fault(403, body={"message": "Resource not accessible by integration"}, path="/issues")
    )
    code, _, err = alert(confirmed())
    assert (code, "issues: write" in err, len(err.splitlines())) == (2, True, 1)
    github.issues.disabled = True
    code, _, err = alert(confirmed())
    assert (code, "Issues are disabled" in err) == (2, True)


def test_ids_that_are_none_and_hostile_texts_do_nothing(github: FakeGitHub, alert: Alert) -> None:
    bad = confirmed(6, id="regression-5 --><script>")
    code, _, err = alert(bad)
    assert (code, github.issues.all) == (2, [])
    assert "id" in err
    hostile = confirmed(shared="@octo/team <b> `x` " * 40)
    hostile.culprit.after.message = "--> @octo/team [x](javascript:1) <img src=x>"
    code, _, _ = alert(hostile)
    [issue] = github.issues.all
    assert code == 0
    for text in (issue["title"], issue["body"]):
        assert not any(words in text for words in ("@octo", "<img", "<script", "<b>"))


@pytest.mark.parametrize(("state", "expected"), [("confirmed", 1), ("acknowledged", 0)])
def test_the_exit_code_says_the_same(
    github: FakeGitHub, alert: Alert, state: str, expected: int
) -> None:
    assert alert(confirmed(state=state), options=("--fail-on", "regression"))[0] == expected


def test_a_dry_run_prints_and_sends_nothing(
    github: FakeGitHub, alert: Alert, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_TOKEN")
    code, out, _ = alert(confirmed(), options=("--dry-run",))
    assert (code, "Culprit" in out, github.requests) == (0, True, [])


def test_without_a_repository_a_dry_run_links_to_no_other(
    github: FakeGitHub, alert: Alert, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_REPOSITORY")
    code, out, err = alert(confirmed(), options=("--dry-run",))
    assert (code, "000000000005" in out, "http" in out, "None/" in out) == (0, True, False, False)
    assert "nothing links to commits" in err


def test_the_chart_is_shown_where_the_history_has_it(
    github: FakeGitHub, alert: Alert, tmp_path: Path
) -> None:
    site = ("--site", "https://octo.github.io/app/")
    alert(confirmed(), options=site)
    [issue] = github.issues.all
    assert "![" not in issue["body"]
    Folder(tmp_path / "history").write(event_chart_path(confirmed().id), "<svg/>")
    alert(confirmed(), options=site)
    assert f"](https://octo.github.io/app/data/charts/{confirmed().id}.svg)" in issue["body"]


def test_bad_input_is_one_line(github: FakeGitHub, cli: Cli, alert: Alert, tmp_path: Path) -> None:
    code, _, err = cli("alert", "--history", tmp_path)
    assert (code, "no history with events yet" in err, github.requests) == (0, True, [])
    for options, words in (
        (("--repo", "nobody"), "OWNER/NAME"),
        (("--site", "javascript:x"), "an http or https address"),
        (("--most", "-1"), "--most"),
    ):
        code, _, err = alert(confirmed(), options=options)
        assert (code, words in err) == (2, True), err


def test_an_issue_of_before_services_were_distinguished_stays_the_same_one(
    github: FakeGitHub, alert: Alert
) -> None:
    alert(confirmed(5))
    of_orders = event(affected(1.08, case="app-orders-own-jvm/hello/64"))
    now = of_orders.model_copy(update={"state": "confirmed", "id": f"{of_orders.id}-of-orders"})
    other = event(affected(1.2, case="app-payments-own-jvm/hello/64"))
    second = other.model_copy(update={"state": "confirmed", "id": f"{other.id}-of-payments"})
    alert(now, second)
    first, new = github.issues.all
    assert [first["state"], new["state"]] == ["open", "open"]
    assert f"<!-- springbench-event {now.id} state=open -->" in first["body"]
    assert f"<!-- springbench-event {second.id} state=open -->" in new["body"]
    _, out, _ = alert(now, second)
    assert "nothing to do" in out


def test_an_event_that_is_called_by_a_neighbour_now_keeps_its_issue(
    github: FakeGitHub, alert: Alert
) -> None:
    alert(confirmed(5))
    moved = confirmed(6).model_copy(update={"also": [commit(5).sha]})
    _, out, _ = alert(moved)
    [issue] = github.issues.all
    assert "updated #1" in out
    assert moved.id in issue["body"]
    alert(moved)
    assert len(github.issues.all) == 1
