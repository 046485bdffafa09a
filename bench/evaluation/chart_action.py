"""github-action-benchmark's own built code, run by Node as a job would run it."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import typer

REPOSITORY = "octo/bench"
BRANCH = "gh-pages"
CHARTS = "dev/bench"
SHA_DIGITS = 40


@dataclass(frozen=True)
class Ended:
    """How the action ended, and all that it said."""

    code: int
    output: str


@dataclass(frozen=True)
class Action:
    """The action in `folder`. What a job would find on its host lies in `base`."""

    folder: Path
    base: Path

    @property
    def main(self) -> Path:
        return self.folder / "dist" / "src" / "index.js"

    def check(self) -> None:
        """Raises `BadParameter` where the built code is not there."""
        if not self.main.is_file():
            raise typer.BadParameter(
                f"{self.folder} holds no dist/src/index.js; name the folder of an unpacked release"
            )

    def run(self, number: int, cwd: Path, **inputs: object) -> Ended:
        """Run it for the commit of that number."""
        action_inputs = {
            "gh-pages-branch": BRANCH,
            "benchmark-data-dir-path": CHARTS,
            "save-data-file": "true",
            **{name.replace("_", "-"): str(value) for name, value in inputs.items()},
        }
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.base),
            "GIT_CONFIG_GLOBAL": str(self.base / "gitconfig"),
            "GITHUB_EVENT_PATH": str(self._event(number)),
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_SERVER_URL": "https://github.com",
            **{f"INPUT_{name.upper()}": value for name, value in action_inputs.items()},
        }
        done = subprocess.run(
            ["node", str(self.main)], cwd=cwd, env=environment, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        return Ended(done.returncode, done.stdout)

    def _event(self, number: int) -> Path:
        person = {"name": "Somebody", "email": "somebody@example.invalid", "username": "somebody"}
        commit = {
            "id": sha_of(number),
            "message": f"Change number {number}",
            "timestamp": "2026-11-21T09:00:00Z",
            "url": f"https://github.com/{REPOSITORY}/commit/{sha_of(number)}",
            "author": person,
            "committer": person,
        }
        file = self.base / "event.json"
        file.write_text(json.dumps({"head_commit": commit, "repository": {"private": False}}))
        return file


def sha_of(number: int) -> str:
    """The id of the commit of that number."""
    return f"{number:x}".zfill(SHA_DIGITS)
