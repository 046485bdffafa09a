"""`springbench ci`: the steps of the workflows.

A step takes what its job was asked for from SPRINGBENCH_INPUTS and SPRINGBENCH_VARS (see
`github.job`), and calls the command that does the work. An input is an option of that command: the
same name, default, check and message. What a step has of its own stands here and in no script.
"""

from __future__ import annotations

import io
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated, TextIO, cast

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from springbench import units
from springbench.commands.ci_service import measure_service
from springbench.errors import ConfigurationError, ExitCode, SpringbenchError
from springbench.github import step
from springbench.github.job import (
    INPUTS,
    Job,
    authenticate_git,
    read_job,
    trust_workspace,
    with_digest,
)
from springbench.host.git import required
from springbench.host.shell import RealShell
from springbench.results.comparison import COMPARISON_FILE
from springbench.results.store import RUN_FILE
from springbench.untrusted import one_line

# how long a measurement waits for another one on its host, unless an input says so
WAIT_S = 3600
COMMIT_PROFILE, SITE = "SPRINGBENCH_COMMIT_PROFILE", "SPRINGBENCH_SITE"
RELEASES = "4.0.0.."
BRANCH = "gh-pages"
FETCH_TIMEOUT_S = 600.0
RESULTS, REPORT = Path("results"), Path("report")
# the copy of the history that `releases` goes on with
RELEASES_HISTORY = RESULTS / "releases"
# where `measure.yml` checks the calling repository out
CALLER = "caller"
# inputs whose option has another name
OPTION_OF = {"cases": "only", "runner": "runner-labels"}
# how an artifact of comparisons begins: what these were made for
PURPOSES = {"comparison": "push", "confirmation-": "confirm", "bisection-": "bisect"}

ci = typer.Typer(
    help="Steps of the workflows: inputs come from SPRINGBENCH_INPUTS, further options go on to "
    "the command that a step calls.",
    no_args_is_help=True,
)
_GOES_ON = {"allow_extra_args": True, "ignore_unknown_options": True}
_step = partial(ci.command, context_settings=_GOES_ON)


@ci.callback()
def _trusting() -> None:
    trust_workspace(os.environ)


# --- Plans ----------------------------------------------------------------------------------------


@_step()
def plan(context: typer.Context) -> None:
    """Plan which jobs build and measure."""
    job = read_job(os.environ)
    inputs = job.inputs_or(runner="SPRINGBENCH_RUNNER", spread="SPRINGBENCH_SPREAD")
    if "head" in inputs and "base" not in inputs:
        raise ConfigurationError(
            "head is set and base is not: name both to compare them, or start the workflow from "
            "head"
        )
    if "base" in inputs and inputs.keys() & {"forks", "duration"}:
        raise ConfigurationError(
            "forks and duration are of a measurement; a comparison has its budget: leave them "
            "empty with base"
        )
    of_variable = (
        job.event == "push" and "profile" not in inputs and COMMIT_PROFILE in job.variables
    )
    fallback = "nightly" if job.event == "schedule" else job.variables.get(COMMIT_PROFILE, "commit")
    today = f"--weekday={datetime.now(UTC):%A}".lower()
    of_schedule = (today,) if job.event == "schedule" else ()
    try:
        code = _call(
            context, "plan", "--github", *of_schedule, inputs={"profile": fallback, **inputs}
        )
    except ConfigurationError as error:
        if of_variable and str(error).startswith("--profile"):
            raise ConfigurationError(f"{COMMIT_PROFILE}: {error}") from error
        raise
    raise typer.Exit(code)


@_step()
def prepared_key(context: typer.Context) -> None:
    """Name what is kept of preparing a shard: outputs `key` and `oha`."""
    inputs = _of_shard(read_job(os.environ).inputs)
    raise typer.Exit(_call(context, "plan", "--prepared-key", inputs=inputs))


@_step()
def confirmations(context: typer.Context) -> None:
    """Plan which candidate changes of the history are checked now.

    The output `call` distinguishes what this call of the workflow leaves from what others do.
    """
    job = read_job(os.environ)
    step.write_outputs({"call": with_digest("", os.environ.get(INPUTS, ""))})
    inputs = job.inputs_or(
        runner="SPRINGBENCH_RUNNER",
        spread="SPRINGBENCH_SPREAD",
        minutes="SPRINGBENCH_CONFIRM_MINUTES",
    )
    inputs = _renamed(inputs, minutes="daily-minutes")
    authenticate_git(os.environ, job)
    step_options = ("--github", f"--remote={job.address}")
    raise typer.Exit(_call(context, "confirmations", *step_options, inputs=inputs))


