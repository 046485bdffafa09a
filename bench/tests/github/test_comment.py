"""One comment of our own, however long the thread and however GitHub behaves."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from springbench.errors import ConfigurationError, ExitCode, HostError
from springbench.github import api as api_module
from springbench.github.api import Api
from springbench.github.comment import MAX_COMMENTS, Thread
from springbench.github.event import CommentMark, RunOrder
from tests.services.fake_github import BOT, REPO, STRANGER, TOKEN, FakeGitHub, Fault, fake_github

pytestmark = pytest.mark.process

SECONDARY = {"message": "You have exceeded a secondary rate limit."}


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    with fake_github() as state:
        yield state


class Clock:
    """Time that passes when somebody sleeps."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def now(self) -> float:
        return sum(self.slept)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def thread(github: FakeGitHub, clock: Clock, token: str = TOKEN, pull_request: int = 7) -> Thread:
    api = Api(github.address, token, sleep=clock.sleep, clock=clock.now)
    return Thread(api, REPO, pull_request)


def put(github: FakeGitHub, clock: Clock, text: str, number: int = 0, attempt: int = 0) -> str:
    return put_marked(github, clock, text, CommentMark(RunOrder(number, attempt)))


def put_marked(github: FakeGitHub, clock: Clock, text: str, mark: CommentMark) -> str:
    return thread(github, clock).put(f"{mark.line()}\n{text}", mark)


def test_one_comment_after_ten_updates_in_a_thread_of_250(github: FakeGitHub, clock: Clock) -> None:
    for index in range(125):
        github.add(f"talk {index}", STRANGER)
    assert put(github, clock, "update 0", 1) == "created"
    for index in range(125):
        github.add(f"more talk {index}", STRANGER if index % 2 else BOT)
    for index in range(1, 11):
        assert put(github, clock, f"update {index}", index + 1) == "updated"
    bot_comments = [
        comment for comment in github.comments if "springbench-comment" in comment["body"]
    ]
    assert [comment["body"].splitlines()[1] for comment in bot_comments] == ["update 10"]
    assert len(github.comments) == 251
    assert github.comments[125] == bot_comments[0]
    # three pages of a hundred, not nine of thirty
    assert sum(line.startswith("GET") for line in github.requests[-5:]) == 3


def test_our_comment_on_the_last_page_is_found(github: FakeGitHub, clock: Clock) -> None:
    for index in range(250):
        github.add(f"talk {index}", STRANGER)
    put(github, clock, "first")
    assert put(github, clock, "second") == "updated"
    assert len(github.comments) == 251


def test_the_comment_of_a_stranger_with_our_marker_is_left_alone(
    github: FakeGitHub, clock: Clock
) -> None:
    forged = f"{CommentMark(RunOrder(999, 1)).line()}\n## all is well"
    github.add(forged, STRANGER)
    github.add(forged, {"login": "github-actions", "type": "User"})
    github.add(f"> {forged}", BOT)
    assert put(github, clock, "truth", 3) == "created"
    assert put(github, clock, "newer truth", 4) == "updated"
    assert github.comments_by(STRANGER) == [forged]
    assert github.comments_by(BOT)[0] == f"> {forged}"
    assert github.comments_by(BOT)[1].endswith("newer truth")
    assert len(github.comments) == 4


def test_the_login_of_an_app_without_its_suffix_is_known(github: FakeGitHub, clock: Clock) -> None:
    github.login = "github-actions"
    put(github, clock, "first")
    assert put(github, clock, "second") == "updated"


def test_of_several_comments_of_ours_the_oldest_stays(github: FakeGitHub, clock: Clock) -> None:
    for index in range(3):
        github.add(f"{CommentMark(RunOrder(1, 1)).line()}\ntwin {index}", BOT)
    first = github.comments[0]["id"]
    assert put(github, clock, "only", 2, 1) == "updated"
    assert [(comment["id"], comment["body"].splitlines()[1]) for comment in github.comments] == [
        (first, "only")
    ]


def make_mark(service: str, number: int, workflow: int = 70, attempt: int = 1) -> CommentMark:
    return CommentMark(RunOrder(number, attempt), workflow, service)


def first_lines(github: FakeGitHub) -> list[str]:
    return [body.splitlines()[1] for body in github.comments_by(BOT)]


def test_each_service_has_a_comment_whatever_the_numbers_of_their_runs(
    github: FakeGitHub, clock: Clock
) -> None:
    put(github, clock, "servers", 900)
    assert put_marked(github, clock, "orders 50", make_mark("orders", 50, 71)) == "created"
    assert put_marked(github, clock, "payments 80", make_mark("payments", 80, 72)) == "created"
    assert put_marked(github, clock, "payments 7", make_mark("payments", 7, 72)).startswith("left")
    assert put_marked(github, clock, "invoices 7", make_mark("invoices", 7, 72)) == "created"
    assert put_marked(github, clock, "orders 51", make_mark("orders", 51, 71)) == "updated"
    assert first_lines(github) == ["servers", "orders 51", "payments 80", "invoices 7"]


