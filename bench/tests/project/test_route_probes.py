"""What a running program is asked, and what its answers mean."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from springbench.project import route_probes
from springbench.project.openapi import routes_of
from springbench.project.route_probes import Program, choose_routes
from springbench.project.startup_log import ANY, Route

PAGES: dict[str, tuple[int, str, dict[str, str]]] = {
    "/owners": (200, json.dumps({"content": [{"ownerId": 7, "name": "x"}]}), {}),
    "/owners/7": (200, '{"ownerId": 7}', {}),
    "/owners/7/pets": (200, json.dumps([{"id": "a b"}]), {}),
    "/owners/7/pets/a%20b": (200, "{}", {}),
    "/orders": (200, '[{"id": 4, "items": [{"id": 9}]}]', {}),
    "/orders/4": (200, '{"id": 4, "items": [{"id": 9}]}', {}),
    "/orders/4/items/9": (200, "{}", {}),
    "/vets": (200, '<a href="/vets/12/edit">a</a> <a href="/vets/new">n</a>', {}),
    "/vets/12/edit": (200, "<form>", {}),
    # links are relative, and one of them leads to a route of its own
    "/clinics": (200, '<a href="/clinics/find">f</a> <a href="clinics/3">c</a>', {}),
    "/clinics/find": (200, "<form>", {}),
    "/posts": (200, '[{"id": "626f56bc-112b-468a-ab6d-081f139c7d30"}]', {}),
    "/posts/626f56bc-112b-468a-ab6d-081f139c7d30": (200, "{}", {}),
    "/clinics/3": (200, '<a href="3/rooms/8/edit">r</a>', {}),
    "/clinics/3/rooms/8/edit": (200, "<form>", {}),
    # lists, and the routes that take a row of theirs
    "/parcels/all": (200, '{"rows": [{"number": "P-1"}], "names": ["x"]}', {}),
    "/parcels/P-1": (200, "{}", {}),
    "/parcels/one/P-1": (200, "{}", {}),
    "/lazy": (200, "the second time at once", {}),
    "/report": (200, "always slow", {}),
    "/empty": (200, "", {}),
    "/secret": (401, "", {}),
    "/account": (302, "", {"Location": "http://127.0.0.1/login?next=x"}),
    "/moved": (301, "", {"Location": "/owners"}),
    "/search": (400, "", {}),
    "/broken": (500, "", {}),
    "/anything": (200, "yes", {}),
    # as Spring Data REST: an index of links, a page of each resource, an empty page
    "/api": (
        200,
        json.dumps(
            {
                "_links": {
                    "people": {"href": "http://127.0.0.1/api/people{?page,size}"},
                    "pets": {"href": "http://127.0.0.1/api/pets"},
                    "profile": {"href": "http://127.0.0.1/api/profile"},
                    "elsewhere": {"href": "http://127.0.0.1/other"},
                }
            }
        ),
        {},
    ),
    "/api/people": (
        200,
        json.dumps(
            {
                "_embedded": {"people": [{"_links": {"self": {"href": "http://x/api/people/5"}}}]},
                "_links": {"search": {"href": "http://x/api/people/search"}},
            }
        ),
        {},
    ),
    "/api/people/5": (200, "{}", {}),
    "/api/pets": (
        200,
        json.dumps(
            {
                "_embedded": {"pets": []},
                "_links": {"search": {"href": "http://x/api/pets/search"}},
            }
        ),
        {},
    ),
}


class Pages(BaseHTTPRequestHandler):
    """Serves them, and notes what was asked for."""

    requests: list[str] = []

    def do_GET(self) -> None:
        Pages.requests.append(f"GET {self.path}")
        if self.path == "/report" or (
            self.path == "/lazy" and Pages.requests.count("GET /lazy") == 1
        ):
            time.sleep(0.2)
        status, text, headers = PAGES.get(self.path, (404, "", {}))
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(text))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def program() -> Iterator[Program]:
    Pages.requests = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield Program(server.server_address[1])
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("path", "expected_path", "obstacle"),
    [
        ("/owners", "/owners", ""),
        ("/owners/{ownerId}", "/owners/7", ""),
        ("/owners/{ownerId}/pets/{petId:[a-z ]{1,9}}", "/owners/7/pets/a%20b", ""),
        ("/orders/{orderId}/items/{itemId}", "/orders/4/items/9", ""),
        ("/vets/{vetId}/edit", "/vets/12/edit", ""),
        ("/anything", "/anything", ""),
        (
            "/posts/{id}",
            "/posts/626f56bc-112b-468a-ab6d-081f139c7d30",
            "answers 200, but its id may be another after a restart",
        ),
        ("/nowhere/{id}", "/nowhere/{id}", "needs a value for {id}"),
        ("/files/**", "/files/**", "needs a path in the place of the pattern"),
        ("/empty", "/empty", "has an empty answer"),
        ("/secret", "/secret", "needs a login"),
        ("/account", "/account", "needs a login"),
        ("/moved", "/moved", "redirects to /owners"),
        ("/search", "/search", "needs params [q]"),
        ("/broken", "/broken", "answers 500"),
    ],
)
def test_a_get_is_asked_for_and_its_obstacle_is_named(
    program: Program, path: str, expected_path: str, obstacle: str
) -> None:
    [found] = program.ask([Route("GET", path, "params [q]" if path == "/search" else "")])
    assert (found.path, found.obstacle) == (expected_path, obstacle)
    assert found.is_ready is (not obstacle)


def test_a_route_that_stays_slow_is_not_loaded(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(route_probes, "SLOW_S", 0.1)
    lazy, report = program.ask([Route("GET", path, "") for path in ("/lazy", "/report")])
    assert [probe.path for probe in choose_routes([lazy, report])] == ["/lazy"]
    assert lazy.took_s < 0.1
    assert re.fullmatch(r"answers 200, but after 0\.2\d s with nobody else asking", report.obstacle)


def test_a_page_shows_values_by_links_that_lead_to_no_route_of_their_own(program: Program) -> None:
    paths = ("/clinics/find", "/clinics/{id}", "/clinics/{id}/rooms/{room}/edit")
    probes = program.ask([Route("GET", path) for path in paths])
    assert [probe.path for probe in probes if probe.is_ready] == [
        "/clinics/find",
        "/clinics/3",
        "/clinics/3/rooms/8/edit",
    ]


def test_a_list_beside_a_route_shows_its_values(program: Program) -> None:
    paths = ("/parcels/all", "/parcels/{parcelNumber}", "/parcels/one/{number}", "/parcels/{n}/b")
    probes = program.ask([Route("GET", path) for path in paths])
    assert [(probe.path, probe.obstacle) for probe in probes] == [
        ("/parcels/all", ""),
        ("/parcels/one/P-1", ""),
        ("/parcels/{n}/b", "needs a value for {n}"),
        ("/parcels/P-1", ""),
    ]


def test_a_value_that_is_none_is_said_to_be_lacking(program: Program) -> None:
    probes = program.ask([Route("GET", "/orders"), Route("GET", "/orders/{id}/bill")])
    assert probes[1].obstacle == "needs a value for {id}: /orders/4/bill answers 404"


@pytest.mark.parametrize(
    ("needs", "obstacle"),
    [
        ("params [author]", "needs params [author]"),
        ("headers [X-Version=2], consumes [a/b]", "needs headers [X-Version=2], consumes [a/b]"),
        ("?kind == cat", "needs ?kind == cat"),
        ("params [!author && tag!=x]", ""),
        ("consumes [application/json]", ""),
    ],
)
def test_a_route_with_conditions_is_not_taken_for_another_of_its_path(
    program: Program, needs: str, obstacle: str
) -> None:
    probes = program.ask([Route("GET", "/owners", needs), Route("GET", "/owners")])
    assert [probe.obstacle for probe in probes] == [obstacle, ""]


def test_each_resource_of_an_index_of_links_is_asked_for(program: Program) -> None:
    paths = ("/api/profile", "/api/{repository}", "/api/{repository}/{id}")
    probes = program.ask([Route("GET", path) for path in paths])
    assert [(probe.path, probe.obstacle) for probe in probes] == [
        ("/api/profile", "answers 404"),
        ("/api/people", ""),
        ("/api/pets", ""),
        ("/api/people/5", ""),
    ]


def test_nothing_but_gets_is_sent_and_each_once(program: Program) -> None:
    methods = ("POST", "PUT", "PATCH", "DELETE", "HEAD", ANY, "GET")
    probes = program.ask([*(Route(method, "/owners") for method in methods), Route(ANY, "/vets")])
    assert sorted(Pages.requests) == ["GET /owners", "GET /vets"]
    assert [probe.path for probe in choose_routes(probes)] == ["/vets", "/owners"]
    assert {probe.route.method for probe in probes if not probe.is_ready} == {
        "POST",
        "PUT",
        "PATCH",
        "DELETE",
    }


@pytest.mark.parametrize(
    "path", ["/orders/{id}/delete", "/deleteAll", "/api/users/REMOVE-all", "/logout"]
)
@pytest.mark.parametrize("method", ["GET", ANY])
def test_a_route_that_changes_something_by_its_name_is_not_asked_for(
    program: Program, method: str, path: str
) -> None:
    [found] = program.ask([Route(method, path)])
    assert found.obstacle.startswith("was not asked for: by its name")
    assert Pages.requests == []


def test_an_openapi_document_has_routes_below_its_server() -> None:
    document = {
        "servers": [{"url": "http://localhost:8080/api"}],
        "paths": {
            "/orders": {
                "get": {"parameters": [{"in": "query", "name": "day", "required": True}]},
                "post": {"requestBody": {}},
                "summary": "all of them",
            }
        },
    }
    assert routes_of(document) == [
        Route("GET", "/api/orders", "the query parameter day"),
        Route("POST", "/api/orders", "a body"),
    ]
    assert routes_of([]) == routes_of({"paths": 1}) == []
