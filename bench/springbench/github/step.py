"""Step of GitHub Actions: outputs for other jobs, and its summary page."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from springbench.untrusted import one_line

OUTPUT = "GITHUB_OUTPUT"
SUMMARY = "GITHUB_STEP_SUMMARY"
RUNNER_ENVIRONMENT = "RUNNER_ENVIRONMENT"


def write_outputs(values: Mapping[str, str]) -> None:
    """Make `values`, each of one line, outputs of this step; nothing happens outside of GitHub."""
    lines = {name: " ".join(value.splitlines()) for name, value in values.items()}
    _append(OUTPUT, "".join(f"{name}={value}\n" for name, value in lines.items()))


def summarise(message: str) -> None:
    """Show a message on the step's summary page, as plain text whatever it holds."""
    # an indented block, which no character of the message can end
    shown = "\n".join(f"    {one_line(line)}" for line in message.splitlines())
    _append(SUMMARY, f"**springbench**\n\n{shown}\n\n")


def show(markdown: str) -> None:
    """Put a report of springbench's own, with what it quotes made harmless, on that page."""
    _append(SUMMARY, markdown)


def on_hosted_runner() -> bool:
    """Whether this is one of GitHub's own machines, which others use at the same time."""
    return os.environ.get(RUNNER_ENVIRONMENT) == "github-hosted"


def _append(variable: str, text: str) -> None:
    if name := os.environ.get(variable):
        with Path(name).open("a", encoding="utf-8") as file:
            file.write(text)
