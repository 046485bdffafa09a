"""Preparation of an artifact before it is started: an AOT cache, a native image.

Made once for each artifact, image of a model, JDK and row of `matrix.toml`, and kept below
`.tools/prepared/`. A folder of jars may bring it along, made elsewhere. A server is trained on real
requests, so that its AOT cache knows what a request's path loads.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import logging
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from springbench.build.availability import prebuilt
from springbench.build.maven import build_error, build_seconds, file_digest
from springbench.errors import BuildError, CaseError
from springbench.host import environment
from springbench.host.environment import passed
from springbench.host.ports import free_port
from springbench.host.shell import Running
from springbench.host.temporary_folder import temporary_folder
from springbench.host.tools.find import Jdk, Tool, find_native_image
from springbench.host.tools.search import tools_dir
from springbench.matrix.templates import get
from springbench.measure.server.command import Start, start_places
from springbench.measure.server.process import ServerProcess
from springbench.measure.testbed import Testbed
from springbench.plan.cases import Variant
from springbench.report.progress import log_elapsed
from springbench.results.records import BuildRecord
from springbench.units import duration
from springbench.untrusted import parse_json, read_file

logger = logging.getLogger(__name__)

_REQUEST_CEILING_S = 30.0
# an AOT cache is written when the process ends, by another process
_END_CEILING_S = 300.0
STAMP = "prepared.json"
# in the folder of an image, wherever that was made: what made it
MADE_WITH = "made-with"
# `native-image 25.0.2 2026-01-20`: its date tells nothing more
_MADE_WITH_WORDS = 2
_MADE_WITH_LENGTH = 80
LOG = "prepare.log"
_SCHEMA = 3
_DIGEST_LENGTH = 16


class TrainingError(Exception):
    """The server did not start, answer or end as it should."""


def train(testbed: Testbed, variant: Variant, out: Path, log: Path, jdk: Jdk) -> None:
    """Start the server as it will be started, ask it for its routes, and let it end in peace.

    What it makes goes into the folder `out`. Raises `TrainingError`.
    """
    # its routes are asked for from here, wherever its load will come from
    testbed = replace(testbed, load_host=None)
    with temporary_folder() as temporary:
        _train(testbed, Start(variant, temporary_folder=temporary), out, log, jdk)


def _train(testbed: Testbed, start: Start, out: Path, log: Path, jdk: Jdk) -> None:
    variant, port = start.variant, free_port(None)
    runtime = variant.runtime
    places = start_places(testbed, variant, port, log.parent, out)
    command = start.fill(runtime.train, places, start.properties(testbed, port))
    with log.open("ab") as output:
        begin_s = time.perf_counter()
        running = testbed.shell.start(
            command,
            stdout=output,
            env=start.environment(testbed, port),
            cwd=testbed.root,
        )
        try:
            server = ServerProcess(running, port, begin_s)
            server.wait_ready(variant.server.health, status=variant.server.health_status)
            for route, count in runtime.train_requests.items():
                _ask(server, route, count)
            if runtime.train_end:
                _request_end(testbed, variant, out, running, jdk)
            # to the process alone: the one that it starts to write the cache must live
            running.signal(signal.SIGTERM)
            running.wait(_END_CEILING_S)
        except (CaseError, OSError, http.client.HTTPException, subprocess.SubprocessError) as error:
            raise TrainingError(str(error)) from error
        finally:
            running.stop(0.0)


def _ask(server: ServerProcess, route: str, count: int) -> None:
    """`count` requests, one after the other. A route that the server has not is none to train."""
    for _ in range(count):
        server.check_alive("training")
        if server.ask(get(route), timeout_s=_REQUEST_CEILING_S).status == 404:
            return


def _request_end(testbed: Testbed, variant: Variant, out: Path, running: Running, jdk: Jdk) -> None:
    places = {
        "jcmd": str(jdk.home / "bin" / "jcmd"),
        "pid": str(running.pid),
        "prepared": str(out),
    }
    command = [word.format_map(places) for word in variant.runtime.train_end]
    testbed.shell.run(command, timeout_s=_END_CEILING_S)


def builds(
    testbed: Testbed, variants: Iterable[Variant], folders: Mapping[str, Path]
) -> dict[str, BuildRecord]:
    """Size and duration of the build of each variant: Maven's, and what its runtime adds."""
    return {
        variant.id: _build_record(testbed, variant, folders.get(variant.id)) for variant in variants
    }


