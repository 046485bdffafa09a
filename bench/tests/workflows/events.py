"""Events that the workflow `benchmark` is for, and what it leaves of them."""

from __future__ import annotations

import json
from typing import Any

from tests.workflows.local_github import LocalGitHub

ONE_CASE = "boot4-netty-reactive-jvm/hello/16"


def dispatch(**inputs: str) -> dict[str, Any]:
    return {"inputs": {"profile": "smoke", **inputs}}


def run_file(github: LocalGitHub, shard: str) -> dict[str, Any]:
    text = (github.store / "artifacts" / f"run-{shard}" / "run.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def push(sha: str) -> dict[str, Any]:
    """That commit came to `main`."""
    return {"after": sha, "ref": "refs/heads/main"}


def runs_in(github: LocalGitHub) -> list[str]:
    return github.published("data/runs/")


def narrow(
    github: LocalGitHub,
    profile: str = "commit",
    *,
    servers: str = '["netty"]',
    runtimes: str = '["jvm"]',
    pay: bool = True,
) -> str:
    """A commit whose profile of that name is a short case of `hello` on each of these, and perhaps
    one of `pay`."""
    file = github.work / "bench" / "matrix.toml"
    text = file.read_text(encoding="utf-8")
    head, _, profiles = text.partition("[[profiles]]")
    smoke, *other_profiles = ["[[profiles]]" + part for part in profiles.split("[[profiles]]")]
    short_profile = smoke.replace('"smoke"', f'"{profile}"').replace('["tomcat", "netty"]', servers)
    short_profile = short_profile.replace('runtimes = ["jvm"]', f"runtimes = {runtimes}", 1)
    # windows in which compilers work count for nobody: the first one alone is soon at rest
    short_profile = short_profile.replace(
        "compiling_max_s = 0\n", "compiling_max_s = 90\n"
    ).replace(
        "\n[[profiles.loads]]",
        '\njava_options = ["-XX:TieredStopAtLevel=1"]\n[[profiles.loads]]',
        1,
    )
    if not pay:
        hello = short_profile.partition('[[profiles.loads]]\nworkload = "pay"')[0]
        assert hello != short_profile
        short_profile = hello
    remaining_profiles = [part for part in other_profiles if f'id = "{profile}"' not in part]
    file.write_text(head + smoke + short_profile + "".join(remaining_profiles), encoding="utf-8")
    return github.commit("narrow")
