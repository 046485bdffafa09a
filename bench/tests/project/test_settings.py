"""Settings that say where an application answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.project.detection import read_settings
from springbench.project.facts import Settings
from tests.project.projects import lay_out

PROPERTIES = "src/main/resources/application.properties"
VIRTUAL = "spring.threads.virtual.enabled"
YAML = "src/main/resources/application.yml"


@pytest.mark.parametrize(
    "files",
    [
        {PROPERTIES: f"server.servlet.context-path = /shop/\n{VIRTUAL}=true\n"},
        {YAML: f"server:\n  servlet:\n    context-path: /shop\n{VIRTUAL}: true"},
        {
            YAML: "server.servlet.context-path: /other",
            PROPERTIES: "server.servlet.context-path=/shop\nspring.threads.virtual.enabled=true",
        },
        {
            YAML: "server.servlet.context-path: /shop\nspring.threads.virtual.enabled: true\n"
            "---\nspring.config.activate.on-profile: test\nserver.servlet.context-path: /test"
        },
        {
            PROPERTIES: "server.servlet.context-path=/shop\nspring.threads.virtual.enabled=true\n"
            "#---\nserver.servlet.context-path=/test\n"
        },
    ],
)
def test_the_default_profile_counts(tmp_path: Path, files: dict[str, str]) -> None:
    assert read_settings(lay_out(tmp_path, files)) == Settings(
        base_path="/shop", health_path="/shop/actuator/health", virtual_threads=True
    )


@pytest.mark.parametrize(
    "files",
    [
        {},
        {YAML: "a: [unclosed"},
        {YAML: "just words"},
        {PROPERTIES: "# server.servlet.context-path=/shop\n"},
        {PROPERTIES: "server.servlet.context-path=${BASE}\n"},
    ],
)
def test_what_tells_nothing_leaves_the_defaults(tmp_path: Path, files: dict[str, str]) -> None:
    assert read_settings(lay_out(tmp_path, files)) == Settings()


def test_health_on_another_port_is_known(tmp_path: Path) -> None:
    files = {YAML: "management:\n  server:\n    port: 9001\n  endpoints.web.base-path: /manage"}
    found = read_settings(lay_out(tmp_path, files))
    assert found.health_elsewhere
    assert found.health_path == "/manage/health"
