"""`springbench bisect` on real repositories, with comparisons that are made up."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any

import pytest

from springbench.bisect.drive import Driver
from tests.bisect.benches import STEP_S, WHAT, Bench, Run

pytestmark = pytest.mark.process


def outcome(out: str) -> dict[str, Any]:
    return dict(json.loads(out)["outcome"])


def test_the_commit_that_made_it_worse(
    bench: Bench, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("springbench.commands.bisect.Driver", partial(Driver, clock=lambda: 0.0))
    shas = bench.history(12, 7)
    code, out, _ = run(shas[0], "main", *WHAT)
    assert code == 0
    assert f"It became worse with {shas[7][:12]}" in out
    assert f"{shas[7][:12]} may be the one: change 7" in out
    assert "the commit before it does not have it" in out
    assert "-20.0 % (-20.8 % to -19.2 %)" in out
    assert bench.compared[0] == (shas[0], shas[12])
    assert (shas[6], shas[7]) in bench.compared
    assert len(bench.compared) <= 6
    first, *estimates = re.findall(r"comparison \d+, \d+ commits? left, (.+?): [0-9a-f]", out)
    assert first == "at most 1 h 00 min of measuring"
    # by a clock that does not advance
    assert set(estimates) == {"about 0 s"}


def test_json_and_nothing_else(bench: Bench, run: Run) -> None:
    shas = bench.history(5, 2)
    code, out, err = run(shas[0], shas[5], *WHAT, "--json")
    assert code == 0
    found = outcome(out)
    assert (found["kind"], found["commits"], found["checked"]) == ("culprit", [shas[2]], True)
    assert found["span"] == {"after": shas[1], "until": shas[2]}
    assert "comparison 1" in err
    assert json.loads((bench.folder / "bisect.json").read_text()) == json.loads(out)


def test_a_change_that_is_not_there_ends_it_at_once(bench: Bench, run: Run) -> None:
    shas = bench.history(8, 9)
    code, out, _ = run(shas[0], "main", *WHAT)
    assert code == 0
    assert "The change is not there: good and bad are the same" in out
    assert len(bench.compared) == 1


def test_an_improvement_is_not_what_was_looked_for(bench: Bench, run: Run) -> None:
    shas = bench.history(4, 2, size=-0.2)
    code, out, _ = run(shas[0], "main", *WHAT)
    assert code == 0
    assert "bad is better than good" in out


def test_commits_that_touch_no_server_need_no_measuring(bench: Bench, run: Run) -> None:
    good = bench.commit(1.0)
    for _ in range(20):
        bench.commit(1.0, path="site/page.ts")
    code, out, _ = run(good, "main", *WHAT)
    assert (code, bench.compared) == (0, [])
    assert "no commit between them touches what this case is built from or started by" in out
    culprit = bench.commit(0.8)
    code, out, _ = run(good, "main", *WHAT, "--json")
    assert outcome(out)["commits"] == [culprit]
    assert len(bench.compared) == 1


def test_a_commit_that_changes_how_servers_are_started_may_be_the_one(
    bench: Bench, run: Run
) -> None:
    shas = bench.history(4, 9)
    culprit = bench.commit(0.8, "another collector", "bench/matrix.toml")
    bench.commit(0.8)
    code, out, _ = run(shas[0], "main", *WHAT, "--json")
    assert code == 0
    assert outcome(out)["commits"] == [culprit]


def test_a_commit_that_does_not_build_is_stepped_around_and_named(bench: Bench, run: Run) -> None:
    shas = bench.history(8, 6)
    bench.unbuildable = {shas[4]}
    code, out, _ = run(shas[0], "main", *WHAT)
    assert code == 0
    assert f"{shas[4][:12]} does not run, a neighbour is tried: Maven failed" in out
    assert f"It became worse with {shas[6][:12]}" in out
    assert f"{shas[4][:12]} does not build or start: change 4" in out


def test_a_culprit_among_commits_that_do_not_start_is_a_range(bench: Bench, run: Run) -> None:
    shas = bench.history(8, 4)
    bench.dying = {shas[3], shas[4], shas[5]}
    code, out, _ = run(shas[0], "main", *WHAT, "--json")
    found = outcome(out)
    assert (code, found["kind"]) == (0, "range")
    assert found["span"] == {"after": shas[2], "until": shas[6]}
    assert found["commits"] == shas[3:7]
    assert found["broken"] == shas[3:6]
    assert "\x1b" not in out


@pytest.mark.parametrize("end", [0, 4])
def test_an_end_that_does_not_run_is_no_answer(bench: Bench, run: Run, end: int) -> None:
    shas = bench.history(4, 2)
    bench.dying = {shas[end]}
    code, _, err = run(shas[0], "main", *WHAT)
    assert code == 4
    assert err.count("\n") == 1
    assert f"{shas[end][:12]}, an end of the range: it" in err
    bench.dying, bench.unbuildable = set(), {shas[end]}
    assert run(shas[0], "main", *WHAT)[0] == 5


def test_a_commit_that_brings_everything_back_is_not_measured(bench: Bench, run: Run) -> None:
    """Its sources are those of the good end: that answers it."""
    good = bench.clone.commit({"servers/A.java": "good"})
    bench.clone.commit({"servers/A.java": "other"})
    back = bench.clone.commit({"servers/A.java": "good"})
    culprit = bench.clone.commit({"servers/A.java": "bad"})
    bad = bench.clone.commit({"servers/A.java": "bad too"})
    bench.levels = {good: 1.0, back: 1.0, culprit: 0.8, bad: 0.8}
    code, out, err = run(good, bad, *WHAT, "--json")
    assert code == 0
    assert outcome(out)["commits"] == [culprit]
    assert (good, back) not in bench.compared
    assert "both have the same sources" in err


def test_the_budget_ends_it_and_more_of_it_goes_on(bench: Bench, run: Run) -> None:
    shas = bench.history(30, 11)
    code, out, _ = run(shas[0], "main", *WHAT, "--budget", 3 * STEP_S, "--step-budget", 250)
    assert code == 0
    assert "the budget is used up" in out
    assert "It became worse in" in out
    assert bench.budgets == [250, 200, 100]
    code, out, _ = run("--resume", bench.folder, "--budget", 3000)
    assert code == 0
    assert f"It became worse with {shas[11][:12]}" in out
    assert len(bench.compared) == len(set(bench.compared))


def test_ctrl_c_loses_no_answer(bench: Bench, run: Run) -> None:
    shas = bench.history(30, 11)
    bench.interrupted_after = 3
    code, out, _ = run(shas[0], "main", *WHAT)
    assert code == 130
    assert "goes on" in out
    assert "--resume" in out
    bench.interrupted_after = 1000
    code, out, _ = run("--resume", bench.folder / "bisect.json")
    assert code == 0
    assert f"It became worse with {shas[11][:12]}" in out
    assert len(bench.compared) == len(set(bench.compared))
    # an answer that is there is repeated
    count = len(bench.compared)
    assert shas[11][:12] in run("--resume", bench.folder)[1]
    assert len(bench.compared) == count


def test_words_of_strangers_stay_on_their_line(bench: Bench, run: Run) -> None:
    good = bench.commit(1.0)
    bench.commit(0.8, "\x1b[2Jevil ` ::set-output name=x::y " + "long " * 100)
    code, out, _ = run(good, "main", *WHAT)
    assert code == 0
    assert "\x1b" not in out
    assert "evil" in out
    assert all(len(line) < 200 for line in out.splitlines()[:-1])
