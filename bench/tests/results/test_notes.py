"""What is said of a result: the requests of a mix."""

from __future__ import annotations

from springbench.matrix.rows import Matrix
from springbench.results.notes import route_notes
from springbench.results.records import RouteRecord
from tests.samples import case, fork, measured


def test_a_mix_is_said_by_route_with_its_queries(matrix: Matrix) -> None:
    def routes(read_rps: float, create_queries: float | None) -> list[RouteRecord]:
        create = RouteRecord(name="create", share_ratio=0.1, throughput_rps=20, probes=9)
        create.queries_per_request = create_queries
        return [
            RouteRecord(
                name="read",
                share_ratio=0.9,
                throughput_rps=read_rps,
                probes=9,
                queries_per_request=1,
            ),
            create,
        ]

    def notes(*queries: float | None) -> list[str]:
        forks = [
            fork(number, 200, routes=routes(160 + 20 * number, counted))
            for number, counted in enumerate(queries)
        ]
        return route_notes(measured(case(matrix, "boot4-tomcat-virtual-jvm/hello/64"), *forks))

    mix = "by route: read 90 % (180.0 req/s, 1 query each), create 10 % (20.0 req/s"
    together = "; latencies are of all together."
    assert notes(11.05, 11.25, 11.15) == [f"{mix}, 11.2 queries each){together}"]
    assert notes(None, None, None) == [f"{mix}){together}"]
    assert notes() == []
