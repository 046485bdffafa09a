"""Questions for tests, and runs that have measured their ladders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from springbench.matrix.rows import Matrix
from springbench.plan.cases import Case
from springbench.plan.plan import make_plan
from springbench.results.question_file import parse_questions
from springbench.results.questions import Question
from springbench.results.records import ForkRecord, InterleavingRecord
from springbench.results.run import Result, Run
from tests.samples import empty_run, fork, measured

INTERLEAVED = InterleavingRecord(servers=3, blocks=4, left_out=0)
PROTOCOLS = """\
schema = 1

[[questions]]
id = "protocols"
question = "What do TLS and HTTP/2 cost?"
profile = "protocols"
axis = "protocol"
steps = { http1 = "HTTP/1.1", https1 = "TLS", h2c = "HTTP/2" }
baseline = "http1"
metrics = ["throughput_rps", "unanswered_ratio"]
answer = ["Compared with {baseline}, {throughput_rps}.", "Unanswered: {unanswered_ratio:values}."]
"""


def protocols(matrix: Matrix) -> Question:
    """What TLS and HTTP/2 cost by throughput."""
    return parse_questions(PROTOCOLS, matrix).find("protocols")


def cases_of(matrix: Matrix, question: Question) -> tuple[Case, ...]:
    """The cases that answer it."""
    return make_plan(matrix, question.profile).cases


def interleaved(number: int, throughput_rps: float, **fields: object) -> ForkRecord:
    """A fork on a full CPU, so that the server is what limits it."""
    return fork(
        number, throughput_rps, **{"interleaving": INTERLEAVED, "server_cpu_ratio": 0.99, **fields}
    )


def result_of(matrix: Matrix, question: Question, case_id: str, *forks: ForkRecord) -> Result:
    """The assessed result of one of its cases."""
    [case] = [case for case in cases_of(matrix, question) if case.id == case_id]
    return measured(case, *forks)


def run_of(
    matrix: Matrix, question: Question, rates: Mapping[str, Sequence[float]], run_id: str = "one"
) -> Run:
    """A run that measured `tomcat https1` and so on, with a throughput in each round."""
    run = empty_run()
    run.run.id, run.run.profile = run_id, question.profile
    by_name = {
        f"{case.variant.server.id} {case.protocol.id}": case.id
        for case in cases_of(matrix, question)
    }
    run.results = [
        result_of(
            matrix,
            question,
            by_name[name],
            *(interleaved(number, rate) for number, rate in enumerate(round_rates)),
        )
        for name, round_rates in rates.items()
    ]
    return run
