"""What applications log of themselves at start, in the words of each framework and release."""

from __future__ import annotations

import re

import pytest

from springbench.project import startup_banner
from springbench.project.startup_log import ANY, Route, read_log

# as Spring Framework writes annotated routes: one event for each controller
ANNOTATED = """\
 :: Spring Boot ::                (v4.0.8)
2026-01-01T00:00:00.000Z DEBUG 7 --- [main] _.s.web.servlet.HandlerMapping.Mappings  :
	o.s.s.p.o.OwnerController:
	{GET [/owners/{ownerId}]}: showOwner(int)
	{GET [/owners], produces [text/html]}: findOwners(int,Owner)
	{POST [/owners/new], consumes [application/json]}: create(Owner)
	{[GET, HEAD] [/files/{name:[a-z]{1,3}}]}: file(String)
	{GET [/search || /find], params [q]}: search(String)
	{ [/anything]}: anything()
2026-01-01T00:00:00.000Z DEBUG 7 --- [main] _.s.web.servlet.HandlerMapping.Mappings  :
	o.s.b.w.s.e.BasicErrorController:
	{ [/error]}: error(HttpServletRequest)
	{ [/error], produces [text/html]}: errorHtml(HttpServletRequest,HttpServletResponse)
2026-01-01T00:00:00.000Z  INFO 7 --- [main] o.s.b.a.e.web.EndpointLinksResolver      : \
Exposing 2 endpoints beneath base path '/management'
"""
FUNCTIONAL = """\
10:00 DEBUG _.s.w.r.HandlerMapping.Mappings: Mapped ((GET && /hello) && Accept: text/plain) -> \
com.example.Routes$$Lambda/0x01@5c
10:00 DEBUG _.s.w.r.HandlerMapping.Mappings: Mapped /person => {
 (GET && /{id}) -> com.example.Routes$$Lambda/0x02@6d
 /pets => {
  (GET && ?kind == cat) -> com.example.Routes$$Lambda/0x03@7e
 }
 (POST && /) -> com.example.Routes$$Lambda/0x04@8f
}
10:00 DEBUG _.s.w.r.HandlerMapping.Mappings: Mapped (GET && /posts) -> com.example.Posts$$Lambda@1
(POST && /posts) -> com.example.Posts$$Lambda@2
/posts => {
 (GET && ) -> com.example.Posts$$Lambda@3
 (DELETE && /{id}) -> com.example.Posts$$Lambda@4
}
com.example.OwnPredicate$Inner@5e7abaf7 -> com.example.Posts$$Lambda/0x00000000814aafd0@6
(GET && /tags) -> com.example.Posts$$Lambda@5
10:00 INFO  Netty started on port 8080 (http)
10:00 INFO  GET /nothing -> 200
"""


def test_annotated_routes_have_methods_paths_and_conditions() -> None:
    log = read_log(ANNOTATED)
    assert log.routes == (
        Route("GET", "/owners/{ownerId}"),
        Route("GET", "/owners"),
        Route("POST", "/owners/new", "consumes [application/json]"),
        Route("GET", "/files/{name:[a-z]{1,3}}"),
        Route("HEAD", "/files/{name:[a-z]{1,3}}"),
        Route("GET", "/search", "params [q]"),
        Route("GET", "/find", "params [q]"),
        Route(ANY, "/anything"),
    )
    assert (log.actuator, log.boot_version) == ("/management", "4.0.8")


def test_functional_routes_are_read_with_what_they_are_nested_in() -> None:
    log = read_log(FUNCTIONAL)
    assert log.routes == (
        Route("GET", "/hello"),
        Route("GET", "/person/{id}"),
        Route("GET", "/person/pets", "?kind == cat"),
        Route("POST", "/person"),
        Route("GET", "/posts"),
        Route("POST", "/posts"),
        Route("DELETE", "/posts/{id}"),
        Route("GET", "/tags"),
    )
    assert log.servers[0].name == "netty"


def test_a_log_in_json_tells_the_same() -> None:
    events = ANNOTATED.replace("\n", "\\n").replace("\t", "\\t")
    assert read_log(f'{{"message":"{events}"}}').routes[:2] == read_log(ANNOTATED).routes[:2]


