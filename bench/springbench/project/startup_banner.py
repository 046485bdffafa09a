"""Properties of an application, as its banner prints them when it starts. Pure.

Spring fills in the placeholders of a banner from all that configures the application: the files of
each profile, a config server, the environment, under any spelling of a name. So a property that no
log line has is known without reading any of these.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

NAME = "spring.application.name"
HEALTH = "management.endpoints.web.path-mapping.health"
JERSEY = "spring.jersey.application-path"
WEBFLUX = "spring.webflux.base-path"
OPENAPI = "springdoc.api-docs.path"
DOCUMENTS = (OPENAPI, "springdoc.swagger-ui.path")
"""Paths at which a framework shows an application's routes: they are none of its own."""
USER = "spring.security.user.name"
PORTS = {
    "management.server.port": "management",
    "spring.rsocket.server.port": "rsocket",
    "spring.ldap.embedded.port": "ldap",
    "spring.grpc.server.port": "grpc",
    "grpc.server.port": "grpc",
}
"""Ports beside that of the requests, each with a name for it."""
ADDRESSES = (
    "spring.datasource.url",
    "spring.r2dbc.url",
    "spring.data.mongodb.uri",
    "spring.mongodb.uri",
    "spring.data.redis.url",
)
"""Services that an application needs."""
_NAMES = (NAME, HEALTH, JERSEY, WEBFLUX, USER, *DOCUMENTS, *PORTS, *ADDRESSES)
_PREFIX = "springbench reads"
TEXT = "\n".join(
    [
        " :: Spring Boot :: (v${spring-boot.version})",
        *(f"{_PREFIX} {name}=${{{name}:}}" for name in _NAMES),
        "",
    ]
)
"""Of the banner."""
_LINE = re.compile(rf"^{_PREFIX} (?P<name>[\w.-]+)=(?P<value>.*)$", re.MULTILINE)


def read_banner(text: str) -> Mapping[str, str]:
    """Values by the name of their property, those that have one."""
    found = {match["name"]: match["value"].strip() for match in _LINE.finditer(text)}
    # a placeholder of which nothing tells the value stays as it is
    return {name: value for name, value in found.items() if value and "${" not in value}
