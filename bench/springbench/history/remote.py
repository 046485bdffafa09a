"""Where a history lies: the folder of a branch of a remote that springbench writes below."""

from __future__ import annotations

import re
from dataclasses import dataclass

from springbench.errors import ConfigurationError

# a part of an address too: nothing in it that a page, a shell or Jekyll takes for something else
_FOLDER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*")
_MOST_CHARACTERS = 200
BRANCH = "gh-pages"


@dataclass(frozen=True)
class Remote:
    """Address of the history: a repository, its branch, and the folder there; empty for its top.

    Raises `ConfigurationError` for a folder that cannot be one.
    """

    address: str
    branch: str = BRANCH
    path: str = ""

    def __post_init__(self) -> None:
        """Check the folder; `RemoteGit.open` has git check the branch."""
        if self.path and not (_FOLDER.fullmatch(self.path) and len(self.path) <= _MOST_CHARACTERS):
            raise ConfigurationError(
                f"--path {self.path!r}: no folder of a branch; allowed: names of letters, digits, "
                "dots, dashes and underscores, a letter or digit first, with / between them, like "
                "springbench or docs/benchmark; empty for the branch's top"
            )

    @property
    def place(self) -> str:
        """What messages call it."""
        return f"branch {self.branch}" + (f", folder {self.path}" if self.path else "")

    def at(self, path: str) -> str:
        """The path from the branch's top of one from the folder."""
        return f"{self.path}/{path}" if self.path else path
