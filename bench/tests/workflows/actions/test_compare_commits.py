"""compare-commits: what it is asked and how it ends."""

from __future__ import annotations

from pathlib import Path

from tests.workflows.actions.scripts import BESIDE_PYTHON, script


def test_a_ref_that_is_none_ends_with_the_code_of_the_command(tmp_path: Path) -> None:
    summary = tmp_path / "summary"
    done = script(
        "compare-commits/compare.sh",
        cwd=tmp_path,
        PATH=BESIDE_PYTHON,
        BASE="-no-ref",
        HEAD="HEAD",
        PROFILE="pr",
        GITHUB_STEP_SUMMARY=summary,
    )
    assert done.returncode == 2
    assert "'-no-ref' is no run folder" in done.stderr
    assert "'-no-ref' is no run folder" in summary.read_text(encoding="utf-8")


def left(folder: Path, name: str, *, ended: bool) -> None:
    """What a comparison leaves below results/."""
    (folder / "results" / name).mkdir(parents=True)
    (folder / "results" / name / "comparison.json").write_text(name, encoding="utf-8")
    if ended:
        (folder / "results" / f"{name}.md").write_text("# all quiet\n", encoding="utf-8")


def test_what_a_comparison_was_killed_over_is_kept(tmp_path: Path) -> None:
    summary = tmp_path / "summary"
    left(tmp_path, "20261121T090000Z-compare-pr", ended=True)
    left(tmp_path, "20261122T090000Z-compare-pr", ended=False)
    done = script("compare-commits/collect.sh", cwd=tmp_path, GITHUB_STEP_SUMMARY=summary)
    assert (done.returncode, done.stderr) == (0, "")
    kept = (tmp_path / "report/comparison.json").read_text(encoding="utf-8")
    assert kept == "20261122T090000Z-compare-pr"
    assert "ended before it was done" in summary.read_text(encoding="utf-8")


def test_a_comparison_that_ended_is_shown(tmp_path: Path) -> None:
    summary = tmp_path / "summary"
    left(tmp_path, "20261121T090000Z-compare-pr", ended=True)
    done = script("compare-commits/collect.sh", cwd=tmp_path, GITHUB_STEP_SUMMARY=summary)
    assert done.returncode == 0
    assert summary.read_text(encoding="utf-8") == "# all quiet\n"


def test_flame_graphs_go_with_the_comparison(tmp_path: Path) -> None:
    left(tmp_path, "20261121T090000Z-compare-pr", ended=True)
    graphs = tmp_path / "results/20261121T090000Z-compare-pr/flame-graphs"
    graphs.mkdir()
    (graphs / "a-cpu.html").write_text("<html>", encoding="utf-8")
    summary = tmp_path / "summary"
    assert (
        script("compare-commits/collect.sh", cwd=tmp_path, GITHUB_STEP_SUMMARY=summary).returncode
        == 0
    )
    assert (tmp_path / "report/flame-graphs/a-cpu.html").is_file()


def test_where_nothing_was_compared_there_is_nothing_to_upload(tmp_path: Path) -> None:
    done = script("compare-commits/collect.sh", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "compare-commits: nothing was compared\n")
    assert not (tmp_path / "report").exists()