def test_two_workflows_of_one_service_do_not_overwrite_one_another(
    github: FakeGitHub, clock: Clock
) -> None:
    put_marked(github, clock, "quick 80", make_mark("orders", 80, 71))
    assert put_marked(github, clock, "whole 7", make_mark("orders", 7, 72)) == "created"
    assert first_lines(github) == ["quick 80", "whole 7"]


def test_a_run_that_left_nothing_is_reported_until_the_next_one(
    github: FakeGitHub, clock: Clock
) -> None:
    put_marked(github, clock, "orders 5", make_mark("orders", 5))
    put_marked(github, clock, "other workflow failed", make_mark("", 9, 71))
    assert put_marked(github, clock, "nothing 4", make_mark("", 4)).startswith("left: a newer run")
    assert put_marked(github, clock, "nothing 6", make_mark("", 6)) == "created"
    assert put_marked(github, clock, "orders 7", make_mark("orders", 7)) == "updated"
    assert first_lines(github) == ["orders 7", "other workflow failed"]


def test_a_pull_request_that_names_ever_new_services_gets_few_comments(
    github: FakeGitHub, clock: Clock
) -> None:
    outcomes = [put_marked(github, clock, "x", make_mark(f"s{n}", n)) for n in range(1, 30)]
    assert outcomes.count("created") == len(github.comments_by(BOT)) == MAX_COMMENTS
    assert outcomes[-1].startswith("left: the pull request has as many comments")
    assert put_marked(github, clock, "y", make_mark("s1", 40)) == "updated"
    # of springbench's own benchmark there is one at the most
    assert put(github, clock, "servers", 1) == "created"


@pytest.mark.parametrize(
    "mark", [CommentMark(), make_mark("orders", 3), make_mark("", 3), make_mark("a-b-1f", 1, 0)]
)
def test_a_mark_is_read_as_it_was_written(mark: CommentMark) -> None:
    assert CommentMark.of(f"{mark.line()}\n<!-- springbench-comment run=9 attempt=9 -->") == mark
    assert CommentMark.of(f" {mark.line()}") is None


@pytest.mark.parametrize(
    ("existing", "update", "outcome"),
    [
        ((12, 1), (11, 3), "left"),
        ((12, 2), (12, 1), "left"),
        ((12, 1), (12, 1), "updated"),
        ((12, 1), (12, 2), "updated"),
        ((12, 1), (0, 0), "updated"),
        ((0, 0), (1, 1), "updated"),
    ],
)
def test_a_newer_run_is_not_overwritten(
    existing: tuple[int, int],
    update: tuple[int, int],
    outcome: str,
    github: FakeGitHub,
    clock: Clock,
) -> None:
    put(github, clock, "there", *existing)
    assert put(github, clock, "ours", *update).startswith(outcome)
    assert github.comments_by(BOT)[0].endswith("there" if outcome == "left" else "ours")


@pytest.mark.parametrize(
    ("fault", "least_s", "most_s"),
    [
        (Fault(403, {"Retry-After": "17"}, SECONDARY), 17, 17),
        (Fault(429, {"Retry-After": "5"}), 5, 5),
        (Fault(403, {}, SECONDARY), 60, 60),
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_rate_limit_is_waited_for(
    fault: Fault, least_s: float, most_s: float, method: str, github: FakeGitHub, clock: Clock
) -> None:
    github.faults.append(
        Fault(fault.status, fault.headers, fault.body, method=method, path="/comments")
    )
    assert put(github, clock, "patient") == "created"
    assert least_s <= sum(clock.slept) <= most_s
    assert len(github.comments) == 1


def test_an_empty_allowance_is_waited_for_until_its_reset(github: FakeGitHub, clock: Clock) -> None:
    headers = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(time.time()) + 40)}
    github.faults.append(Fault(403, headers, {"message": "API rate limit exceeded"}))
    assert put(github, clock, "patient") == "created"
    assert 38 <= sum(clock.slept) <= 42


def test_a_wait_beyond_all_patience_is_an_error_at_once(github: FakeGitHub, clock: Clock) -> None:
    github.faults.append(Fault(429, {"Retry-After": "3600"}))
    with pytest.raises(HostError, match="asks to wait 3600 s"):
        put(github, clock, "impatient")
    assert clock.slept == []


def test_server_errors_are_retried(github: FakeGitHub, clock: Clock) -> None:
    github.faults.extend(Fault(status, method="GET") for status in (500, 502, 503))
    assert put(github, clock, "at last") == "created"
    assert len(clock.slept) == 3