@_step()
def base(context: typer.Context) -> None:
    """Find the measured commit that the commit of this run is compared with: output `base`."""
    job = read_job(os.environ)
    authenticate_git(os.environ, job)
    head = os.environ.get("GITHUB_SHA", "HEAD")
    remote = f"--remote={job.address}"
    raise typer.Exit(_call(context, "base", remote, inputs=job.inputs, last=[head]))


# --- Measurements: these steps have no token ------------------------------------------------------


@_step()
def measure(
    context: typer.Context,
    id_: Annotated[str | None, typer.Option("--id", help="Name of the run folder.")] = None,
) -> None:
    """Measure one shard into results/<id>, and show its report in the summary."""
    job = read_job(os.environ)
    id_ = id_ or f"gh-{job.run_id}-{job.inputs.get('shard', 'all')}"
    # a server that could not be built fails, and takes no other one with it
    step_options = ("--keep-going", "--prepare-host", f"--wait={WAIT_S}", f"--id={id_}")
    try:
        code = _call(context, "run", *step_options, inputs=_of_shard(job.inputs))
    finally:
        folder = RESULTS / id_
        if (folder / RUN_FILE).is_file() and step.SUMMARY in os.environ:
            _run(context, ["report", "--format=summary", "--", str(folder)])
    raise typer.Exit(code)


@_step()
def compare(
    context: typer.Context,
    base_: Annotated[str | None, typer.Option("--base", help="A commit or a checkout.")] = None,
    head: Annotated[str | None, typer.Option("--head", help="What is compared with it.")] = None,
) -> None:
    """Compare two commits side by side below results/; `collect comparison` takes what it left."""
    # that of a publication means something else
    inputs = {k: text for k, text in read_job(os.environ).inputs.items() if k != "force"}
    sides = (base_ or inputs.get("base", ""), head or inputs.get("head", "HEAD"))
    RESULTS.mkdir(exist_ok=True)
    step_options = ("--prepare-host", f"--wait={WAIT_S}", f"--results={RESULTS}")
    raise typer.Exit(_call(context, "compare", *step_options, inputs=inputs, last=sides))


@_step()
def bisect(context: typer.Context) -> None:
    """Find the commit between two that made a metric worse; what it says is the summary too."""
    inputs = read_job(os.environ).inputs
    ends = (inputs.get("good", ""), inputs.get("bad", ""))
    RESULTS.mkdir(exist_ok=True)
    step_options = ("--prepare-host", f"--wait={WAIT_S}", f"--results={RESULTS}")
    with _summarised():
        code = _call(context, "bisect", *step_options, inputs=inputs, last=ends)
    raise typer.Exit(code)


@_step()
def releases(
    context: typer.Context,
    list_: Annotated[
        bool, typer.Option("--list", help="Only say what is left: outputs `left` and `runner`.")
    ] = False,
) -> None:
    """Measure the releases of Spring Boot that the history below results/releases has not."""
    job = read_job(os.environ)
    inputs = job.inputs_or(releases="SPRINGBENCH_RELEASES", runner="SPRINGBENCH_RUNNER")
    versions = inputs.get("releases", RELEASES).split()
    inputs = _renamed(inputs, minutes="confirm-minutes")
    step_options = ("--list",) if list_ else ("--prepare-host", f"--wait={WAIT_S}")
    with _summarised():
        history = f"--history={RELEASES_HISTORY}"
        code = _call(context, "releases", *step_options, history, inputs=inputs, last=versions)
    raise typer.Exit(code)


@ci.command()
def service(
    base_: Annotated[str | None, typer.Option("--base", help="In the place of the input.")] = None,
    profile: Annotated[str | None, typer.Option("--profile", help="The same.")] = None,
    fail_on: Annotated[str | None, typer.Option("--fail-on", help="The same.")] = None,
    call: Annotated[
        str | None, typer.Option("--call", help="What distinguishes this call from others.")
    ] = None,
) -> None:
    """Build a service and measure it, or compare it with a commit; outputs `service` and `name`."""
    job = read_job(os.environ)
    step_options = {"base": base_, "profile": profile, "fail-on": fail_on, "call": call}
    inputs = {**job.inputs, **{name: text for name, text in step_options.items() if text}}
    measure_service(inputs, job, RealShell())


@ci.command()
def collect(
    what: Annotated[str, typer.Argument(help="comparison, bisection or releases.")],
) -> None:
    """Take what a measurement has left below results/, however it ended, into report/."""
    os.chdir(read_job(os.environ).inputs.get("folder", "."))
    takers = {"comparison": _comparison, "bisection": _bisection, "releases": _releases}
    if what not in takers:
        raise ConfigurationError(f"{what!r}: allowed: {', '.join(takers)}")
    takers[what]()


