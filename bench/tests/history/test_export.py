"""What other tools get to see of a run."""

from __future__ import annotations

import json

from springbench.history.charts import THROUGHPUT_FILE, export
from springbench.history.condense import condense
from springbench.matrix.rows import Matrix
from tests.samples import case, empty_run, fork, measured


def test_a_number_that_is_not_the_servers_is_nobodys(matrix: Matrix) -> None:
    run = empty_run()
    run.results = [
        measured(case(matrix, "boot4-tomcat-platform-jvm/hello/64"), fork(0, 1000.0)),
        measured(
            case(matrix, "boot4-tomcat-virtual-jvm/hello/64"),
            fork(0, 900.0, instability=["compiling"], steady=False),
        ),
        measured(
            case(matrix, "boot4-jetty-virtual-jvm/hello/64"),
            fork(0, 900.0, load_cpu_ratio=0.99, server_cpu_ratio=0.4),
        ),
    ]
    published = condense([run])
    # it stands in the history, with what it is
    assert [row.bottleneck for row in published.cases][1:] == ["not-warmed-up", "load-generator"]
    assert published.metrics["compiler_cpu_ratio"].median[0] == 0.003
    names = [entry["name"] for entry in json.loads(export(published)[THROUGHPUT_FILE])]
    assert names == ["boot4-tomcat-platform-jvm/hello/64 · throughput"]
