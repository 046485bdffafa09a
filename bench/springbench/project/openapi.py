"""Routes of a program's own OpenAPI document, for frameworks that log no mappings. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from springbench.project.startup_log import Route

PATHS = (
    "/v3/api-docs",
    "/openapi.json",
    "/q/openapi?format=json",
    "/swagger.json",
    "/v2/api-docs",
    "/api-docs",
    "/api-json",
    "/swagger/doc.json",
    "/swagger/v1/swagger.json",
    "/api/openapi.json",
)
"""Where programs mostly have it."""
_METHODS = ("get", "head", "post", "put", "patch", "delete", "options")


def routes_of(document: Any) -> list[Route]:
    """Those of a document, under the path of its server; none of what is no such document."""
    if not isinstance(document, dict) or not isinstance(document.get("paths"), dict):
        return []
    base = _base(document)
    return [
        Route(method.upper(), f"{base}{path}", ", ".join(_needs(operation)))
        for path, row in document["paths"].items()
        if isinstance(row, dict) and str(path).startswith("/")
        for method, operation in row.items()
        if method in _METHODS and isinstance(operation, dict)
    ]


def _base(document: Mapping[str, Any]) -> str:
    servers = document.get("servers")
    first = servers[0] if isinstance(servers, list) and servers else {}
    url = first.get("url") if isinstance(first, dict) else document.get("basePath")
    path = urlsplit(str(url or document.get("basePath") or "")).path.rstrip("/")
    return path if path.startswith("/") and "{" not in path else ""


def _needs(operation: Mapping[str, Any]) -> Iterator[str]:
    parameters = operation.get("parameters")
    for parameter in parameters if isinstance(parameters, list) else ():
        if (
            isinstance(parameter, dict)
            and parameter.get("required")
            and parameter.get("in") in ("query", "header")
        ):
            yield f"the {parameter['in']} parameter {parameter.get('name')}"
    if "requestBody" in operation:
        yield "a body"
