"""The versions of Spring Boot that Maven can find: through its own mirrors, proxies and logins."""

from __future__ import annotations

import os
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

from springbench.errors import HostError
from springbench.host.shell import Shell
from springbench.host.tools.find import Jdk, Tool

_GROUP, _ARTIFACT = "org.springframework.boot", "spring-boot-dependencies"
_TIMEOUT_S = 300.0
_SHOWN_LINES = 6
# above all that will ever be: Maven asks which versions there are, and fetches none of them
_NONE_OF_THEM = "[9999,)"
_POM = f"""\
<project>
  <modelVersion>4.0.0</modelVersion>
  <parent>
    <groupId>{_GROUP}</groupId>
    <artifactId>{_ARTIFACT}</artifactId>
    <version>{_NONE_OF_THEM}</version>
    <relativePath/>
  </parent>
  <artifactId>versions</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
</project>
"""


def released_versions(jdk: Jdk, maven: Tool, shell: Shell) -> list[str]:
    """Every version of Spring Boot that is published, milestones too, in no order.

    Raises `HostError` where Maven cannot ask.
    """
    with tempfile.TemporaryDirectory(prefix="springbench-versions-") as text:
        folder = Path(text)
        (folder / "pom.xml").write_text(_POM, encoding="utf-8")
        # a repository of its own: what another build found earlier may be old
        command = [str(maven.path), "-B", "-ntp", f"-Dmaven.repo.local={folder / 'repository'}"]
        done = shell.run(
            [*command, "validate"], cwd=folder, env=jdk.env(os.environ), timeout_s=_TIMEOUT_S
        )
        place = folder / "repository" / Path(*_GROUP.split("."), _ARTIFACT)
        found = {version for file in place.glob("maven-metadata-*.xml") for version in _read(file)}
    if not found:
        said = "\n".join(done.stdout.splitlines()[-_SHOWN_LINES:])
        raise HostError(
            "Maven cannot tell which versions of Spring Boot there are: is there a network, and a "
            f"mirror in ~/.m2/settings.xml where one is required?\n{said}"
        )
    return list(found)


def _read(file: Path) -> list[str]:
    try:
        root = ET.fromstring(file.read_text(encoding="utf-8"))  # noqa: S314 - Maven has read it
    except ET.ParseError:
        return []
    return [each.text.strip() for each in root.iter("version") if each.text]
