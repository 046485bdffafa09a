"""A run or comparison as JUnit XML, which CI systems read. Pure.

A case or pair that failed, a limit that is broken and a regression are failures. What is undecided,
suspected or was not measured is skipped, with the reason: it has not passed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple
from xml.etree import ElementTree

from springbench.report.comparison import COLUMNS, failures_of, rows
from springbench.results.comparison import Comparison, Statement
from springbench.results.notes import limit_words, notes_of
from springbench.results.run import LimitRecord, LimitVerdict, Result, Run
from springbench.untrusted import one_line

Outcome = Literal["passed", "failure", "skipped"]
_OF_LIMITS: Mapping[LimitVerdict, Outcome] = {
    "kept": "passed",
    "broken": "failure",
    "undecided": "skipped",
}


class _Test(NamedTuple):
    suite: str
    name: str
    outcome: Outcome = "passed"
    message: str = ""
    output: Sequence[str] = ()


def render(stored: Run | Comparison) -> str:
    """The whole document."""
    tests = [*(_of_run(stored) if isinstance(stored, Run) else _of_comparison(stored))]
    root = _counted(ElementTree.Element("testsuites", name="springbench"), tests)
    for suite in dict.fromkeys(test.suite for test in tests):
        suite_tests = [test for test in tests if test.suite == suite]
        element = _counted(
            ElementTree.SubElement(root, "testsuite", name=_text(suite)), suite_tests
        )
        for test in suite_tests:
            element.append(_element(test))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _counted(element: ElementTree.Element, tests: Sequence[_Test]) -> ElementTree.Element:
    element.set("tests", str(len(tests)))
    element.set("failures", str(sum(test.outcome == "failure" for test in tests)))
    element.set("skipped", str(sum(test.outcome == "skipped" for test in tests)))
    return element


def _element(test: _Test) -> ElementTree.Element:
    element = ElementTree.Element("testcase", classname=_text(test.suite), name=_text(test.name))
    if test.outcome != "passed":
        ElementTree.SubElement(element, test.outcome, message=_text(test.message))
    if test.output:
        ElementTree.SubElement(element, "system-out").text = "\n".join(map(_text, test.output))
    return element


def _text(text: str) -> str:
    """Without what XML cannot hold."""
    return "".join(c for c in one_line(text) if c >= " " and c not in "\ufffe\uffff")


def _of_run(run: Run) -> Iterator[_Test]:
    for result in run.results:
        yield _of_result(result)
        for limit in result.limits:
            yield _of_limit(result.workload, result.case, limit)


def _of_result(result: Result) -> _Test:
    notes = notes_of(result)
    if result.status == "ok":
        return _Test(result.workload, result.case, output=notes)
    outcome: Outcome = "failure" if result.status == "failed" else "skipped"
    return _Test(result.workload, result.case, outcome, result.reason or result.status, notes)


def _of_comparison(comparison: Comparison) -> Iterator[_Test]:
    for statement in comparison.statements:
        [row] = rows([statement])
        words = ", ".join(f"{name}: {cell}" for name, cell in zip(COLUMNS, row, strict=True))
        yield _Test(
            statement.case, f"{statement.case} {statement.metric}", _outcome(statement), words
        )
    for failure in failures_of(comparison):
        yield _Test(failure.name, f"{failure.name} measured", "failure", failure.reason)
    for limit in comparison.limits:
        yield _of_limit(limit.case, limit.case, limit, f": {limit.reason}" if limit.reason else "")


def _of_limit(suite: str, case: str, limit: LimitRecord, reason: str = "") -> _Test:
    words = "" if limit.verdict == "kept" else f"{limit.verdict}: {limit_words(limit)}{reason}"
    return _Test(suite, f"{case} {limit.name}", _OF_LIMITS[limit.verdict], words)


def _outcome(statement: Statement) -> Outcome:
    if statement.verdict == "regression":
        return "failure"
    return "skipped" if statement.verdict in ("suspected", "undecided", "changed") else "passed"