def _comparison() -> None:
    """The newest one. It is saved after each pair: also one that was killed left something."""
    found = sorted(RESULTS.glob(f"*/{COMPARISON_FILE}"))
    if not found:
        typer.echo("nothing was compared")
        return
    folder = found[-1].parent
    _copy(found[-1], REPORT)
    if (folder / "flame-graphs").is_dir():
        shutil.copytree(folder / "flame-graphs", REPORT / "flame-graphs", dirs_exist_ok=True)
    shown = folder.with_name(f"{folder.name}.md")
    if shown.is_file():
        step.show(shown.read_text(encoding="utf-8", errors="replace"))
    else:
        _report("the comparison ended before it was done; what was measured until then is kept")


def _bisection() -> None:
    found = sorted(file for file in RESULTS.rglob(COMPARISON_FILE) if _is_file(file))
    for number, file in enumerate(found, start=1):
        _copy(file, REPORT / str(number))
    typer.echo(f"{units.counted(len(found), 'comparison')} made")


def _releases() -> None:
    """What was measured now; what lies in data/ came from the history."""
    REPORT.mkdir(exist_ok=True)
    places = (f"runs/*/{RUN_FILE}", f"comparisons/*/*/{COMPARISON_FILE}")
    found = [file for place in places for file in sorted(RELEASES_HISTORY.glob(place))]
    # `latest` is another name of one of them
    found = [file for file in found if _is_file(file) and not file.parent.is_symlink()]
    for file in found:
        _copy(file, REPORT / file.parent.relative_to(RELEASES_HISTORY))
    typer.echo(f"{units.counted(len(found), 'file')} of results")


# --- Publications: these steps have a token, and build and measure nothing ------------------------


@ci.command()
def fetch_history() -> None:
    """Take the history of this repository as results/releases, where there is one."""
    job, shell = read_job(os.environ), RealShell()
    authenticate_git(os.environ, job)
    branch = job.inputs.get("branch", BRANCH)
    shutil.rmtree(RELEASES_HISTORY, ignore_errors=True)
    RESULTS.mkdir(exist_ok=True)
    git = partial(required, shell, RESULTS, timeout_s=FETCH_TIMEOUT_S)
    if not git("ls-remote", "--heads", "--", job.address, branch):
        return
    # a link there becomes a file with its target here: nothing is written through one
    how = ("--quiet", "--depth=1", f"--branch={branch}", "--config=core.symlinks=false")
    git("clone", *how, "--", job.address, RELEASES_HISTORY.name)
    shutil.rmtree(RELEASES_HISTORY / ".git")


@ci.command()
def site(
    version: Annotated[str, typer.Option("--version", help="The commit whose dashboard it is.")],
    call: Annotated[
        str, typer.Option("--call", help="What distinguishes this call from others.")
    ] = "",
) -> None:
    """Say whether the branch shows this dashboard already: outputs `deployed` and `artifact`."""
    job, shell = read_job(os.environ), RealShell()
    authenticate_git(os.environ, job)
    branch, path = job.inputs.get("branch", BRANCH), job.inputs.get("path", "")
    with tempfile.TemporaryDirectory(prefix="springbench-site-") as folder:
        git = ("git", "-C", folder)
        shell.run([*git, "init", "--quiet"])
        shell.run(
            [*git, "fetch", "--quiet", "--depth=1", "--", job.address, f"refs/heads/{branch}"]
        )
        name = "/".join(part for part in (path, "version.txt") if part)
        shown = shell.run([*git, "show", f"FETCH_HEAD:{name}"])
    deployed = not shown.code and shown.stdout.strip() == version
    outputs = {"deployed": str(deployed).lower(), "artifact": with_digest("site", call)}
    step.write_outputs(outputs)
    typer.echo(f"deployed={outputs['deployed']}")


