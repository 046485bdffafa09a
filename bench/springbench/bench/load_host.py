"""The host that the load comes from, where it is another one: reached, checked, measured."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from springbench import units
from springbench.errors import HostError
from springbench.host.checks.check import Severity
from springbench.host.checks.load_host import checks_of
from springbench.host.remote.connection import Connection, checked_destination
from springbench.host.remote.found import FoundHost, Link, inspect_host, measure_link
from springbench.measure.load.load_host import OtherHost
from springbench.measure.services.database_launcher import is_given
from springbench.plan.plan import Plan
from springbench.results.run import Caution, LoadHostInfo

logger = logging.getLogger(__name__)

# of a delay: above it the link is seen in what only waits
NOTABLE_ROUND_TRIP_RATIO = 0.005


@dataclass(frozen=True)
class RemoteLoadHost:
    """The other host, fit for a plan, and the connection to it."""

    connection: Connection
    found: FoundHost
    link: Link
    other_host: OtherHost
    """The host as a fork uses it."""

    @classmethod
    def of(cls, connection: Connection, found: FoundHost, link: Link) -> RemoteLoadHost:
        """What was found and measured, put together."""
        other_host = OtherHost(
            connection=connection,
            wrk=found.programs["wrk"] or "wrk",
            cpus=found.load_cpus,
            address=found.address,
            server_address=found.server_address,
        )
        return cls(connection, found, link, other_host)

    @property
    def load_cpus(self) -> int:
        """How many CPUs the load has: what its share is of."""
        return len(self.found.load_cpus) or sum(map(len, self.found.cores))

    def info(self) -> LoadHostInfo:
        """The part of `run.json`. It names no host: the file is published."""
        found = self.found
        return LoadHostInfo(
            cpu_model=found.cpu_model,
            cores=sum(map(len, found.cores)),
            memory_bytes=found.memory_bytes,
            kernel=found.kernel,
            load_cpus=sorted(found.load_cpus),
            upstream_cpus=sorted(found.upstream_cpus),
            wrk=found.wrk_version,
            round_trip_s=self.link.round_trip_s,
            link_bytes_per_s=self.link.bytes_per_s,
        )

    def warnings(self, plan: Plan) -> Iterator[Caution]:
        """What the link takes from cases that only wait."""
        trip_s = self.link.round_trip_s
        delays_s = {case.workload.delay_s for case in plan.cases}
        for delay_s in sorted(delay for delay in delays_s if delay):
            if trip_s <= NOTABLE_ROUND_TRIP_RATIO * delay_s:
                continue
            yield Caution(
                code="link",
                message=f"a byte takes {units.milliseconds(trip_s)} to the load host and back: "
                f"what waits {units.milliseconds(delay_s)} reaches "
                f"{units.share(delay_s / (delay_s + trip_s))} of its theoretical maximum at most",
                remedy="a load host in the same network, or a workload that waits longer",
            )


@contextmanager
def connect(
    destination: str | None, plan: Plan, connections: int
) -> Iterator[RemoteLoadHost | None]:
    """The host of `--load-host`; None where none is named.

    Raises `HostError` with a line for each thing that it lacks for the plan and so many
    connections.
    """
    if not destination:
        yield None
        return
    with_java = plan.needs("upstream") or (plan.needs("database") and not is_given())
    with Connection(checked_destination(destination)) as connection:
        found = inspect_host(connection)
        checks = checks_of(found, connections, with_java=with_java)
        lacks = [check for check in checks if not check.ok and check.severity is Severity.ERROR]
        if lacks:
            raise HostError(
                "\n".join(
                    f"{destination}: {check.name}: {check.found}, needed: {check.wanted}; "
                    f"{check.remedy}"
                    for check in lacks
                )
            )
        link = measure_link(connection, found.server_address)
        logger.info(
            f"the load comes from {destination}: {units.milliseconds(link.round_trip_s)} there and "
            f"back, {units.megabytes(link.bytes_per_s)} a second"
        )
        yield RemoteLoadHost.of(connection, found, link)
