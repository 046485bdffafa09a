"""The closing lines of `make test`: how many tests of each language passed, and what did not.

Usage: tally.py REPORTS FAILED_STEPS. REPORTS holds the JUnit files of pytest and vitest; those of
Maven stand below `.tools/verify`, of this run or of an earlier one whose sources were the same.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

TOP = Path(__file__).resolve().parent.parent


@dataclass
class Tally:
    """Tests counted by how they ended."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def add(self, report: Path) -> None:
        """Count the cases of one JUnit report."""
        for case in ElementTree.parse(report).iter("testcase"):  # noqa: S314  # written by our own tools
            tags = {child.tag for child in case}
            if tags & {"failure", "error"}:
                self.failed += 1
            elif "skipped" in tags:
                self.skipped += 1
            else:
                self.passed += 1

    def __str__(self) -> str:
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        return f"{self.passed} passed, {self.failed} failed{skipped}"


def main(reports: Path, failed_steps: str) -> int:
    """Print the totals; 1 when a test or a step failed."""
    python, java, site = Tally(), Tally(), Tally()
    for report in reports.glob("*.xml"):
        (site if report.name.startswith("vitest") else python).add(report)
    for folder in ("surefire-reports", "failsafe-reports"):
        for report in (TOP / ".tools/verify/servers").glob(f"**/target/{folder}/TEST-*.xml"):
            java.add(report)
    parts = (python, java, site)
    total = Tally(
        sum(part.passed for part in parts),
        sum(part.failed for part in parts),
        sum(part.skipped for part in parts),
    )
    print(f"Python: {python}\nJava:   {java}\nSite:   {site}")
    if failed_steps:
        print(f"failed: {failed_steps}")
    counted = {
        "pytest": python.failed,
        "Maven verify": java.failed,
        "vitest": site.failed,
        "browser tests": site.failed,
    }
    # a linter, or a build that did not get as far as its tests, counts as one failure
    total.failed += sum(not counted.get(step) for step in failed_steps.split(", ") if step)
    print(total)
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
