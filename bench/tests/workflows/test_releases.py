"""The real workflow that measures releases of Spring Boot, from the history to the history."""

from __future__ import annotations

import json

import pytest

from springbench.history.files import INDEX
from tests.workflows.local_github import END_TO_END, LocalGitHub

pytestmark = END_TO_END
INPUTS = {
    "releases": "4.0.6..4.0.7",
    "only": "boot4-netty-reactive-jvm/hello/*",
    "rounds": "1",
    "minutes": "0",
}


@pytest.mark.system
def test_releases_are_measured_compared_and_published_once(github: LocalGitHub) -> None:
    _hurry(github)
    ended = github.run("workflow_dispatch", "releases", {"inputs": INPUTS})
    assert ended.ok, ended.excerpt
    index = json.loads(github.history(INDEX))
    assert [commit["message"] for commit in index["commits"]] == [
        "Spring Boot 4.0.6",
        "Spring Boot 4.0.7",
    ]
    assert [boots["boot4"] for boots in index["runs"]["boots"]] == ["4.0.6", "4.0.7"]
    [name] = github.published("data/comparisons/")
    comparison = github.packed(name)
    assert comparison["purpose"] == "push"
    assert comparison["commits"] == 1
    assert comparison["base"]["message"] == "Spring Boot 4.0.6"
    # nothing is left: no runner is asked
    again = github.run("workflow_dispatch", "releases", {"inputs": INPUTS})
    assert again.ok, again.excerpt
    assert "0 runs left to measure" in again.log
    assert not any(again.ran(job) for job in ("measure", "publish"))


def _hurry(github: LocalGitHub) -> None:
    """A commit whose profiles for releases and comparisons take seconds."""
    file = github.work / "bench" / "matrix.toml"
    head, separator, remainder = file.read_text(encoding="utf-8").partition('id = "releases"')
    remainder = remainder.replace("_s = 5\n", "_s = 1\n", 1).replace("_s = 17\n", "_s = 1\n", 1)
    remainder = remainder.replace("window_s = 6\n", "window_s = 1\ncompiling_max_s = 0\n", 1)
    before, pairs, after = remainder.partition('id = "releases-pairs"\n')
    after = after.replace("_s = 5\n", "_s = 1\n", 1).replace("_s = 17\n", "_s = 1\n", 1)
    parts = (head, separator, before, pairs, "budget_s = 10\n", after)
    file.write_text("".join(parts), encoding="utf-8")
    github.commit("hurry")
