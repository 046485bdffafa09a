"""Places in which the tools of a host are looked for."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from springbench.paths import ROOT


def tools_dir(root: Path) -> Path:
    """Folder for what set-up brings into the clone instead of the host."""
    return root / ".tools"


@dataclass(frozen=True)
class Search:
    """Places in which tools are looked for; a test gives folders of its own."""

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
            clone=ROOT,
            graalvm_home=os.environ.get("GRAALVM_HOME", ""),
        )

    def which(self, name: str) -> Path | None:
        """The first program of that name on the path."""
        found = shutil.which(name, path=self.path) if self.path else None
        return Path(found) if found else None
