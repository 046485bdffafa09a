"""The real command on a small repository: real processes, and a server that takes more memory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from springbench.results.comparison import Comparison
from tests.harness_clone import CASE, HarnessClone, server

pytestmark = pytest.mark.system

SERVER = """\
built_by = "nothing"
module = "own"
artifact = "server.py\""""


@pytest.mark.timeout(300)
def test_the_commit_since_which_a_server_takes_more_memory(tmp_path: Path) -> None:
    clone = HarnessClone.create(tmp_path, profile="pr", server_keys=SERVER)
    commit, good = clone.repository.commit, server()
    shas = [commit({"own/server.py": good}, "good")]
    shas.append(commit({"own/server.py": f"{good}\n# words\n"}, "words"))
    shas.append(commit({"own/server.py": "raise SystemExit(1)\n"}, "does not start"))
    shas.append(commit({"own/server.py": server(heavy=True)}, "the culprit"))
    commit({"README.md": "words"}, "no server")
    question = ("--case", CASE, "--metric", "memory_idle_bytes", "--step-budget", "200", "--json")
    results = ("--results", tmp_path / "results")
    done = clone.run("bisect", shas[0], "main", *question, *results, timeout_s=280)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    outcome = found["outcome"]
    assert outcome["kind"] == "range"
    assert outcome["span"] == {"after": shas[1], "until": shas[3]}
    assert outcome["commits"] == shas[2:4]
    assert outcome["broken"] == [shas[2]]
    assert found["passed_over"] == 1
    [folder] = (tmp_path / "results").iterdir()
    files = sorted(folder.glob("*/comparison.json"))
    assert len(files) == len([answer for answer in found["answers"] if answer["comparison"]])
    for file in files:
        comparison = Comparison.model_validate_json(file.read_bytes())
        assert {finding.metric for finding in comparison.findings} <= {"memory_idle_bytes"}
        assert comparison.base.kind == comparison.head.kind == "commit"
