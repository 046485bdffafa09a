"""Small git repositories for tests."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Repository:
    """A repository with a branch `main`."""

    root: Path

    @classmethod
    def create(cls, root: Path) -> Repository:
        root.mkdir(parents=True, exist_ok=True)
        repository = cls(root)
        repository.git("init", "--quiet", "--initial-branch=main")
        return repository

    def git(self, *arguments: str) -> str:
        command = ["git", "-C", str(self.root), "-c", "user.name=t", "-c", "user.email=t@t.invalid"]
        done = subprocess.run([*command, *arguments], check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def commit(self, files: dict[str, str] | None = None, message: str = "a change") -> str:
        """Write files, and commit them; an empty commit without any."""
        for name, content in (files or {}).items():
            file = self.root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")

    def commit_bytes(self, message: bytes, author: bytes) -> str:
        """A commit whose texts are these bytes, as other tools than git make them."""
        self.git("add", "--all")
        tree, parent = self.git("write-tree"), self.git("rev-parse", "HEAD")
        by = author + b" <m@t.invalid> 1772323200 +0000"
        ids = [f"tree {tree}".encode(), f"parent {parent}".encode()]
        raw = b"\n".join([*ids, b"author " + by, b"committer " + by, b"", message])
        store = ["git", "-C", str(self.root), "hash-object", "-w", "-t", "commit", "--stdin"]
        process = subprocess.run(store, input=raw, check=True, capture_output=True)
        self.git("reset", "--quiet", "--hard", process.stdout.decode().strip())
        return self.git("rev-parse", "HEAD")
