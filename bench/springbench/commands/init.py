"""`springbench init`: the file that describes a service of one's own."""

from __future__ import annotations

import itertools
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from springbench import units
from springbench.commands import options
from springbench.errors import ConfigurationError, HostError
from springbench.history.branch import Branch, opened
from springbench.history.files import MANIFEST
from springbench.history.manifest import claim, free_folder, some_of, tops
from springbench.history.remote import BRANCH, Remote
from springbench.host.git import default_branch, remote_address, setting_of, top_of
from springbench.host.shell import RealShell, Shell
from springbench.matrix.load import parse_matrix
from springbench.matrix.toml_file import SERVICE_FILE, read_text
from springbench.messages import show_messages
from springbench.plan.plan import make_plan
from springbench.project.declared import NOTHING_DECLARED, Declared, read_declared
from springbench.project.detection import (
    DetectedService,
    InitOptions,
    build_command_of,
    detect_service,
)
from springbench.project.init_files import (
    FOLDER,
    NAME,
    branch_pattern,
    parts_of,
    schema_at,
    service_toml,
    workflow_files,
)
from springbench.project.route_probes import LOGIN
from springbench.project.service_names import namesake
from springbench.report.console import console, print_rows
from springbench.report.progress import log_elapsed
from springbench.results.store import write_atomically
from springbench.untrusted import one_line

ORIGIN = "origin"
# for each of a few questions to the remote; whoever waits for `init` sees nothing meanwhile
TIMEOUT_S = 20.0
_GITHUB = re.compile(r"github\.com[:/]+(?P<owner>[\w.-]+)/(?P<name>[\w.-]+?)(\.git)?/?$")
PROFILE = "quick"
CERTIFICATE = "springbench-certificate.pem"
_MOST_REMARKS = 40
_LOGIN_PATH = re.compile(r"(?i)log-?in|sign-?in|auth|token|session")


@dataclass(frozen=True)
class Place:
    """The folder, empty for the branch's top, and the message about it."""

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
    try:
        with opened(shell, Remote(address), TIMEOUT_S, _never_asking(project, shell)) as branch:
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
    own_folders = [folder for folder in dict.fromkeys(folders) if f"{folder}/{MANIFEST}" in paths]
    path = next((folder for folder in own_folders if _is_own(branch, folder)), None) or free_folder(
        branch
    )
    return Place(
        path,
        f"{name} holds other files ({some_of(tops(paths))}), which stay as they are: springbench "
        f"writes below {path}/ alone (`path: {path}` in each workflow). "
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
        "other files, publishing is refused until each workflow has `path: springbench` below "
        "`with:`",
    )


def _never_asking(project: Path, shell: Shell) -> dict[str, str]:
    """Variables with which ssh fails where it would ask for a passphrase or about a host."""
    ssh = os.environ.get("GIT_SSH_COMMAND") or setting_of("core.sshCommand", project, shell)
    return {"GIT_SSH_COMMAND": f"{ssh or 'ssh'} -o BatchMode=yes -o ConnectTimeout=10"}


