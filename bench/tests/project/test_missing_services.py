"""What an application lacks that cannot start."""

from __future__ import annotations

import tomllib

import pytest

from springbench.project.missing_services import (
    configured_address,
    declaration,
    missing_values,
    wanted_address,
)


def test_a_known_program_is_started_from_its_image() -> None:
    text = "\n".join(declaration("localhost:5432 (PostgreSQL)", {}))
    [service] = tomllib.loads(text)["services"]
    assert (service["name"], service["port"]) == ("postgres", 5432)
    assert service["command"][:5] == ["docker", "run", "--rm", "-p", "5432:5432"]


@pytest.mark.parametrize(
    "ports",
    [["5433:5432"], ["127.0.0.1:5433:5432"], ["${DB:-5433}:5432/tcp"], [{"published": "5433"}]],
)
def test_the_projects_own_compose_file_goes_first(ports: list[object]) -> None:
    compose = {"services": {"orders-db": {"ports": ports}, "other": {"image": "x"}}}
    [service] = tomllib.loads("\n".join(declaration("db:5433", compose)))["services"]
    assert service["command"] == ["docker", "compose", "up", "orders-db"]
    assert (service["name"], service["stop"]) == ("ordersdb", ["docker", "compose", "down"])


def test_an_address_without_a_port_has_no_declaration() -> None:
    assert declaration("Kafka: an address that only its log may name", {}) == []


def test_values_that_are_missing_are_named() -> None:
    log = "Could not resolve placeholder 'JWT_SECRET' in value\nplaceholder 'x'\n" * 2
    assert missing_values(log) == ["JWT_SECRET"]


@pytest.mark.parametrize(
    ("unreached", "properties", "address"),
    [
        # its driver never says where it looked
        (
            "MySQL: an address that only its log may name",
            {"spring.datasource.url": "jdbc:mysql://localhost:3307/orders?useSSL=false"},
            "localhost:3307 (MySQL)",
        ),
        (
            "an address that only its log may name",
            {"spring.data.mongodb.uri": "mongodb://me:secret@db.example/orders"},
            "db.example:27017 (MongoDB)",
        ),
        (
            "Redis: an address that only its log may name",
            {
                "spring.datasource.url": "jdbc:postgresql://db/orders",
                "spring.data.redis.url": "redis://cache:6380",
            },
            "cache:6380 (Redis)",
        ),
        ("localhost:5432 (PostgreSQL)", {"spring.datasource.url": "jdbc:mysql://x/y"}, None),
        ("an address that only its log may name", {"spring.datasource.url": "jdbc:h2:mem:x"}, None),
    ],
)
def test_an_address_that_no_log_names_is_that_of_the_configuration(
    unreached: str, properties: dict[str, str], address: str | None
) -> None:
    assert configured_address(unreached, properties) == (address or unreached)


@pytest.mark.parametrize(
    ("ports", "expected"),
    [
        (["5433:5432"], "localhost:5433 a database, by spring.datasource.url"),
        ([{"target": 3306, "published": "3307"}], "localhost:3307 a database, by"),
        (["8080:8080"], "a database, by spring.datasource.url"),
        (None, "a database, by spring.datasource.url"),
    ],
)
def test_a_database_that_no_property_names_is_that_of_the_compose_file(
    ports: object, expected: str
) -> None:
    compose = {"services": {"db": {"ports": ports}, "odd": 1}}
    log = "Failed to configure a DataSource: 'url' attribute is not specified"
    found = wanted_address(log, "", {}, compose)
    assert found.startswith(expected)
    assert bool(declaration(found, compose)) is ("localhost" in expected)
    assert wanted_address("Started", "", {}, compose) == ""
