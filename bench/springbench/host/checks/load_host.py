"""Checks of the host that the load comes from, where it is another one, and of the link to it."""

from __future__ import annotations

from functools import partial

from springbench.errors import HostError
from springbench.host.checks.check import Check, Severity, check
from springbench.host.cpus import listed
from springbench.host.facts.kernel_limits import files_needed
from springbench.host.remote.connection import Connection, checked_destination
from springbench.host.remote.found import FoundHost, Link, inspect_host, measure_link
from springbench.units import apart

LOAD_HOST = "load host"
# a longer round trip takes a hundredth and more from what waits a tenth of a second
GOOD_ROUND_TRIP_S = 0.001
# what json's 2 kB at 50,000 answers a second take
GOOD_BYTES_PER_S = 125e6

_check_remote = partial(check, group=LOAD_HOST)


def survey(destination: str, connections: int) -> list[Check]:
    """Log in, look around, and measure the link; what cannot be reached is a finding."""
    try:
        with Connection(checked_destination(destination)) as connection:
            found = inspect_host(connection)
            checks = checks_of(found, connections, with_java=False)
            return [*checks, *checks_of_link(measure_link(connection, found.server_address))]
    except HostError as error:
        why, _, remedy = str(error).partition("; ")
        return [Check(LOAD_HOST, why, "reached", False, Severity.ERROR, remedy, group=LOAD_HOST)]


def checks_of(found: FoundHost, connections: int, *, with_java: bool) -> list[Check]:
    """Checks of so many connections; those of `Severity.ERROR` must hold for any load."""
    required_files = files_needed(connections)
    first, last = found.ports or (0, 0)
    ports = last - first + 1
    kinds = [frozenset().union(*kind) for kind in found.kinds]
    listing = "; ".join(f"CPU {listed(cpus)}" for cpus in kinds)
    return [
        _check_remote(
            "core kinds there",
            f"{len(kinds)}, the fastest first: {listing}. wrk on {listed(found.load_cpus)}, "
            f"upstream on {listed(found.upstream_cpus)}"
            if len(kinds) > 1
            else "one",
            "one",
            len(kinds) < 2,
            "take a host with one kind",
            severity=Severity.INFO,
            matters="wrk is as fast as the cores that it runs on",
        ),
        _check_remote(
            "system",
            f"{found.system} {found.kernel}",
            "Linux",
            found.system == "Linux",
            "take a host that runs Linux: it counts what wrk reads",
            severity=Severity.ERROR,
        ),
        _check_remote(
            "wrk there",
            found.wrk_version or "none",
            "any",
            bool(found.programs["wrk"]),
            "on Debian or Ubuntu: sudo apt-get install -y wrk",
            severity=Severity.ERROR,
        ),
        _check_remote(
            "java there",
            found.programs["java"] or "none",
            "a JDK 25 or newer on the PATH of ssh",
            bool(found.programs["java"]),
            "install one: the slow upstream and the database run there",
            severity=Severity.ERROR if with_java else Severity.INFO,
        ),
        _check_remote(
            "taskset there",
            found.programs["taskset"] or "none",
            "on the PATH of ssh",
            bool(found.programs["taskset"]),
            "on Debian or Ubuntu: sudo apt-get install -y util-linux",
            matters="wrk and the slow upstream share CPUs",
        ),
        _check_remote(
            "open files there",
            f"{found.files:,}",
            f"{required_files:,} for {connections:,} connections",
            found.files >= required_files,
            "raise nofile in /etc/security/limits.conf there",
            severity=Severity.ERROR,
        ),
        _check_remote(
            "ports there",
            f"{ports:,}" if found.ports else "unknown",
            f"{connections:,} for {connections:,} connections",
            not found.ports or ports >= connections,
            "there: sudo sysctl -w net.ipv4.ip_local_port_range='1024 65535'",
            severity=Severity.ERROR,
        ),
    ]


def checks_of_link(link: Link) -> list[Check]:
    """Checks of what lies between the two hosts."""
    trip, _ = apart(_milliseconds, link.round_trip_s, GOOD_ROUND_TRIP_S, 2)
    speed, _ = apart(_megabytes, link.bytes_per_s, GOOD_BYTES_PER_S)
    return [
        _check_remote(
            "round trip",
            trip,
            f"at most {GOOD_ROUND_TRIP_S * 1000:.0f} ms",
            link.round_trip_s <= GOOD_ROUND_TRIP_S,
            "take a load host in the same network",
            matters="it is in every latency, and taken from the theoretical maximum of what waits",
        ),
        _check_remote(
            "bandwidth",
            speed,
            f"at least {GOOD_BYTES_PER_S / 1e6:,.0f} MB/s",
            link.bytes_per_s >= GOOD_BYTES_PER_S,
            "take a faster link",
            matters="answers that need four fifths of it are limited by it, and not ranked",
        ),
    ]


def _milliseconds(value_s: float, digits: int) -> str:
    return f"{value_s * 1000:.{digits}f} ms"


def _megabytes(value_bytes: float, digits: int) -> str:
    return f"{value_bytes / 1e6:,.{digits}f} MB/s"
