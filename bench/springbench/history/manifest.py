"""What on a branch is springbench's own: nothing else is deleted or replaced.

A folder is springbench's own where nothing else is, or where the manifest says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from springbench.errors import ConfigurationError
from springbench.history.branch import Branch, blob_id
from springbench.history.files import (
    MANIFEST,
    load,
    save,
)
from springbench.results.manifest import MANIFEST_SCHEMA_VERSION, Manifest
from springbench.untrusted import one_line

# GitHub Pages would otherwise run Jekyll and drop files that begin with an underscore. It looks for
# this at the branch's top alone; it has no content, so it is nobody's
NO_JEKYLL = ".nojekyll"
FOLDER = "springbench"
_MOST_NAMED = 5


def claim(branch: Branch) -> Manifest:
    """What springbench may change in the folder. A manifest is written where there is none.

    Raises `ConfigurationError` where somebody else's files are, with some of their names.
    """
    manifest = load(branch, MANIFEST, Manifest)
    if manifest:
        return manifest
    names = [name for name in branch.entries() if name != NO_JEKYLL]
    if names:
        raise ConfigurationError(
            f"{branch.remote.place} holds files that springbench did not write: "
            f"{some_of(tops(names))}. Nothing was changed. Let it write below a folder of its own: "
            f"--path {free_folder(branch)} (in a workflow `path: {free_folder(branch)}`)"
        )
    manifest = Manifest(schema=MANIFEST_SCHEMA_VERSION, files={})
    _save(branch, manifest)
    return manifest


def lay(branch: Branch, site: Mapping[str, bytes]) -> list[str]:
    """Put a built site, by path, in the place of the last one. Returns lines about what was left.

    Raises `ConfigurationError` where a file of somebody else has the name of one of it.
    """
    last = claim(branch).files
    # no part of a dashboard, and never removed
    site = {path: data for path, data in site.items() if path != NO_JEKYLL}
    files = {path: blob_id(data) for path, data in site.items()}
    in_the_way = [
        path for path in files if branch.blob(path) not in (None, last.get(path), files[path])
    ]
    if in_the_way:
        raise ConfigurationError(
            f"{branch.remote.place}: not what springbench wrote there: {some_of(in_the_way)}. "
            "Nothing was changed. Move or remove these, or let springbench write below another "
            "folder: --path (in a workflow `path:`)"
        )
    left = []
    for path in sorted(last.keys() - files.keys()):
        if branch.blob(path) == last[path]:
            branch.delete(path)
        elif branch.blob(path):
            left.append(f"{one_line(path)}: was changed by others since it was written; it stays")
    for path, data in site.items():
        if branch.blob(path) != files[path]:
            branch.write_bytes(path, data)
    _save(branch, Manifest(schema=MANIFEST_SCHEMA_VERSION, files=files))
    return left


def free_folder(branch: Branch) -> str:
    """A folder at the branch's top whose name nothing has yet."""
    taken = {path.split("/")[0] for path in branch.everything()}
    names = (FOLDER, *(f"{FOLDER}-{number}" for number in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)


def tops(paths: Sequence[str]) -> list[str]:
    """Files that lie at the top, and folders there, with a slash behind them."""
    return sorted(
        {f"{top}/" if remainder else top for top, _, remainder in (p.partition("/") for p in paths)}
    )


def some_of(names: Sequence[str]) -> str:
    """The first of these, for a message."""
    more = len(names) - _MOST_NAMED
    shown = ", ".join(one_line(name) for name in names[:_MOST_NAMED])
    return f"{shown} and {more} more" if more > 0 else shown


def _save(branch: Branch, manifest: Manifest) -> None:
    save(branch, MANIFEST, manifest)
    if not branch.remote.path and NO_JEKYLL not in branch.entries():
        branch.write(NO_JEKYLL, "")