def stamp(folder: Path) -> dict[str, Any]:
    """What was noted when the folder had been made; empty where it was not."""
    try:
        return dict(parse_json(read_file(folder / STAMP)))
    except (OSError, ValueError, TypeError):
        return {}


def size(file: Path) -> int | None:
    """In bytes; None where there is no such file."""
    try:
        return file.stat().st_size
    except OSError:
        return None


def _build_record(testbed: Testbed, variant: Variant, folder: Path | None) -> BuildRecord:
    artifact = testbed.artifact(variant)
    built_s = None if testbed.jars else build_seconds(testbed.root, artifact)
    if folder is None:
        return BuildRecord(artifact_bytes=size(artifact), build_s=built_s)
    added_s = stamp(folder.parent).get("prepare_s")
    files = [file for file in folder.rglob("*") if file.is_file() and file.name != MADE_WITH]
    return BuildRecord(
        artifact_bytes=sum(file.stat().st_size for file in files),
        build_s=built_s + added_s if built_s is not None and added_s is not None else None,
        made_with=_made_with(folder),
    )


def _made_with(folder: Path) -> str | None:
    """Name and version, as on the first line that `native-image --version` prints."""
    try:
        words = read_file(folder / MADE_WITH).decode(errors="replace").split()
    except OSError:
        return None
    return " ".join(words[:_MADE_WITH_WORDS])[:_MADE_WITH_LENGTH] or None


@dataclass(frozen=True)
class PreparationContext:
    """Context of preparing beside the testbed, and the folders that it has given out."""

    jdk: Jdk
    maven: Tool | None
    in_use: set[Path] = field(default_factory=set)
    failures: dict[str, str] | None = None
    """By variant id: why it could not be made. None: the first failure ends everything."""


def with_prepared(
    testbed: Testbed, variants: Iterable[Variant], context: PreparationContext
) -> Testbed:
    """The testbed with all that its variants need made, and what that took."""
    distinct = list({variant.id: variant for variant in variants}.values())
    folders = prepared(testbed, distinct, context)
    return replace(testbed, prepared=folders, builds=builds(testbed, distinct, folders))


def prepared(
    testbed: Testbed, variants: Iterable[Variant], context: PreparationContext
) -> dict[str, Path]:
    """The folder of each variant whose runtime prepares something; made where it is missing.

    Raises `BuildError` with the lines of the log that say why where a step fails, unless the
    context keeps failures.
    """
    required_variants = {
        candidate.id: candidate.prepared_as for candidate in variants if candidate.runtime.makes
    }
    folders = {}
    for name, variant in required_variants.items():
        try:
            folders[name] = _prepared(testbed, variant, context)
        except BuildError as error:
            if context.failures is None:
                raise
            context.failures[name] = str(error)
            logger.info(str(error))
    return folders


def _prepared(testbed: Testbed, variant: Variant, context: PreparationContext) -> Path:
    """`out` holds what is started; log and stamp lie beside it."""
    if folder := prebuilt(testbed.jars, variant):
        # an artifact of a workflow comes without the right to be run
        (folder / str(variant.runtime.makes)).chmod(0o755)
        return folder
    testbed = testbed.for_variant(variant)
    own_jdk = testbed.jdks.get(variant.settings.jdk or "", context.jdk)
    context = replace(context, jdk=own_jdk)
    parent = tools_dir(testbed.root) / "prepared"
    folder = parent / f"{variant.id}-{digest(testbed, variant, context.jdk)}"
    # the two sides of a comparison have the same variant of different artifacts
    context.in_use.add(folder)
    out = folder / "out"
    product = out / str(variant.runtime.makes)
    if _is_whole(folder) and product.exists():
        return out
    logger.info(f"preparing {variant.id} (log: .tools/prepared/{folder.name}/{LOG})")
    _remove_older(parent, variant, context.in_use)
    shutil.rmtree(folder, ignore_errors=True)
    out.mkdir(parents=True)
    begin_s = time.monotonic()
    for command in variant.runtime.prepare:
        _run(testbed, variant, folder, command, context)
    if variant.runtime.train:
        try:
            train(testbed, variant, out, folder / LOG, context.jdk)
        except TrainingError as error:
            raise _failed(variant, folder, f"training: {error}") from error
    # a process that was ended while it wrote leaves an empty one
    if not size(product):
        raise _failed(variant, folder, f"it left no {variant.runtime.makes}")
    if variant.runtime.is_native and (tool := find_native_image(shell=testbed.shell)):
        (out / MADE_WITH).write_text(f"{tool.name} {tool.version}\n", encoding="utf-8")
    took_s = round(time.monotonic() - begin_s, 3)
    noted = {"schema": _SCHEMA, "prepare_s": took_s, "files": _listing(out)}
    (folder / STAMP).write_text(json.dumps(noted), encoding="utf-8")
    return out


