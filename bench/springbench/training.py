"""What a runtime makes of an artifact before it is started: an AOT cache, a native image.

Made once for each artifact, set of properties, JDK and row of `matrix.toml`, and kept below
`.tools/prepared/`.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from springbench.build import build_seconds, file_digest
from springbench.errors import CaseError, ConfigurationError
from springbench.host.ports import free_port
from springbench.host.search import tools_dir
from springbench.host.shell import Running
from springbench.host.tools import Jdk, Tool, find_native_image
from springbench.measure.bench import Bench
from springbench.measure.http import request
from springbench.measure.records import BuildRecord
from springbench.measure.server import ServerProcess, fill, start_places, start_properties
from springbench.plan import Variant

STAMP = "prepared.json"
LOG = "prepare.log"
_SCHEMA = 1
_SHOWN_LINES = 20
_REQUEST_CEILING_S = 30.0
# an AOT cache is written when the process ends, by another process
_END_CEILING_S = 300.0
_DIGEST_LENGTH = 16


@dataclass(frozen=True)
class Workshop:
    """What preparing needs beside the bench."""

    jdk: Jdk
    maven: Tool | None
    notify: Callable[[str], None]


def with_prepared(bench: Bench, variants: Iterable[Variant], workshop: Workshop) -> Bench:
    """The bench with all that its variants need made, and what that took."""
    distinct = list({variant.id: variant for variant in variants}.values())
    folders = prepared(bench, distinct, workshop)
    return replace(bench, prepared=folders, builds=builds(bench, distinct, folders))


def prepared(bench: Bench, variants: Iterable[Variant], workshop: Workshop) -> dict[str, Path]:
    """The folder of each variant whose runtime prepares something; made where it is missing.

    Raises `ConfigurationError` with the last lines of the log where a step fails.
    """
    wanted = {variant.id: variant for variant in variants if variant.runtime.makes}
    return {name: _prepared(bench, variant, workshop) for name, variant in wanted.items()}


def builds(
    bench: Bench, variants: Iterable[Variant], folders: Mapping[str, Path]
) -> dict[str, BuildRecord]:
    """Size and duration of the build of each variant: Maven's, and what its runtime adds."""
    return {each.id: _build_record(bench, each, folders.get(each.id)) for each in variants}


def _build_record(bench: Bench, variant: Variant, folder: Path | None) -> BuildRecord:
    artifact = bench.artifact(variant)
    built_s = None if bench.jars else build_seconds(bench.root, artifact)
    if folder is None:
        return BuildRecord(artifact_bytes=_size(artifact), build_s=built_s)
    added_s = _stamp(folder.parent).get("prepare_s")
    return BuildRecord(
        artifact_bytes=sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()),
        build_s=built_s + added_s if built_s is not None and added_s is not None else None,
    )


def _size(file: Path) -> int | None:
    try:
        return file.stat().st_size
    except OSError:
        return None


def _prepared(bench: Bench, variant: Variant, workshop: Workshop) -> Path:
    """`out` holds what is started; log and stamp lie beside it."""
    parent = tools_dir(bench.root) / "prepared"
    folder = parent / f"{variant.id}-{digest(bench, variant, workshop.jdk)}"
    out = folder / "out"
    made = out / str(variant.runtime.makes)
    if _stamp(folder).get("schema") == _SCHEMA and made.exists():
        return out
    workshop.notify(f"preparing {variant.id} (log: .tools/prepared/{folder.name}/{LOG})")
    _remove_older(parent, variant)
    out.mkdir(parents=True)
    begin_s = time.monotonic()
    for command in variant.runtime.prepare:
        _run(bench, variant, folder, command, workshop)
    if variant.runtime.train:
        _train(bench, variant, folder, workshop)
    # a process that was ended while it wrote leaves an empty one
    if not _size(made):
        raise _failed(variant, folder, f"it left no {variant.runtime.makes}")
    stamp = {"schema": _SCHEMA, "prepare_s": round(time.monotonic() - begin_s, 3)}
    (folder / STAMP).write_text(json.dumps(stamp), encoding="utf-8")
    return out


def digest(bench: Bench, variant: Variant, jdk: Jdk) -> str:
    """The same for what would come out the same."""
    parts = [
        file_digest(bench.artifact(variant)),
        variant.runtime.model_dump_json(),
        json.dumps(variant.model.properties_for(variant.server.id), sort_keys=True),
        f"{jdk.version} {jdk.vendor} {bench.java}",
        f"{bench.enclosure.limit_bytes} {len(bench.cpus.server)}",
    ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:_DIGEST_LENGTH]


