"""Sides that `compare` is asked for: a commit, a folder of jars, a checkout, a variant or a stored
run; and how the two are started, where that is not the same."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from glob import escape
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from springbench.bench.assembly import Side
from springbench.build.maven import build_error
from springbench.build.sources import MEASURED_SOURCES, NO_COMMITS, is_outside
from springbench.errors import BuildError, ConfigurationError
from springbench.host import git
from springbench.host.shell import Shell
from springbench.host.tools.search import tools_dir
from springbench.matrix.load import parse_matrix
from springbench.matrix.rows import Matrix
from springbench.matrix.settings import NO_SETTINGS
from springbench.matrix.toml_file import SERVICE_FILE, read_text
from springbench.measure.testbed import artifact_of
from springbench.messages import indented
from springbench.paths import MATRIX, MATRIX_PLACE, REPOSITORY, ROOT
from springbench.plan.cases import Variant, every_variant
from springbench.plan.plan import Plan
from springbench.results.comparison import SideInfo
from springbench.results.run import Caution
from springbench.results.store import RUN_FILE

_MOST_NAMED = 3


@dataclass(frozen=True)
class RequestedSide:
    """One side before anything is started. `jars` is a folder with its jars.

    `home` is the checkout of a service that was built there. `rows` describe what this side starts,
    where that is not what the plan was made of.
    """

    info: SideInfo
    jars: Path | None = None
    variant: Variant | None = None
    run: Path | None = None
    home: Path | None = None
    rows: Matrix | None = None

    @property
    def is_built(self) -> bool:
        """Whether all that it starts is there: nothing is to be built for it."""
        of_others = self.variant is not None and self.variant.server.built_by != "maven"
        return bool(self.jars or self.home or self.run or of_others)

    def variant_of(self, variant: Variant) -> Variant:
        """What this side starts in the place of that variant. Raises `ConfigurationError`."""
        if self.rows is None:
            return self.variant or variant
        if self.home is None:
            # a commit; what it does not know yet is started as the other side has it
            plain = replace(variant, settings=NO_SETTINGS).id
            known = (
                known_variant
                for known_variant in every_variant(self.rows)
                if known_variant.id == plain
            )
            return replace(next(known, variant), settings=variant.settings)
        axes = (variant.model.id, variant.runtime.id)
        for known_variant in every_variant(self.rows):
            if (known_variant.model.id, known_variant.runtime.id) == axes:
                return replace(known_variant, settings=variant.settings)
        raise ConfigurationError(
            f"{self.info.label}: what describes it has no {axes[1]} with model {axes[0]}, which "
            "the other side has: compare sides that start in the same way"
        )

    def started_plan(self, plan: Plan) -> Plan:
        """The plan as this side starts it: of the one variant, where it names one."""
        cases = plan.cases[:1] if self.variant else plan.cases
        started_cases = (replace(case, variant=self.variant_of(case.variant)) for case in cases)
        return replace(plan, cases=tuple(started_cases))

    def bench_side(self, plan: Plan) -> Side:
        """What a bench builds of it, and starts."""
        return Side(
            self.started_plan(plan),
            jars=self.jars,
            commit=self.info.sha,
            is_built=self.is_built,
            label=self.info.label,
        )


CommitBuilder: TypeAlias = Callable[[str, str], RequestedSide]
"""Makes a side of a commit, which a person called so."""


def resolve(
    text: str,
    matrix: Matrix,
    shell: Shell,
    file: Path = MATRIX,
    build_commit: CommitBuilder | None = None,
) -> RequestedSide:
    """Side that a person means by `text`: a run, a folder of jars, a variant id, a git commit or
    the checkout of a service. `matrix` was read from `file`; `build_commit` is for a service.

    Raises `ConfigurationError` that says what it could have been.
    """
    path = Path(text)
    is_service = any(is_outside(variant) for variant in every_variant(matrix))
    if (path / RUN_FILE).is_file() or path.name == RUN_FILE:
        return RequestedSide(SideInfo(kind="run", label=text), run=path)
    if path.is_file() and is_service:
        return RequestedSide(SideInfo(kind="jars", label=text), jars=_folder_of(path, matrix))
    if path.is_dir() and not (is_service and is_checkout(path)) and _holds_artifacts(path, matrix):
        return RequestedSide(SideInfo(kind="jars", label=text), jars=path.resolve())
    if path.is_dir() and is_service and (rows := checkout_matrix(path, file)):
        return RequestedSide(checkout_info(text, path, shell), home=path.resolve(), rows=rows)
    if variant := find_variant(text, matrix):
        return RequestedSide(SideInfo(kind="variant", label=text), variant=variant)
    return (
        _commit_of_service(text, shell, build_commit)
        if is_service
        else _commit_of_clone(text, shell, file)
    )


def _commit_of_clone(text: str, shell: Shell, file: Path) -> RequestedSide:
    if sha := git.commit_of(text, ROOT, shell):
        return commit_side(text, sha, shell, file)
    raise ConfigurationError(
        f"{text!r} is no run folder, no folder with jars, no variant of matrix.toml and no commit "
        "of this repository; allowed: results/<run-id>, a folder of built jars, "
        "a variant such as boot4-tomcat-virtual-jvm, or anything that git resolves"
    )


def _commit_of_service(
    text: str, shell: Shell, build_commit: CommitBuilder | None
) -> RequestedSide:
    what = f"{text!r} is no run folder, no variant, no jar, and no folder with a jar or a checkout "
    what += "that was built"
    if build_commit is None:
        raise ConfigurationError(
            f"{what}; {NO_COMMITS}: name the command that builds a commit of it, as in "
            "--build './mvnw package', or build both, each in a folder of its own"
        )
    if sha := git.commit_of(text, REPOSITORY, shell):
        return build_commit(text, sha)
    raise ConfigurationError(
        f"{what}, and no commit of this repository: allowed are these, and anything that git "
        "resolves"
    )


def _folder_of(file: Path, matrix: Matrix) -> Path:
    """A folder that holds one file alone, under the name of what the service starts."""
    started = Path(next(iter(every_variant(matrix))).artifact).name
    key = sha256(str(file.resolve()).encode()).hexdigest()[:12]
    folder = tools_dir(ROOT) / "compared" / key
    folder.mkdir(parents=True, exist_ok=True)
    for older in folder.iterdir():
        older.unlink()
    (folder / started.replace("*", "0")).symlink_to(file.resolve())
    return folder


def check_artifacts(side: RequestedSide, plan: Plan) -> None:
    """Raises `ConfigurationError` where a folder lacks what is started.

    What nothing builds would be taken from where it lies: the same file on both sides.
    """
    for variant in _variants(side, plan) if side.jars else ():
        found = artifact_of(variant, ROOT, side.jars)
        if found.parent != side.jars and variant.server.built_by == "nothing":
            raise ConfigurationError(
                f"{side.info.label}: holds no {found.name}, which both sides start: put the one "
                "of this side there"
            )


def _holds_artifacts(folder: Path, matrix: Matrix) -> bool:
    names = {"*.jar", *(escape(Path(variant.artifact).name) for variant in every_variant(matrix))}
    return any(next(folder.glob(name), None) for name in names)


def commits_between(sides: Sequence[RequestedSide], plan: Plan, shell: Shell) -> int | None:
    """How many commits from base to head touch what is measured; None where that is not known."""
    base, head = (side.info for side in sides)
    if not (base.kind == head.kind == "commit" and base.sha and head.sha):
        return None
    root = sides[1].home or ROOT
    if not git.is_ancestor(base.sha, head.sha, root, shell):
        return None
    by_maven = all(case.variant.server.built_by == "maven" for case in plan.cases)
    paths = MEASURED_SOURCES if by_maven else ()
    try:
        return len(git.between(base.sha, head.sha, root, shell, paths)) or None
    except ConfigurationError:
        return None


def commit_side(name: str, sha: str, shell: Shell, file: Path | None = None) -> RequestedSide:
    """The side that is that commit, as a person called it, started as its own matrix says.

    Where the plan was made of another `file` than the clone's matrix, that says it for both sides.
    """
    facts = git.facts_of(sha, ROOT, shell)
    known = asdict(facts) if facts else {"sha": sha}
    info = SideInfo(kind="commit", label=f"{name} ({sha[:12]})", **known)
    is_own = file is None or file.resolve() == MATRIX.resolve()
    return RequestedSide(info, rows=_rows_of(sha, shell) if is_own else None)


def _rows_of(sha: str, shell: Shell) -> Matrix | None:
    """The matrix of a commit; None where it is that of the clone, or none that is read today."""
    text = git.text_of(sha, MATRIX_PLACE, ROOT, shell)
    if text is None or text.strip() == MATRIX.read_text(encoding="utf-8").strip():
        return None
    with suppress(ConfigurationError):
        return parse_matrix(text, f"matrix.toml of {sha[:12]}")
    return None


def check_kinds(sides: Sequence[RequestedSide]) -> None:
    """Raises `ConfigurationError` where the two sides are not of one kind."""
    if len({side.home is None for side in sides}) > 1:
        built = next(side for side in sides if side.home is None)
        raise ConfigurationError(
            f"{built.info.label}: the other side is a checkout of the service; compare two "
            "checkouts, or two folders of jars"
        )
    kinds = {"jars" if side.info.kind == "commit" else side.info.kind for side in sides}
    if len(kinds) > 1:
        raise ConfigurationError(
            f"{sides[0].info.label} is a {sides[0].info.kind}, {sides[1].info.label} a "
            f"{sides[1].info.kind}: compare two runs, two variants, or commits and folders of jars"
        )


def find_variant(text: str, matrix: Matrix) -> Variant | None:
    """The variant with that id, if the matrix has it."""
    return next((variant for variant in every_variant(matrix) if variant.id == text), None)


def _variants(side: RequestedSide, plan: Plan) -> list[Variant]:
    return [case.variant for case in side.started_plan(plan).cases]


def is_checkout(folder: Path) -> bool:
    """Whether the folder has the sources of a service, and not some files of its build."""
    return (folder / SERVICE_FILE).is_file() or (folder / ".git").exists()


def checkout_matrix(folder: Path, default: Path) -> Matrix | None:
    """The matrix of the service in that folder; None where there is none to start.

    One without a file of its own, as before the file came, is described by the `default` one, if
    what that starts lies there. Raises `ConfigurationError` for a file that is wrong.
    """
    own_file = folder / SERVICE_FILE
    if own_file.is_file():
        return parse_matrix(read_text(own_file), str(own_file), folder)
    rows = parse_matrix(read_text(default), str(own_file), folder)
    place = folder.resolve()
    started = (artifact_of(variant, place, None) for variant in every_variant(rows))
    return (
        rows
        if any(artifact.is_file() and place in artifact.parents for artifact in started)
        else None
    )


def checkout_info(text: str, folder: Path, shell: Shell) -> SideInfo:
    """What a checkout is: the commit that is checked out there, or files that no commit holds."""
    commit = git.head(folder, shell)
    if commit is None or commit.dirty:
        return SideInfo(kind="jars", label=text)
    known = {key: value for key, value in asdict(commit).items() if key not in ("branch", "dirty")}
    # the folder's path is not published
    short_sha = commit.sha[:12]
    return SideInfo(kind="commit", label=f"{short_sha} ({short_sha})", **known)


def started_differently(plan: Plan, sides: Sequence[RequestedSide]) -> Iterator[Caution]:
    """Words that only one side's command has, with the variants that they are of."""
    base, head = sides
    if base.variant or head.variant:
        # who asks for two variants knows that they differ
        return
    found: dict[str, list[str]] = {}
    for name, cases in plan.by_variant().items():
        before, after = (_words(side.variant_of(cases[0].variant)) for side in (base, head))
        removed = [word for word in before if word not in after]
        added = [word for word in after if word not in before]
        if removed or added:
            found.setdefault(
                f"head with {_listed(added)}, base with {_listed(removed)}", []
            ).append(name)
    for difference, names in found.items():
        more = len(names) - _MOST_NAMED
        variant_names = ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
        yield Caution(
            code="started-differently",
            message=f"started differently, {difference}: {variant_names}",
        )


def _words(variant: Variant) -> list[str]:
    """The words of its command before its placeholders are filled in, and its variables."""
    model, server = variant.model, variant.server
    return [
        *variant.runtime.start,
        *(f"{key}={value}" for key, value in server.environment.items()),
        *(f"{name} of the caller" for name in server.pass_env),
        *(f"-D{key}={value}" for key, value in model.system_properties.items()),
        *(f"--{key}={value}" for key, value in model.properties_for(server.id, 1).items()),
    ]


def _listed(words: Sequence[str]) -> str:
    return " ".join(words) or "nothing instead"


# --- Commits of somebody's service: checked out next to the clone, and built by one command ---
# springbench does not know how a service is built: a person names the command, and it runs in the
# folder of the service at each commit.


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
