"""Facts of somebody's project, as far as its files tell them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

BuildTool = Literal["maven", "gradle"]
SERVERS = ("tomcat", "jetty", "undertow", "netty")


@dataclass(frozen=True)
class Application:
    """A Spring Boot application: a folder with a build file of its own."""

    folder: Path
    tool: BuildTool
    jar: str
    """Relative to `folder`; with a glob where the name holds a version."""
    starters: frozenset[str]
    """Without their common beginning: `web`, `actuator`; the plain one is empty."""
    boot_version: str | None = None

    @property
    def server(self) -> str | None:
        """The embedded server that it starts; None where its own build file names none."""
        for name in ("jetty", "undertow", "tomcat"):
            if any(starter in self.starters for starter in (name, f"{name}-runtime")):
                return name
        if self.starters & {"web", "webmvc", "web-services", "jersey", "thymeleaf"}:
            return "tomcat"
        return "netty" if "webflux" in self.starters else None

    @property
    def has_health(self) -> bool:
        """Whether it has the actuator, and so a route that tells its health."""
        return "actuator" in self.starters

    @property
    def build_command(self) -> str:
        """How a person builds it."""
        if self.tool == "maven":
            return "./mvnw package" if (self.folder / "mvnw").is_file() else "mvn package"
        return "./gradlew bootJar" if (self.folder / "gradlew").is_file() else "gradle bootJar"


@dataclass(frozen=True)
class Settings:
    """Settings of an application that change where it answers."""

    base_path: str = ""
    health_path: str = "/actuator/health"
    health_elsewhere: bool = False
    """Whether health is served on a port of its own."""
    virtual_threads: bool = False
