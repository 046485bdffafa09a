"""What the jobs of several services have left, by service. Whoever uploaded it is not trusted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from springbench.errors import ConfigurationError
from springbench.matrix.service_name import identifier
from springbench.results.comparison import COMPARISON_FILE, Comparison
from springbench.results.untrusted import load_comparison
from springbench.untrusted import sanitise

# what a job writes before anything can fail: the name of its service
NAME_FILE = "service.txt"
MAX_SERVICES = 10
MAX_JOBS = 2 * MAX_SERVICES
_MAX_NAME_BYTES = 200


@dataclass
class ServiceComparisons:
    """Comparisons by the identifier of their service; none of one whose job left only its name.

    `left_out` has a line for what cannot be read, and for what is more than is read.
    """

    by_service: dict[str, list[Comparison]] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)


def service_comparisons(path: Path) -> ServiceComparisons:
    """Those in a folder, and in the folders in it, one for each job; none where there is none."""
    found = ServiceComparisons()
    folders = list(_folders(path))
    unread = max(0, len(folders) - MAX_JOBS)
    for folder in folders[:MAX_JOBS]:
        try:
            comparison = _comparison_in(folder)
        except ConfigurationError as error:
            found.left_out.append(str(error))
            continue
        name = _name_in(folder)
        if comparison is None and name is None:
            continue
        service = (comparison and comparison.service) or identifier(name or "")
        if service not in found.by_service and len(found.by_service) >= MAX_SERVICES:
            unread += 1
            continue
        known = found.by_service.setdefault(service, [])
        known += [comparison] if comparison else []
    if unread:
        found.left_out.append(
            f"{unread} more left out: at most {MAX_SERVICES} services and {MAX_JOBS} folders "
            "are read"
        )
    return found


def _folders(path: Path) -> Iterator[Path]:
    """One artifact alone may lie in the folder itself. Links are not followed."""
    if path.is_dir():
        yield path
        inside = sorted(path.iterdir())
        yield from (entry for entry in inside if entry.is_dir() and not entry.is_symlink())


def _comparison_in(folder: Path) -> Comparison | None:
    file = folder / COMPARISON_FILE
    return load_comparison(file) if file.is_symlink() or file.exists() else None


def _name_in(folder: Path) -> str | None:
    file = folder / NAME_FILE
    if file.is_symlink() or not file.is_file():
        return None
    with file.open("rb") as stream:
        data = stream.read(_MAX_NAME_BYTES)
    return sanitise(data.decode("utf-8", "replace").strip())
