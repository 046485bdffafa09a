"""What a Spring application says of itself when it starts: servers, ports, routes. Pure.

Spring logs its mappings under a name that begins with an underscore, apart from all other output of
its packages, so these lines are there whatever the application is like: with or without actuator,
behind any login, from annotations and from functions alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from springbench.project import startup_banner

ANY = "ANY"
"""The method of a route that takes every method."""
_LEVELS = {
    "root": "INFO",
    "org.springframework.web": "INFO",
    # of Spring Framework 5.1, which has no log of its mappings alone
    "org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping": "TRACE",
    "org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping": (
        "TRACE"
    ),
    "org.springframework.boot": "INFO",
    "org.springframework.boot.web.servlet": "DEBUG",
    "org.springframework.cloud.gateway.route.RouteDefinitionRouteLocator": "DEBUG",
    "[_org.springframework.web.servlet.HandlerMapping.Mappings]": "DEBUG",
    "[_org.springframework.web.reactive.HandlerMapping.Mappings]": "DEBUG",
}
LOG_PROPERTIES = {
    **{f"logging.level.{name}": level for name, level in _LEVELS.items()},
    "spring.main.banner-mode": "console",
    # mappings are made, and logged, before the first request
    "spring.main.lazy-initialization": "false",
}
"""Properties with which an application logs what is read here."""
LOGGING_CONFIG = "logging.config"
"""The property that names one of `LOGGING_FILES`, by the library that reads it."""
LOGGING_FILES = {
    "logback": """\
<configuration>
  <appender name="OUT" class="ch.qos.logback.core.ConsoleAppender">
    <encoder><pattern>%level %logger : %msg%n</pattern></encoder>
  </appender>
  <root level="INFO"><appender-ref ref="OUT"/></root>
</configuration>
""",
    "log4j2": """\
<Configuration>
  <Appenders>
    <Console name="OUT"><PatternLayout pattern="%level %logger : %msg%n"/></Console>
  </Appenders>
  <Loggers><Root level="info"><AppenderRef ref="OUT"/></Root></Loggers>
</Configuration>
""",
}
"""An application's own may log to a file alone, or nothing below a level of its own."""
BANNER_LOCATION = "spring.banner.location"
"""The property that names a file with the text of `startup_banner`."""
_STARTED = re.compile(
    r"(?P<server>Tomcat|Jetty|Undertow|Netty) started on ports?(?:\(s\))?:? (?P<port>\d+)"
    r"(?: \((?P<protocol>[^)]*)\))?(?:[^\n]*? with context path '(?P<context>[^']*)')?"
)
# Mapping servlets: com.example.JerseyConfig urls=[/api/*], dispatcherServlet urls=[/]
_SERVLETS = re.compile(r"\bMapping servlets: (?P<rows>\S.*)")
_SERVLET = re.compile(r"(?P<name>[^\s,]+) urls=\[(?P<paths>[^\]]*)")
_SPRINGS_SERVLET = "dispatcherServlet"
# consoles of a database and of a connection pool
_OTHER_TOOLS = ("h2Console", "statViewServlet")
# Adding welcome page: class path resource [static/index.html]
_WELCOME = re.compile(r"\bAdding welcome page(?: template)?: ")
# RouteDefinition orders applying {_genkey_0=/orders/**} to Path, of a gateway
_GATEWAY = re.compile(
    r"\bRouteDefinition (?P<id>\S+) applying \{(?P<values>.*)\} to (?P<kind>Path|Method)\b"
)
_GATEWAY_PATH = re.compile(r"=(/[^,\s]*)")
# Setting the server's publish address to be /orders, below its servlet
_CXF = re.compile(r"\bSetting the server's publish address to be (/\S*)")
_COLOUR = re.compile(r"\x1b\[[\d;]*m")
_ACTUATOR = re.compile(r"Exposing \d+ endpoint(?:s|\(s\))? (?:beneath|under) base path '([^']*)'")
_VERSION = re.compile(r":: Spring Boot ::\s*\(v?([\w.-]+)\)")
_METHOD = r"(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE)"
# {GET [/orders/{id} || /order/{id:[0-9]+}], params [a], consumes [application/json]}; of WebFlux,
# and before Spring Framework 5.3, one path has no brackets: {GET /orders}
_MAPPING = (
    rf"\{{(?=[A-Z\[]| [\[/])(?P<methods>{_METHOD}|\[{_METHOD}(?:, {_METHOD})*\])?"
    r" ?(?:\[(?P<paths>.*?)\]|(?P<path>(?:/\S*?)?))"
    r"(?P<conditions>(?:, (?:params|headers|consumes|produces|custom|version|and) .*?)?)\}"
)
_ANNOTATED = re.compile(rf"^\s*{_MAPPING}: \S.*$")
# Mapped 2 handler method(s) for class com.example.A: {public int com.example.A.a()={GET /a}, ...}
_CLASS = re.compile(r"\bMapped \d+ handler method\(s\) for class (?!org\.springframework\.boot\.)")
_METHOD_OF_CLASS = re.compile(rf"\)={_MAPPING}(?=, [a-z]|\}}$)")
# Mapped "{[/a || /b],methods=[GET],params=[a]}" onto public ..., before Spring Framework 5.1
_OLD = re.compile(
    r'\bMapped "\{\[(?P<paths>.*?)\](?:,methods=\[(?P<methods>[A-Z| ]+)\])?'
    r'(?P<path>)(?P<conditions>(?:,(?:params|headers|consumes|produces|custom)=.*?)?)\}" onto '
    r"(?!.*\borg\.springframework\.boot\.)"
)
_FUNCTIONS = re.compile(r"\bMapped (?=\S.*(?: -> | => \{)|$)")
# 'viewControllerHandlerMapping' {/home=ParameterizableViewController [view="home"], /=...}
_BY_PATH = re.compile(r"'\w+HandlerMapping' \{(?P<rows>/.*)\}\s*$")
_PATH_ROW = re.compile(r"(?:^|, )(?P<path>/[^=\s]*)=(?P<handler>[\w.$]+)")
# of files, and of what is no request
_NO_ROUTE = re.compile(r"Resource|DefaultServlet|WebSocket|SockJs")
# what a line of a router function begins with, and no other line of a log
_PREDICATE = re.compile(
    r"(?:[(/!?]|(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b|(?:Accept|Content-Type): "
    # one of a class of its own
    r"|[\w.$/]+@[0-9a-f]+ ).*(?:->|=>) "
)
_METHODS = re.compile(r"\b(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b")
_PATH = re.compile(r"(?<![\w/:.])(/[^\s)|&]*)")
_OF_FRAMEWORKS = re.compile(
    r"^/(?:error|v3/api-docs\S*|v2/api-docs\S*|api-docs\S*|swagger-ui\S*|swagger-resources\S*"
    r"|webjars/\S*|\*\*|favicon\.ico)$"
)


