"""Resources of JAX-RS in an artifact, read from their classes: its frameworks log no routes."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from springbench.project.class_file import AnnotatedClass, read_class
from springbench.project.startup_log import Route

_FRAMEWORK = re.compile(r"/(?:jersey-server|cxf-rt-frontend-jaxrs|resteasy-core|resteasy-jaxrs)-")
# to which a class without a path of its own is a resource, too, and not a part of one
_PATHLESS = re.compile(r"/cxf-rt-frontend-jaxrs-")
_ANNOTATIONS = ("Ljakarta/ws/rs/", "Ljavax/ws/rs/")
_MARK = b"/ws/rs/"
_VERSION = re.compile(rb"^Implementation-Version:\s*(\S+)", re.MULTILINE)
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


class Resources(NamedTuple):
    """What an artifact has: the path that it gives the whole application, and routes below it."""

    base: str | None
    routes: tuple[Route, ...]


NO_RESOURCES = Resources(None, ())


def find_resources(artifact: Path) -> Resources:
    """Those of its own classes and of modules built with it; none without a framework for them."""
    try:
        with zipfile.ZipFile(artifact) as archive:
            names = archive.namelist()
            if not any(map(_FRAMEWORK.search, names)):
                return NO_RESOURCES
            default = "" if any(map(_PATHLESS.search, names)) else None
            classes = [
                annotated_class
                for annotated_class in _classes(archive)
                if annotated_class is not None
            ]
    except (OSError, zipfile.BadZipFile):
        return NO_RESOURCES
    bases = [
        path
        for annotated_class in classes
        if (path := _value(annotated_class.annotations, "ApplicationPath"))
    ]
    routes = (route for annotated_class in classes for route in _routes(annotated_class, default))
    return Resources(bases[0] if bases else None, tuple(dict.fromkeys(routes)))


def _classes(archive: zipfile.ZipFile) -> Iterator[AnnotatedClass | None]:
    version = _VERSION.search(archive.read("META-INF/MANIFEST.MF"))
    # a module of the same build has the same version
    module = f"-{version[1].decode()}.jar" if version else None
    for name in archive.namelist():
        if name.endswith(".class"):
            data = archive.read(name)
            if _MARK in data:
                yield read_class(data)
        elif module and name.endswith(module):
            with zipfile.ZipFile(io.BytesIO(archive.read(name))) as inner:
                for inner_name in inner.namelist():
                    if inner_name.endswith(".class") and _MARK in (data := inner.read(inner_name)):
                        yield read_class(data)


def _routes(found: AnnotatedClass, default: str | None) -> Iterator[Route]:
    above = _value(found.annotations, "Path")
    above = default if above is None else above
    if above is None:
        return
    for method_annotations in found.methods:
        path = _value(method_annotations, "Path") or ""
        for method in _METHODS:
            if any(f"{package}{method};" in method_annotations for package in _ANNOTATIONS):
                yield Route(method, _joined(above, path))


def _value(annotations: dict[str, dict[str, object]], name: str) -> str | None:
    """What is written in the brackets of an annotation of JAX-RS; None where it is not there."""
    for package in _ANNOTATIONS:
        if (values := annotations.get(f"{package}{name};")) is not None:
            return str(values.get("value", ""))
    return None


def _joined(*paths: str) -> str:
    parts = (path.strip("/") for path in paths)
    # {id : \d+} is {id:\d+} elsewhere
    return re.sub(r"\{\s*([\w.-]+)\s*(:?)\s*", r"{\1\2", f"/{'/'.join(filter(None, parts))}")
