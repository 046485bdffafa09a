"""A clone with its own harness, in front of a server in Python that starts at once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import springbench
from tests.processes import SERVICES
from tests.repositories import Repository

CASE = "boot4-fake-fine-script/hello/8"
_BALLAST = 'BALLAST = b"x" * (80 << 20)'
_BEFORE = "class Http("
_MATRIX = """\
schema = 1

[[boots]]
id = "boot4"

[[servers]]
id = "fake"
boots = ["boot4"]
models = ["fine"]
runtimes = ["script"]
{server}
health = "/hello"

[[models]]
id = "fine"
description = "answers"

[[runtimes]]
id = "script"
description = "any Python 3"
start = ["python3", "{{artifact}}", "{{properties}}"]

[[workloads]]
id = "hello"
route = "/hello"
question = "Does it answer?"

[[profiles]]
id = "{profile}"
description = "as short as it can be"

[[profiles.loads]]
workload = "hello"
connections = [8]
warmup_min_s = 0.1
warmup_max_s = 0.1
window_s = 0.8
"""


def server(*, heavy: bool = False) -> str:
    """The source of the server; a heavy one holds 80 MiB more."""
    source = (SERVICES / "fake_server.py").read_text(encoding="utf-8")
    assert _BEFORE in source
    return source.replace(_BEFORE, f"{_BALLAST}\n\n\n{_BEFORE}") if heavy else source


@dataclass
class HarnessClone:
    """A repository whose `bench/springbench` is this harness, and a matrix of one case."""

    repository: Repository
    matrix: Path
    environment: dict[str, str] = field(default_factory=dict)

    @classmethod
    def create(cls, folder: Path, *, profile: str, server_keys: str) -> HarnessClone:
        repository = Repository.create(folder / "clone")
        (matrix := folder / "matrix.toml").write_text(
            _MATRIX.format(profile=profile, server=server_keys), encoding="utf-8"
        )
        return cls(repository, matrix)

    def run(self, *arguments: str | Path, timeout_s: float) -> subprocess.CompletedProcess[str]:
        """The real command, from the harness in the clone. Call it after the last commit."""
        package = self.repository.root / "bench" / "springbench"
        if not package.exists():
            shutil.copytree(Path(springbench.__file__).parent, package)
            # by this it knows that it is in a clone
            shutil.copyfile(self.matrix, package.with_name("matrix.toml"))
        return subprocess.run(
            [sys.executable, "-P", "-m", "springbench", *arguments, "--matrix", self.matrix],
            env={**os.environ, "PYTHONPATH": str(package.parent), **self.environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=timeout_s,
        )