class ListeningServer(NamedTuple):
    """A server that listens, as Spring Boot tells it; `context` is its context path."""

    name: str
    port: int
    tls: bool
    context: str


class Route(NamedTuple):
    """A route as a framework has it; `path` is below context path and servlet."""

    method: str
    path: str
    needs: str = ""
    """Conditions on parameters, headers or a body, in the framework's words."""


class StartupLog(NamedTuple):
    """All that a log tells."""

    servers: tuple[ListeningServer, ...]
    routes: tuple[Route, ...]
    servlet_path: str
    """Of Spring's own servlet."""
    other_servlets: tuple[str, ...]
    """Patterns of the others' paths, such as `/api/*` of Jersey's."""
    cxf_paths: tuple[str, ...]
    """Of CXF's servers, below its servlet."""
    actuator: str | None
    """Below the context path of the server that has it."""
    boot_version: str | None
    is_gateway: bool
    """Whether it forwards what its configuration or code says."""
    properties: Mapping[str, str]
    """Those of `startup_banner` that have a value."""


def read_log(text: str) -> StartupLog:
    """What a log of a start with `LOG_PROPERTIES` tells."""
    # a log in JSON has them escaped
    text = _COLOUR.sub("", text).replace("\\n", "\n").replace("\\t", "\t")
    actuator, version = (found.search(text) for found in (_ACTUATOR, _VERSION))
    properties = startup_banner.read_banner(text)
    base = plain_path(properties.get(startup_banner.WEBFLUX, ""))
    servlets = dict(_servlets(text))
    spring_paths = servlets.pop(_SPRINGS_SERVLET, ("/",))
    documents = [plain_path(properties.get(name, "")) for name in startup_banner.DOCUMENTS]
    routes = (route for route in _routes(text) if not _is_of_a_framework(route.path, documents))
    return StartupLog(
        tuple(_servers(text, base)),
        tuple(dict.fromkeys(routes)),
        servlet_path(spring_paths[0]),
        tuple(path for paths in servlets.values() for path in paths),
        tuple(map(plain_path, _CXF.findall(text))),
        plain_path(actuator[1]) if actuator else None,
        version[1] if version else None,
        "Loaded RoutePredicateFactory [" in text,
        properties,
    )


def _servlets(text: str) -> Iterator[tuple[str, list[str]]]:
    for line in _SERVLETS.finditer(text):
        for row in _SERVLET.finditer(line["rows"]):
            if row["name"] not in _OTHER_TOOLS:
                yield row["name"], [_with_slash(path) for path in row["paths"].split(", ")]


