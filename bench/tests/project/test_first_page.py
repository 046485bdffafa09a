"""What the first page of a program leads to."""

from __future__ import annotations

import json

from springbench.project.first_page import documents_in, links_in


def test_a_page_that_shows_a_document_names_it() -> None:
    page = """<link href="./swagger-ui.css"><script src="/flasgger_static/swagger-ui.js"></script>
    <script>SwaggerUIBundle({url: "/spec.json", dom_id: '#swagger-ui'})</script>"""
    assert documents_in(page) == ["/spec.json"]
    assert documents_in("<h1>Hello</h1>") == []


def test_anchors_into_the_same_program_are_its_routes() -> None:
    page = """<A class="x" href="/orders">o</A> <a href='/orders'>o</a> <a href="#top">t</a>
    <a href="https://example.org/a">e</a> <a href="http://localhost:81/b">b</a>
    <a href="http://[bad/c">c</a> <link href="/style.css">"""
    assert links_in(page, 81) == ["/orders", "/b"]


def test_an_index_in_json_lists_its_routes() -> None:
    index = {"orders": "http://127.0.0.1:81/api/orders", "more": {"pets": "/api/pets"}, "x": 1}
    assert links_in(json.dumps(index), 81) == ["/api/orders", "/api/pets"]
    assert links_in("[1]", 81) == []