@ci.command()
def publish(
    context: typer.Context,
    artifacts: Annotated[Path, typer.Argument(help="It has a folder for each artifact.")] = Path(
        "artifacts"
    ),
) -> None:
    """Publish what other jobs have uploaded: shards of a run, comparisons, releases, a dashboard.

    What is refused costs the rest nothing, and fails the step at the end.
    """
    job = read_job(os.environ)
    authenticate_git(os.environ, job)
    place = {name: job.inputs[name] for name in ("branch", "path") if name in job.inputs}
    push, url = f"--push={job.address}", f"--url={job.run_url}"
    publish_ = partial(_attempt, context, "publish", push, url)
    codes: list[int] = []
    # what is no regular file is a shard too: one that is refused by its name
    if shards := sorted(str(file.parent) for file in artifacts.glob(f"run-*/**/{RUN_FILE}")):
        # a re-run has the same id, and so replaces what it published before
        name = "-".join(part for part in ("gh", job.run_id, job.inputs.get("name")) if part)
        # the action that draws charts would add a page that loads a script from elsewhere
        charts = ("--export=export", "--charts-page") if "charts" in job.inputs else ()
        codes.append(publish_(f"--id={name}", *charts, inputs=job.inputs, last=shards))
        if charts and not codes[-1]:
            _prepare_charts(job.address, job.inputs.get("branch", BRANCH))
    for release in _folders_of(RUN_FILE, artifacts.glob("releases/runs/*")):
        codes.append(publish_(inputs=place, last=[release]))
    compared = 0
    for folder, purpose in _compared(artifacts):
        found = _folders_of(COMPARISON_FILE, [folder])
        compared += len(found) if purpose == "confirm" else 0
        if found:
            flags = (f"--comparison={comparison}" for comparison in found)
            codes.append(publish_(*flags, f"--purpose={purpose}", inputs=place))
    if compared < (expected := int(job.inputs.get("expected", "0"))):
        _report(f"{compared} of {expected} comparisons left a result; the logs say why")
    for dashboard in sorted(artifacts.glob("site*")):
        codes.append(_attempt(context, "deploy", push, inputs=place, last=[str(dashboard)]))
    if not codes:
        _report("nothing was measured or compared; nothing to publish")
    raise typer.Exit(next((code for code in codes if code), ExitCode.OK))


def _compared(artifacts: Path) -> Iterator[tuple[Path, str]]:
    """Folders of comparisons, each with what these were made for, by the name of the artifact."""
    for prefix, purpose in PURPOSES.items():
        for folder in sorted(artifacts.glob(f"{prefix}*")):
            yield folder, purpose
    for folder in sorted(artifacts.glob("releases/comparisons/*")):
        yield folder, folder.name


def _prepare_charts(address: str, branch: str) -> None:
    """github-action-benchmark takes the branch as it finds it here, and else fetches all of its
    past; it takes no empty list."""
    refs = f"+refs/heads/{branch}:refs/heads/{branch}"
    if RealShell().run(["git", "fetch", "--quiet", "--depth=1", "--", address, refs]).code:
        typer.echo(f"{branch} could not be fetched; github-action-benchmark tries it itself")
    lists = ("throughput", "costs")
    step.write_outputs(
        {name: str(Path("export", f"{name}.json").is_file()).lower() for name in lists}
    )


@_step()
def alert(context: typer.Context) -> None:
    """Open, update, close and reopen one issue for each confirmed regression of the history."""
    job = read_job(os.environ)
    authenticate_git(os.environ, job)
    inputs = {"site": _dashboard(job), **job.inputs_or(site=SITE)}
    raise typer.Exit(_call(context, "alert", f"--remote={job.address}", inputs=inputs))


@_step()
def comment(
    context: typer.Context,
    report: Annotated[Path, typer.Argument(help="What the jobs that compare have uploaded.")],
    by_service: Annotated[bool, typer.Option("--by-service", help="A folder for each.")] = False,
) -> None:
    """Post a comparison as the comment of the pull request that the event vouches for.

    Nothing that the other run has uploaded takes part in finding the pull request.
    """
    job = read_job(os.environ)
    inputs = {"site": _dashboard(job), **job.inputs_or(site=SITE)}
    event = f"--event={os.environ.get('GITHUB_EVENT_PATH', '')}"
    step_options: tuple[str, ...] = (event,)
    if by_service:
        step_options = (event, "--by-service", "--failed=compare")
    elif not (report / COMPARISON_FILE).is_file():
        # nothing was downloaded, whatever the folder may hold
        report, step_options = report / "none", (event, "--failed=compare")
    raise typer.Exit(_call(context, "comment", *step_options, inputs=inputs, last=[str(report)]))


@ci.command()
def page(
    context: typer.Context,
    comparison: Annotated[Path, typer.Argument(help="The folder with comparison.json.")],
) -> None:
    """Make page/report.html of a comparison of another job; none where there is nothing to show.

    The comparison is checked as a stranger's file, and whatever else lies there takes no part.
    """
    file = comparison / COMPARISON_FILE
    if not _is_file(file):
        _report("nothing was compared")
        return
    built = RealShell().run(["sh", "site/build.sh"], show=True)
    if built.code:
        raise typer.Exit(built.code)
    output = Path("page", "report.html")
    output.parent.mkdir(exist_ok=True)
    step_options = ("--format=page", f"--output={output}")
    if _attempt(context, "report", *step_options, last=[str(file)]):
        _report("this comparison has no page; the log says why")
        output.unlink(missing_ok=True)


