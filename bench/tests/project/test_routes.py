"""Routes that a person may want to load, from the sources."""

from __future__ import annotations

from pathlib import Path

from springbench.project.detection import routes_of
from tests.project.projects import CONTROLLER, lay_out

JAVA, KOTLIN = "src/main/java/a/{}.java", "src/main/kotlin/a/{}.kt"


def of(kind: str, mapping: str) -> str:
    return f"@{kind} class Some {{ @GetMapping({mapping}) void a() {{}} }}"


def test_routes_of_controllers_those_that_are_whole_first(tmp_path: Path) -> None:
    files = {
        JAVA.format("Orders"): CONTROLLER,
        JAVA.format("Root"): of("Controller", 'path = "/about"'),
        JAVA.format("Client"): of("FeignClient", '"/theirs"'),
        KOTLIN.format("Stock"): of("RestController", 'value = ["/stock"]'),
        "src/test/java/a/TestOnly.java": of("RestController", '"/test"'),
    }
    assert routes_of(lay_out(tmp_path, files)) == ["/about", "/stock", "/orders", "/orders/{id}"]


def test_a_method_s_own_mapping_is_no_base(tmp_path: Path) -> None:
    text = """\
@RestController
class Many {
    @RequestMapping("/one") String one() { return ""; }
    @GetMapping("/two") String two() { return ""; }
}
"""
    assert routes_of(lay_out(tmp_path, {JAVA.format("Many"): text})) == ["/two"]


def test_a_project_without_sources_has_none(tmp_path: Path) -> None:
    assert routes_of(tmp_path) == []
