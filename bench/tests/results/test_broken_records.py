"""Whatever a file of another job holds: a record that can be used, or one line that says why."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from springbench.errors import ConfigurationError
from springbench.github.event import read_event
from springbench.history.condense_comparison import Occasion, condense_comparison
from springbench.history.soundness import sound_shards
from springbench.matrix.load import load_matrix
from springbench.paths import MATRIX
from springbench.report import comparison as comparison_report
from springbench.report import markdown
from springbench.results.bisection import Bisection, BisectQuestion, load_bisection
from springbench.results.recording import Recording
from springbench.results.store import load_run
from springbench.results.untrusted import load_comparison
from tests.broken import damaged
from tests.github.test_event import workflow_run
from tests.history.histories import raw_comparison, raw_run
from tests.recorded import RECORDINGS

Use = Callable[[Path], object]


def as_json(record: Any) -> Any:
    return json.loads(record.model_dump_json(by_alias=True))


def run_document() -> Any:
    """A run with all that one may have: of the recorded ones the first two cases."""
    [run] = Recording.read(RECORDINGS / "quick.json.gz").runs
    run.results = run.results[:2]
    return as_json(run)


def bisection() -> Any:
    question = BisectQuestion(
        good="a", bad="b", case="c/d/1", metric="throughput_rps", profile="pr",
        plan_digest="0", budget_s=1, step_budget_s=1,
    )  # fmt: skip
    new_bisection = Bisection(id="one", started_at="", question=question, commits=[])
    return as_json(new_bisection)


def publish(file: Path) -> None:
    sound_shards([file])


def report(file: Path) -> None:
    assert markdown.render(load_run(file))


def publish_comparison(file: Path) -> None:
    condense_comparison(load_comparison(file), Occasion())


def report_comparison(file: Path) -> None:
    assert comparison_report.render(load_comparison(file))


def recording(file: Path) -> None:
    Recording.read(file)


def event(file: Path) -> None:
    read_event(file, {})


RUN, COMPARISON = run_document(), as_json(raw_comparison(load_matrix(MATRIX), 7))
USES: list[tuple[Any, Use]] = [
    (RUN, publish),
    (RUN, report),
    (as_json(raw_run(load_matrix(MATRIX), 7)), publish),
    (COMPARISON, publish_comparison),
    (COMPARISON, report_comparison),
    (COMPARISON, recording),
    (bisection(), load_bisection),
    (workflow_run(), event),
]


def used(use: Use, file: Path, data: bytes) -> None:
    file.write_bytes(data)
    try:
        use(file)
    except ConfigurationError as error:
        assert str(error).isprintable()
        assert "##[" not in str(error)
        assert len(str(error)) < 2_000


@pytest.mark.parametrize(("document", "use"), USES)
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_file_is_used_or_refused(
    tmp_path: Path, document: Any, use: Use, data: st.DataObject
) -> None:
    used(use, tmp_path / "file.json", data.draw(damaged(document)))


@pytest.mark.parametrize("use", list(dict.fromkeys(use for _, use in USES)))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=100))
def test_any_bytes_are_refused(tmp_path: Path, use: Use, data: bytes) -> None:
    used(use, tmp_path / "file.json", data)
    used(use, tmp_path / "file.json.gz", data)