def _dashboard(job: Job) -> str:
    """Where the repository's Pages show it, unless a variable says another address."""
    owner, _, name = job.repository.partition("/")
    path = f"{job.inputs['path']}/" if "path" in job.inputs else ""
    return f"https://{owner}.github.io/{name}/{path}"


# --- From inputs to a command ---------------------------------------------------------------------


def _call(
    context: typer.Context,
    name: str,
    *step_options: str,
    inputs: Mapping[str, str] | None = None,
    last: Sequence[str] = (),
) -> int:
    """Call a command with its `step_options`, the inputs that are options of it and those
    that the step was given; `last` are arguments. Returns its exit code.

    Whatever a value holds, it stays one argument. Of two options of one name the later one counts.
    """
    options = _options(
        cast("TyperCommand", _root(context).commands[name]), _renamed(inputs or {}, **OPTION_OF)
    )
    return _run(
        context, [name, *step_options, *options, *context.args, *(["--", *last] if last else [])]
    )


def _run(context: typer.Context, arguments: Sequence[str]) -> int:
    typer.echo(one_line(shlex.join(["springbench", *arguments])), err=True)
    code = _root(context).main(list(arguments), "springbench", standalone_mode=False)
    return code if isinstance(code, int) else ExitCode.OK


def _attempt(
    context: typer.Context,
    name: str,
    *step_options: str,
    inputs: Mapping[str, str] | None = None,
    last: Sequence[str] = (),
) -> int:
    """The same, where others come after it: a mistake is said, and is its exit code."""
    try:
        return _call(context, name, *step_options, inputs=inputs, last=last)
    except SpringbenchError as error:
        message, code = str(error), error.exit_code
    except typer.TyperException as error:
        message, code = error.format_message(), ExitCode.USAGE
    step.summarise(message)
    for line in message.splitlines():
        typer.echo(f"springbench: {one_line(line)}", err=True)
    return code


def _options(command: TyperCommand, inputs: Mapping[str, str]) -> Iterator[str]:
    """The inputs that are options of a command. A list has blanks or line ends between its parts,
    a flag is `true`; what is no option of it is another command's, or the workflow's own."""
    for option in command.params:
        names = [flag.removeprefix("--") for flag in option.opts]
        name = next((candidate for candidate in names if candidate in inputs), None)
        if name is None or not isinstance(option, TyperOption):
            continue
        if option.is_flag:
            yield from [f"--{name}"] if inputs[name] == "true" else []
        elif option.multiple:
            yield from (f"--{name}={part}" for part in inputs[name].split())
        else:
            yield f"--{name}={inputs[name]}"


def _root(context: typer.Context) -> TyperGroup:
    return cast("TyperGroup", context.find_root().command)


def _renamed(inputs: Mapping[str, str], **names: str) -> dict[str, str]:
    """The inputs, some under the name of the option that they are."""
    found = {name: text for name, text in inputs.items() if name not in names}
    return {**found, **{new: inputs[old] for old, new in names.items() if old in inputs}}


def _of_shard(inputs: Mapping[str, str]) -> Mapping[str, str]:
    overrides = {"matrix": f"{CALLER}/{inputs['matrix']}"} if "matrix" in inputs else {}
    return {**inputs, **overrides}


@contextmanager
def _summarised() -> Iterator[None]:
    """What is printed meanwhile is shown in the summary too, as the plain text that it is."""
    copy = io.StringIO()
    try:
        with redirect_stdout(_Both(sys.stdout, copy)):
            yield
    finally:
        step.summarise(copy.getvalue())


class _Both(io.TextIOBase):
    def __init__(self, *streams: TextIO) -> None:
        self._streams = streams

    def write(self, text: str) -> int:
        for stream in self._streams:
            stream.write(text)
            stream.flush()
        return len(text)


def _report(line: str) -> None:
    """In the log and in the summary."""
    typer.echo(one_line(line))
    step.summarise(line)


def _folders_of(name: str, places: Iterable[Path]) -> list[str]:
    """Folders at or below these places that have such a file; a link is none."""
    files = (file for place in places for file in place.rglob(name) if _is_file(file))
    return [str(file.parent) for file in sorted(files)]


def _is_file(file: Path) -> bool:
    return file.is_file() and not file.is_symlink()


def _copy(file: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy2(file, folder / file.name)
