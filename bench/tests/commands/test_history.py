"""`springbench history`, as a person or a program runs it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from springbench.history.files import INDEX, Folder
from springbench.history.folder import add_to_folder
from springbench.matrix.rows import Matrix
from springbench.results.events import Acknowledgement, Event, Evidence, LastMeasured
from tests.conftest import Cli
from tests.history.histories import published
from tests.suspected import CASE, CPU, HOST_CLASS, affected, commit, event, index_of

EVIDENCE = Evidence(
    comparison="gh-100-confirm",
    base=commit(4).sha,
    head=commit(5).sha,
    host_class=HOST_CLASS,
    case=CASE,
    metric=CPU,
    ratio=1.08,
    low_ratio=1.07,
    high_ratio=1.09,
    pairs=8,
    agrees=True,
    independent=True,
)


def confirmed(**fields: object) -> Event:
    standard = {"state": "confirmed", "shared": "every virtual case", "evidence": [EVIDENCE]}
    about = event(affected(1.08, low_ratio=1.07, high_ratio=1.09))
    return about.model_copy(update={**standard, **fields})


def better(**fields: object) -> Event:
    standard = {"direction": "improvement", "id": f"improvement-{commit(9).sha}"}
    return event(affected(0.9), before=7, after=9).model_copy(update={**standard, **fields})


def store(tmp_path: Path, *events: Event) -> Path:
    folder = tmp_path / "history"
    Folder(folder).write(INDEX, index_of(*events))
    return folder


def test_an_event_is_reported_with_what_changed_where_and_why_it_is_believed(
    tmp_path: Path, cli: Cli
) -> None:
    code, out, _ = cli("history", "--history", store(tmp_path, better(), confirmed()))
    assert code == 0
    texts = ("every virtual case: CPU per request +8 % (7 to 9 %)", "Change 5", "8 pairs: agrees")
    assert all(words in out for words in texts)
    # what is confirmed comes before what is not, and a regression before an improvement
    assert out.index("confirmed regression") < out.index("suspected improvement")
    assert "2 open events" in out


def test_what_is_over_is_shown_when_asked_for(tmp_path: Path, cli: Cli) -> None:
    fixed = confirmed(state="fixed", fixed_by=better().id)
    acknowledged_event = confirmed(
        id="regression-77",
        state="acknowledged",
        acknowledgement=Acknowledgement(reason="paid for TLS", by="team"),
    )
    folder = store(tmp_path, fixed, acknowledged_event, better(state="confirmed"))
    _, out, _ = cli("history", "--history", folder)
    assert fixed.id not in out
    assert "2 acknowledged, fixed or rejected: --all" in out
    _, out, _ = cli("history", "--history", folder, "--all")
    assert f"fixed by {commit(9).sha} Change 9" in out
    assert "acknowledged: paid for TLS (team)" in out


def test_what_is_no_longer_measured_is_said_with_its_last_values(tmp_path: Path, cli: Cli) -> None:
    last = LastMeasured(run="gh-7", sha="0123", time="2026-03-01T10:00:00Z", state="confirmed")
    folder = store(tmp_path, confirmed(state="unmeasured", last_measured=last), better())
    _, out, _ = cli("history", "--history", folder)
    assert "1 open event; 1 no longer measured: --all" in out
    _, out, _ = cli("history", "--history", folder, "--all")
    assert "no longer measured regression" in out
    assert "confirmed when last measured, by gh-7 of 0123; last values: " in " ".join(out.split())


@pytest.mark.parametrize(
    ("state", "fail_on", "expected"),
    [
        ("confirmed", "regression", 1),
        ("confirmed", "never", 0),
        ("suspected", "regression", 0),
        ("suspected", "suspected", 1),
        ("acknowledged", "suspected", 0),
        ("fixed", "regression", 0),
        ("rejected", "suspected", 0),
        ("unmeasured", "suspected", 0),
    ],
)
def test_exit_codes(tmp_path: Path, cli: Cli, state: str, fail_on: str, expected: int) -> None:
    folder = store(tmp_path, confirmed(state=state), better(state="confirmed"))
    assert cli("history", "--history", folder, "--fail-on", fail_on)[0] == expected


def test_a_narrow_terminal_loses_no_word(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    _, out, _ = cli("history", "--history", store(tmp_path, confirmed()))
    assert "\x1b[31m" not in out
    assert max(map(len, out.splitlines())) <= 60
    assert "CPU per request" in " ".join(out.split())


def test_texts_of_strangers_do_nothing_to_a_terminal(tmp_path: Path, cli: Cli) -> None:
    hostile = confirmed(shared="[bold]x[/]\x1b[31m")
    hostile.culprit.after.message = "\x1b]0;title\x07[red]@team\u202e"
    _, out, _ = cli("history", "--history", store(tmp_path, hostile))
    assert not set("\x1b\x07\u202e") & set(out)
    assert "[red]@team" in out


def test_a_program_gets_all_of_an_event(tmp_path: Path, cli: Cli) -> None:
    _, out, _ = cli("history", "--history", store(tmp_path, confirmed()), "--json")
    [entry] = json.loads(out)["events"]
    assert Event.model_validate(entry) == confirmed()


def test_a_case_narrows_events_and_prints_its_series(
    tmp_path: Path, cli: Cli, matrix: Matrix
) -> None:
    folder = tmp_path / "history"
    for number in range(3):
        add_to_folder(folder, published(matrix, number))
    index = Folder(folder).read(INDEX)
    assert index
    case = json.loads(index)["cases"][0]["case"]
    _, out, _ = cli("history", "--history", folder, "--case", case)
    assert f"{case} (" in out
    assert "3 runs" in out
    _, out, _ = cli("history", "--history", folder, "--case", case, "--json", "--last", "2")
    [series] = json.loads(out)["series"]
    assert (series["case"], len(series["points"])) == (case, 2)
    assert "throughput_rps" in series["points"][0]["metrics"]
    code, _, err = cli("history", "--history", folder, "--case", "nothing*")
    assert code == 2
    assert "no case of the history matches" in err


def test_an_empty_history_and_one_of_one_run_say_so(
    tmp_path: Path, cli: Cli, matrix: Matrix
) -> None:
    code, out, _ = cli("history", "--history", store(tmp_path))
    assert (code, "no events" in out, "no runs yet" in out) == (0, True, True)
    one = tmp_path / "one"
    add_to_folder(one, published(matrix, 0))
    code, out, _ = cli("history", "--history", one)
    assert (code, "one run: a change of level needs more" in out) == (0, True)


def test_what_is_no_history_is_refused_in_a_line(tmp_path: Path, cli: Cli) -> None:
    code, _, err = cli("history", "--history", tmp_path / "none")
    assert (code, "no such folder" in err) == (2, True)
    code, _, err = cli("history", "--history", tmp_path)
    assert (code, "there is no history (data/index.json)" in err) == (2, True)
    code, _, err = cli("history", "--history", tmp_path, "--remote", "origin")
    assert (code, "a folder or a branch" in err) == (2, True)
    folder = store(tmp_path)
    for schema in ("3", "1"):
        text = index_of().replace('"schema": 2', f'"schema": {schema}')
        Folder(folder).write(INDEX, text)
        code, _, err = cli("history", "--history", folder)
        assert (code, len(err.splitlines())) == (2, 1)
        assert f"schema {schema}; this springbench reads" in err


@pytest.mark.process
def test_a_branch_is_read_and_one_that_is_not_there_is_named(tmp_path: Path, cli: Cli) -> None:
    store(tmp_path, confirmed())
    work = tmp_path / "history"
    for arguments in (
        ["init", "--quiet", "--initial-branch=gh-pages"],
        ["add", "--all"],
        ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", "-C", str(work), *arguments], check=True)
    _, out, _ = cli("history", "--remote", work)
    assert "confirmed regression" in out
    code, _, err = cli("history", "--remote", work, "--branch", "nowhere")
    assert (code, "branch nowhere of" in err) == (2, True)
