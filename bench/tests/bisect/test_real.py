"""The real command on a small repository: real processes, and a server that takes more memory."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import springbench
from springbench.results.comparison import Comparison
from tests.processes import SERVICES
from tests.repositories import Repository

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("processes")]

CASE = "boot4-fake-fine-script/hello/8"
MATRIX = """\
schema = 1

[[boots]]
id = "boot4"

[[servers]]
id = "fake"
boots = ["boot4"]
models = ["fine"]
runtimes = ["script"]
built_by = "nothing"
module = "own"
artifact = "server.py"
health = "/hello"

[[models]]
id = "fine"
description = "answers"

[[runtimes]]
id = "script"
description = "any Python 3"
start = ["python3", "{artifact}", "{properties}"]

[[workloads]]
id = "hello"
route = "/hello"
question = "Does it answer?"

[[profiles]]
id = "pr"
description = "as short as it can be"

[[profiles.loads]]
workload = "hello"
connections = [8]
warmup_min_s = 0.1
warmup_max_s = 0.1
window_s = 0.8
"""
BALLAST = 'BALLAST = b"x" * (80 << 20)\n'


@pytest.mark.timeout(300)
def test_the_commit_since_which_a_server_takes_more_memory(tmp_path: Path) -> None:
    clone = Repository.create(tmp_path / "clone")
    fake = (SERVICES / "fake_server.py").read_text(encoding="utf-8")
    marker = "class Http("
    assert marker in fake
    heavy = fake.replace(marker, f"{BALLAST}\n\n{marker}")
    shas = [clone.commit({"own/server.py": fake}, "good")]
    shas.append(clone.commit({"own/server.py": f"{fake}\n# words\n"}, "words"))
    shas.append(clone.commit({"own/server.py": "raise SystemExit(1)\n"}, "does not start"))
    shas.append(clone.commit({"own/server.py": heavy}, "the culprit"))
    clone.commit({"README.md": "words"}, "no server")
    (tmp_path / "matrix.toml").write_text(MATRIX, encoding="utf-8")
    # a clone holds its harness
    package = Path(springbench.__file__).parent
    shutil.copytree(package, clone.root / "bench" / "springbench")
    what = ("--case", CASE, "--metric", "memory_idle_bytes", "--step-budget", "200", "--json")
    where = ("--matrix", tmp_path / "matrix.toml", "--results", tmp_path / "results")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "springbench", "bisect", shas[0], "main", *what, *where],
        env={**os.environ, "PYTHONPATH": str(clone.root / "bench")},
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    outcome = found["outcome"]
    assert outcome["kind"] == "range"
    assert outcome["span"] == {"after": shas[1], "until": shas[3]}
    assert outcome["commits"] == shas[2:4]
    assert outcome["broken"] == [shas[2]]
    assert found["passed_over"] == 1
    [folder] = (tmp_path / "results").iterdir()
    kept = sorted(folder.glob("*/comparison.json"))
    assert len(kept) == len([each for each in found["answers"] if each["comparison"]])
    for file in kept:
        comparison = Comparison.model_validate_json(file.read_bytes())
        assert {each.metric for each in comparison.findings} <= {"memory_idle_bytes"}
        assert comparison.base.kind == comparison.head.kind == "commit"