def digest(testbed: Testbed, variant: Variant, jdk: Jdk) -> str:
    """The same for what would come out the same."""
    parts = [
        file_digest(testbed.artifact(variant)),
        variant.runtime.model_dump_json(),
        variant.model.model_dump_json(include={"id", "properties", "system_properties"}),
        json.dumps(Start(variant).properties(replace(testbed, upstream=None), 0), sort_keys=True),
        f"{jdk.version} {jdk.vendor} {testbed.java}",
        f"{testbed.memory_limit_of(variant).limit_bytes} {len(testbed.cpus.server)}",
    ]
    if variables := variant.server.environment | passed(variant.server.pass_env):
        parts.append(environment.digest(variables))
    if variant.runtime.is_native and (tool := find_native_image(shell=testbed.shell)):
        parts.append(f"{tool.name} {tool.version}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:_DIGEST_LENGTH]


def _is_whole(folder: Path) -> bool:
    noted = stamp(folder)
    return noted.get("schema") == _SCHEMA and noted.get("files") == _listing(folder / "out")


def _listing(out: Path) -> dict[str, list[int]]:
    """Size and time of each file: a JVM refuses an AOT cache whose jars have another time.

    So what was carried here by something that keeps no times is made anew.
    """
    files = sorted(file for file in out.rglob("*") if file.is_file())
    facts = {str(file.relative_to(out)): file.stat() for file in files}
    return {name: [status.st_size, int(status.st_mtime)] for name, status in facts.items()}


def _remove_older(parent: Path, variant: Variant, in_use: Set[Path]) -> None:
    """Those of other sources, and halves of an interrupted one, go."""
    name = re.compile(re.escape(variant.id) + f"-[0-9a-f]{{{_DIGEST_LENGTH}}}")
    for folder in parent.glob(f"{variant.id}-*"):
        if name.fullmatch(folder.name) and (folder not in in_use or not _is_whole(folder)):
            shutil.rmtree(folder)


def _run(
    testbed: Testbed,
    variant: Variant,
    folder: Path,
    command: Sequence[str],
    context: PreparationContext,
) -> None:
    start = Start(variant)
    places = start_places(testbed, variant, 0, folder, folder / "out") | {
        "maven": str(context.maven.path) if context.maven else "mvn",
        "module": variant.module,
        "image": variant.model.id,
    }
    with (folder / LOG).open("ab") as output:
        running = testbed.shell.start(
            start.fill(command, places, start.properties(testbed, 0)),
            stdout=output,
            env=_environment(testbed, variant, context),
            cwd=testbed.root,
        )
        try:
            with log_elapsed(lambda s: f"  {variant.id}: {duration(s)} so far"):
                code = running.wait()
        finally:
            running.stop()
    if code:
        raise _failed(variant, folder, f"{command[0].strip('{}')} ended with exit code {code}")


def _environment(testbed: Testbed, variant: Variant, context: PreparationContext) -> dict[str, str]:
    """The found JDK in force, and the GraalVM that was found where it is needed."""
    variables = context.jdk.env(os.environ)
    if variant.runtime.is_native and (tool := find_native_image(shell=testbed.shell)):
        variables["GRAALVM_HOME"] = str(tool.path.resolve().parent.parent)
    return variables


def _failed(variant: Variant, folder: Path, what: str) -> BuildError:
    try:
        lines = (folder / LOG).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    log = f".tools/prepared/{folder.name}/{LOG}"
    return build_error(f"{variant.id} could not be prepared: {what}", log, lines)
