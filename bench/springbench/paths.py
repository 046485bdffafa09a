"""Places in a clone. The package is installed in place, so it knows its clone."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MATRIX = ROOT / "bench" / "matrix.toml"
STUDIES = ROOT / "bench" / "studies.toml"
RESULTS = ROOT / "results"
# the dashboard as one file, without data; the site's build makes it
REPORT_PAGE = ROOT / "site" / "report" / "report.html"


def shown(path: Path) -> str:
    """A path for a person: relative to where they are, when it lies below."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
