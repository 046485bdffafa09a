"""Places in a clone, or where springbench is used without one.

In a clone the package is installed in place, and so knows it. Otherwise things are kept in the
folder that a person stands in.
"""

from __future__ import annotations

from glob import escape
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_CLONE = _PACKAGE.parents[1]
IN_CLONE = (_CLONE / "bench" / "matrix.toml").is_file()


def _working_folder() -> Path:
    try:
        return Path.cwd()
    except OSError:  # a folder that was deleted meanwhile
        return _CLONE


ROOT = _CLONE if IN_CLONE else _working_folder()
# inside the clone, and so in each of its commits
MATRIX_PLACE = "bench/matrix.toml"
MATRIX = ROOT / MATRIX_PLACE
STUDIES = ROOT / "bench" / "studies.toml"
QUESTIONS = ROOT / "bench" / "questions.toml"
CLAIMS = ROOT / "bench" / "claims.toml"
# of a service of one's own, in the folder that a person stands in
SERVICE = _working_folder() / "springbench.toml"
# outside of the clone a person means their own service, which may have no springbench.toml yet
ABOUT_A_SERVICE = SERVICE.is_file() or not _working_folder().is_relative_to(_CLONE) or not IN_CLONE
RESULTS = (SERVICE.parent if ABOUT_A_SERVICE else ROOT) / "results"
# whose commits are asked for: what describes a service may lie in a folder of it, or nowhere
REPOSITORY = next(
    (at for at in (_working_folder(), *_working_folder().parents) if (at / ".git").exists()), ROOT
)
# the dashboard as one file, without data; the site's build makes it, and a release brings it along
REPORT_PAGE = (ROOT / "site" / "report" if IN_CLONE else _PACKAGE / "page") / "report.html"


def is_glob(text: str) -> bool:
    """Whether the text stands for other names than itself."""
    return escape(text) != text


def text_of(file: Path) -> str:
    """The text of a small file, as the kernel has them in /proc and /sys; empty where none is."""
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def shown(path: Path) -> str:
    """A path for a person: relative to where they are, when it lies below."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
