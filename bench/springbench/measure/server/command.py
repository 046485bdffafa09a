"""The command that starts a server: a row of `matrix.toml` with its places filled in."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from springbench.host.environment import measured_environment, passed
from springbench.host.ports import free_port
from springbench.matrix.mistakes import PROPERTIES_PLACE, SYSTEM_PROPERTIES_PLACE
from springbench.matrix.requests import Login
from springbench.matrix.workloads import Workload
from springbench.measure.readings.gclog import GC_LOG
from springbench.measure.testbed import Testbed
from springbench.plan.cases import Case, Variant

# Of the memory limit; what a JVM needs beside the heap must fit into the rest. With 75 %, which
# gives a collector more room, Jetty's 3,000 platform threads no longer do at 1 GiB.
HEAP_PERCENT = 60
# An image's serial collector copies all that lives, so for a moment it needs the heap twice: with
# 60 %, 533 MiB of heap and 5,000 connections took 1,101 MiB (one image, one fork). Twice this heap
# leaves 12 % for the image itself, its stacks and buffers.
IMAGE_HEAP_PERCENT = 44
# the first whose logs all have one option
LOGGING_JDK = 9
# of Spring Boot: how many connections to the database a server opens, over JDBC and over R2DBC
POOL_PROPERTIES = ("spring.datasource.hikari.maximum-pool-size", "spring.r2dbc.pool.max-size")
FURTHER_PORT = re.compile(r"\{port:([a-z]+)\}")


@dataclass(frozen=True)
class Start:
    """A process to be started: its variant, and what the loads that it will get ask of it."""

    variant: Variant
    connections: int = 1
    java_options: tuple[str, ...] = ()
    workload: Workload | None = None
    further_ports: dict[str, int] = field(default_factory=dict, compare=False)
    """By name, the free ports that `{port:NAME}` stands for: the same wherever it stands."""
    temporary_folder: Path = field(
        default_factory=lambda: Path(tempfile.gettempdir()), compare=False
    )
    """For its temporary files."""

    @classmethod
    def of(cls, case: Case) -> Start:
        """The process of a case."""
        return cls(case.variant, case.connections, case.java_options, case.workload)

    @property
    def login(self) -> Login | None:
        """What it is asked for its token, if anything."""
        login = self.workload.login if self.workload else None
        return login or self.variant.server.login

    @property
    def with_database(self) -> bool:
        """Whether it reads from the database."""
        return self.workload is not None and "database" in self.workload.needs

    def command(self, testbed: Testbed, port: int, folder: Path) -> list[str]:
        """How it is started; `folder` takes the collector's log."""
        prepared = testbed.prepared.get(self.variant.id)
        places = start_places(testbed, self.variant, port, folder, prepared)
        template = [word for word in self.variant.runtime.start if _is_known(word, testbed)]
        return self.fill(template, places, self.properties(testbed, port))

    def properties(self, testbed: Testbed, port: int) -> dict[str, str]:
        """Spring's properties: its port, its model's, the upstream's address, its workload's."""
        model_properties = self.variant.model.properties_for(
            self.variant.server.id, self.connections
        )
        model_properties = {
            key: self._with_ports(value, port) for key, value in model_properties.items()
        }
        properties = {"server.port": str(port), **model_properties}
        if testbed.load_host:
            # whatever it says itself: the other host has to reach it, and nobody else
            properties["server.address"] = testbed.load_host.server_address
        if size := self.variant.settings.pool_size:
            properties |= dict.fromkeys(POOL_PROPERTIES, size)
        slow_upstream = self.variant.server.slow_upstream
        name = slow_upstream.property if slow_upstream else "springbench.upstream.url"
        if testbed.upstream and name:
            properties[name] = testbed.upstream.url
        if self.workload is None:
            return properties
        places = testbed.key_store.places if testbed.key_store else {}
        workload_properties = {
            key: value.format_map(places) if key in self.workload.protocol.key_properties else value
            for key, value in self.workload.properties.items()
        }
        return properties | workload_properties

    def _with_ports(self, text: str, port: int) -> str:
        """The text with a free port in each `{port:NAME}`; none of them is `port`."""

        # 0 is the port of nobody: of a command that starts no server
        return with_further_ports(text, port, self.further_ports) if port else text

    def fill(
        self, template: Sequence[str], places: Mapping[str, str], properties: Mapping[str, str]
    ) -> list[str]:
        """A command of `matrix.toml`, with one word for each property where it asks for them.

        One that has no place for Spring's properties behind the program gets them as properties of
        the JVM: an application that does not hand its arguments on has them all the same.
        """
        places = {**places, "temporary_folder": str(self.temporary_folder)}
        command: list[str] = []
        for part in template:
            if part == PROPERTIES_PLACE:
                command += [f"--{key}={value}" for key, value in properties.items()]
            elif part == SYSTEM_PROPERTIES_PLACE:
                system = dict(self.variant.model.system_properties)
                if PROPERTIES_PLACE not in template:
                    system |= properties
                command += [f"-D{key}={value}" for key, value in system.items()]
            else:
                command.append(part.format_map(places))
            if part == "{java}":
                command += self.java_options
        return command

    def environment(self, testbed: Testbed, port: int) -> dict[str, str]:
        """All of its environment, as `measured_environment` makes it.

        The database goes this way, because a password on a command line is everybody's.
        """
        server = self.variant.server
        variables = {"TMPDIR": str(self.temporary_folder)} | passed(server.pass_env)
        variables |= {
            name: self._with_ports(text.replace("{port}", str(port)), port)
            for name, text in server.environment.items()
        }
        slow_upstream = self.variant.server.slow_upstream
        if testbed.upstream and slow_upstream and slow_upstream.variable:
            variables[slow_upstream.variable] = testbed.upstream.url
        if testbed.database and self.with_database:
            variables = testbed.database.variables | variables
        return measured_environment(variables, testbed.java_home)


def with_further_ports(text: str, port: int, known: dict[str, int]) -> str:
    """The text with a free port in each `{port:NAME}`: one that is `known` by that name, else
    another than all of them and `port`, which is known from then on."""

    def chosen(found: re.Match[str]) -> str:
        if found[1] not in known:
            known[found[1]] = free_port(first=max(port, *known.values(), 0) + 1)
        return str(known[found[1]])

    return FURTHER_PORT.sub(chosen, text)


def _is_known(word: str, testbed: Testbed) -> bool:
    """Whether the JDK takes an option that only makes it tell more: an older one ends over it."""
    is_log = word.startswith("-Xlog:")
    return not is_log or testbed.java_major is None or testbed.java_major >= LOGGING_JDK


def start_places(
    testbed: Testbed, variant: Variant, port: int, folder: Path, prepared: Path | None
) -> dict[str, str]:
    """Values for the places of a command; `folder` takes the collector's log.

    Paths are absolute: the command starts in the artifact's folder.
    """
    artifact = testbed.artifact(variant).absolute()
    limit_bytes = testbed.memory_limit_of(variant).limit_bytes
    return {
        "java": str(testbed.java),
        "artifact": str(artifact),
        "jar_name": artifact.name,
        "prepared": str(prepared.absolute()) if prepared else "",
        "memory_limit_bytes": str(limit_bytes),
        "heap_bytes": str(limit_bytes * HEAP_PERCENT // 100),
        "image_heap_bytes": str(limit_bytes * IMAGE_HEAP_PERCENT // 100),
        "server_cpus": str(variant.processors(len(testbed.cpus.server) or os.cpu_count() or 1)),
        "port": str(port),
        "gc_log": str((folder / GC_LOG).absolute()),
    }