def _stamp(folder: Path) -> dict[str, float]:
    try:
        found = json.loads((folder / STAMP).read_text(encoding="utf-8"))
        return dict(found)
    except (OSError, ValueError, TypeError):
        return {}


def _remove_older(parent: Path, variant: Variant) -> None:
    """One folder a variant: those of other sources, and halves of an interrupted one, go."""
    name = re.compile(re.escape(variant.id) + f"-[0-9a-f]{{{_DIGEST_LENGTH}}}")
    for folder in parent.glob(f"{variant.id}-*"):
        if name.fullmatch(folder.name):
            shutil.rmtree(folder)


def _places(bench: Bench, variant: Variant, folder: Path, port: int) -> dict[str, str]:
    return start_places(bench, variant, port, folder, folder / "out")


def _run(
    bench: Bench, variant: Variant, folder: Path, command: Sequence[str], workshop: Workshop
) -> None:
    properties = variant.model.properties_for(variant.server.id)
    places = _places(bench, variant, folder, 0) | {
        "maven": str(workshop.maven.path) if workshop.maven else "mvn",
        "module": variant.module,
        "jvm_properties": " ".join(f"-D{key}={value}" for key, value in properties.items()),
    }
    with (folder / LOG).open("ab") as output:
        running = bench.shell.start(
            fill(command, places, properties),
            stdout=output,
            env=_environment(bench, variant, workshop),
            cwd=bench.root,
        )
        try:
            code = running.wait()
        finally:
            running.stop()
    if code:
        raise _failed(variant, folder, f"{command[0].strip('{}')} ended with exit code {code}")


def _environment(bench: Bench, variant: Variant, workshop: Workshop) -> dict[str, str]:
    """The found JDK in force, and the GraalVM that was found where it is needed."""
    environment = workshop.jdk.env(os.environ)
    if "native-image" in variant.runtime.needs and (tool := find_native_image(shell=bench.shell)):
        environment["GRAALVM_HOME"] = str(tool.path.resolve().parent.parent)
    return environment


def _train(bench: Bench, variant: Variant, folder: Path, workshop: Workshop) -> None:
    """Start the server as it will be started, ask it for its routes, and let it end in peace."""
    runtime, port = variant.runtime, free_port(None)
    command = fill(
        runtime.train,
        _places(bench, variant, folder, port),
        start_properties(bench, variant, port),
    )
    with (folder / LOG).open("ab") as output:
        begin_s = time.perf_counter()
        running = bench.shell.start(command, stdout=output, cwd=bench.root)
        try:
            server = ServerProcess(running, port, begin_s)
            server.wait_ready(variant.server.health)
            for route, count in runtime.train_requests.items():
                _ask(server, route, count)
            if runtime.train_end:
                places = {
                    "jcmd": str(workshop.jdk.home / "bin" / "jcmd"),
                    "pid": str(running.pid),
                    "prepared": str(folder / "out"),
                }
                bench.shell.run(
                    [word.format_map(places) for word in runtime.train_end],
                    timeout_s=_END_CEILING_S,
                )
            _end(running)
        except (CaseError, OSError, http.client.HTTPException, subprocess.SubprocessError) as error:
            raise _failed(variant, folder, f"training: {error}") from error
        finally:
            running.stop(0.0)


def _ask(server: ServerProcess, route: str, count: int) -> None:
    """`count` requests, one after the other. A route that the server has not is none to train."""
    for _ in range(count):
        server.check_alive("training")
        if request(server.port, route, timeout_s=_REQUEST_CEILING_S).status == 404:
            return


def _end(running: Running) -> None:
    """SIGTERM to the process alone: the one that it starts to write the cache must live."""
    running.signal(signal.SIGTERM)
    running.wait(_END_CEILING_S)


def _failed(variant: Variant, folder: Path, what: str) -> ConfigurationError:
    try:
        lines = (folder / LOG).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    tail = "\n".join(lines[-_SHOWN_LINES:])
    return ConfigurationError(
        f"{variant.id} could not be prepared: {what}; .tools/prepared/{folder.name}/{LOG} "
        f"ends:\n{tail}"
    )
