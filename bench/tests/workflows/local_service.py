"""A repository of somebody's own service, whose workflows call springbench's."""

from __future__ import annotations

import json
import re
from pathlib import Path

from springbench.project.init_files import workflow_files
from tests.processes import SERVICES
from tests.workflows.local_github import LocalGitHub, copy_clone, git, workflows_of

SPRINGBENCH = "benchers/springbench"
COMMAND = ["python3", "built/serve.py", "--server.port={port}"]
# what a compiler would do
BUILD = "mkdir -p built && cp serve.py built/"


class LocalService(LocalGitHub):
    """A server in Python that is built by a command, measured by springbench of another owner."""

    @property
    def springbench(self) -> Path:
        """The clone that `uses:` means."""
        return self.external_repositories / SPRINGBENCH

    def _first_files(self) -> None:
        self._springbench()
        (self.work / "serve.py").write_text((SERVICES / "fake_server.py").read_text("utf-8"))
        (self.work / "springbench.toml").write_text(
            f'name = "orders"\ncommand = {json.dumps(COMMAND)}\n[[routes]]\npath = "/hello"\n'
        )
        folder = self.work / ".github" / "workflows"
        folder.mkdir(parents=True)
        for name, text in workflow_files(f"{SPRINGBENCH}@v1", BUILD, "main").items():
            (folder / name).write_text(text, encoding="utf-8")

    def _springbench(self) -> None:
        self.springbench.mkdir(parents=True)
        git("init", "--quiet", "--initial-branch=main", str(self.springbench))
        copy_clone(self.springbench, repository=f"'{SPRINGBENCH}'", sha="'main'")
        for file in workflows_of(self.springbench):
            text = file.read_text(encoding="utf-8")
            # what GitHub takes for a workflow beside this one, act takes for one of the caller
            text = re.sub(r"uses: \./(\.github/workflows/.*)", rf"uses: {SPRINGBENCH}/\1@v1", text)
            file.write_text(text, encoding="utf-8")
        git("-C", str(self.springbench), "add", "--all")
        git("-C", str(self.springbench), "commit", "--quiet", "--message", "springbench")

    def _workflow_files(self) -> list[Path]:
        return [*super()._workflow_files(), *workflows_of(self.springbench)]

    def _stand_ins(self) -> set[str]:
        return super()._stand_ins() | {f"{SPRINGBENCH}@v1={self.springbench}"}
