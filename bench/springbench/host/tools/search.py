"""Where the tools of a host are looked for, and which clone this package belongs to."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path


def clone_root() -> Path:
    """Top folder of the clone: the package is installed in place, so it is three folders up."""
    return Path(__file__).resolve().parents[4]


def tools_dir(root: Path) -> Path:
    """Folder for what set-up brings into the clone instead of the host."""
    return root / ".tools"


@dataclass(frozen=True)
class Search:
    """Where tools are looked for; a test gives folders of its own."""

    java_home: str = ""
    path: str = ""
    filesystem: Path = Path("/")
    home: Path | None = None
    clone: Path | None = None
    graalvm_home: str = ""

    @classmethod
    def of_host(cls) -> Search:
        """The places of this host and this clone."""
        return cls(
            java_home=os.environ.get("JAVA_HOME", ""),
            path=os.environ.get("PATH", os.defpath),
            home=Path(os.environ["HOME"]) if os.environ.get("HOME") else None,
            clone=clone_root(),
            graalvm_home=os.environ.get("GRAALVM_HOME", ""),
        )

    def which(self, name: str) -> Path | None:
        """The first program of that name on the path."""
        found = shutil.which(name, path=self.path) if self.path else None
        return Path(found) if found else None
