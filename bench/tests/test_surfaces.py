"""One run on every surface: what it concluded stands there as it is, and nowhere else differently.

The surfaces are the terminal, the Markdown report, `run.json`, the published run and, by the
files `golden/surfaces-*.json`, the page: `site/tests/surfaces.test.ts` holds the page's tables and
answers to what this test has seen in the terminal.
"""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from springbench.history.condense import condense
from springbench.history.condense_comparison import Occasion, condense_comparison
from springbench.history.offline import MARK, page_of
from springbench.report.comment import Report
from springbench.report.comment import render as comment_of
from springbench.report.comparison import render
from springbench.report.console import print_comparison
from springbench.results.comparison import Comparison
from springbench.results.notes import notes_of, warning_words
from springbench.results.records import Stall
from springbench.results.run import Caution, Rank, Run
from tests.conftest import Cli
from tests.recorded import recorded_comparison, recorded_run, write_recording

ROUNDS = 4
# what is not said of a recording, and stands in no table
_VOLATILE = {"started_at": "2026-11-20T08:00:00Z", "finished_at": "2026-11-20T09:00:00Z"}


def several_rounds() -> Run:
    """A recorded round, and three that differ from it as processes and a host do."""
    run, dice = recorded_run("quick"), random.Random(7)
    hosts = [1.0, *(1 + dice.uniform(-0.15, 0.15) for _ in range(ROUNDS - 1))]
    for result in run.results:
        [first] = result.forks
        result.forks = []
        for number, host in enumerate(hosts):
            fork = first.model_copy(deep=True, update={"fork": number})
            assert fork.load is not None
            fork.load.throughput_rps *= host * dice.gauss(1, 0.015)
            if result.workload == "hello" and number == 1:
                # what the host did is reported once for all rows, and what a window showed by its
                # row
                fork.load.instability = ["disturbed"]
                fork.load.background_cpu_ratio = 0.4
            if result.server == "netty" and number == 2:
                fork.load.stalls = [Stall(at_s=3.0, throughput_ratio=0.2)]
            result.forks.append(fork)
    return run