@pytest.mark.parametrize(
    ("line", "server"),
    [
        (
            "Tomcat started on port(s): 8080 (http) with context path ''",
            ("tomcat", 8080, False, ""),
        ),
        ("Tomcat started on port 9 (https) with context path '/api'", ("tomcat", 9, True, "/api")),
        ("Tomcat started on port 9 (http) with context path '/'", ("tomcat", 9, False, "")),
        (
            "Jetty started on port 8443 (ssl, http/1.1) with context path '/'",
            ("jetty", 8443, True, ""),
        ),
        ("Undertow started on port(s) 8081 (http)", ("undertow", 8081, False, "")),
        ("Netty started on port(s): 8080", ("netty", 8080, False, "")),
    ],
)
def test_each_release_of_each_server_says_where_it_listens(
    line: str, server: tuple[str, int, bool, str]
) -> None:
    assert read_log(f"INFO x : {line}\n").servers == (server,)


def test_a_servlet_below_a_path_is_found() -> None:
    line = (
        "DEBUG ServletContextInitializerBeans : Mapping servlets: dispatcherServlet urls=[/rest/*]"
    )
    assert read_log(line).servlet_path == "/rest"
    assert read_log(line.replace("/rest/*", "/")).servlet_path == ""


def test_the_path_of_webflux_is_in_no_line_but_the_banner() -> None:
    banner = startup_banner.TEXT.replace("${spring-boot.version}", "4.0.8")
    banner = banner.replace(f"${{{startup_banner.WEBFLUX}:}}", "api/v1/")
    log = read_log(f"{banner}INFO x : Netty started on port 8080 (http)\n")
    assert (log.servers[0].context, log.boot_version) == ("/api/v1", "4.0.8")
    # one with a context path is none of WebFlux
    line = "Tomcat started on port 8080 (http) with context path '/'"
    assert read_log(f"{banner}{line}").servers[0].context == ""


def test_a_property_without_a_value_is_none() -> None:
    unset = re.sub(r"\$\{[^}]*\}", "", startup_banner.TEXT)
    assert read_log(unset).properties == {}
    # one that names another property of which nothing tells the value
    named = startup_banner.TEXT.replace(f"${{{startup_banner.HEALTH}:}}", "${HEALTH_NAME}")
    assert read_log(named).properties == {}


def test_a_log_in_colours_tells_the_same() -> None:
    line = (
        "\x1b[2m10:00\x1b[0m \x1b[36mo.s.b.Tomcat\x1b[0m Tomcat started on port \x1b[1m8080\x1b[0m"
    )
    assert read_log(line).servers[0].port == 8080


def test_servlets_of_others_are_found_beside_springs_own() -> None:
    line = (
        "DEBUG Beans : Mapping servlets: a.b.JerseyConfig urls=[/app/*], dispatcherServlet urls=[/]"
    )
    log = read_log(line)
    assert (log.servlet_path, log.other_servlets) == ("", ("/app/*",))
    several = "Mapping servlets: a.b.Report urls=[/report, *.pdf], h2Console urls=[/h2/*]"
    assert read_log(several).other_servlets == ("/report", "/*.pdf")


def test_a_release_before_springs_mapping_log_tells_its_routes_too() -> None:
    handler = "onto public Object com.example.Users"
    actuator = "onto public Object org.springframework.boot.actuate.X.y()"
    log = read_log(
        f"""\
Mapped "{{[/users/{{id}}],methods=[GET],produces=[application/json]}}" {handler}.one(long)
Mapped "{{[/users || /people],methods=[POST || PUT],params=[a],consumes=[text/csv]}}" {handler}.a()
Mapped "{{[/any]}}" {handler}.any()
Mapped "{{[/beans],methods=[GET]}}" {actuator}
"""
    )
    needs = "params [a], consumes [text/csv]"
    assert log.routes == (
        Route("GET", "/users/{id}"),
        *(
            Route(method, path, needs)
            for path in ("/users", "/people")
            for method in ("POST", "PUT")
        ),
        Route(ANY, "/any"),
    )