def init(
    folder: Annotated[Path, typer.Argument(help="The project.")] = Path(),
    module: Annotated[
        str | None, typer.Option("--module", help="Which application, where there are several.")
    ] = None,
    route: Annotated[
        list[str] | None, typer.Option("--route", help="A route to load. Repeatable.")
    ] = None,
    connections: options.ConnectionsOption = None,
    header: Annotated[
        list[str] | None,
        typer.Option(
            "--header",
            metavar="'NAME: VALUE'",
            help="Sent to what needs a login; {env:NAME} for what is secret. Repeatable.",
        ),
    ] = None,
    jar: Annotated[
        str | None, typer.Option("--jar", help="The jar, where the build does not tell.")
    ] = None,
    command: Annotated[
        str | None,
        typer.Option("--command", help="What starts it, e.g. `./serve --port {port}`."),
    ] = None,
    workflow: Annotated[
        str | None,
        typer.Option(
            "--workflow",
            metavar="OWNER/springbench@REF",
            help="Write the two workflows, too; whose springbench they call.",
        ),
    ] = None,
    build: Annotated[
        str | None,
        typer.Option("--build", help="With --workflow: what builds it, where no build tells."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> None:
    """Ask a service what it is, and write the springbench.toml that measures it.

    Example: `springbench init`, `springbench init --command './serve {port}'`

    Builds it with its own wrapper, starts it once, reads its port, health and routes from what it
    logs, and asks for each GET once; it sends nothing else. With --route nothing is started. A
    springbench.toml without [[routes]] is completed: what it declares is started, and logged in to.

    `--workflow OWNER/springbench@v1` writes two workflows beside it: measured, compared, published.
    It asks `origin` what the branch gh-pages holds, so that no file of another site is touched.
    """
    show_messages(typer.echo)
    if workflow is not None:
        # first: an option in its place would make a folder of what follows
        parts_of(workflow)
    file = folder / SERVICE_FILE
    if not folder.is_dir():
        raise ConfigurationError(f"{folder}: there is no such folder")
    declared = NOTHING_DECLARED
    is_kept = file.is_file() and workflow is not None and not force
    if file.exists() and not is_kept and not force:
        declared = read_declared(file)
    files: dict[Path, str] = {}
    if is_kept:
        text = read_text(file)
        build = build or build_command_of(folder)
    else:
        words = tuple(options.words_of(command)) if command else None
        asked_for = InitOptions(
            folder, module, jar, words, tuple(route or ()), headers_of(header or ()), declared
        )
        with log_elapsed(lambda elapsed_s: f"  {units.duration(elapsed_s)} so far"):
            found = detect_service(asked_for, RealShell(), typer.echo)
        _print_probes(found)
        if found.unreached:
            typer.echo(found.unreached)
        if not found.routes:
            raise ConfigurationError(_no_route(found))
        if any(probe.obstacle == LOGIN for probe in found.probes):
            typer.echo(_login_words(found))
        if sys.stdin.isatty() and not yes and not route:
            found = replace(found, routes=_picked(found.routes))
        schema = schema_at(workflow) if workflow else None
        found = _with_own_name(found, file)
        text = _text(found, connections, schema, declared)
        if found.certificate and not declared.has("certificate"):
            # first: the other file is read with it
            _write({folder / CERTIFICATE: found.certificate})
        build = build or found.build
    plan = make_plan(parse_matrix(text, str(file), folder), PROFILE)
    files |= _workflows(folder, workflow, build)
    _check_free(files, force=force)
    if not is_kept:
        files = {file: text, **files}
    _write(files)
    typer.echo(f"{units.counted(len(plan.cases), 'case')} of profile {PROFILE}:")
    for case in plan.cases:
        typer.echo(f"  {case.id}")
    is_built = build is not None or (workflow is None and _is_there(folder, jar, command))
    typer.echo(_next(folder, is_built=is_built, on_github=workflow is not None))


def _is_there(folder: Path, jar: str | None, command: str | None) -> bool:
    """Whether what starts the service is: its jar, or its program in the folder or on the path."""
    if jar is not None:
        return (folder / jar).is_file()
    program = options.words_of(command)[0] if command else None
    return program is not None and bool((folder / program).is_file() or shutil.which(program))


def _with_own_name(found: DetectedService, file: Path) -> DetectedService:
    """What was found, with a name that no other service of the repository has."""
    shell = RealShell()
    other = namesake(file, found.name, shell)
    if other is None:
        return found
    names = (f"{found.name}{number}" for number in itertools.count(2))
    free_name = next(name for name in names if namesake(file, name, shell) is None)
    typer.echo(f"{other} has the name {found.name}: this one gets {free_name}")
    return replace(found, name=free_name)


def _print_probes(found: DetectedService) -> None:
    """A row for each route: what it answered, and whether it is loaded."""
    if not found.probes:
        return
    rows = [
        (
            probe.route.method,
            probe.path,
            units.ABSENT if probe.status is None else str(probe.status),
            f"{probe.size_bytes:,}" if probe.status is not None else units.ABSENT,
            units.milliseconds(probe.took_s) if probe.status is not None else units.ABSENT,
            probe.obstacle or ("loaded" if probe.path in found.routes else "could be loaded"),
        )
        for probe in found.probes
    ]
    columns = ("method", "route", "status", "bytes", "took", "")
    print_rows(columns, rows, {"method", "route", ""}, console(), keys=2)


def _login_words(found: DetectedService) -> str:
    """What to write or give, so that routes behind a login are asked for."""
    if found.challenge == "basic":
        return (
            "needs a login (HTTP Basic): CREDENTIALS=$(printf 'USER:PASSWORD' | base64) "
            "springbench init --header 'Authorization: Basic {env:CREDENTIALS}'"
        )
    posts = [probe.path for probe in found.probes if probe.route.method == "POST"]
    path = next((post_path for post_path in posts if _LOGIN_PATH.search(post_path)), "")
    if found.challenge == "bearer" and not path:
        return (
            "needs a token that it does not give out itself: TOKEN=... springbench init --header "
            "'Authorization: Bearer {env:TOKEN}'"
        )
    path = path or "/login"
    place = "write these lines into springbench.toml"
    if found.routes:
        place = "write these lines in the place of the [[routes]] of springbench.toml"
    return "\n".join(
        [
            f"needs a login: {place}, with the fields that it takes; then `springbench init` again",
            "  [login]",
            f'  path = "{path}"',
            """  body = '{"username": "{env:LOGIN_USER}", "password": "{env:LOGIN_PASSWORD}"}'""",
            '  token = "json:token" # or header:NAME, or cookie:NAME',
        ]
    )


def _no_route(found: DetectedService) -> str:
    answered_probes = [probe for probe in found.probes if probe.status is not None]
    if answered_probes and all(probe.obstacle == LOGIN for probe in answered_probes):
        return (
            f"{found.name}: each route that was asked for needs a login ({len(answered_probes)} of "
            f"{len(found.probes)})\n{_login_words(found)}"
        )
    gets_first = sorted(found.probes, key=lambda probe: probe.route.method != "GET")
    example = next((f", for example {p.path} {p.obstacle}" for p in gets_first), "")
    count = len(found.probes)
    which = "its only route answers no" if count == 1 else f"none of its {count} routes answers a"
    return (
        f"{found.name}: {which} plain GET with 200 and content{example}; "
        "name one with --route, or write springbench.toml with a login or a body "
        "(bench/docs/own-service.md)"
    )


def _picked(routes: Sequence[str]) -> tuple[str, ...]:
    """The routes that a person chooses of those that can be loaded."""
    answer = typer.prompt("Which routes are to be loaded?", default=" ".join(routes))
    return tuple(answer.split())


def headers_of(words: Sequence[str]) -> dict[str, str]:
    """The headers of `--header`. Raises `ConfigurationError` for what is none."""
    found = {}
    for header in words:
        name, colon, value = header.partition(":")
        if not (name.strip() and colon and value.strip()):
            raise ConfigurationError(
                f"--header {header!r}: allowed: 'NAME: VALUE', such as "
                "'Authorization: Basic {env:CREDENTIALS}'"
            )
        found[name.strip()] = value.strip()
    return found


def _text(
    found: DetectedService, connections: str | None, schema: str | None, declared: Declared
) -> str:
    has_properties, has_certificate = map(declared.has, ("properties", "certificate"))
    other_probes = [
        probe for probe in found.probes if not (probe.is_ready and probe.path in found.routes)
    ]
    remarks = [
        f"{probe.route.method} {probe.path} {probe.obstacle or 'could be loaded, too'}"
        for probe in sorted(other_probes, key=lambda probe: not probe.is_ready)
    ]
    if has_properties:
        remarks += [f"{key} = {value!r}, of properties" for key, value in found.properties.items()]
    return service_toml(
        None if declared.has("name") else found.name,
        jar=None if declared.has("jar") else found.jar,
        command=None if declared.has("command") else found.command,
        health=None if declared.has("health") else found.health,
        health_status=None if declared.has("health") else found.health_status,
        routes=found.routes,
        headers=found.headers,
        protocols=() if declared.has("protocols") else found.protocols,
        certificate=CERTIFICATE if found.certificate and not has_certificate else None,
        properties=None if has_properties else found.properties,
        declared=declared.text,
        connections=options.filters(None, connections, None, None).connections or (64,),
        notes=(f"What springbench measures of {found.name}. `springbench run` does it.",),
        remarks=(f"not loaded: {remark}" for remark in remarks[:_MOST_REMARKS]),
        schema=schema,
    )


def _check_free(files: Iterable[Path], *, force: bool) -> None:
    existing_files = [file for file in files if file.exists()]
    if existing_files and not force:
        raise ConfigurationError(f"{existing_files[0]}: is there already; --force replaces it")


def _write(files: Mapping[Path, str]) -> None:
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, text)
        typer.echo(f"wrote {file}")


def _workflows(folder: Path, springbench: str | None, build: str | None) -> dict[Path, str]:
    """The workflows that call springbench; none where nobody says whose."""
    if springbench is None:
        return {}
    shell = RealShell()
    branch = default_branch(folder, shell)
    typer.echo(one_line(f"pushes to {branch} are measured: `branches` in {NAME}.yml says so"))
    place = find_place(shell, folder)
    typer.echo(place.words)
    # GitHub reads workflows at the top of a repository alone
    real_folder = folder.resolve()
    top = top_of(real_folder, shell) or real_folder
    below = real_folder.relative_to(top).as_posix()
    files = workflow_files(
        springbench,
        build,
        branch_pattern(branch),
        place.path,
        folder="" if below == "." else below,
    )
    at = folder if top == real_folder else top
    return {at / FOLDER / name: text for name, text in files.items()}


def _next(folder: Path, *, is_built: bool, on_github: bool) -> str:
    where = "" if folder.resolve() == Path.cwd() else f"cd {shlex.quote(str(folder))} && "
    if not on_github:
        return f"next: {'' if is_built else 'build it, then '}`{where}springbench run`"
    if is_built:
        return "next: commit these files, and push them"
    return "next: commit these files, and push them. Nothing is built: --build names what is"
