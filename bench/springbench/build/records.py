"""What is known of a build: how large it is, how long it took, and what made it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from springbench.build.maven import build_seconds
from springbench.measure.testbed import Testbed
from springbench.plan.cases import Variant
from springbench.results.records import BuildRecord
from springbench.untrusted import parse_json, read_file

STAMP = "prepared.json"
# in the folder of an image, wherever that was made: what made it
MADE_WITH = "made-with"
# `native-image 25.0.2 2026-01-20`: its date tells nothing more
_MADE_WITH_WORDS = 2
_MADE_WITH_LENGTH = 80


def builds(
    testbed: Testbed, variants: Iterable[Variant], folders: Mapping[str, Path]
) -> dict[str, BuildRecord]:
    """Size and duration of the build of each variant: Maven's, and what its runtime adds."""
    return {each.id: _build_record(testbed, each, folders.get(each.id)) for each in variants}


def stamp(folder: Path) -> dict[str, Any]:
    """What was noted when the folder had been made; empty where it was not."""
    try:
        return dict(parse_json(read_file(folder / STAMP)))
    except (OSError, ValueError, TypeError):
        return {}


def size(file: Path) -> int | None:
    """In bytes; None where there is no such file."""
    try:
        return file.stat().st_size
    except OSError:
        return None


def _build_record(testbed: Testbed, variant: Variant, folder: Path | None) -> BuildRecord:
    artifact = testbed.artifact(variant)
    built_s = None if testbed.jars else build_seconds(testbed.root, artifact)
    if folder is None:
        return BuildRecord(artifact_bytes=size(artifact), build_s=built_s)
    added_s = stamp(folder.parent).get("prepare_s")
    files = [file for file in folder.rglob("*") if file.is_file() and file.name != MADE_WITH]
    return BuildRecord(
        artifact_bytes=sum(file.stat().st_size for file in files),
        build_s=built_s + added_s if built_s is not None and added_s is not None else None,
        made_with=_made_with(folder),
    )


def _made_with(folder: Path) -> str | None:
    """Name and version, as on the first line that `native-image --version` prints."""
    try:
        words = read_file(folder / MADE_WITH).decode(errors="replace").split()
    except OSError:
        return None
    return " ".join(words[:_MADE_WITH_WORDS])[:_MADE_WITH_LENGTH] or None