def test_routes_of_webflux_and_of_older_releases_have_no_brackets() -> None:
    log = read_log(
        """\
	c.e.PostController:
	{GET /posts}: all()
	{GET /posts/{id:[0-9]{1,3}}, produces [text/a]}: one(long)
	{[PUT, PATCH] [/posts/{id}, /post/{id}], consumes [a/b], and [x]}: change(long)
	{ /anything}: any()
	{GET }: root()
	{POST}: root(Post)
	{"json": [1]}: none
	{}: none
TRACE o.s.w.s.m.m.a.RequestMappingHandlerMapping : Mapped 2 handler method(s) for class \
com.example.Notes: {public java.util.List com.example.Notes.all(int,java.lang.String)=\
{GET /notes, produces [a/b || c/d]}, java.lang.String com.example.Notes.any()={ [/n, /m]}}
TRACE o.s.w.s.m.m.a.RequestMappingHandlerMapping : Mapped 1 handler method(s) for class \
org.springframework.boot.autoconfigure.error.BasicErrorController: {public int a()={ /error}}
"""
    )
    changed = [
        (method, path) for path in ("/posts/{id}", "/post/{id}") for method in ("PUT", "PATCH")
    ]
    assert log.routes == (
        Route("GET", "/posts"),
        Route("GET", "/posts/{id:[0-9]{1,3}}"),
        *(Route(method, path, "consumes [a/b], and [x]") for method, path in changed),
        Route(ANY, "/anything"),
        Route("GET", "/"),
        Route("POST", "/"),
        Route("GET", "/notes"),
        Route(ANY, "/n"),
        Route(ANY, "/m"),
    )


def test_a_first_page_is_a_route() -> None:
    line = "INFO o.s.b.a.WelcomePageHandlerMapping : Adding welcome page{}: {}"
    for words in (("", "class path resource [static/index.html]"), (" template", "index")):
        assert read_log(line.format(*words)).routes == (Route("GET", "/"),)


def test_what_a_gateway_is_configured_to_forward_is_a_route() -> None:
    log = read_log(
        """\
INFO c.g.r.RouteDefinitionRouteLocator : Loaded RoutePredicateFactory [After]
DEBUG c.g.r.RouteDefinitionRouteLocator : RouteDefinition orders applying \
{_genkey_0=/orders/**, _genkey_1=/baskets/{id}} to Path
DEBUG c.g.r.RouteDefinitionRouteLocator : RouteDefinition orders applying {_genkey_0=GET} to Method
DEBUG c.g.r.RouteDefinitionRouteLocator : RouteDefinition orders applying filter {parts=1} to Strip
DEBUG c.g.r.RouteDefinitionRouteLocator : RouteDefinition vets applying {pattern=/vets/**} to Path
"""
    )
    assert log.routes == (
        Route("GET", "/orders/**"),
        Route("GET", "/baskets/{id}"),
        Route(ANY, "/vets/**"),
    )
    assert log.is_gateway
    assert not read_log("").is_gateway


@pytest.mark.parametrize(
    ("path", "left"), [("/docs", ["/orders"]), ("/", ["/docs", "/docs.yaml", "/orders"])]
)
def test_where_an_application_shows_its_routes_is_none_of_them(path: str, left: list[str]) -> None:
    banner = startup_banner.TEXT.replace(f"${{{startup_banner.OPENAPI}:}}", path)
    lines = "".join(
        f"\t{{GET [{shown_path}]}}: a()\n" for shown_path in ("/docs", "/docs.yaml", "/orders")
    )
    assert [route.path for route in read_log(f"{banner}{lines}").routes] == left


def test_paths_of_servers_of_cxf_are_known() -> None:
    log = read_log("ServerImpl : Setting the server's publish address to be /orders\n")
    assert log.cxf_paths == ("/orders",)


def test_a_view_that_has_a_path_and_no_method_is_a_route() -> None:
    log = read_log(
        "DEBUG _.s.web.servlet.HandlerMapping.Mappings : 'viewControllerHandlerMapping' "
        '{/home=ParameterizableViewController [view="home"], '
        '/=ParameterizableViewController [status=200, view="a, /b"]}\n'
        "DEBUG _.s.web.servlet.HandlerMapping.Mappings : 'beanNameHandlerMapping' {}\n"
        "DEBUG _.s.web.servlet.HandlerMapping.Mappings : 'stompWebSocketHandlerMapping' "
        "{/chat=org.springframework.web.socket.server.support.WebSocketHttpRequestHandler@60}\n"
        "DEBUG _.s.web.servlet.HandlerMapping.Mappings : 'resourceHandlerMapping' "
        "{/webjars/**=ResourceHttpRequestHandler [classpath [static/]], "
        "/**=ResourceHttpRequestHandler [classpath [public/]]}\n"
    )
    assert log.routes == (Route("GET", "/home"), Route("GET", "/"))