def test_server_errors_without_end_are_a_clear_error(github: FakeGitHub, clock: Clock) -> None:
    put(github, clock, "there")
    github.faults.extend(Fault(500) for _ in range(100))
    with pytest.raises(HostError, match="GitHub answers 500") as failed:
        put(github, clock, "never")
    assert failed.value.exit_code is ExitCode.HOST
    assert len(clock.slept) == api_module.ATTEMPTS - 1
    assert sum(clock.slept) < api_module.PATIENCE_S


@pytest.mark.parametrize("carried_out", [True, False])
def test_a_new_comment_that_failed_is_looked_for_before_another_is_written(
    carried_out: bool, github: FakeGitHub, clock: Clock
) -> None:
    # a query is a POST as well; it changes nothing, and may be sent again
    github.faults.append(Fault(502, method="POST", path="/graphql"))
    github.faults.append(Fault(502, carried_out=carried_out, method="POST", path="/comments"))
    assert put(github, clock, "once") == ("updated" if carried_out else "created")
    assert len(github.comments) == 1


def test_a_slow_answer_is_given_up_and_asked_for_again(github: FakeGitHub) -> None:
    github.delay_s = 0.5
    waited: list[float] = []

    def sleep(seconds: float) -> None:
        waited.append(seconds)
        github.delay_s = 0.0

    api = Api(github.address, TOKEN, read_timeout_s=0.2, sleep=sleep)
    assert Thread(api, REPO, 7).put("body", CommentMark()) == "created"
    assert len(waited) == 1


def test_an_answer_in_drops_is_given_up_as_well(github: FakeGitHub) -> None:
    github.drip_s = 0.05
    waited: list[float] = []

    def sleep(seconds: float) -> None:
        waited.append(seconds)
        github.drip_s = 0.0

    began_s = time.monotonic()
    api = Api(github.address, TOKEN, read_timeout_s=0.3, sleep=sleep)
    assert Thread(api, REPO, 7).put("body", CommentMark()) == "created"
    assert len(waited) == 1
    assert time.monotonic() - began_s < 1.5


def test_a_compressed_answer_in_chunks_is_read(github: FakeGitHub, clock: Clock) -> None:
    github.packed = True
    for index in range(120):
        github.add(f"talk {index}", STRANGER)
    put(github, clock, "first")
    assert put(github, clock, "second") == "updated"


def test_a_redirect_is_not_followed_with_the_token(github: FakeGitHub, clock: Clock) -> None:
    github.faults.append(Fault(302, {"Location": f"{github.address}/elsewhere"}))
    with pytest.raises(ConfigurationError, match="GitHub answers 302"):
        put(github, clock, "body")
    assert github.requests == ["POST /graphql"]


def test_a_host_that_does_not_answer_is_a_clear_error(clock: Clock) -> None:
    api = Api("http://127.0.0.1:9", TOKEN, sleep=clock.sleep, clock=clock.now)
    with pytest.raises(HostError, match="connection failed"):
        Thread(api, REPO, 7).put("body", CommentMark())


def test_a_comment_that_was_removed_meanwhile_is_written_again(
    github: FakeGitHub, clock: Clock
) -> None:
    put(github, clock, "first")
    github.faults.append(Fault(404, method="PATCH"))
    assert put(github, clock, "second") == "updated"


def test_a_wrong_token_is_a_clear_line(github: FakeGitHub, clock: Clock) -> None:
    with pytest.raises(ConfigurationError, match=r"401 \(Bad credentials\); GITHUB_TOKEN is wrong"):
        thread(github, clock, "other").put("body", CommentMark())
    assert clock.slept == []


def test_a_token_without_the_right_is_a_clear_line(github: FakeGitHub, clock: Clock) -> None:
    body = {"message": "Resource not accessible by integration\n::error::x"}
    github.faults.append(Fault(403, {}, body, method="GET"))
    with pytest.raises(ConfigurationError, match="pull-requests: write") as failed:
        put(github, clock, "body")
    assert "\n" not in str(failed.value)


def test_a_pull_request_that_is_not_there_is_a_clear_line(github: FakeGitHub, clock: Clock) -> None:
    with pytest.raises(ConfigurationError, match="check --repo, --pull-request"):
        thread(github, clock, pull_request=8).put("body", CommentMark())


@pytest.mark.parametrize(
    "address", ["http://api.example", "ftp://127.0.0.1", "api.example", "https://u:p@api.example"]
)
def test_a_token_is_not_sent_in_the_clear(address: str) -> None:
    with pytest.raises(ConfigurationError, match="GITHUB_API_URL"):
        Api(address, TOKEN)


def test_a_next_page_on_another_host_is_not_followed(github: FakeGitHub, clock: Clock) -> None:
    headers = {"Link": '<http://127.0.0.2:1/evil>; rel="next"'}
    github.faults.append(Fault(200, headers, [], method="GET"))  # type: ignore[arg-type]
    with pytest.raises(HostError, match="another host"):
        put(github, clock, "body")
