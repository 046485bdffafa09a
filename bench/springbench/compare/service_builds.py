"""Commits of somebody's service: each checked out beside the clone, and built by one command.

springbench does not know how a service is built: a person names the command, and it runs in the
folder of the service at each commit.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from springbench.build.maven import build_error
from springbench.compare.sides import RequestedSide, checkout_matrix
from springbench.errors import BuildError, ConfigurationError
from springbench.host import git
from springbench.host.shell import Shell
from springbench.messages import indented
from springbench.results.comparison import SideInfo

logger = logging.getLogger(__name__)


@dataclass
class ServiceBuilds:
    """Builds of the commits of one service. `place` is a folder for their work trees.

    `folder` is that of the service in the clone, `file` describes commits without a
    springbench.toml of their own.
    """

    command: str
    place: Path
    folder: Path
    file: Path
    shell: Shell
    _sides: dict[str, RequestedSide] = field(default_factory=dict, init=False)

    def side_of(self, name: str, sha: str) -> RequestedSide:
        """The side that is a commit, built once. `name` is what a person called it.

        Raises `BuildError` where the command fails, and `ConfigurationError` where the commit
        cannot be checked out or there is nothing to start after the build.
        """
        if sha not in self._sides:
            logger.info(f"building {sha[:12]} by `{self.command}`")
            with indented():
                self._sides[sha] = self._build(name, sha)
        return self._sides[sha]

    def _build(self, name: str, sha: str) -> RequestedSide:
        work_tree = self.place / sha[:12]
        folder = check_out(sha, work_tree, self.folder, self.shell)
        if warning := lfs_warning(sha[:12], work_tree, self.shell):
            logger.warning(warning)
        run_build(self.command, folder, self.shell, self.place / f"{sha[:12]}.log")
        rows = checkout_matrix(folder, self.file)
        if rows is None:
            raise ConfigurationError(
                f"{name} ({sha[:12]}): nothing to start is there after `{self.command}`; what "
                f"{self.file.name} starts must lie below its folder"
            )
        facts = git.facts_of(sha, self.folder, self.shell)
        known = asdict(facts) if facts else {"sha": sha}
        info = SideInfo(kind="commit", label=f"{name} ({sha[:12]})", **known)
        return RequestedSide(info, home=folder.resolve(), rows=rows)


@contextmanager
def service_builds(
    command: str | None, folder: Path, file: Path, shell: Shell
) -> Iterator[ServiceBuilds | None]:
    """Builds that last as long as this block; None without a command."""
    if command is None:
        yield None
        return
    with TemporaryDirectory(prefix="springbench-builds-") as place:
        yield ServiceBuilds(command, Path(place), folder, file, shell)
    git.forget_work_trees(folder, shell)


def check_out(sha: str, place: Path, folder: Path, shell: Shell) -> Path:
    """The same folder of the repository in a work tree of that commit, with its submodules.

    Raises `ConfigurationError` where git cannot.
    """
    top = Path(git.required(shell, folder, "rev-parse", "--show-toplevel"))
    git.check_out(sha, place, top, shell)
    return place / folder.resolve().relative_to(top)


def lfs_warning(name: str, place: Path, shell: Shell) -> str | None:
    """What is missing in a work tree, where its clone has not fetched it."""
    if not (count := git.lfs_pointers(place, shell)):
        return None
    return (
        f"{count} files of {name} are pointers of Git LFS without their content: fetch them first "
        "(in a workflow: add lfs to actions/checkout)"
    )


def run_build(command: str, folder: Path, shell: Shell, log: Path | None = None) -> None:
    """Run the command in a shell of its own, as a step of a workflow would.

    What it prints goes to `log`, or else is shown. Raises `BuildError` where it fails.
    """
    sys.stdout.flush()
    bash = ["bash", "-euo", "pipefail", "-c"]
    if log is None:
        done = shell.run([*bash, command], cwd=folder, show=True)
        if done.code:
            raise BuildError(f"the build in {folder} has ended with {done.code}; its log says why")
        return
    done = shell.run([*bash, f"exec 2>&1\n{command}"], cwd=folder, stdout=log)
    if done.code:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        raise build_error(f"`{command}` has ended with {done.code}", "its output", lines)