@pytest.fixture
def surfaces(tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> tuple[Run, str, str]:
    """The run as it was stored, what the terminal showed, and the Markdown report."""
    monkeypatch.setenv("COLUMNS", "220")
    monkeypatch.chdir(tmp_path)
    recording = write_recording(tmp_path / "recording", several_rounds())
    code, out, err = cli(
        *("run", "--profile", "quick", "--forks", ROUNDS, "--recording", recording),
        *("--results", tmp_path / "results", "--no-open"),
    )
    assert (code, err) == (0, "")
    run = Run.model_validate_json((tmp_path / "results/latest/run.json").read_bytes())
    [report] = (tmp_path / "results").glob("*.md")
    return run, out, report.read_text(encoding="utf-8").replace("\\", "")


def ranks_of(run: Run) -> Iterator[Rank]:
    for ranking in run.rankings:
        if ranking.metric == "throughput_rps":
            yield from ranking.ranks


def words_of(rank: Rank) -> str:
    """What a table says of a rank."""
    if rank.low == rank.high:
        return f"best, rank {rank.rank_range}"
    low, ratio, high = (f"{100 * value:.0f}" for value in (rank.low, rank.ratio, rank.high))
    return f"{ratio} % [{low}, {high}], rank {rank.rank_range}"


def flat(text: str) -> str:
    """Without the ends of lines that a terminal makes."""
    return re.sub(r"\s+", " ", text)


@pytest.mark.process
def test_ranks_ties_intervals_and_warnings_are_the_same_on_every_surface(
    surfaces: tuple[Run, str, str], golden: Callable[[str, str], None]
) -> None:
    run, terminal, markdown = surfaces
    ranks = list(ranks_of(run))
    assert len(ranks) >= 7
    # an order with ties, and with servers that are surely behind
    assert len([rank for rank in ranks if rank.first == 1]) > 1
    assert any(rank.first > 1 for rank in ranks)

    for text in (terminal, markdown):
        for server_rank in ranks:
            variant = server_rank.case.split("/")[0]
            assert re.search(rf"{variant}.*{re.escape(words_of(server_rank))}", text), server_rank
    for ranking in run.rankings:
        if ranking.metric != "throughput_rps":
            continue
        tied = [rank.case.split("/")[0] for rank in ranking.ranks if rank.first == 1]
        sentence = f"{', '.join(tied)} are tied" if len(tied) > 1 else f"{tied[0]} is the fastest"
        assert f"{ranking.connections} connections: {sentence}." in flat(terminal)
        assert sentence in flat(markdown)

    of_host = [warning_words(caution) for caution in run.warnings]
    of_rows = {text for result in run.results for text in notes_of(result)}
    assert any("background load took up to 40 %" in text for text in of_host)
    assert any("the server stalled" in text for text in of_rows)
    for text in of_host:
        assert flat(terminal).count(flat(text)) == 1
        assert flat(markdown).count(flat(text)) == 1
    for text in of_rows:
        assert flat(text) in flat(terminal)
        assert flat(text) in flat(markdown)

    published = condense([run])
    cases = [published_case.case for published_case in published.cases]
    [shard] = published.shards
    assert shard.warnings == of_host
    assert {text for published_case in published.cases for text in published_case.notes} == of_rows
    for order in published.rankings:
        if order.metric != "throughput_rps":
            continue
        of_load = [rank for rank in ranks if rank.case in {cases[at] for at in order.case}]
        assert [cases[at] for at in order.case] == [rank.case for rank in of_load]
        assert order.first == [rank.first for rank in of_load]
        assert order.last == [rank.last for rank in of_load]
        for name in ("ratio", "low", "high"):
            stored = [getattr(rank, name) for rank in of_load]
            assert getattr(order, name) == pytest.approx(stored, rel=1e-4)

    # the report page is the dashboard with this inside
    page = page_of(f"<html>{MARK}</html>", [published])
    inside = json.loads(page.split('type="application/json">')[1].split("</script>")[0])
    [name] = [path for path in inside if path.startswith("runs/")]
    assert inside[name]["rankings"] == [
        published_ranking.model_dump(mode="json") for published_ranking in published.rankings
    ]
    golden("surfaces-run.json", for_the_page(run, published.model_dump(mode="json", by_alias=True)))


def for_the_page(run: Run, published: dict[str, Any]) -> str:
    """The published run, and what the terminal has shown of it by workload and connections."""
    shards = [
        {**published_shard, **_VOLATILE, "run": "recorded", "marks": []}
        for published_shard in published["shards"]
    ]
    for shard in shards:
        shard["tools"]["springbench"] = "0"
        shard["measured_s"] = 1.0
        # what is said of the checkout differs from one to the next
        shard["warnings"] = [text for text in shard["warnings"] if "commit" not in text]
    published |= {**_VOLATILE, "id": "recorded", "commit": None, "marks": [], "shards": shards}
    # of which tests/history/test_answers.py sees that they are those of the commands
    published |= {"answers": [], "claims": []}
    shown = {
        f"{ranking.workload} {ranking.connections}": {
            "rows": [[rank.case, words_of(rank)] for rank in ranking.ranks],
            "tied": [rank.case for rank in ranking.ranks if rank.first == 1],
        }
        for ranking in run.rankings
        if ranking.metric == "throughput_rps"
    }
    document = {"run": published, "shown": shown}
    return json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def compared() -> Comparison:
    """A recorded comparison in which one thing was slower, with what is said of its host."""
    comparison = recorded_comparison("cpu")
    comparison.warnings = [
        Caution(code="shared-host", message="others use this host", remedy="compare on another")
    ]
    for side, sha in ((comparison.base, "a" * 40), (comparison.head, "b" * 40)):
        time = "2026-11-20T08:00:00Z"
        side.sha, side.message, side.author, side.time = sha, "A change", "Someone", time
        side.kind = "commit"
    comparison.comparison.started_at = "2026-11-20T09:00:00Z"
    comparison.comparison.finished_at = "2026-11-20T10:00:00Z"
    return comparison


def test_verdicts_intervals_and_warnings_of_a_comparison_are_the_same_on_every_surface(
    golden: Callable[[str, str], None],
) -> None:
    comparison = compared()
    assert {"regression", "unchanged", "undecided"} <= {
        record.verdict for record in comparison.findings
    }
    out = io.StringIO()
    print_comparison(comparison, Console(file=out, width=240))
    markdown = render(comparison).replace("\\", "")
    comment = comment_of(Report([comparison]), "<!-- marker -->").replace("\\", "")
    changes = [record for record in comparison.findings if record.verdict == "regression"]
    for finding in comparison.findings:
        words = [
            change(finding.ratio),
            f"{change(finding.low_ratio)} to {change(finding.high_ratio)}",
        ]
        row = rf".*{re.escape(words[0])}.*{re.escape(words[1])}.*{finding.verdict}"
        surfaces = {"terminal": out.getvalue(), "Markdown": markdown}
        if finding in changes:
            surfaces["comment"] = comment
        for name, text in surfaces.items():
            assert re.search(row, text), (name, finding.metric, row)
    for text in (out.getvalue(), markdown, comment):
        assert flat(text).count("others use this host; compare on another") == 1

    published = condense_comparison(comparison, Occasion()).comparison
    assert [
        (record.case, record.metric, record.verdict, record.note) for record in published.findings
    ] == [
        (record.case, record.metric, record.verdict, record.note) for record in comparison.findings
    ]
    for published_finding, finding in zip(published.findings, comparison.findings, strict=True):
        ratios = (
            published_finding.ratio,
            published_finding.low_ratio,
            published_finding.high_ratio,
        )
        assert ratios == pytest.approx(
            (finding.ratio, finding.low_ratio, finding.high_ratio), rel=1e-4
        )
    assert published.warnings == [warning_words(caution) for caution in comparison.warnings]
    shown = [
        [record.case, record.metric, record.verdict, change(record.ratio)]
        for record in comparison.findings
    ]
    inside = published.model_dump(mode="json", by_alias=True)
    inside["tools"]["springbench"] = "0"
    document = {"comparison": inside, "shown": shown}
    golden("surfaces-comparison.json", json.dumps(document, indent=1, sort_keys=True) + "\n")


def change(ratio: float) -> str:
    """As a table has it."""
    return f"{100 * (ratio - 1):+.1f} %"
