"""What every workflow file must hold, beyond what actionlint and zizmor look for."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.core import TyperGroup
from typer.main import get_command

from springbench.cli import app
from springbench.commands.ci import OPTION_OF, PURPOSES
from springbench.commands.confirmations import DAILY_MINUTES
from springbench.matrix.load import load_matrix
from springbench.matrix.rows import Matrix
from springbench.paths import ROOT
from springbench.plan.plan import make_plan
from springbench.project.init_files import workflow_files

GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
FILES = [*WORKFLOWS, *sorted((GITHUB / "actions").glob("*/action.yml")), ROOT / "action.yml"]
NAMES = [path.relative_to(ROOT).as_posix() for path in FILES]


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_rights_are_given_by_job_and_every_job_ends(path: Path) -> None:
    content = text(path)
    assert "\npermissions: {}\n" in content
    jobs = content.split("\njobs:\n")[1]
    with_runner = len(re.findall(r"^    runs-on:", jobs, re.MULTILINE))
    assert len(re.findall(r"^    timeout-minutes:", jobs, re.MULTILINE)) == with_runner
    all_jobs = len(re.findall(r"^  [a-z-]+:$", jobs, re.MULTILINE))
    assert len(re.findall(r"^    permissions:", jobs, re.MULTILINE)) == all_jobs


# what a step does with the job's token, by the last name of its action or by the command that it
# calls; nothing else needs a right
RIGHTS = {
    "checkout": {"contents": "read"},
    "download-artifact of another run": {"actions": "read"},
    "attest-build-provenance": {"attestations": "write", "id-token": "write"},
    "github-action-benchmark": {"contents": "write"},
    "check-release": {"contents": "read", "checks": "read"},
    "release": {"contents": "write"},
    "springbench approval": {"statuses": "read"},
    "springbench approval of a comment": {
        "actions": "write",
        "statuses": "write",
        "pull-requests": "write",
    },
    "springbench ci alert": {"contents": "read", "issues": "write"},
    "springbench ci base": {"contents": "read"},
    "springbench ci comment": {"pull-requests": "write"},
    "springbench ci confirmations": {"contents": "read"},
    "springbench ci fetch-history": {"contents": "read"},
    "springbench ci publish": {"contents": "write"},
    "springbench ci site": {"contents": "read"},
}
COMMAND = re.compile(r"springbench (?:ci )?[a-z-]+")


def name_of(step: dict[str, Any], event: str = "") -> str:
    """The action or the command of springbench that a step is."""
    if command := COMMAND.match(step.get("run", "")):
        suffix = (
            " of a comment"
            if (command[0], event) == ("springbench approval", "issue_comment")
            else ""
        )
        return command[0] + suffix
    name: str = step.get("uses", "").partition("@")[0].rpartition("/")[2]
    return name + (" of another run" if "run-id" in step.get("with", {}) else "")


def rights_needed(job: dict[str, Any], event: str) -> dict[str, str]:
    """What the steps of a job, or those of the jobs that it calls, do with its token."""
    required_rights: dict[str, str] = {}
    if called := job.get("uses"):
        jobs = yaml.safe_load(text(ROOT / called))["jobs"].values()
        granted = [rights_needed(called_job, event) for called_job in jobs]
    else:
        granted = [RIGHTS.get(name_of(step, event), {}) for step in job.get("steps", [])]
    for rights in granted:
        for right, kind in rights.items():
            required_rights[right] = max(
                kind, required_rights.get(right, "")
            )  # "write" is more than "read"
    return required_rights


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_each_job_has_the_rights_that_its_steps_need_and_no_other(path: Path) -> None:
    workflow = yaml.load(text(path), yaml.BaseLoader)  # noqa: S506  # `on` is no boolean here
    [event, *_] = workflow["on"]
    for name, declared_job in workflow["jobs"].items():
        assert (name, declared_job["permissions"] or {}) == (
            name,
            rights_needed(declared_job, event),
        )


def test_who_makes_a_release_is_reviewed_and_nothing_is_built_before_it_may_be_one() -> None:
    jobs = ("check", "build", "attest", "publish")
    writing = [name for name in jobs if ": write" in job("release", name)]
    assert writing == ["attest", "publish"]
    assert "    environment: release\n" in job("release", "publish")
    assert needs("release", "build") == {"check"}
    assert "build" in needs("release", "publish") & needs("release", "attest")


def test_the_check_that_a_release_asks_for_is_one_of_ci() -> None:
    action = yaml.safe_load(text(GITHUB / "actions" / "check-release" / "action.yml"))
    name = action["inputs"]["check"]["default"]
    jobs = yaml.safe_load(text(GITHUB / "workflows" / "ci.yml"))["jobs"].values()
    assert name in [declared_job["name"] for declared_job in jobs]


BUILDS_OR_MEASURES = re.compile(
    r"\b(?:mvn|npm|make|springbench (?:ci )?(?:run|compare|bisect|releases|measure|service|page))\b"
)


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_a_step_that_has_a_token_builds_and_measures_nothing(path: Path) -> None:
    """Not as a child either: every process of a user reads the environments of all."""
    declared = yaml.safe_load(text(path))
    jobs = declared.get("jobs", {"": declared.get("runs", {})}).values()
    assert "token" not in str(
        [declared.get("env"), *(declared_job.get("env") for declared_job in jobs)]
    )
    for step in (step for declared_job in jobs for step in declared_job.get("steps", [])):
        if "token" in str(step.get("env", {})):
            [script] = re.findall(r"[\w-]+\.sh", step["run"]) or [None]
            script_text = text(path.with_name(script)) if script else step["run"]
            assert not BUILDS_OR_MEASURES.search(re.sub(r"(?m)^#.*$", "", script_text)), step
            # what starts with a token is known by its command, and has nothing else on its line
            assert script or name_of(step) in RIGHTS, step
            assert not re.search(r"[;&|\n`]|\$\(", step["run"].strip()), step


# inputs that are for a workflow itself, or for the step that it calls: no option of a command
OF_WORKFLOWS = {
    *("publish", "java", "artifact", "artifacts", "timeout-minutes", "options", "shard"),
    *("springbench-repository", "springbench-ref", "charts", "expected", "name", "head", "base"),
    *("build", "folder", "call", "routes", "good", "bad", "minutes", "releases"),
}


@pytest.mark.parametrize("path", [*WORKFLOWS, ROOT / "action.yml"], ids=lambda path: path.name)
def test_an_input_is_an_option_of_a_command_that_the_workflow_calls(path: Path) -> None:
    """So a new one is declared in that file alone."""
    workflow = yaml.load(text(path), yaml.BaseLoader)  # noqa: S506  # `on` is no boolean here
    triggers = workflow.get("on", {})
    declared = [
        *(triggers.get(trigger) or {} for trigger in ("workflow_call", "workflow_dispatch"))
    ]
    names = {
        name for declaration in [*declared, workflow] for name in declaration.get("inputs") or {}
    }
    group = get_command(app)
    assert isinstance(group, TyperGroup)
    options = {
        option.removeprefix("--")
        for command in group.commands.values()
        for parameter in command.params
        for option in parameter.opts
    }
    assert names - options - set(OPTION_OF) - OF_WORKFLOWS == set()
    if names:
        assert "SPRINGBENCH_INPUTS: ${{ toJSON(inputs) }}" in text(path)


def test_a_page_to_open_is_made_by_the_workflow_that_posts_alone() -> None:
    assert [path.stem for path in WORKFLOWS if "ci page" in text(path)] == ["comment"]


def test_a_waiting_approval_is_in_a_queue_that_a_strangers_comment_is_not_in() -> None:
    before, after = text(GITHUB / "workflows" / "approval.yml").split("\njobs:\n")
    assert "concurrency:" not in before
    assert "      queue: max\n" in after
    condition = after.split("if: >-")[1].split("runs-on:")[0]
    assert """fromJSON('["OWNER", "MEMBER", "COLLABORATOR"]')""" in condition


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_whoever_calls_it_a_pull_request_gets_no_runner_of_ones_own_unread(path: Path) -> None:
    """Of what is called, also by a workflow that a pull request has changed or made."""
    workflow = yaml.load(text(path), yaml.BaseLoader)  # noqa: S506  # `on` is no boolean here
    for name, declared_job in workflow["jobs"].items():
        runner = declared_job.get("runs-on", "ubuntu-latest")
        if "workflow_call" in workflow["on"] and runner != "ubuntu-latest":
            read_by_somebody = "needs.approval.outputs.approved == 'true'" in runner
            assert "!github.event.pull_request" in f"{runner} {declared_job.get('if')}", name
            assert "github.event_name" not in runner, name
            assert read_by_somebody == ("approval" in declared_job.get("needs", [])), name


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_what_follows_a_run_says_whose_run(path: Path) -> None:
    """`branches` of such a trigger knows names, which a fork chooses."""
    workflow = yaml.load(text(path), yaml.BaseLoader)  # noqa: S506  # `on` is no boolean here
    if "branches" in (workflow["on"].get("workflow_run") or {}):
        [first] = [
            declared_job
            for declared_job in workflow["jobs"].values()
            if "needs" not in declared_job
        ]
        assert "workflow_run.head_repository.id == github.event.repository.id" in first["if"]
        # nor does it take the place of one that waits
        group = workflow["concurrency"]["group"]
        assert "workflow_run.head_repository.id != github.event.repository.id" in group


def test_the_table_of_rights_has_what_is_used() -> None:
    used = {
        name_of(step)
        for path in WORKFLOWS
        for job in yaml.safe_load(text(path))["jobs"].values()
        for step in job.get("steps", [])
    }
    assert {name.removesuffix(" of a comment") for name in RIGHTS} <= used
    # an action that takes a token has a row
    with_token = [file.parent.name for file in FILES if "\n  token:\n" in text(file)]
    assert [name for name in with_token if name in used and name not in RIGHTS] == []


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_actions_of_others_are_pinned_with_their_version_beside(path: Path) -> None:
    for line in text(path).splitlines():
        if re.match(r"\s*(- )?uses: (?!\./)", line):
            assert re.search(r"uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$", line), line


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_one_action_has_one_version(path: Path) -> None:
    pins: dict[str, str] = {}
    for file in FILES:
        for action, pin in re.findall(r"uses: ([\w./-]+)@(\S+ # \S+)", text(file)):
            assert pins.setdefault(action, pin) == pin


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_what_is_uploaded_says_how_long_it_is_kept(path: Path) -> None:
    uploads = text(path).count("uses: actions/upload-artifact@")
    assert len(re.findall(r"^ +retention-days: \d+$", text(path), re.MULTILINE)) == uploads


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_no_expression_stands_in_a_script(path: Path) -> None:
    for line in text(path).splitlines():
        if line.lstrip(" -").startswith("run:"):
            assert "${{" not in line


def test_a_form_offers_the_profiles_that_there_are(matrix: Matrix) -> None:
    found = re.search(r"options: \[(.*)\]", text(GITHUB / "workflows" / "benchmark.yml"))
    assert found
    assert set(found[1].split(", ")) == {profile.id for profile in matrix.profiles}


def job(workflow: str, name: str) -> str:
    """The text of a job."""
    jobs = text(GITHUB / "workflows" / f"{workflow}.yml").split("\njobs:\n")[1]
    found = re.search(rf"^  {name}:\n(.*?)(?=^  [a-z-]+:\n|\Z)", jobs, re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def needs(workflow: str, name: str) -> set[str]:
    """Jobs that one waits for."""
    found = re.search(r"^    needs: \[(.*)\]$", job(workflow, name), re.MULTILINE)
    return set(found[1].split(", ")) if found else set()


def test_comparing_a_push_and_publishing_its_runs_cost_each_other_nothing() -> None:
    assert needs("benchmark", "publish") == {"plan", "build", "measure"}
    for name, waits_for in (
        ("compare-push", {"plan", "base"}),
        ("comparison", {"base", "compare-push"}),
    ):
        assert needs("benchmark", name) == waits_for
        # else the failure of any shard before it would leave it out
        assert "!cancelled()" in job("benchmark", name)
        assert "needs.base.outputs.base" in job("benchmark", name)
    assert "!cancelled()" in job("benchmark", "base")
    assert "github.event_name == 'push'" in job("benchmark", "base")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_one_failed_job_of_several_stops_none_that_comes_after(path: Path) -> None:
    """What the other jobs of a matrix have left is used all the same."""
    jobs: dict[str, Any] = yaml.safe_load(text(path))["jobs"]
    several = {name for name, job in jobs.items() if "matrix" in job.get("strategy", {})}
    for name, job in jobs.items():
        if several & {*job.get("needs", [])}:
            assert "!cancelled()" in job.get("if", ""), name


def test_each_job_that_writes_the_history_is_one_and_stands_in_one_queue() -> None:
    writing = [path.stem for path in WORKFLOWS if "springbench ci publish" in text(path)]
    assert writing == ["history"]
    assert "      group: history\n" in job("history", "write")
    assert "      queue: max\n" in job("history", "write")


def test_both_charts_alert_from_the_same_threshold() -> None:
    publish = job("history", "write")
    assert publish.count("alert-threshold: ${{ env.ALERT_THRESHOLD }}\n") == 2
    assert publish.count("comment-on-alert: true\n") == 2
    assert len(re.findall(r"^      ALERT_THRESHOLD: \d+%$", publish, re.MULTILINE)) == 1


def test_the_readme_names_every_variable_of_the_repository() -> None:
    readme = text(GITHUB / "workflows" / "README.md")
    used = {name for path in FILES for name in re.findall(r"vars\.(\w+)", text(path))}
    steps = text(ROOT / "bench/springbench/commands/ci.py")
    used |= set(re.findall(r'"(SPRINGBENCH_\w+)"', steps))
    assert "SPRINGBENCH_COMMIT_PROFILE" in used
    assert {name for name in used if f"| `{name}` |" not in readme} == set()


def test_the_readme_names_every_workflow() -> None:
    readme = text(GITHUB / "workflows" / "README.md")
    assert [path.name for path in WORKFLOWS if f"`{path.stem}`" not in readme] == []


def test_every_script_stands_beside_its_action_and_may_be_run() -> None:
    for path in (GITHUB / "actions").glob("*/*.sh"):
        assert path.stat().st_mode & 0o100, path
        # by its action, or by a workflow as a step of its own
        callers = [path.with_name("action.yml"), *(GITHUB / "workflows").glob("*.yml")]
        callers = [caller for caller in (*callers, ROOT / "action.yml") if caller.is_file()]
        assert any(path.name in text(caller) for caller in callers), path


def test_confirming_writes_in_the_jobs_that_publish_and_tell_alone() -> None:
    assert text(GITHUB / "workflows" / "confirm.yml").count(": write") == 2
    assert "issues: write" in job("confirm", "tell")
    assert "contents: write" in job("confirm", "publish")


def test_confirming_publishes_what_its_comparisons_upload() -> None:
    uploaded = re.findall(r"artifact: (\S+)\$", job("confirm", "compare"))
    uploaded += re.findall(r"name: (\S+-)\$\{\{ matrix", job("confirm", "bisect"))
    assert f"'{{{','.join(f'{name}*' for name in uploaded)}}}'" in job("confirm", "publish")
    assert set(uploaded) <= set(PURPOSES)
    # several comparisons of one run are kept apart by it, and wait for no other
    called = text(GITHUB / "workflows" / "compare.yml")
    assert "name: ${{ inputs.artifact }}" in called
    assert "format('{0}-{1}', github.run_id, inputs.artifact)" in called


def test_a_day_has_the_minutes_that_the_readme_says(
    generated: Callable[[Path, str, str], None],
) -> None:
    path = GITHUB / "workflows" / "README.md"
    found = re.search(r"(\| `SPRINGBENCH_CONFIRM_MINUTES` .*\| )\d+( \|)", text(path))
    assert found
    generated(path, found[0], f"{found[1]}{DAILY_MINUTES}{found[2]}")


def blocks(path: Path, heading: str, language: str) -> list[str]:
    """The blocks of that language in one part of a document."""
    part = text(path).split(f"## {heading}\n")[1].split("\n## ")[0]
    return re.findall(rf"^```{language}\n(.*?)^```$", part, re.MULTILINE | re.DOTALL)


def on_own_service(language: str) -> list[str]:
    return blocks(ROOT / "README.md", "Use it on your own service", language)


def called_measure() -> str:
    [found] = blocks(GITHUB / "workflows" / "README.md", "From another repository", "yaml")
    return found


def inputs_of(path: Path) -> list[str]:
    """Inputs that a called workflow or an action declares."""
    declared = text(path).split("\npermissions:")[0].split("\noutputs:")[0].split("inputs:\n")[1]
    indent = len(declared) - len(declared.lstrip())
    return re.findall(rf"^ {{{indent}}}([a-z-]+):$", declared, re.MULTILINE)


def test_the_workflow_in_the_readme_calls_measure_as_it_is() -> None:
    calls = called_measure().split("measure.yml@COMMIT\n    with:\n")[1]
    input_names = re.findall(r"^      ([a-z-]+):", calls, re.MULTILINE)
    inputs = inputs_of(GITHUB / "workflows" / "measure.yml")
    assert set(input_names) <= set(inputs)
    assert "springbench-ref" in input_names
    table = text(GITHUB / "workflows" / "README.md").split("## From another repository")[1]
    assert [name for name in inputs if f"`{name}`" not in table] == []


def test_the_workflow_in_the_readme_pins_what_the_workflows_here_pin() -> None:
    own_pins = {
        pin for file in FILES for pin in re.findall(r"uses: ([\w./-]+@\S+ # \S+)", text(file))
    }
    readme_pins = re.findall(r"uses: (actions/\S+ # \S+)", called_measure())
    assert readme_pins
    assert set(readme_pins) <= own_pins


def test_the_workflows_in_the_readme_are_those_that_init_writes(
    generated: Callable[[Path, str, str], None],
) -> None:
    shown = on_own_service("yaml")
    written = workflow_files("OWNER/springbench@v1", "mvn package", "main").values()
    for block, workflow in zip(shown, written, strict=False):
        generated(ROOT / "README.md", block, workflow)
    input_names = re.findall(r"^    ([a-z-]+):", shown[-1], re.MULTILINE)
    assert set(input_names) <= set(inputs_of(ROOT / "action.yml"))


def test_all_that_a_service_may_say_on_github_is_reported() -> None:
    part = text(ROOT / "bench/docs/own-service.md").split("## On GitHub\n")[1].split("\n## ")[0]
    called = [GITHUB / "workflows" / f"service{suffix}.yml" for suffix in ("", "-confirm")]
    for path in (*called, ROOT / "action.yml"):
        # how long it waits for the host is of no interest
        assert [name for name in inputs_of(path) if f"`{name}`" not in part] in ([], ["wait"])


def test_the_service_in_the_readme_is_a_whole_one(tmp_path: Path) -> None:
    file = tmp_path / "springbench.toml"
    [service] = on_own_service("toml")
    file.write_text(service, encoding="utf-8")
    plan = make_plan(load_matrix(file), "quick")
    assert [case.id for case in plan.cases] == [
        f"app-orders-own-jvm/orders-17/{connections}" for connections in (64, 512)
    ]
    # what the step starts
    artifact = f"target/{plan.cases[0].variant.artifact}"
    assert f"jar: {artifact}\n" in on_own_service("yaml")[-1]
