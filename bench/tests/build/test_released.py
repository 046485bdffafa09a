from __future__ import annotations

from pathlib import Path

import pytest

from springbench.errors import HostError
from springbench.host.shell import RealShell
from springbench.host.tools.find import Jdk, Tool
from springbench.releases.release import released_versions

pytestmark = pytest.mark.process

JDK = Jdk(Path("/opt/jdk"), "25.0.3", 25, "some")
ARTIFACT_PATH = "org/springframework/boot/spring-boot-dependencies"


def maven(folder: Path, *texts: str) -> Tool:
    """A Maven that leaves such metadata in its local repository, and fails as the real one does."""
    option = 'case "$each" in -Dmaven.repo.local=*) r="${each#*=}";; esac'
    lines = ["#!/bin/sh", f"for each; do {option}; done"]
    lines.append(f'mkdir -p "$r/{ARTIFACT_PATH}"')
    for number, text in enumerate(texts):
        lines.append(f"echo '{text}' > \"$r/{ARTIFACT_PATH}/maven-metadata-m{number}.xml\"")
    lines += ["echo '[ERROR] No versions matched the requested range'", "exit 1"]
    path = folder / "mvn"
    path.write_text("\n".join(lines))
    path.chmod(0o755)
    return Tool("maven", path, "3.9.9")


def metadata(*versions: str) -> str:
    inside = "".join(f"<version>{version}</version>" for version in versions)
    return f"<metadata><versioning><versions>{inside}</versions></versioning></metadata>"


def test_versions_of_all_repositories(tmp_path: Path) -> None:
    tool = maven(tmp_path, metadata("4.0.0", "4.1.0-M1"), metadata("4.0.0", "4.0.1"))
    assert sorted(released_versions(JDK, tool, RealShell())) == ["4.0.0", "4.0.1", "4.1.0-M1"]


@pytest.mark.parametrize("texts", [(), ("<metadata>",)])
def test_a_maven_that_cannot_ask(tmp_path: Path, texts: tuple[str, ...]) -> None:
    with pytest.raises(HostError, match=r"(?s)Maven cannot tell.*\[ERROR\] No versions matched"):
        released_versions(JDK, maven(tmp_path, *texts), RealShell())
