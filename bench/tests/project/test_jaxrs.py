"""Resources of JAX-RS, from the classes of an artifact."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from springbench.project.class_file import read_class
from springbench.project.jaxrs import NO_RESOURCES, find_resources
from springbench.project.startup_log import Route

Annotation = tuple[str, str | None]


class ClassFile:
    """Bytes of a class with these annotations, each with a text in its brackets or none."""

    def __init__(self) -> None:
        self._constants: list[bytes] = []

    def written(
        self, annotations: Sequence[Annotation], methods: Sequence[Sequence[Annotation]]
    ) -> bytes:
        # a long counts as two constants
        self._constants = [struct.pack(">BQ", 5, 1), b""]
        name = self._text("m")
        body = struct.pack(">HHHHHH", 1, name, name, 0, 0, len(methods))
        for method in methods:
            body += struct.pack(">HHH", 1, name, name) + self._attributes(method)
        body += self._attributes(annotations)
        head = struct.pack(">IHHH", 0xCAFEBABE, 0, 61, len(self._constants) + 1)
        return head + b"".join(self._constants) + body

    def _text(self, text: str) -> int:
        data = text.encode()
        self._constants.append(struct.pack(">BH", 1, len(data)) + data)
        return len(self._constants)

    def _attributes(self, annotations: Sequence[Annotation]) -> bytes:
        data = struct.pack(">H", len(annotations))
        for kind, value in annotations:
            pairs = [] if value is None else [(self._text("value"), self._text(value))]
            data += struct.pack(">HH", self._text(kind), len(pairs))
            for name, text in pairs:
                data += struct.pack(">HBH", name, ord("s"), text)
        attribute = self._text("RuntimeVisibleAnnotations")
        return struct.pack(">HHI", 1, attribute, len(data)) + data


def resource(package: str) -> bytes:
    return ClassFile().written(
        [("Lorg/springframework/stereotype/Component;", None), (f"L{package}/Path;", "orders/")],
        [
            [(f"L{package}/GET;", None)],
            [(f"L{package}/GET;", None), (f"L{package}/Path;", "/{id : [0-9]+}")],
            [(f"L{package}/POST;", None), (f"L{package}/Consumes;", "a")],
            [("Ljava/lang/Deprecated;", None)],
            [],
        ],
    )


ROUTES = (Route("GET", "/orders"), Route("GET", "/orders/{id:[0-9]+}"), Route("POST", "/orders"))


def laid_out(file: Path, entries: dict[str, bytes], *, framework: str = "jersey-server-3") -> Path:
    with zipfile.ZipFile(file, "w") as archive:
        manifest = b"Main-Class: x\r\nImplementation-Version: 1.2\r\n"
        archive.writestr("META-INF/MANIFEST.MF", manifest)
        archive.writestr(f"BOOT-INF/lib/{framework}.jar", b"")
        for name, data in entries.items():
            archive.writestr(name, data)
    return file


@pytest.mark.parametrize("package", ["jakarta/ws/rs", "javax/ws/rs"])
def test_resources_of_both_packages_are_read(tmp_path: Path, package: str) -> None:
    application = ClassFile().written([(f"L{package}/ApplicationPath;", "/app")], [])
    entries = {
        "BOOT-INF/classes/a/Orders.class": resource(package),
        "BOOT-INF/classes/a/App.class": application,
        "BOOT-INF/classes/a/Other.class": b"no class of /ws/rs/",
    }
    assert find_resources(laid_out(tmp_path / "a.jar", entries)) == ("/app", ROUTES)


def test_modules_of_the_same_build_are_read_and_other_libraries_not(tmp_path: Path) -> None:
    module = io.BytesIO()
    with zipfile.ZipFile(module, "w") as archive:
        archive.writestr("Orders.class", resource("jakarta/ws/rs"))
    entries = {f"WEB-INF/lib/{name}.jar": module.getvalue() for name in ("rest-1.2", "lib-2.0")}
    assert find_resources(laid_out(tmp_path / "a.war", entries)) == (None, ROUTES)


def test_what_has_no_such_framework_has_no_resources(tmp_path: Path) -> None:
    entries = {"BOOT-INF/classes/Orders.class": resource("jakarta/ws/rs")}
    assert find_resources(laid_out(tmp_path / "a.jar", entries, framework="x")) == NO_RESOURCES
    assert find_resources(tmp_path / "none.jar") == NO_RESOURCES


@pytest.mark.parametrize("data", [b"", b"\xca\xfe\xba\xbe\x00", resource("javax/ws/rs")[:80]])
def test_a_file_that_ends_early_is_no_class(data: bytes) -> None:
    assert read_class(data) is None
