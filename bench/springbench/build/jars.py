"""Places of built jars: in their modules, or in a folder that was given."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from springbench.build.availability import prebuilt
from springbench.errors import ConfigurationError
from springbench.measure.services import database, upstream
from springbench.measure.testbed import artifact_of
from springbench.paths import ROOT
from springbench.plan.plan import Plan


def find_jars(plan: Plan, jars: Path | None, root: Path = ROOT) -> None:
    """Raises `ConfigurationError` naming every jar of the plan that is not there."""
    if jars is not None and not jars.is_dir():
        raise ConfigurationError(f"--jars {jars}: there is no such folder")
    lost = missing_jars(plan, jars, root)
    for variant in (case.variant for case in plan.cases if case.id in lost):
        is_from_folder = jars is not None and variant.server.built_by == "caller"
        if variant.server.built_by != "maven" and not is_from_folder:
            built = artifact_of(variant, root, None)
            raise ConfigurationError(f"{built}: there is no such file; build it first")
    missing = list(lost.values())
    if plan.needs("database") and not database_jar(jars).is_file():
        missing.append(Path(database.ARTIFACT).name)
    if plan.needs("upstream") and not upstream_jar(jars).is_file():
        missing.append(Path(upstream.ARTIFACT).name)
    if missing:
        where = f"--jars {jars}" if jars else "the build"
        names = ", ".join(dict.fromkeys(missing))
        raise ConfigurationError(f"{where}: not there: {names}")


def artifacts(plan: Plan, jars: Path | None, root: Path = ROOT) -> list[Path]:
    """The file of each variant that is there already, and is one."""
    found = []
    for variant in {case.variant.id: case.variant for case in plan.cases}.values():
        # one that is to be built anew may mean several as yet
        with suppress(ConfigurationError):
            found.append(artifact_of(variant, root, jars))
    return [file for file in found if file.is_file()]


def missing_jars(plan: Plan, jars: Path | None, root: Path = ROOT) -> dict[str, str]:
    """By case id: the name of its jar, where that is not there. An image needs none."""
    missing = {}
    for case in plan.cases:
        if case.variant.runtime.is_native and prebuilt(jars, case.variant):
            continue
        path = artifact_of(case.variant, root, jars)
        if not path.is_file():
            missing[case.id] = path.name
    return missing


def upstream_jar(jars: Path | None) -> Path:
    """The slow upstream's jar, from the folder of `--jars` where that has one."""
    return _service_jar(ROOT / upstream.MODULE / upstream.ARTIFACT, jars)


def database_jar(jars: Path | None) -> Path:
    """The database's jar, from the folder of `--jars` where that has one."""
    return _service_jar(ROOT / database.MODULE / database.ARTIFACT, jars)


def _service_jar(built: Path, jars: Path | None) -> Path:
    candidate = jars / built.name if jars else built
    return candidate if candidate.is_file() else built
