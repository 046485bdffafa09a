"""A service as a job of its own repository measures it: described, built, measured, and compared
with its base; or commits of it compared and bisected.

springbench itself runs in the folder of the service, whose files tell it what it is about: so each
call of it is a process of its own, and the last one takes the place of this one.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import typer

from springbench.compare.sides import check_out, lfs_warning, run_build
from springbench.errors import ConfigurationError
from springbench.github import step
from springbench.github.job import INPUTS, Job, with_digest
from springbench.host import git
from springbench.host.shell import RealShell
from springbench.matrix.toml_file import SERVICE_FILE
from springbench.untrusted import one_line

# what the measurement itself is not asked for: the rest of the inputs goes on to it
_OF_SERVICE = frozenset(
    {"jar", "command", "routes", "build", "folder", "call", "branch", "path", "runner"}
)
# of the package in use, wherever this process stands: a service may have a folder of that name
_SPRINGBENCH = (sys.executable, "-P", "-m", "springbench")


def measure_service(inputs: Mapping[str, str], job: Job, shell: RealShell) -> None:
    """Measure the service in `folder` into results/ there, or compare it with `base`; or compare
    `base` with `head`, or bisect what lies between `good` and `bad`, whatever is checked out.

    `build` is run at each. Without a springbench.toml one is written from `jar`, `command`,
    `routes` and `connections`, or from the project. The outputs `service` and `name` distinguish
    what it leaves from that of other services, and of other calls. Does not return: the exit code
    is that of the measurement. Raises `ConfigurationError` and `BuildError`.
    """
    os.chdir(inputs.get("folder", "."))
    options = {name: text for name, text in inputs.items() if name not in _OF_SERVICE}
    if not Path(SERVICE_FILE).is_file():
        _describe(inputs, shell)
        options.pop("connections", None)  # they stand in the file now
    elif inputs.keys() & {"jar", "command", "routes"}:
        raise ConfigurationError(
            "jar, command and routes describe what springbench.toml describes already: leave them "
            "out"
        )
    # first: a build that fails leaves it, too
    service = _springbench(shell, "plan", "--service").strip()
    name = with_digest(service, inputs.get("call", ""))
    step.write_outputs({"service": service, "name": name})
    if "base" in inputs:
        Path("report").mkdir(exist_ok=True)
        Path("report", "service.txt").write_text(f"{service}\n", encoding="utf-8")
    build = inputs.get("build", "")
    if {"base", "head"} <= inputs.keys() or {"good", "bad"} <= inputs.keys():
        # no commit is built where the command that builds it is not known
        _become({**options, "build": build or "true"}, "bisect" if "good" in inputs else "compare")
    _build(Path(), build, shell)
    if "base" not in inputs:
        id_ = "-".join(part for part in ("gh", job.run_id, name) if part)
        step.write_outputs({"report": str(Path("results", id_).absolute())})
        _become(options, "measure", f"--id={id_}")
    base = _base_of(options.pop("base"), shell)
    _build(base, build, shell)
    _become(options, "compare", f"--base={base}/", "--head=.")


def _describe(inputs: Mapping[str, str], shell: RealShell) -> None:
    routes = [f"--route={route}" for route in inputs.get("routes", "").split()]
    options = [
        f"--{name}={inputs[name]}" for name in ("jar", "command", "connections") if name in inputs
    ]
    typer.echo(_springbench(shell, "init", "--yes", *routes, *options), nl=False)


def _build(folder: Path, command: str, shell: RealShell) -> None:
    if command:
        typer.echo(f"builds in {folder}")
        run_build(command, folder, shell)


def _base_of(base: str, shell: RealShell) -> Path:
    """The folder of the service in a work tree of the base, which no earlier job has built in."""
    cwd = Path.cwd()
    is_shallow = git.is_shallow(cwd, shell)
    commit = git.commit_of(base, cwd, shell)
    if commit is None:
        remedy = "allowed is a branch, a tag or an id that was fetched"
        if is_shallow:
            remedy = "add fetch-depth 0 to actions/checkout"
        raise ConfigurationError(f"base {base!r} is no commit of this checkout: {remedy}")
    place = Path(os.environ.get("RUNNER_TEMP", "/tmp"), "springbench-base")  # noqa: S108
    shutil.rmtree(place, ignore_errors=True)
    folder = check_out(commit, place, cwd, shell)
    if warning := lfs_warning("the base", place, shell):
        typer.echo(f"::warning::{warning}")
    return folder


def _springbench(shell: RealShell, *words: str) -> str:
    done = shell.run([*_SPRINGBENCH, *words])
    if done.code:
        # it has said in the summary what is wrong
        sys.stderr.write(done.stderr)
        raise typer.Exit(done.code)
    return done.stdout


def _become(inputs: Mapping[str, str], *words: str) -> None:
    environment = {**os.environ, INPUTS: json.dumps(inputs)}
    typer.echo(one_line(f"springbench ci {' '.join(words)}"), err=True)
    sys.stdout.flush()
    os.execve(sys.executable, [*_SPRINGBENCH, "ci", *words], environment)  # noqa: S606
