"""Small projects, as their initializers lay them out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent>
    <groupId>org.springframework.boot</groupId>
    <artifactId>spring-boot-starter-parent</artifactId>
    <version>4.0.7</version>
  </parent>
  <artifactId>{name}</artifactId>
  <version>0.0.1-SNAPSHOT</version>
  <dependencies>{dependencies}</dependencies>
  <build><plugins>{plugins}</plugins>{final}</build>
  <modules>{modules}</modules>
</project>
"""
PLUGIN = "<plugin><artifactId>spring-boot-maven-plugin</artifactId></plugin>"
GRADLE = """\
plugins {{
    id("java")
    id("org.springframework.boot") version "4.0.7"{off}
}}
dependencies {{
    // implementation("org.springframework.boot:spring-boot-starter-undertow")
{dependencies}
}}
"""
CONTROLLER = """\
package com.example;

@RestController
@RequestMapping("/orders")
class Orders {
    @GetMapping
    List<Order> all() { return List.of(); }

    @GetMapping("/{id}")
    Order one(@PathVariable long id) { return null; }

    @PostMapping("/new")
    Order add() { return null; }
}
"""


def pom(
    *starters: str, name: str = "orders", app: bool = True, modules: str = "", final: str = ""
) -> str:
    dependencies = "".join(
        f"<dependency><artifactId>spring-boot-starter{each}</artifactId></dependency>"
        for each in starters
    )
    inner = "".join(f"<module>{each}</module>" for each in modules.split())
    called = f"<finalName>{final}</finalName>" if final else ""
    return POM.format(
        name=name,
        dependencies=dependencies,
        plugins=PLUGIN if app else "",
        modules=inner,
        final=called,
    )


def gradle(*starters: str, app: bool = True) -> str:
    lines = "\n".join(
        f'    implementation("org.springframework.boot:spring-boot-starter{each}")'
        for each in starters
    )
    return GRADLE.format(dependencies=lines, off="" if app else " apply false")


def lay_out(folder: Path, files: Mapping[str, str]) -> Path:
    """The folder with these files in it."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder
