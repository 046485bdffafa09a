"""The file that is started: where it lies, and which of several files a glob means."""

from __future__ import annotations

from glob import glob
from pathlib import Path

from springbench.errors import ConfigurationError
from springbench.paths import is_glob
from springbench.plan.cases import Variant

# beside the jar that runs, a build leaves jars that cannot
_NOT_RUN = ("-plain.jar", "-sources.jar", "-javadoc.jar", "-tests.jar", "-test.jar")


def artifact_of(variant: Variant, root: Path, jars: Path | None) -> Path:
    """The file in its module's folder, or by name in the folder of `--jars`.

    What nothing builds may lie where it is beside that folder. Raises `ConfigurationError` where
    a glob means several files; one that means none stays as it is.
    """
    own = root / variant.module
    if jars is None:
        return _meant(own, variant.artifact)
    given = _meant(jars, Path(variant.artifact).name)
    if variant.server.built_by == "nothing" and not given.is_file():
        return _meant(own, variant.artifact)
    return given


def _meant(folder: Path, name: str) -> Path:
    exact = folder / name
    if exact.is_file() or not is_glob(name):
        return exact
    # Path.glob takes no pattern of an absolute path
    names = glob(name, root_dir=folder, recursive=True)  # noqa: PTH207
    found = sorted(each for each in names if not each.endswith(_NOT_RUN))
    if len(found) > 1:
        raise ConfigurationError(
            f"{exact}: several files are meant by it: {', '.join(found)}; name one, or remove "
            "those of older builds"
        )
    return folder / found[0] if found else exact
