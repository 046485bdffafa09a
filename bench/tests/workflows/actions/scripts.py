"""The composite actions' scripts, run as a job would run them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import yaml

from springbench.paths import ROOT

ACTIONS = ROOT / ".github" / "actions"
# a job finds the springbench of its own set-up
BESIDE_PYTHON = f"{Path(sys.executable).parent}:{os.environ['PATH']}"


def script(
    name: str, cwd: Path | None = None, **environment: object
) -> subprocess.CompletedProcess[str]:
    """Run `.github/actions/<name>` with these variables."""
    return script_at(ACTIONS / name, cwd, **environment)


def script_at(
    file: Path, cwd: Path | None = None, **environment: object
) -> subprocess.CompletedProcess[str]:
    """The same, of another clone."""
    env = {**os.environ, **{key: str(value) for key, value in environment.items()}}
    return subprocess.run(
        ["bash", str(file)], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )


def path_with_a_springbench_that_says_its_arguments(folder: Path) -> str:
    """A PATH whose springbench prints each argument as a line of JSON; its service is `orders`."""
    shown = folder / "springbench"
    shown.write_text(
        f"#!{sys.executable}\nimport json, sys\n"
        "if sys.argv[1:] == ['plan', '--service']: sys.exit(print('orders'))\n"
        "for word in sys.argv[1:]: print(json.dumps(word))\n",
        encoding="utf-8",
    )
    shown.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


def action(
    name: str, inputs: Mapping[str, str], cwd: Path, **environment: object
) -> subprocess.CompletedProcess[str]:
    """Run the steps of `.github/actions/<name>`, each with the variables that it declares.

    Returns what came of the last one that ran: the one that failed, or the last of all.
    """
    declared = yaml.safe_load((ACTIONS / name / "action.yml").read_text(encoding="utf-8"))
    defaults = {
        key: declaration.get("default", "") for key, declaration in declared["inputs"].items()
    }
    values = {**defaults, **inputs}
    done = subprocess.CompletedProcess("", 0, "", "")
    for step in declared["runs"]["steps"]:
        [file] = re.findall(r"[\w-]+\.sh", step["run"])
        variables = {
            key: re.sub(r"\${{ inputs\.([\w-]+) }}", lambda found: values[found[1]], text)
            for key, text in step.get("env", {}).items()
        }
        done = script(f"{name}/{file}", cwd, **{**environment, **variables})
        if done.returncode:
            break
    return done