def servlet_path(pattern: str) -> str:
    """The path of all that a servlet with a pattern such as `/api/*` answers."""
    return plain_path(pattern.removesuffix("*"))


def _servers(text: str, base: str) -> Iterator[ListeningServer]:
    """Those that listen. `base` is the path of WebFlux, which has no context path."""
    for found in _STARTED.finditer(text):
        protocol = (found["protocol"] or "http").lower()
        tls = "https" in protocol or "ssl" in protocol
        context = base if found["context"] is None else plain_path(found["context"])
        yield ListeningServer(found["server"].lower(), int(found["port"]), tls, context)


def plain_path(path: str) -> str:
    """With a slash before it and none behind it; empty for the root."""
    path = path.strip().strip("/")
    return f"/{path}" if path else ""


def _is_of_a_framework(path: str, documents: Sequence[str]) -> bool:
    below = tuple(f"{document}{end}" for document in documents if document for end in ("/", "."))
    return bool(_OF_FRAMEWORKS.match(path)) or path in documents or path.startswith(below)


def _routes(text: str) -> Iterator[Route]:
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if annotated := _ANNOTATED.match(line) or _OLD.search(line):
            yield from _annotated(annotated)
        elif of_class := _CLASS.search(line):
            for match in _METHOD_OF_CLASS.finditer(line, of_class.end()):
                yield from _annotated(match)
        elif by_path := _BY_PATH.search(line):
            yield from _by_path(by_path["rows"])
        elif functions := _FUNCTIONS.search(line):
            yield from _functions([line[functions.end() :], *lines[number + 1 :]])
        elif _WELCOME.search(line):
            yield Route("GET", "/")
    yield from _forwarded(text)


def _annotated(found: re.Match[str]) -> Iterator[Route]:
    methods = _METHODS.findall(found["methods"] or "") or [ANY]
    # what it produces is its own affair
    needs = re.sub(r",(\w+)=", r", \1 ", found["conditions"])
    needs = re.sub(r", produces \[[^\]]*\]", "", needs).removeprefix(", ")
    paths = found["path"] if found["paths"] is None else found["paths"]
    for path in re.split(r" \|\| |, (?=/)", paths):
        for method in methods:
            yield Route(method, _with_slash(path), needs)


def _by_path(rows: str) -> Iterator[Route]:
    """Routes of handlers that are named by a path, as those that show a view alone."""
    for row in _PATH_ROW.finditer(rows):
        if not _NO_ROUTE.search(row["handler"]):
            yield Route("GET", row["path"])


def _forwarded(text: str) -> Iterator[Route]:
    """Routes of a gateway that are configured; none of those that its code makes."""
    rows: dict[str, dict[str, str]] = {}
    for row in _GATEWAY.finditer(text):
        rows.setdefault(row["id"], {})[row["kind"]] = row["values"]
    for predicates in rows.values():
        for path in _GATEWAY_PATH.findall(predicates.get("Path", "")):
            for method in _METHODS.findall(predicates.get("Method", "")) or [ANY]:
                yield Route(method, path)


def _functions(lines: list[str]) -> Iterator[Route]:
    """Routes of one router function, a line for each; nested ones stand between braces."""
    above: list[tuple[list[str], str]] = []
    for number, line in enumerate(raw_line.strip() for raw_line in lines):
        if number and not above and not _PREDICATE.match(line):
            return
        if line.endswith("=> {"):
            above.append((_METHODS.findall(line), _path_in(line.removesuffix("=> {"))))
        elif line == "}" and above:
            above.pop()
        elif " -> " in line:
            predicate = line.partition(" -> ")[0]
            path = "".join(part for _, part in above) + _path_in(predicate)
            outer = [name for names, _ in above for name in names]
            methods = _METHODS.findall(predicate) or outer
            # neither: a predicate of a class of its own, which does not tell what it takes
            for method in methods or ([ANY] if path or _PATH.search(predicate) else []):
                yield Route(method, _with_slash(path), _conditions(predicate))
        else:
            return


def _path_in(predicate: str) -> str:
    found = _PATH.search(predicate)
    return found[1].rstrip("/") if found else ""


def _conditions(predicate: str) -> str:
    """Of a functional route: what it asks of headers and parameters besides method and path."""
    parts = (part.strip(" ()") for part in predicate.split(" && "))
    conditions = [part for part in parts if re.match(r"(\?|[A-Za-z-]+: )", part)]
    return ", ".join(part for part in conditions if not part.startswith("Accept:"))


def _with_slash(path: str) -> str:
    return path if path.startswith("/") else f"/{path}"
