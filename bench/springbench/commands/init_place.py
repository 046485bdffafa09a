"""Where on the history branch of a repository `init` lets springbench write."""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from springbench.errors import ConfigurationError, HostError
from springbench.history.branch import Branch
from springbench.history.files import MANIFEST
from springbench.history.manifest import claim, free_folder, some_of, tops
from springbench.history.remote import BRANCH, Remote
from springbench.host.git import remote_address, setting_of
from springbench.host.shell import Shell

ORIGIN = "origin"
# for each of a few questions to the remote; whoever waits for `init` sees nothing meanwhile
TIMEOUT_S = 20.0
_GITHUB = re.compile(r"github\.com[:/]+(?P<owner>[\w.-]+)/(?P<name>[\w.-]+?)(\.git)?/?$")


@dataclass(frozen=True)
class Place:
    """The folder, empty for the branch's top, and what a person is told of it."""

    path: str
    words: str


def find_place(shell: Shell, project: Path) -> Place:
    """The branch's top, where it is empty or springbench's own; else a folder of it.

    A remote that cannot be asked is no failure: the words say so.
    """
    address = remote_address(ORIGIN, project, shell)
    if address is None:
        return _unknown(f"there is no remote {ORIGIN}")
    if ":" not in address:
        address = str((project / address).resolve())
    with tempfile.TemporaryDirectory(prefix="springbench-init-") as folder:
        environment = _never_asking(project, shell)
        branch = Branch(shell, Path(folder), Remote(address), TIMEOUT_S, environment)
        try:
            branch.open()
            return _look(branch)
        except HostError as error:
            return _unknown(str(error))


def _look(branch: Branch) -> Place:
    name = f"branch {branch.remote.branch} of {ORIGIN}"
    branch.fetch_all()
    if branch.tip is None:
        return Place("", f"{name}: there is none yet; the first push that is measured makes it")
    if _is_own(branch):
        return Place("", f"{name} is springbench's own: its dashboard and history stay there")
    paths = branch.everything()
    folders = [path.partition("/")[0] for path in paths]
    own = [each for each in dict.fromkeys(folders) if f"{each}/{MANIFEST}" in paths]
    path = next((each for each in own if _is_own(branch, each)), None) or free_folder(branch)
    return Place(
        path,
        f"{name} holds other files ({some_of(tops(paths))}), which stay as they are: springbench "
        f"writes below {path}/ alone (`path: {path}` in both workflows). "
        f"{_dashboard(branch.remote.address, path)}",
    )


def _is_own(branch: Branch, path: str = "") -> bool:
    """Whether springbench may write below a folder. Nothing is pushed."""
    at = replace(branch, remote=replace(branch.remote, path=path))
    try:
        at.check()
        claim(at)
    except ConfigurationError:
        return False
    return True


def _dashboard(address: str, path: str) -> str:
    found = _GITHUB.search(address)
    if found is None:
        return f"The dashboard is below {path}/ of that branch's pages"
    top = f"https://{found['owner']}.github.io/"
    # a repository of that name is shown at the top itself
    name = "" if found["name"].lower() == f"{found['owner'].lower()}.github.io" else found["name"]
    return f"The dashboard: {top}{name and f'{name}/'}{path}/"


def _unknown(reason: str) -> Place:
    return Place(
        "",
        f"could not look at branch {BRANCH} of {ORIGIN} ({reason}): where it holds "
        "other files, publishing is refused until both workflows have `path: springbench` below "
        "`with:`",
    )


def _never_asking(project: Path, shell: Shell) -> dict[str, str]:
    """Variables with which ssh fails where it would ask for a passphrase or about a host."""
    ssh = os.environ.get("GIT_SSH_COMMAND") or setting_of("core.sshCommand", project, shell)
    return {"GIT_SSH_COMMAND": f"{ssh or 'ssh'} -o BatchMode=yes -o ConnectTimeout=10"}
