"""Which blocks of interleaved servers count, and what becomes of these as one window."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.host.cpus import CpuCounts, CpuPartition
from springbench.limits import SETTLED_RATIO
from springbench.matrix.rows import Matrix
from springbench.measure.interleave import (
    LONGEST_RATIO,
    RESUMED_MAX_S,
    SETTLE_MAX_S,
    UNEVEN_RATIO,
    Block,
    HostShare,
    InterleavedServer,
    Interleaving,
    Part,
    Slice,
    is_even,
    joined,
    own_time_s,
    pause_s,
    rotated,
    slice_for,
)
from springbench.measure.load.driver import Driven, Driver
from springbench.measure.load.generator import RunningLoad
from springbench.measure.load.timeline import Sample
from springbench.measure.missing import of_load
from springbench.measure.readings.gclog import Collection
from springbench.measure.server.compilers import Compilers
from springbench.measure.window import (
    Collections,
    Sliced,
    Span,
    allocated_bytes_per_answer,
    burst_record,
    latencies_of,
    window_record,
)
from springbench.plan.cases import Case
from springbench.results.records import InterleavingRecord, LoadSummary
from tests.fakes import FakeShell
from tests.measure.testbeds import testbed
from tests.samples import case as case_of
from tests.samples import wrk_summary

COMPILING_RATIO = 0.5
SLOW_RATIO = 0.8
MIB = 1 << 20
QUIET, STOLEN, BUSY = HostShare(0.0, 0.0), HostShare(0.3, 0.0), HostShare(0.0, 0.8)


class ScriptedServer(InterleavedServer):
    """A server whose counters go by the time in which it ran, not by a clock.

    From `wakes_at_s` of its own time on its compilers take half of a CPU, for `compiles_s`. Until
    `slow_until_s` it answers a fifth less.
    """

    def __init__(
        self,
        wakes_at_s: float = math.inf,
        compiles_s: float = 0.0,
        settles_s: float = SETTLE_MAX_S,
    ) -> None:
        # no server: what asks one is overridden
        nothing = (cast(Driver, None), cast(RunningLoad[LoadSummary], None), cast(Case, None))
        super().__init__("scripted", *nothing)
        self.wakes_at_s, self.compiles_s = wakes_at_s, compiles_s
        self.settles_s, self.slow_until_s = settles_s, 0.0
        self.compiling_ratio = COMPILING_RATIO
        self.moves: list[tuple[str, float]] = []

    @property
    def compilers(self) -> Compilers:
        return _Scribe(self)

    @property
    def settle_max_s(self) -> float:
        return self.settles_s

    @property
    def partition(self) -> CpuPartition:
        return CpuPartition(frozenset({1}), frozenset({0}), frozenset({0}), separate=True)

    def run(self, for_s: float | None = None) -> Slice:
        begin_s = self.running_s
        self.running_s += for_s or self.slice_s
        return Slice(begin_s, self.running_s)

    def sample(self, *, full: bool) -> Sample:
        del full
        worked_s = min(max(0.0, self.running_s - self.wakes_at_s), self.compiles_s)
        rises_s = max(0.0, self.running_s - self.slow_until_s)
        requests = round((SLOW_RATIO * (self.running_s - rises_s) + rises_s) * 1e6)
        return Sample(
            self.running_s,
            requests,
            requests,
            server_cpu_s=self.running_s,
            load_cpu_s=0.0,
            compiler_cpu_s=self.compiling_ratio * worked_s,
        )


class _Scribe(Compilers):
    """Notes when compilers were given CPUs, and when these were taken back."""

    def __init__(self, server: ScriptedServer) -> None:
        # of no process
        super().__init__(list)
        self._server = server

    def widen_affinity(self, cpus: frozenset[int]) -> None:
        self._server.moves.append(("lent", self._server.running_s))

    def restore_affinity(self, cpus: frozenset[int]) -> None:
        self._server.moves.append(("back", self._server.running_s))


class Scripted(Interleaving):
    """Such servers, on a host that does nothing."""

    def __init__(self, folder: Path, *servers: ScriptedServer) -> None:
        super().__init__(testbed(folder, FakeShell()), servers=[*servers])

    def _observe(self, name: str) -> None:
        """Nobody looks."""

    share = HostShare(None, None)

    def _share(self, *_: object) -> HostShare:
        return self.share

    def _host_counters(self) -> tuple[float, float | None, float | None]:
        return sum(server.running_s for server in self.servers), None, None

    def ran_s(self, server: InterleavedServer) -> float:
        """For how long a server ran in the blocks that count."""
        return sum(part.total("at_s") for part in self.parts_of(server))


@pytest.mark.parametrize(
    ("shares", "required_blocks", "counted"),
    [
        ([QUIET] * 4, 4, [0, 1, 2, 3]),
        # measured again: the newest count, and none that the host disturbed
        ([QUIET, STOLEN, QUIET, BUSY, QUIET, QUIET], 4, [0, 2, 4, 5]),
        ([QUIET] * 6, 4, [2, 3, 4, 5]),
        # half of them is enough to tell, less is not: then all are reported as they are
        ([STOLEN] * 6 + [QUIET] * 2, 4, [6, 7]),
        ([STOLEN] * 7 + [QUIET], 4, [4, 5, 6, 7]),
        ([BUSY] * 8, 4, [4, 5, 6, 7]),
    ],
)
def test_what_the_host_disturbed_does_not_count_while_enough_is_left(
    tmp_path_factory: pytest.TempPathFactory,
    shares: Sequence[HostShare],
    required_blocks: int,
    counted: Sequence[int],
) -> None:
    found = Scripted(tmp_path_factory.mktemp("host"))
    found.required_blocks = required_blocks
    found.blocks = [Block(share, {}) for share in shares]
    numbers = {id(block): number for number, block in enumerate(found.blocks)}
    assert [numbers[id(block)] for block in found.counted] == counted


def test_a_server_that_is_compiled_among_its_slices_is_settled_and_that_block_left_out(
    tmp_path: Path,
) -> None:
    quiet, resumptions = ScriptedServer(), ScriptedServer(wakes_at_s=2.2, compiles_s=1.5)
    found = Scripted(tmp_path, quiet, resumptions)
    found.measure(3.0)
    assert [block.resumed for block in found.blocks].count(True) == 1
    assert len(found.sound) == found.required_blocks
    # the other one was only kept awake, and its compilers stayed where they were
    assert [lent for lent, _ in quiet.moves] == ["lent", "back"]
    assert [lent for lent, _ in resumptions.moves] == ["lent", "back"] * 2
    for server in (quiet, resumptions):
        assert server.compiler_ratio(found.parts_of(server)) == 0
        # what each did in the blocks that count, and nothing of what settled one of them
        assert found.ran_s(server) == pytest.approx(3.0)


@pytest.mark.parametrize(("compiles_s", "settlings"), [(0.06, 1), (0.5, 2)])
def test_a_single_method_stops_none_of_many_servers_and_a_queue_of_them_does(
    tmp_path: Path, compiles_s: float, settlings: int
) -> None:
    """Of many servers each has one slice in a block, and a method takes a third of it."""
    waking = ScriptedServer(wakes_at_s=2.5, compiles_s=compiles_s)
    found = Scripted(tmp_path, waking, *(ScriptedServer() for _ in range(15)))
    found.measure(2.0)
    assert [lent for lent, _ in waking.moves] == ["lent", "back"] * settlings
    compiled_blocks = sum(
        block.parts[waking].total("compiler_cpu_s") > 0 and block.resumed for block in found.blocks
    )
    assert [block.resumed for block in found.blocks].count(True) == compiled_blocks
    assert (compiled_blocks > 0) == (settlings > 1)
    assert waking.compiler_ratio(found.parts_of(waking)) < SETTLED_RATIO


@pytest.mark.parametrize(("compiling_ratio", "settled_after_s"), [(0.015, 2.0), (0.03, 8.0)])
def test_a_few_methods_a_second_are_waited_for_where_a_window_would_not_hold_them(
    tmp_path: Path, compiling_ratio: float, settled_after_s: float
) -> None:
    """As the handshakes of TLS do: a single second looks well, and none of the windows would be."""
    quiet, late = ScriptedServer(), ScriptedServer(wakes_at_s=0.0, compiles_s=6.0)
    late.compiling_ratio = compiling_ratio
    found = Scripted(tmp_path, quiet, late)
    found.measure(3.0)
    assert late.moves == [("lent", 0.0), ("back", pytest.approx(settled_after_s))]
    assert late.compiler_ratio(found.parts_of(late)) < SETTLED_RATIO


def collecting(ratio: float) -> list[Collection]:
    return [Collection(at + ratio, ratio, "pause young", True, None, None) for at in range(9)]


def test_a_server_that_collections_stop_runs_longer_at_a_time_and_the_others_as_ever(
    tmp_path: Path,
) -> None:
    quiet, collects = ScriptedServer(), ScriptedServer()
    quiet.slice_s = slice_for(collecting(0.03), 8.5)
    collects.slice_s = slice_for(collecting(0.24), 8.5)
    found = Scripted(tmp_path, quiet, collects)
    found.measure(3.0)
    assert len(found.sound) == found.required_blocks
    assert found.ran_s(quiet) >= 3.0 - 1e-6
    assert found.ran_s(collects) == pytest.approx(3 * found.ran_s(quiet))
    assert slice_for(None, 8.5) == quiet.slice_s


@pytest.mark.parametrize(("slow_for_s", "waits"), [(0.0, False), (2.0, True), (100.0, False)])
def test_a_server_that_speeds_up_at_first_is_waited_for(
    tmp_path: Path, slow_for_s: float, waits: bool
) -> None:
    servers = [ScriptedServer() for _ in range(3)]
    # two seconds of its own: new connections are settled for so long
    servers[0].slow_until_s = 2.0 + slow_for_s
    found = Scripted(tmp_path, *servers)
    found.measure(6.0)
    assert not found.is_uneven
    assert (len(found.blocks) > found.required_blocks) is waits


def test_a_server_that_never_becomes_steady_is_not_waited_for_without_end(tmp_path: Path) -> None:
    servers = [ScriptedServer() for _ in range(3)]
    servers[0].slow_until_s = 1.0 + 4.0
    found = Scripted(tmp_path, *servers)
    found.measure(6.0)
    assert (
        found.required_blocks < len(found.blocks) <= math.ceil(UNEVEN_RATIO * found.required_blocks)
    )


def test_windows_end_at_half_their_length_where_time_is_over(tmp_path: Path) -> None:
    found = Scripted(tmp_path, ScriptedServer(), ScriptedServer())
    found.until_s = 0.0
    found.measure(6.0)
    assert len(found.blocks) == math.ceil(found.required_blocks / 2)
    assert [len(server_rates) for server_rates in found.rates] == [len(found.blocks)] * 2


@pytest.mark.parametrize("settles_s", [SETTLE_MAX_S, 4 * SETTLE_MAX_S])
def test_a_server_whose_compilers_never_rest_ends_all_the_same(
    tmp_path: Path, settles_s: float
) -> None:
    restless = ScriptedServer(wakes_at_s=0.0, compiles_s=1e6, settles_s=settles_s)
    found = Scripted(tmp_path, restless)
    found.measure(6.0)
    assert len(found.blocks) <= LONGEST_RATIO * found.required_blocks
    # a larger application may compile for longer, as its warm-up may
    settled = 1 + round(settles_s / RESUMED_MAX_S)
    assert [lent for lent, _ in restless.moves] == ["lent", "back"] * settled
    # and says so
    assert restless.compiler_ratio(found.parts_of(restless)) > SETTLED_RATIO


def test_bursts_are_as_many_as_asked_for(tmp_path: Path) -> None:
    servers = [ScriptedServer(), ScriptedServer()]
    found = Scripted(tmp_path, *servers)
    found.measure_bursts(3, 0.5)
    for server in servers:
        assert [part.total("at_s") for part in found.parts_of(server)] == pytest.approx([0.5] * 3)


def test_a_host_that_tells_nothing_disturbs_nothing() -> None:
    assert not HostShare(None, None).is_disturbed
    assert not HostShare(0.01, 0.05).is_disturbed
    assert HostShare(0.03, None).is_disturbed
    assert HostShare(None, 0.2).is_disturbed


@pytest.mark.parametrize(
    ("share", "instability"), [(STOLEN, ["stolen"]), (BUSY, ["disturbed"]), (QUIET, [])]
)
def test_a_host_that_disturbs_every_block_is_reported(
    tmp_path_factory: pytest.TempPathFactory, share: HostShare, instability: list[str]
) -> None:
    server = ScriptedServer()
    found = Scripted(tmp_path_factory.mktemp("host"), server, ScriptedServer())
    found.share = share
    found.measure(3.0)
    reasons = found._instability(server, found.parts_of(server), found.counted)
    assert list(reasons) == instability


def test_a_jvm_whose_compilers_are_not_recognised_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_Scribe, "are_unknown", lambda _: True)
    server = ScriptedServer()
    samples = [Sample(at_s, 0, 0, server_cpu_s=at_s, compiler_cpu_s=0.0) for at_s in (0.0, 1.0)]
    reasons = Scripted(tmp_path, server)._instability(server, [Part(samples)], [])
    assert list(reasons) == ["unknown-compilers"]


@pytest.mark.parametrize(("used_ratio", "compiling"), [(0.98, False), (0.33, True)])
def test_under_a_quota_compilers_are_held_to_what_the_server_had(
    tmp_path: Path, used_ratio: float, compiling: bool
) -> None:
    server = ScriptedServer()
    samples = [
        Sample(at_s, 0, 0, server_cpu_s=used_ratio * at_s, compiler_cpu_s=0.01 * at_s)
        for at_s in (0.0, 1.0)
    ]
    reasons = list(Scripted(tmp_path, server)._instability(server, [Part(samples)], []))
    assert reasons == (["compiling"] if compiling else [])


def part(begin_s: float, own_s: float, begin_requests: int, rate: int = 1000) -> Part:
    """Ten slices of a tenth of a second, a pause of as much behind each; half of a CPU is used."""
    samples, slices, at_s = [], [], []
    for number in range(11):
        ran_s = own_s + number / 10
        done = begin_requests + rate * number // 10
        samples.append(Sample(ran_s, 100 * done, done, ran_s / 2, ran_s / 4, compiler_cpu_s=0.0))
        at_s.append(begin_s + number / 5)
        if number < 10:
            slices.append(Slice(begin_s + number / 5, begin_s + number / 5 + 0.1))
    samples[0] = samples[0]._replace(stolen_s=0.0, background_cpu_s=0.0)
    samples[-1] = samples[-1]._replace(stolen_s=0.1, background_cpu_s=0.05)
    return Part(samples, slices, at_s)


# a block between them was left out, in which the server did much
PARTS = [part(100.0, 3.0, 7000), part(110.0, 9.0, 50_000, rate=2000)]


def test_parts_make_one_timeline_as_if_nothing_lay_between_them() -> None:
    timeline = joined(PARTS)
    assert timeline.end_s == pytest.approx(2.0)
    requests = timeline.points("requests")
    assert requests[0] == (0.0, 0.0)
    assert requests[10][1] == 1000
    assert requests[-1][0] == pytest.approx(2.0)
    assert requests[-1][1] == 3000
    assert [at_s for at_s, _ in requests] == sorted(at_s for at_s, _ in requests)


@pytest.mark.parametrize(
    ("at_s", "own_s"),
    [(100.0, 0.0), (100.05, 0.05), (100.15, 0.1), (101.0, 0.5), (105.0, None), (110.25, 1.15)],
)
def test_a_moment_is_found_on_the_clock_of_a_server(at_s: float, own_s: float | None) -> None:
    assert own_time_s(PARTS, at_s) == (None if own_s is None else pytest.approx(own_s))


def interleaved_summary(latency_us: int = 1000) -> LoadSummary:
    """Of a server that is asked by 64 connections, some in flight whenever it is paused."""
    summary = wrk_summary(requests=64_000, duration_s=20.0)
    interrupted = round(64_000 * latency_us / 100_000)
    less, more = (latency_us // 2, 16_000), (3 * latency_us // 2, 16_000)
    latencies = (less, (latency_us, 32_000 - interrupted), more)
    return summary.model_copy(
        update={"latencies_us": (*latencies, (100_000 + latency_us, interrupted))}
    )


def test_one_load_gives_all_figures_of_a_window(matrix: Matrix) -> None:
    case = case_of(matrix, "boot4-tomcat-virtual-jvm/hello/64")
    run = Driven(interleaved_summary(), joined(PARTS))
    record = window_record(
        case,
        run,
        Span(0.0, run.timeline.end_s),
        CpuCounts(1, load=1, used=2),
        steady=True,
        instability=[],
        sliced=Sliced(0.1, 0.1),
        bytes_per_request=40.0,
    )
    assert record.throughput_rps == pytest.approx(1500)
    assert record.cpu_per_request_s == pytest.approx(0.5 / 1500)
    assert record.server_cpu_ratio == pytest.approx(0.5)
    assert record.steal_ratio == pytest.approx(0.05)
    assert record.background_cpu_ratio == pytest.approx(0.05)
    assert record.received_bytes_per_s == pytest.approx(150_000)
    assert record.sent_bytes_per_s == pytest.approx(60_000)
    assert record.window_s == pytest.approx(2.0)
    assert record.latency_p50_s == pytest.approx(0.001)
    assert record.in_flight == pytest.approx(1.5, rel=0.05)
    record.interleaving = InterleavingRecord(servers=2, blocks=2, left_out=1)
    reasons = dict(of_load(record, database=True))
    assert "load.latency_p50_s" not in reasons
    assert "longest" in reasons["load.latency_max_s"]
    assert "share the database" in reasons["load.database_busy_connections"]
    assert "same host" in reasons["load.calibration_probe_s"]


def paused(seed: int, mean_s: float, slice_s: float) -> tuple[list[float], LoadSummary]:
    """Latencies of one connection that asks again and again, and what its generator sees of them
    when it is paused for half a second behind each slice."""
    dice = random.Random(seed)
    true, seen, at_s = [], [], 0.0
    for _ in range(200_000):
        value = dice.expovariate(1 / mean_s)
        pauses = math.floor((at_s + value) / slice_s) - math.floor(at_s / slice_s)
        true.append(value)
        seen.append(round(1e6 * (value + 0.5 * pauses)))
        at_s += value
    counts = tuple(sorted(Counter(seen).items()))
    summary = wrk_summary(requests=len(seen))
    return true, summary.model_copy(update={"latencies_us": counts})


def test_latencies_are_those_of_the_slices_without_the_pauses() -> None:
    true, summary = paused(1, 0.005, 0.1)
    found = latencies_of(summary, Sliced(0.1, 0.5))
    ordered = sorted(true)
    assert found["mean"] == pytest.approx(sum(true) / len(true), rel=0.02)
    for name, share in (("p50", 0.5), ("p90", 0.9), ("p99", 0.99)):
        assert found[name] == pytest.approx(ordered[int(share * len(ordered))], rel=0.05)
    # the longest are those that a pause interrupts
    assert "max" not in found


def test_answers_as_long_as_a_slice_have_no_latencies() -> None:
    _, summary = paused(1, 0.08, 0.1)
    assert latencies_of(summary, Sliced(0.1, 0.5)) == {}
    assert latencies_of(wrk_summary(), Sliced(0.1, 0.5)) == {}
    assert latencies_of(wrk_summary())["max"] == 0.01


def test_a_block_is_a_burst_of_its_own(matrix: Matrix) -> None:
    summary = wrk_summary(requests=8000, status=800)
    burst = burst_record(joined(PARTS[1:]), summary, CpuCounts(1, load=1, used=2))
    assert burst.throughput_rps == pytest.approx(1800)
    # they cost the server CPU time all the same
    assert burst.cpu_per_request_s == pytest.approx(0.5 / 2000)
    assert burst.load_cpu_ratio == pytest.approx(0.25)
    assert burst.error_ratio == pytest.approx(0.1)


def young(end_s: float, before: int, after: int, took_s: float = 0.001) -> Collection:
    return Collection(end_s, took_s, "pause young", True, before * MIB, after * MIB)


def collections_with_answers(
    lines: list[Collection], times_s: list[float], answers: list[float]
) -> Collections:
    return Collections(lines, [], [*zip(times_s, answers, strict=True)])


def test_what_grew_between_collections_is_divided_by_the_answers_of_that_time() -> None:
    lines = [young(1.0, 100, 10), young(3.0, 90, 12), young(5.0, 92, 12)]
    # two answers for each mebibyte, at a rate that halves in the middle
    times_s, answers = [0.0, 1.0, 3.0, 5.0, 6.0], [0.0, 200.0, 360.0, 520.0, 560.0]
    found = allocated_bytes_per_answer(collections_with_answers(lines, times_s, answers))
    assert found == pytest.approx(MIB / 2)


def test_a_pause_between_two_collections_costs_nothing() -> None:
    lines = [young(1.0, 100, 10), young(9.0, 90, 12)]
    moving = collections_with_answers(lines, [0.0, 2.0, 8.0, 10.0], [0.0, 160.0, 160.0, 320.0])
    assert allocated_bytes_per_answer(moving) == pytest.approx(80 * MIB / 160)


@pytest.mark.parametrize(
    ("lines", "times_s"),
    [
        ([], [0.0, 9.0]),
        ([young(1.0, 100, 10)], [0.0, 9.0]),
        ([young(1.0, 100, 10), young(9.5, 90, 12)], [0.0, 9.0]),
        ([young(1.0, 100, 10), young(2.0, 90, 12)], [0.0]),
        ([], []),
    ],
)
def test_too_few_collections_say_nothing(lines: list[Collection], times_s: list[float]) -> None:
    answers = [100.0 * time_s for time_s in times_s]
    assert allocated_bytes_per_answer(collections_with_answers(lines, times_s, answers)) is None


def test_a_server_that_answered_nothing_has_no_cost_for_an_answer() -> None:
    lines = [young(1.0, 100, 10), young(2.0, 90, 12)]
    assert (
        allocated_bytes_per_answer(collections_with_answers(lines, [0.0, 9.0], [5.0, 5.0])) is None
    )


def test_a_collection_that_a_pause_interrupts_is_no_longer_than_it_ran(matrix: Matrix) -> None:
    # of 4 s in which it ran for 2: one of 20 ms, and two that began 10 ms before a pause, by a
    # clock that is 50 ms late
    pauses = [Span(100.1, 100.2), Span(100.9, 101.0), Span(101.87, 101.97), Span(102.1, 103.5)]
    lines = [young(101.0, 90, 12, 0.020), young(102.0, 90, 12, 0.130), young(103.55, 90, 12, 1.410)]
    run = Driven(interleaved_summary(), joined(PARTS))
    record = window_record(
        case_of(matrix, "boot4-tomcat-virtual-jvm/hello/64"),
        run,
        Span(0.0, run.timeline.end_s),
        CpuCounts(1, load=1, used=2),
        steady=True,
        instability=[],
        collections=Collections(lines, [Span(100.0, 104.0)], [], pauses),
    )
    assert record.gc_count == 3
    assert record.gc_pause_ratio == pytest.approx((0.02 + 0.03 + 0.01) / 2)
    assert record.heap_after_gc_bytes == 12 * MIB


def test_a_server_with_one_slice_in_a_block_is_paused_between_blocks() -> None:
    slices = [Slice(0.0, 0.1), Slice(2.5, 2.6), Slice(5.1, 5.2)]
    parts = [Part(PARTS[0].samples, [time_slice]) for time_slice in slices]
    assert pause_s(parts) == pytest.approx(2.45)
    assert pause_s(parts[:1]) == 0


def test_a_server_that_speeds_up_among_others_is_not_even() -> None:
    host = [1.0, 0.6, 1.3, 0.9, 1.1, 0.7, 1.2, 1.0]
    still = [100 * speed for speed in host]
    faster = [100 * speed * (1 + 0.05 * index) for index, speed in enumerate(host)]
    assert is_even([still, still, still], 0)
    assert not is_even([faster, still, still], 0)
    assert not is_even([[0.0] * 8, still], 0)


def blocks(seed: int, noise: float, change: Callable[[int], float]) -> list[list[float]]:
    """Twenty blocks of seven servers; the first of them changes as given."""
    dice = random.Random(seed)
    host = [100 * (1 + 0.2 * math.sin(at)) for at in range(20)]
    rates = [[speed * math.exp(dice.gauss(0, noise)) for speed in host] for _ in range(7)]
    return [[rate * change(at) for at, rate in enumerate(rates[0])], *rates[1:]]


def even(noise: float, change: Callable[[int], float]) -> float:
    """Of a hundred servers, how many are called even."""
    return sum(is_even(blocks(seed, noise, change), 0) for seed in range(100)) / 100


def test_noise_of_short_blocks_is_no_change() -> None:
    assert even(0.02, lambda _: 1.0) >= 0.97
    assert even(0.05, lambda _: 1.0) >= 0.97


def test_where_blocks_tell_nothing_no_change_is_explained_away() -> None:
    assert even(0.3, lambda _: 1.0) <= 0.1


def test_what_blocks_do_not_explain_is_a_change() -> None:
    assert even(0.03, lambda at: 1.2 if at >= 10 else 1.0) == 0.0
    assert even(0.03, lambda at: 1 + 0.015 * at) <= 0.02
    # a dip in one quarter
    assert even(0.03, lambda at: 0.8 if 5 <= at < 10 else 1.0) == 0.0


@given(st.lists(st.integers(), max_size=8), st.integers(0, 50))
def test_turns_go_round_and_leave_nobody_out(items: list[int], turn: int) -> None:
    found = rotated(items, turn)
    assert sorted(found) == sorted(items)
    if items:
        assert found[0] == items[turn % len(items)]
