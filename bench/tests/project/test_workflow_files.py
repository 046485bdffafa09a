"""The workflows that `init` writes: short, whole, and what people write in them stays text."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from springbench.errors import ConfigurationError
from springbench.paths import ROOT
from springbench.project.init_files import workflow_files

WORKFLOWS = ROOT / ".github" / "workflows"
MOST_LINES = 15
"""Of a service at the top of its repository."""


def parsed(build: str | None, branch: str = "main", path: str = "") -> dict[str, Any]:
    files = workflow_files("somebody/springbench@v1", build, branch, path)
    return {name: yaml.load(text, yaml.BaseLoader) for name, text in files.items()}  # noqa: S506


def test_each_has_fifteen_lines_at_most() -> None:
    arguments = ("a/springbench@v1", "./mvnw --batch-mode package", "main", "springbench")
    for text in workflow_files(*arguments).values():
        assert len(text.splitlines()) <= MOST_LINES


@pytest.mark.parametrize("name", sorted(workflow_files("a/b@v1", None, "main")))
def test_they_call_workflows_that_there_are_with_the_rights_that_these_ask_for(name: str) -> None:
    [job] = parsed("make", path="bench")[name]["jobs"].values()
    called = re.fullmatch(r"somebody/springbench/\.github/workflows/(.*)@v1", job["uses"])
    assert called
    workflow = yaml.load((WORKFLOWS / called[1]).read_text(encoding="utf-8"), yaml.BaseLoader)  # noqa: S506
    rights = {
        (right, level)
        for called_job in workflow["jobs"].values()
        for right, level in called_job["permissions"].items()
    }
    writes = {right for right, level in rights if level == "write"}
    assert job["permissions"] == {
        right: "write" if right in writes else "read" for right, _ in rights
    }
    inputs = (workflow["on"]["workflow_call"] or {}).get("inputs", {})
    assert set(job.get("with", {})) <= set(inputs)


def test_the_comment_follows_the_workflow_that_compares() -> None:
    files = parsed(None)
    started = files["benchmark-comment.yml"]["on"]["workflow_run"]["workflows"]
    assert started == [files["benchmark.yml"]["name"]]
    assert "with" not in files["benchmark.yml"]["jobs"]["service"]
    assert "with" not in files["benchmark-comment.yml"]["jobs"]["comment"]


def test_confirming_follows_the_pushes_that_are_measured() -> None:
    files = parsed("make", branch="trunk")
    follows = files["benchmark-confirm.yml"]["on"]["workflow_run"]
    assert follows["workflows"] == [files["benchmark.yml"]["name"]]
    assert follows["branches"] == files["benchmark.yml"]["on"]["push"]["branches"] == ["trunk"]


def test_all_say_the_folder_of_the_history_branch() -> None:
    files = parsed("make", path="bench")
    assert files["benchmark.yml"]["jobs"]["service"]["with"] == {"build": "make", "path": "bench"}
    assert files["benchmark-comment.yml"]["jobs"]["comment"]["with"] == {"path": "bench"}
    confirm = files["benchmark-confirm.yml"]["jobs"]["confirm"]
    assert confirm["with"] == {"build": "make", "path": "bench"}


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1))
def test_what_a_person_writes_stays_one_text(text: str) -> None:
    file = parsed(text, text)["benchmark.yml"]
    assert file["jobs"]["service"]["with"] == {"build": text}
    assert file["on"]["push"]["branches"] == [text]


@pytest.mark.parametrize("reference", ["", "v1", "a/b", "a/b@", "a/b@v\nx", "a b/c@v", "a/b/c@v"])
def test_for_another_reference_the_message_has_what_is_allowed(reference: str) -> None:
    with pytest.raises(ConfigurationError, match="allowed: OWNER/springbench@v1"):
        workflow_files(reference, None, "main")
